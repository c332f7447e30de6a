// SPDX-License-Identifier: MIT
// Colour scale and pointer readout. See legend.h.
#include "view/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/telemetry.h"
#include "view/short.h"

enum { STEPS = 96, BAR_W = 192 };

static void draw_bar(struct ui *ui, const struct scene *scene, struct rect at)
{
    uint8_t pixels[STEPS * 4];
    for (int i = 0; i < STEPS; i++) {
        struct color c =
            colormap_at(scene->map, ui->style->theme, (float)i / (float)(STEPS - 1));
        memcpy(pixels + 4 * i, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
    draw_image(ui->list, at, STEPS, 1, pixels, 255);
    draw_frame(ui->list, at, 0, 1, ui->style->line);
}

// Returns the right edge of what it drew.
static float draw_scale(struct ui *ui, const struct scene *scene, struct rect at)
{
    static const char *const low[SHADE_COUNT] = {"0", "0", "0", "≤ 0.0001"};
    static const char *const high[SHADE_COUNT] = {"α = 1", "row maximum",
                                                  "matrix maximum", "α = 1, log"};
    struct color dim = ui->style->dim;
    float low_w = ui_text_width(ui, FONT_TEXT, 12, low[scene->shade], -1);
    float high_w = ui_text_width(ui, FONT_TEXT, 12, high[scene->shade], -1);
    bool beside = at.h < 30;
    float x = beside ? at.x + low_w + 8 : at.x, w = beside ? BAR_W * 0.6f : BAR_W;
    draw_bar(ui, scene, rect_make(x, at.y + 5, w, 8));
    float y = beside ? at.y + 13 : at.y + 29;
    float end = beside ? x + w + 8 : x + w - high_w;
    draw_text(ui->list, FONT_TEXT, 12, at.x, y, 0, dim, low[scene->shade], -1);
    draw_text(ui->list, FONT_TEXT, 12, end, y, 0, dim, high[scene->shade], -1);
    return end + high_w;
}

// "each row sums to 1", or the words for the cell under the pointer.
static void pointer_text(const struct scene *scene, bool narrow, char *out, size_t size)
{
    const struct alignment *now = scene->now;
    int t = scene->hover_t, s = scene->hover_s, n = now->n_src;
    if (t >= 0 && s >= 0 && t < scene->rows) {
        size_t at = (size_t)t * (size_t)n + (size_t)s;
        snprintf(out, size,
                 narrow ? "α %.3f  e %+.2f  %s ← %s" : "α = %.4f   e = %+.3f   %s ← %s",
                 (double)scene->alpha[at], (double)now->score[at],
                 short_of(now->target[t].text).text, short_of(now->source[s].text).text);
    } else if (s >= 0 && s < n) {
        float coverage[ALIGNMENT_MAX_SRC];
        telemetry_coverage(scene->alpha, scene->rows, n, coverage);
        snprintf(out, size, "coverage Σα = %.3f   %s", (double)coverage[s],
                 short_of(now->source[s].text).text);
    } else {
        snprintf(out, size, "each row sums to 1");
    }
}

void legend_draw(struct ui *ui, const struct scene *scene, struct rect at)
{
    float x = draw_scale(ui, scene, at) + 20;
    char text[320];
    pointer_text(scene, at.x + at.w - x < 330, text, sizeof text);
    bool pointed = scene->hover_s >= 0, compact = at.h < 30;
    struct rect line = rect_make(x, at.y - 1, at.x + at.w - x, 20);
    const char *changed = "● changed from τ = 1";
    if (scene->changed && compact && !pointed) {
        ui_text_fit(ui, FONT_TEXT, 12.5f, line, -1, ui->style->warn, changed);
        return;
    }
    ui_text_fit(ui, FONT_TEXT, pointed ? 14 : 12.5f, line, -1,
                pointed ? ui->style->ink : ui->style->dim, text);
    line.y += 18;
    if (scene->changed && !compact)
        ui_text_fit(ui, FONT_TEXT, 12.5f, line, -1, ui->style->warn, changed);
}
