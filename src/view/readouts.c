// SPDX-License-Identifier: MIT
// Entropy H = -Σ α log2 α of every row as a bar between its bounds 0 and log2 S, in bits,
// as 2^H "effective words" (perplexity of the row), and p(y); coverage of every column.
#include "view/readouts.h"

#include <math.h>
#include <stdio.h>

#include "align/telemetry.h"
#include "view/heatmap.h"

// Column edges, from the left of the strip: bar, then right edges of the numbers.
struct columns {
    float bar, bits, words, p;
};

float readouts_width(float area_width)
{
    return area_width >= 1800  ? 400
           : area_width >= 720 ? 280
           : area_width >= 520 ? 214
                               : 160;
}

static struct columns columns_of(float width)
{
    if (width >= 400)
        return (struct columns){170, 250, 325, 400};
    if (width >= 280)
        return (struct columns){110, 168, 222, 280};
    if (width >= 214)
        return (struct columns){66, 112, 160, 214};
    return (struct columns){30, 70, 112, 160};
}

static void draw_number(struct ui *ui, float right, float middle, float size,
                        struct color color, const char *text)
{
    float w = ui_text_width(ui, FONT_TEXT, size, text, -1);
    draw_text(ui->list, FONT_TEXT, size, right - w, middle + size * 0.36f, 0, color, text,
              -1);
}

static void draw_head(struct ui *ui, const struct scene *scene, const struct columns *c,
                      float x, float y)
{
    struct color dim = ui->style->dim;
    bool attends = scene->now->has_attention;
    draw_number(ui, x + c->p, y - 18, 12.5f, dim, "p(y)");
    if (!attends)
        return;
    draw_text(ui->list, FONT_TEXT, 12.5f, x, y - 26, 0, dim, "entropy", -1);
    draw_number(ui, x + c->bits, y - 18, 12.5f, dim, "bits");
    draw_number(ui, x + c->words, y - 18, 12.5f, dim, "words");
    char top[32];
    if (c->bar >= 66)
        snprintf(top, sizeof top, "log₂ %d", scene->now->n_src);
    else
        snprintf(top, sizeof top, "%.1f", log2((double)scene->now->n_src));
    draw_text(ui->list, FONT_TEXT, 11, x, y - 9, 0, dim, "0", -1);
    float w = ui_text_width(ui, FONT_TEXT, 11, top, -1);
    draw_text(ui->list, FONT_TEXT, 11, x + c->bar - w, y - 9, 0, dim, top, -1);
}

// The bar between its two marks; the marks run through, so that they read as limits.
static void draw_entropy(struct ui *ui, const struct grid *grid, struct rect row,
                         float bits, int n_src, float opacity)
{
    float h = grid->cell_h >= 56 ? 12 : fminf(8, fmaxf(1, grid->cell_h - 2)),
          middle = row.y + row.h / 2;
    float most = log2f((float)n_src);
    float share = n_src > 1 ? fminf(1, bits / most) : 0;
    struct rect track = rect_make(row.x, middle - h / 2, row.w, h);
    draw_fill(ui->list, track, h / 2, ui->style->line);
    if (share * row.w >= 0.5f)
        draw_fill(ui->list, rect_make(track.x, track.y, fmaxf(h, share * row.w), h),
                  h / 2, color_fade(ui->style->accent, 0.85f * opacity));
    if (grid->cell_h >= 11) {
        draw_fill(ui->list, rect_make(row.x, middle - h, 1, 2 * h), 0, ui->style->dim);
        draw_fill(ui->list, rect_make(row.x + row.w - 1, middle - h, 1, 2 * h), 0,
                  ui->style->dim);
    }
}

static void draw_row(struct ui *ui, const struct scene *scene, const struct grid *grid,
                     const struct columns *c, float x, int t, bool numbers)
{
    const struct alignment *now = scene->now;
    float y = grid->area.y + (float)t * grid->cell_h, middle = y + grid->cell_h / 2;
    float opacity = scene_row_opacity(scene, t);
    struct color ink = color_fade(ui->style->ink, opacity);
    struct color dim = color_fade(ui->style->dim, opacity);
    float size = grid->cell_h >= 56   ? 19
                 : grid->cell_h >= 19 ? 14.5f
                 : grid->cell_h >= 14 ? 12.5f
                                      : 11;
    char text[32];
    if (now->has_attention) {
        struct row_stats stats =
            telemetry_row(scene->alpha + (size_t)t * (size_t)now->n_src, now->n_src);
        draw_entropy(ui, grid, rect_make(x, y, c->bar, grid->cell_h), stats.entropy_bits,
                     now->n_src, opacity);
        snprintf(text, sizeof text, "%.2f", (double)stats.entropy_bits);
        if (numbers)
            draw_number(ui, x + c->bits, middle, size, ink, text);
        snprintf(text, sizeof text, "%.1f", (double)stats.effective);
        if (numbers)
            draw_number(ui, x + c->words, middle, size, dim, text);
    }
    // Never "100%" for less than certainty, never "0%" for more than nothing.
    double percent = 100 * (double)now->p[t];
    snprintf(text, sizeof text,
             percent < 0.5     ? "<1%%"
             : percent >= 99.5 ? ">99%%"
                               : "%.0f%%",
             percent);
    if (numbers)
        draw_number(ui, x + c->p, middle, size, dim, text);
}

void readouts_rows(struct ui *ui, const struct scene *scene, const struct grid *grid,
                   float x, float width)
{
    struct columns c = columns_of(width);
    draw_head(ui, scene, &c, x, grid->area.y);
    for (int t = 0; t < scene->rows; t++) {
        bool numbers = heatmap_label_shown(t, grid->row_label_every, scene->selected,
                                           scene->hover_t);
        draw_row(ui, scene, grid, &c, x, t, numbers);
    }
}

static void draw_dashes(struct ui *ui, float x, float y, float w)
{
    for (float at = 0; at + 3 <= w; at += 6)
        draw_fill(ui->list, rect_make(x + at, y, 3, 1), 0, ui->style->dim);
}

void readouts_coverage(struct ui *ui, const struct scene *scene, const struct grid *grid,
                       float gutter, float y, float height)
{
    // Heights of the tallest bar and of coverage 1.
    const float most = height - 12, unit = most * 0.46f;
    float coverage[ALIGNMENT_MAX_SRC];
    int n = scene->now->n_src;
    telemetry_coverage(scene->alpha, scene->rows, n, coverage);
    float base = y + height - 6, pad = grid->cell_w >= 8 ? grid->cell_w * 0.2f : 0;
    for (int s = 0; s < n; s++) {
        float h = fminf(most, unit * coverage[s]);
        float x = grid->area.x + (float)s * grid->cell_w + pad;
        bool marked = s == scene->hover_s;
        draw_fill(ui->list, rect_make(x, base - h, grid->cell_w - 2 * pad, h),
                  pad > 2 ? 2 : 0,
                  color_fade(marked ? ui->style->accent : ui->style->dim, 0.75f));
        if (unit * coverage[s] > most) // taller than the strip: a notch says so
            draw_fill(ui->list, rect_make(x, base - h + 2, grid->cell_w - 2 * pad, 1.5f),
                      0, ui->style->ground);
    }
    draw_dashes(ui, grid->area.x, base - unit, grid->area.w);
    struct rect at = rect_make(grid->area.x - gutter, base - 22, gutter - 14, 20);
    ui_text_fit(ui, FONT_TEXT, 12.5f, at, 1, ui->style->dim, "coverage");
}
