// SPDX-License-Identifier: MIT
// A reading as a picture. See picture_file.h. The same view, the same fonts and the same
// renderer as the window, on a surface in memory.
#include "cli/picture_file.h"

#include "formats/model_dir.h"
#include "view/picture.h"

enum { PICTURE_CMDS = 1 << 18, PICTURE_BYTES = 1 << 25 };

static bool paint(struct paper *paper, struct draw_list *list,
                  const struct picture *picture, const struct picture_look *look,
                  struct buf *out, struct error *err)
{
    struct ui ui;
    const struct style *style = style_of(look->theme);
    struct sheet sheet = {.list = list, .scale = look->scale, .ground = style->ground};
    picture_size(picture, &sheet.width, &sheet.height);
    struct input input = {.width = sheet.width,
                          .height = sheet.height,
                          .scale = look->scale,
                          .x = -1e6f,
                          .y = -1e6f};
    ui_init(&ui, paper_host(paper, look->scale));
    draw_reset(list);
    ui_begin(&ui, &input, style, list);
    picture_draw(&ui, picture, sheet.width, sheet.height);
    ui_end(&ui);
    return paper_write(paper, look->kind, &sheet, out, err);
}

bool picture_file(struct buf *out, const struct reading *reading, const char *title,
                  const struct picture_look *look, struct error *err)
{
    char fonts[4096], assets[4096];
    struct draw_list list = {0};
    struct picture picture = {.alignment = reading->alignment,
                              .alpha = reading->alpha,
                              .tau = reading->tau,
                              .mode = reading->mode,
                              .lens = reading->lens,
                              .hard = look->hard,
                              .ribbon = look->ribbon,
                              .shade = look->shade,
                              .map = look->map,
                              .title = title};
    if (!data_path("assets", assets, sizeof assets) ||
        !file_join(fonts, sizeof fonts, assets, "fonts"))
        return fail_with(err, ERR_IO,
                         "no fonts were found: set ALPHASCOPE_DATA to the "
                         "directory that holds assets/");
    if (!draw_init(&list, PICTURE_CMDS, PICTURE_BYTES))
        return fail_nomem(err, "the picture");
    struct paper *paper = paper_create(fonts, true, err);
    bool ok = paper && paint(paper, &list, &picture, look, out, err);
    paper_destroy(paper);
    draw_finish(&list);
    return ok;
}
