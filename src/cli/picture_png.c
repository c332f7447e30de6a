// SPDX-License-Identifier: MIT
// A reading as a PNG. See picture_png.h. The same view, the same fonts and the same
// renderer as the window, on a surface in memory.
#include "cli/picture_png.h"

#include "formats/model_dir.h"
#include "sdl/offscreen.h"
#include "view/picture.h"

enum { PICTURE_CMDS = 1 << 18, PICTURE_BYTES = 1 << 25 };

static bool paint(struct offscreen *offscreen, struct draw_list *list,
                  const struct picture *picture, const struct style *style, float scale,
                  struct error *err)
{
    struct ui ui;
    float width = 0, height = 0;
    picture_size(picture, &width, &height);
    struct input input = {
        .width = width, .height = height, .scale = scale, .x = -1e6f, .y = -1e6f};
    ui_init(&ui, offscreen_host(offscreen, scale));
    draw_reset(list);
    ui_begin(&ui, &input, style, list);
    picture_draw(&ui, picture, width, height);
    ui_end(&ui);
    if (list->dropped)
        return fail_with(err, ERR_LIMIT, "the picture is too large: %d parts do not fit",
                         list->dropped);
    return offscreen_paint(offscreen, list, width, height, scale, style->ground, err);
}

bool picture_png(struct buf *out, const struct reading *reading, const char *title,
                 enum theme theme, float scale, struct error *err)
{
    char fonts[4096], assets[4096];
    struct draw_list list = {0};
    struct picture picture = {.alignment = reading->alignment,
                              .alpha = reading->alpha,
                              .tau = reading->tau,
                              .mode = reading->mode,
                              .title = title};
    if (!data_path("assets", assets, sizeof assets) ||
        !file_join(fonts, sizeof fonts, assets, "fonts"))
        return fail_with(err, ERR_IO,
                         "no fonts were found: set ALPHASCOPE_DATA to the "
                         "directory that holds assets/");
    if (!draw_init(&list, PICTURE_CMDS, PICTURE_BYTES))
        return fail_nomem(err, "the picture");
    struct offscreen *offscreen = offscreen_create(fonts, true, err);
    bool ok = offscreen &&
              paint(offscreen, &list, &picture, style_of(theme), scale, err) &&
              offscreen_png(offscreen, out, err);
    offscreen_destroy(offscreen);
    draw_finish(&list);
    return ok;
}
