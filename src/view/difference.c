// SPDX-License-Identifier: MIT
// Around a matrix of differences. See difference.h.
#include "view/difference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/heatmap.h"
#include "view/readouts.h"
#include "view/short.h"

enum { STEPS = 97, BAR_W = 192 };

struct color difference_hue(const struct ui *ui, int side)
{
    return colormap_signed(ui->style->theme, side ? 0.8f : -0.8f);
}

static void draw_head(struct ui *ui, float x, float y, float bar, float bits)
{
    struct color dim = ui->style->dim;
    draw_text(ui->list, FONT_TEXT, 12.5f, x, y - 26, 0, dim, "divergence", -1);
    readouts_number(ui, x + bits, y - 18, 12.5f, dim, "bits");
    draw_text(ui->list, FONT_TEXT, 11, x, y - 9, 0, dim, "0", -1);
    readouts_number(ui, x + bar, y - 13, 11, dim, "1");
}

static void draw_row(struct ui *ui, const struct scene *scene, const struct grid *grid,
                     struct rect row, float bits_x, int t)
{
    const struct difference *d = scene->difference;
    float middle = row.y + row.h / 2, size = readouts_size(grid);
    bool numbers =
        heatmap_label_shown(t, grid->row_label_every, scene->selected, scene->hover_t);
    char text[48] = "–"; // it cannot be read
    int only = difference_only(d, t);
    if (only >= 0) {
        snprintf(text, sizeof text, "only in %s", only ? "B" : "A");
        if (numbers && grid->cell_h < 11) // on the bars it would cover those of others
            readouts_number(ui, bits_x, middle, fminf(size, 11), ui->style->dim, text);
        else if (numbers)
            ui_text_fit(ui, FONT_TEXT, fminf(size, 13), row, -1, ui->style->dim, text);
        return;
    }
    float bits = d->bits[t];
    readouts_bar(ui, grid, row, isnan(bits) ? 0 : bits,
                 color_fade(ui->style->accent, 0.85f));
    if (!isnan(bits))
        snprintf(text, sizeof text, "%.2f", (double)bits);
    if (numbers)
        readouts_number(ui, bits_x, middle, size, ui->style->ink, text);
}

void difference_rows(struct ui *ui, const struct scene *scene, const struct grid *grid,
                     float x, float width)
{
    float bar = width * 0.55f, bits = x + bar + 62;
    bool whole = grid_is_whole(grid);
    draw_head(ui, x, grid->sight.y, bar, bits - x);
    if (!whole)
        draw_clip(ui->list, rect_make(x, grid->sight.y, width, grid->sight.h));
    for (int t = grid->from_row; t < grid->to_row && t < scene->rows; t++) {
        float y = grid->area.y + (float)t * grid->cell_h;
        draw_row(ui, scene, grid, rect_make(x, y, bar, grid->cell_h), bits, t);
    }
    if (!whole)
        draw_clip(ui->list, rect_make(0, 0, -1, -1));
}

static float column_sum(const struct scene *scene, int s)
{
    double sum = 0;
    for (int t = 0; t < scene->difference->rows.count; t++)
        sum += (double)scene->alpha[(size_t)t * (size_t)scene->now->n_src + (size_t)s];
    return (float)sum;
}

void difference_columns(struct ui *ui, const struct scene *scene, const struct grid *grid,
                        float gutter, float y, float height)
{
    float most = (height - 8) / 2, middle = y + 2 + most;
    float pad = grid->cell_w >= 8 ? grid->cell_w * 0.2f : 0;
    if (!grid_is_whole(grid))
        draw_clip(ui->list, rect_make(grid->sight.x, y, grid->sight.w, height));
    for (int s = grid->from_column; s < grid->to_column; s++) {
        float sum = column_sum(scene, s), h = fminf(most, fabsf(sum) * most);
        float x = grid->area.x + (float)s * grid->cell_w + pad,
              w = grid->cell_w - 2 * pad;
        draw_fill(
            ui->list, rect_make(x, sum > 0 ? middle - h : middle, w, h), 0,
            color_fade(difference_hue(ui, sum > 0), s == scene->hover_s ? 1 : 0.75f));
        if (fabsf(sum) > 1.005f) // longer than the strip: a notch says so
            draw_fill(ui->list,
                      rect_make(x, middle + (sum > 0 ? 2 - h : h - 3.5f), w, 1.5f), 0,
                      ui->style->ground);
    }
    if (!grid_is_whole(grid))
        draw_clip(ui->list, rect_make(0, 0, -1, -1));
    draw_fill(ui->list, rect_make(grid->sight.x, middle, grid->sight.w, 1), 0,
              ui->style->dim);
    ui_text_fit(ui, FONT_TEXT, 12.5f,
                rect_make(grid->sight.x - gutter, middle - 10, gutter - 14, 20), 1,
                ui->style->dim, "Σ Δα, −1 to 1");
}

