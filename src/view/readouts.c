// SPDX-License-Identifier: MIT
// Entropy H = -Σ α log2 α of every row as a bar between its bounds 0 and log2 S, in bits,
// as 2^H "effective words" (perplexity of the row), and p(y); coverage of every column.
// Where rows and columns have exchanged places, so have entropy and coverage.
#include "view/readouts.h"

#include <math.h>
#include <stdio.h>

#include "align/telemetry.h"
#include "view/heatmap.h"

enum { COVERAGE_FULL = 2 }; // a full bar

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

void readouts_number(struct ui *ui, float right, float middle, float size,
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
    bool turned = scene->lens.transpose;
    bool words = scene->now->attention.kind != MAP_ENCODER;
    if (!turned && !scene->now->blends && words)
        readouts_number(ui, x + c->p, y - 18, 12.5f, dim, "p(y)");
    if (!scene->now->has_attention)
        return;
    draw_text(ui->list, FONT_TEXT, 12.5f, x, y - 26, 0, dim,
              turned ? "coverage" : "entropy", -1);
    readouts_number(ui, x + c->bits, y - 18, 12.5f, dim, turned ? "Σα" : "bits");
    draw_text(ui->list, FONT_TEXT, 11, x, y - 9, 0, dim, "0", -1);
    char top[32];
    if (turned)
        readouts_number(ui, x + c->bar / 2 + 3, y - 13, 11, dim, "1");
    if (turned)
        snprintf(top, sizeof top, "%d", COVERAGE_FULL);
    else if (c->bar >= 66)
        snprintf(top, sizeof top, "log₂ %d", scene->now->n_src);
    else
        snprintf(top, sizeof top, "%.1f", log2((double)scene->now->n_src));
    float w = ui_text_width(ui, FONT_TEXT, 11, top, -1);
    draw_text(ui->list, FONT_TEXT, 11, x + c->bar - w, y - 9, 0, dim, top, -1);
    if (!turned)
        readouts_number(ui, x + c->words, y - 18, 12.5f, dim,
                        scene->now->blends ? "keys" : "words");
}

static float bar_height(float cell_h)
{
    return cell_h >= 56 ? 12 : fminf(8, fmaxf(1, cell_h - 2));
}

// The bar between its two marks, which run through, so that they read as limits.
void readouts_bar(struct ui *ui, const struct grid *grid, struct rect row, float share,
                  struct color color)
{
    float h = bar_height(grid->cell_h), middle = row.y + row.h / 2;
    struct rect track = rect_make(row.x, middle - h / 2, row.w, h);
    draw_fill(ui->list, track, h / 2, ui->style->line);
    if (share * row.w >= 0.5f)
        draw_fill(ui->list, rect_make(track.x, track.y, fmaxf(h, share * row.w), h),
                  h / 2, color);
    if (grid->cell_h >= 11) {
        draw_fill(ui->list, rect_make(row.x, middle - h, 1, 2 * h), 0, ui->style->dim);
        draw_fill(ui->list, rect_make(row.x + row.w - 1, middle - h, 1, 2 * h), 0,
                  ui->style->dim);
    }
}

float readouts_size(const struct grid *grid)
{
    return grid->cell_h >= 56   ? 19
           : grid->cell_h >= 19 ? 14.5f
           : grid->cell_h >= 14 ? 12.5f
                                : 11;
}

struct row_place {
    float x, middle, size, opacity;
    struct rect bar;
    bool numbers;
};

// Those that a mask leaves to a row.
static int open_columns(const struct alignment *now, int t)
{
    int open = now->n_src;
    const bool *blocked = now->blocked;
    for (int s = 0; blocked && s < now->n_src; s++)
        open -= blocked[(size_t)t * (size_t)now->n_src + (size_t)s];
    return open > 1 ? open : 1;
}

static void draw_entropy(struct ui *ui, const struct scene *scene,
                         const struct grid *grid, const struct columns *c,
                         const struct row_place *at, int t)
{
    struct row_stats stats = scene_row_stats(scene, t);
    char bits[32] = "–", words[32] = "–"; // a row of zeros has none
    float all = log2f((float)scene->now->n_src);
    float most = log2f((float)open_columns(scene->now, t));
    float share = most > 0 && stats.sum > 0 ? fminf(1, stats.entropy_bits / most) : 0;
    struct rect bar = at->bar; // its right mark is what the row can reach
    bar.w = all > 0 ? fmaxf(2, bar.w * most / all) : bar.w;
    readouts_bar(ui, grid, bar, share,
                 color_fade(ui->style->accent, 0.85f * at->opacity));
    if (!at->numbers)
        return;
    if (!(stats.sum > 0) && scene->now->blocked) {
        draw_text(ui->list, FONT_TEXT, at->size, at->x + c->bar + 10,
                  at->middle + at->size * 0.36f, 0, ui->style->dim, "masked", -1);
        return;
    }
    if (stats.sum > 0) {
        snprintf(bits, sizeof bits, "%.2f", (double)stats.entropy_bits);
        snprintf(words, sizeof words, "%.1f", (double)stats.effective);
    }
    readouts_number(ui, at->x + c->bits, at->middle, at->size,
                    color_fade(ui->style->ink, at->opacity), bits);
    readouts_number(ui, at->x + c->words, at->middle, at->size,
                    color_fade(ui->style->dim, at->opacity), words);
}

