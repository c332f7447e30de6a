// SPDX-License-Identifier: MIT
// Colour scale and pointer readout. See legend.h.
#include "view/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/telemetry.h"

enum { STEPS = 96, BAR_W = 192 };

static void draw_scale(struct ui *ui, const struct scene *scene, float x, float y)
{
    uint8_t pixels[STEPS * 4];
    for (int i = 0; i < STEPS; i++) {
        struct color c =
            colormap_at(scene->map, ui->style->theme, (float)i / (float)(STEPS - 1));
        memcpy(pixels + 4 * i, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
    draw_image(ui->list, rect_make(x, y, BAR_W, 8), STEPS, 1, pixels, 255);
    draw_frame(ui->list, rect_make(x, y, BAR_W, 8), 0, 1, ui->style->line);
    static const char *const low[SHADE_COUNT] = {"0", "0", "0", "≤ 0.0001"};
    static const char *const high[SHADE_COUNT] = {"α = 1", "row maximum",
                                                  "matrix maximum", "α = 1, log"};
    const char *end = high[scene->shade];
    draw_text(ui->list, FONT_TEXT, 12, x, y + 24, 0, ui->style->dim, low[scene->shade],
              -1);
    float w = ui_text_width(ui, FONT_TEXT, 12, end, -1);
    draw_text(ui->list, FONT_TEXT, 12, x + BAR_W - w, y + 24, 0, ui->style->dim, end, -1);
}

// "each row sums to 1", or the words for the cell under the pointer.
static void pointer_text(const struct scene *scene, char *out, size_t size)
{
    const struct alignment *now = scene->now;
    int t = scene->hover_t, s = scene->hover_s, n = now->n_src;
    if (t >= 0 && s >= 0 && t < scene->rows) {
        size_t at = (size_t)t * (size_t)n + (size_t)s;
        snprintf(out, size, "α = %.4f   e = %+.3f   %.60s ← %.60s",
                 (double)scene->alpha[at], (double)now->score[at], now->target[t].text,
                 now->source[s].text);
    } else if (s >= 0 && s < n) {
        float coverage[ALIGNMENT_MAX_SRC];
        telemetry_coverage(scene->alpha, scene->rows, n, coverage);
        snprintf(out, size, "coverage Σα = %.3f   %.100s", (double)coverage[s],
                 now->source[s].text);
    } else {
        snprintf(out, size, "each row sums to 1");
    }
}

void legend_draw(struct ui *ui, const struct scene *scene, struct rect at)
{
    draw_scale(ui, scene, at.x, at.y);
    char text[320];
    pointer_text(scene, text, sizeof text);
    bool pointed = scene->hover_s >= 0;
    struct rect line = rect_make(at.x + BAR_W + 20, at.y - 6, at.w - BAR_W - 20, 20);
    ui_text_fit(ui, FONT_TEXT, pointed ? 14 : 12.5f, line, -1,
                pointed ? ui->style->ink : ui->style->dim, text);
    line.y += 18;
    if (scene->changed)
        ui_text_fit(ui, FONT_TEXT, 12.5f, line, -1, ui->style->warn,
                    "● this word differs from τ = 1");
}
