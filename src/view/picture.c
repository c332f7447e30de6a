// SPDX-License-Identifier: MIT
// The stand-alone picture: the same panel as in the window, with a caption. See
// picture.h.
#include "view/picture.h"

#include <math.h>
#include <stdio.h>

#include "view/panel.h"
#include "view/readouts.h"

static struct scene scene_of(const struct picture *picture)
{
    struct scene scene;
    scene_init(&scene);
    scene.now = picture->alignment;
    scene.alpha = picture->alpha;
    scene.rows = alignment_rows(picture->alignment);
    scene.lens = picture->lens;
    scene.hard = picture->hard;
    scene.ribbon = picture->ribbon;
    scene.shade = picture->shade;
    scene.map = picture->map;
    return scene;
}

void picture_size(const struct picture *picture, float *width, float *height)
{
    float n = (float)picture->alignment->n_src;
    float rows = (float)alignment_rows(picture->alignment);
    *width = fminf(4096, fmaxf(760, 48 + 112 + n * 54 + 28 + 280));
    *height = fminf(4096, fmaxf(420, 64 + 96 + rows * 32 + 100));
}

static void format_tau(char *out, size_t size, float tau)
{
    if (isinf(tau))
        snprintf(out, size, "∞");
    else
        snprintf(out, size, "%.3g", (double)tau);
}

void picture_draw(struct ui *ui, const struct picture *picture, float width, float height)
{
    char tau[32], caption[256];
    format_tau(tau, sizeof tau, picture->tau);
    snprintf(caption, sizeof caption, "τ = %s, %s", tau, picture->mode);
    struct rect line = rect_make(24, 14, width - 48, 26);
    ui_text_fit(ui, FONT_BOLD, 15, line, -1, ui->style->ink, picture->title);
    ui_text_fit(ui, FONT_TEXT, 13, line, 1, ui->style->dim, caption);
    struct scene scene = scene_of(picture);
    struct rect area = rect_make(24, 44, width - 48, height - 60);
    struct panel panel = panel_layout(ui, area, &scene);
    panel_draw(ui, &scene, &panel);
}