static void draw_scale(struct ui *ui, struct rect at)
{
    uint8_t pixels[STEPS * 4];
    for (int i = 0; i < STEPS; i++) {
        float value = 2 * (float)i / (float)(STEPS - 1) - 1;
        struct color c = colormap_signed(ui->style->theme, value);
        memcpy(pixels + 4 * i, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
    draw_image(ui->list, at, STEPS, 1, pixels, 255);
    draw_frame(ui->list, at, 0, 1, ui->style->line);
}

static void pointer_text(const struct scene *scene, char *out, size_t size)
{
    const struct difference *d = scene->difference;
    const struct alignment *now = scene->now;
    int t = scene->hover_t, s = scene->hover_s;
    *out = '\0';
    int only = t >= 0 && t < scene->rows ? difference_only(d, t) : -1;
    if (only >= 0) {
        snprintf(out, size, "only %s has row %d, “%s”: there is nothing to subtract",
                 scene->names[only], d->rows.at[only][t] + 1,
                 short_of(now->target[t].text).text);
    } else if (t >= 0 && t < scene->rows && s >= 0) {
        size_t at = (size_t)t * (size_t)now->n_src + (size_t)s;
        double a = (double)d->a[at], delta = (double)scene->alpha[at];
        snprintf(out, size, "Δα = %s   A %.4f   B %.4f   %s ← %s",
                 signed_text(delta, 4).text, a, a + delta,
                 short_of(now->target[t].text).text, short_of(now->source[s].text).text);
    } else if (t >= 0 && t < scene->rows && !isnan(d->bits[t])) {
        snprintf(out, size, "Jensen–Shannon divergence %.4f bits   %s",
                 (double)d->bits[t], short_of(now->target[t].text).text);
    } else if (s >= 0) {
        snprintf(out, size, "Σ Δα = %s   %s",
                 signed_text((double)column_sum(scene, s), 3).text,
                 short_of(now->source[s].text).text);
    }
}

static void scale_ends(const struct scene *scene, char *low, char *high, size_t size)
{
    static const char *const ends[SHADE_COUNT] = {"1", "row maximum", "matrix maximum",
                                                  "1, log"};
    snprintf(low, size, "− %s", ends[scene->shade]);
    snprintf(high, size, "+ %s", ends[scene->shade]);
}

// What is subtracted, and what was done to both before.
static void said_of(const struct scene *scene, const char *lens, char *out, size_t size)
{
    snprintf(out, size, "Δα = α of B − α of A, rows paired by their words%s%s%s",
             scene->difference->by_words
                 ? "; by whole words: their pieces are not the same"
                 : "",
             *lens ? " · " : "", lens);
}

// Two lines, one in a low window, as in legend.h.
void difference_legend(struct ui *ui, const struct scene *scene, struct rect at)
{
    char low[32], high[32], pointer[320], said[520], seen[320];
    struct color dim = ui->style->dim;
    bool low_window = at.h < 30;
    scale_ends(scene, low, high, sizeof low);
    float low_w = ui_text_width(ui, FONT_TEXT, 12, low, -1);
    float high_w = ui_text_width(ui, FONT_TEXT, 12, high, -1);
    float x = low_window ? at.x + low_w + 8 : at.x;
    float both = low_w + high_w + 48; // and a 0 between them
    float w = low_window ? BAR_W * 0.6f : fmaxf(BAR_W, both),
          y = at.y + (low_window ? 13 : 29);
    draw_scale(ui, rect_make(x, at.y + 5, w, 8));
    draw_text(ui->list, FONT_TEXT, 12, at.x, y, 0, dim, low, -1);
    if (!low_window)
        draw_text(ui->list, FONT_TEXT, 12, x + w / 2 - 3, y, 0, dim, "0", -1);
    float right = low_window ? x + w + 8 : x + w - high_w;
    draw_text(ui->list, FONT_TEXT, 12, right, y, 0, dim, high, -1);
    struct rect line = rect_make(right + high_w + 20, at.y - 1, 0, 20);
    line.w = at.x + at.w - line.x;
    pointer_text(scene, pointer, sizeof pointer);
    lens_say(&scene->difference->lens, seen, sizeof seen);
    said_of(scene, seen, said, sizeof said);
    if (ui_text_width(ui, FONT_TEXT, 12.5f, said, -1) > line.w) {
        lens_say_brief(&scene->difference->lens, seen, sizeof seen);
        said_of(scene, seen, said, sizeof said);
    }
    if (*pointer)
        ui_text_fit(ui, FONT_TEXT, 14, line, -1, ui->style->ink, pointer);
    if (*pointer && low_window)
        return;
    line.y += *pointer ? 18 : 0;
    ui_text_fit(ui, FONT_TEXT, 12.5f, line, -1, dim, said);
}