// Never "100%" for less than certainty, never "0%" for more than nothing.
static void draw_probability(struct ui *ui, const struct columns *c,
                             const struct row_place *at, float p)
{
    char text[32];
    double percent = 100 * (double)p;
    snprintf(text, sizeof text,
             percent < 0.5     ? "<1%%"
             : percent >= 99.5 ? ">99%%"
                               : "%.0f%%",
             percent);
    if (at->numbers)
        readouts_number(ui, at->x + c->p, at->middle, at->size,
                        color_fade(ui->style->dim, at->opacity), text);
}

// Where source words are rows: how much was read of each, up to COVERAGE_FULL.
static void draw_received(struct ui *ui, const struct scene *scene,
                          const struct grid *grid, const struct columns *c,
                          const struct row_place *at, int t)
{
    char text[32];
    float sum = scene_row_stats(scene, t).sum;
    readouts_bar(ui, grid, at->bar, fminf(1, sum / COVERAGE_FULL),
                 color_fade(ui->style->dim, 0.75f * at->opacity));
    snprintf(text, sizeof text, "%.2f", (double)sum);
    draw_fill(ui->list, rect_make(at->x + c->bar / 2, at->bar.y, 1, at->bar.h), 0,
              color_fade(ui->style->dim, 0.5f));
    if (at->numbers)
        readouts_number(ui, at->x + c->bits, at->middle, at->size,
                        color_fade(ui->style->ink, at->opacity), text);
}

static void draw_row(struct ui *ui, const struct scene *scene, const struct grid *grid,
                     const struct columns *c, float x, int t)
{
    float y = grid->area.y + (float)t * grid->cell_h;
    struct row_place at = {
        .x = x,
        .middle = y + grid->cell_h / 2,
        .size = readouts_size(grid),
        .opacity = scene_row_opacity(scene, t),
        .bar = rect_make(x, y, c->bar, grid->cell_h),
        .numbers = heatmap_label_shown(t, grid->row_label_every, scene->selected,
                                       scene->hover_t),
    };
    if (scene->lens.transpose) {
        draw_received(ui, scene, grid, c, &at, t);
        return;
    }
    if (scene->now->has_attention)
        draw_entropy(ui, scene, grid, c, &at, t);
    if (!scene->now->blends && !isnan(scene->now->p[t]))
        draw_probability(ui, c, &at, scene->now->p[t]);
}

void readouts_rows(struct ui *ui, const struct scene *scene, const struct grid *grid,
                   float x, float width)
{
    struct columns c = columns_of(width);
    bool whole = grid_is_whole(grid);
    draw_head(ui, scene, &c, x, grid->sight.y);
    if (!whole)
        draw_clip(ui->list, rect_make(x, grid->sight.y, width, grid->sight.h));
    for (int t = grid->from_row; t < grid->to_row && t < scene->rows; t++)
        draw_row(ui, scene, grid, &c, x, t);
    if (!whole)
        draw_clip(ui->list, rect_make(0, 0, -1, -1));
}

static void draw_dashes(struct ui *ui, float x, float y, float w)
{
    for (float at = 0; at + 3 <= w; at += 6)
        draw_fill(ui->list, rect_make(x + at, y, 3, 1), 0, ui->style->dim);
}

// Under a column: its coverage, or the entropy of the target word that it is.
static float column_value(const struct scene *scene, const float *sums, int s)
{
    if (!scene->lens.transpose)
        return sums[s];
    return scene_column_bits(scene, s);
}

void readouts_columns(struct ui *ui, const struct scene *scene, const struct grid *grid,
                      float gutter, float y, float height)
{
    bool turned = scene->lens.transpose;
    float sums[ALIGNMENT_MAX_SRC];
    telemetry_coverage(scene->alpha, scene->rows, scene->now->n_src, sums);
    // Heights of the tallest bar, of coverage 1, and of one bit.
    const float most = height - 12;
    float bound = fmaxf(1, log2f((float)scene->rows));
    float unit = turned ? most / bound : most * 0.46f;
    float base = y + height - 6, pad = grid->cell_w >= 8 ? grid->cell_w * 0.2f : 0;
    if (!grid_is_whole(grid))
        draw_clip(ui->list, rect_make(grid->sight.x, y, grid->sight.w, height));
    for (int s = grid->from_column; s < grid->to_column; s++) {
        float value = unit * column_value(scene, sums, s);
        float h = isfinite(value) ? fminf(most, value) : 0;
        float x = grid->area.x + (float)s * grid->cell_w + pad;
        bool marked = s == scene->hover_s;
        draw_fill(ui->list, rect_make(x, base - h, grid->cell_w - 2 * pad, h),
                  pad > 2 ? 2 : 0,
                  color_fade(marked ? ui->style->accent : ui->style->dim, 0.75f));
        if (value > most + 0.01f) // taller than the strip: a notch says so
            draw_fill(ui->list, rect_make(x, base - h + 2, grid->cell_w - 2 * pad, 1.5f),
                      0, ui->style->ground);
    }
    if (!grid_is_whole(grid))
        draw_clip(ui->list, rect_make(0, 0, -1, -1));
    draw_dashes(ui, grid->sight.x, base - (turned ? most : unit), grid->sight.w);
    struct rect at = rect_make(grid->sight.x - gutter, base - 22, gutter - 14, 20);
    ui_text_fit(ui, FONT_TEXT, 12.5f, at, 1, ui->style->dim,
                turned ? "entropy" : "coverage");
}
