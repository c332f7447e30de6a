// SPDX-License-Identifier: MIT
// The softmax's gradient ∂α_i/∂e_j = α_i (δ_ij − α_j) / τ as a map: a row of it says
// which scores move the weight of one position. Where one weight is almost 1 all of it is
// almost 0, and training moves nothing. See scope.h.
#include <math.h>
#include <stdio.h>

#include "view/scope.h"
#include "view/short.h"
#include "view/wrap.h"

enum { PAD = 18, MAX_CELLS = 513 };

static const double dead = 0.01; // α (1 − α) of all positions: nothing learns any more

struct map {
    struct rect at;
    int n, cells; // cells a side; fewer than n where several share one
    double full;  // the slope that has the full colour
    int i, j;     // cell under the pointer; NOWHERE
};

static struct color slope_color(const struct ui *ui, double slope, double full)
{
    const struct style *style = ui->style;
    float part = (float)(fabs(slope) / full);
    return color_mix(style->panel, slope < 0 ? style->ring : style->accent, part);
}

// The scores move nothing of what was changed after the softmax.
static double slope_of(const struct specimen *row, int i, int j)
{
    return row->edited ? 0 : softmax_slope(row->alpha, i, j, row->tau);
}

// A score moves its own weight more than any other's: the largest slope is on the
// diagonal.
static int steepest_of(const float *alpha, int n, float tau)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (softmax_slope(alpha, i, i, tau) > softmax_slope(alpha, best, best, tau))
            best = i;
    return best;
}

// The strongest slope of the positions that share a cell.
static double pooled(const struct specimen *row, const struct map *map, int y, int x)
{
    int i0 = y * map->n / map->cells, i1 = (y + 1) * map->n / map->cells;
    int j0 = x * map->n / map->cells, j1 = (x + 1) * map->n / map->cells;
    double most = 0;
    for (int i = i0; i < i1; i++)
        for (int j = j0; j < j1; j++) {
            double slope = slope_of(row, i, j);
            if (fabs(slope) > fabs(most))
                most = slope;
        }
    return most;
}

static void draw_cells(struct ui *ui, const struct specimen *row, const struct map *map)
{
    float cell = map->at.w / (float)map->cells, gap = cell >= 12 ? 1.5f : 0;
    if (gap > 0) {
        for (int y = 0; y < map->cells; y++)
            for (int x = 0; x < map->cells; x++)
                draw_fill(ui->list,
                          rect_make(map->at.x + cell * (float)x,
                                    map->at.y + cell * (float)y, cell - gap, cell - gap),
                          cell >= 16 ? 3 : 0,
                          slope_color(ui, pooled(row, map, y, x), map->full));
        return;
    }
    for (int y = 0; y < map->cells; y++) {
        uint8_t line[MAX_CELLS * 4];
        for (int x = 0; x < map->cells; x++) {
            struct color c = slope_color(ui, pooled(row, map, y, x), map->full);
            line[4 * x] = c.r;
            line[4 * x + 1] = c.g;
            line[4 * x + 2] = c.b;
            line[4 * x + 3] = 255;
        }
        draw_image(ui->list,
                   rect_make(map->at.x, map->at.y + cell * (float)y, map->at.w, cell),
                   map->cells, 1, line, 255);
    }
}

static void draw_axes(struct ui *ui, const struct specimen *row, const struct map *map,
                      float gutter, float top)
{
    const struct style *style = ui->style;
    float cell = map->at.w / (float)map->n, size = cell >= 20 ? 16 : cell >= 15 ? 14 : 12;
    int every = cell >= 13 ? 1 : (int)ceilf(14 / cell);
    int best = row->parts.best;
    for (int s = 0; s < row->n; s++) {
        bool marked = s == map->i || s == map->j;
        if (s % every && !marked && s != best)
            continue;
        if (s != best && !marked && every > 1 && best >= 0 && s - best < every &&
            best - s < every)
            continue; // the heaviest has its label, in place of its neighbours
        float middle = cell * ((float)s + 0.5f);
        char text[160];
        struct color color = s == best ? style->accent : style->ink;
        const char *word = row->now->source[s].text;
        ui_text_fit(
            ui, s == map->i ? FONT_BOLD : FONT_TEXT, size,
            rect_make(map->at.x - gutter, map->at.y + middle - 12, gutter - 10, 24), 1,
            color, word);
        float angle = cell >= 26 ? 40 : cell >= 17 ? 58 : 90;
        ui_elide(ui, FONT_TEXT, size, (top - 12) / sinf(angle * 3.14159265f / 180), word,
                 text, sizeof text);
        draw_text(ui->list, s == map->j ? FONT_BOLD : FONT_TEXT, size,
                  map->at.x + middle + (angle >= 90 ? size * 0.35f : 4), map->at.y - 8,
                  angle, color, text, -1);
    }
}

static void draw_scale(struct ui *ui, const struct map *map, struct rect at)
{
    enum { STEPS = 64 };
    uint8_t line[STEPS * 4];
    char text[32];
    for (int x = 0; x < STEPS; x++) {
        double slope = map->full * (2 * (double)x / (STEPS - 1) - 1);
        struct color c = slope_color(ui, slope, map->full);
        line[4 * x] = c.r;
        line[4 * x + 1] = c.g;
        line[4 * x + 2] = c.b;
        line[4 * x + 3] = 255;
    }
    float number = 56, w = fminf(map->at.w - 20, 200);
    struct rect bar = rect_make(at.x + number, at.y + 6, w, 8);
    draw_image(ui->list, bar, STEPS, 1, line, 255);
    draw_frame(ui->list, bar, 0, 1, ui->style->line);
    snprintf(text, sizeof text, "−%.3g", map->full);
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x, at.y, number - 8, 20), 1,
                ui->style->dim, text);
    snprintf(text, sizeof text, "+%.3g", map->full);
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(bar.x + w + 8, at.y, number, 20), -1,
                ui->style->dim, text);
}

// What a small step of one score does to one weight.
static void say_step(const struct specimen *row, const struct map *map, char *out,
                     size_t size)
{
    int s = steepest_of(row->alpha, row->n, row->tau);
    int i = map->i >= 0 ? map->i : s, j = map->i >= 0 ? map->j : s;
    double step = 0.1 * slope_of(row, i, j);
    snprintf(out, size, "Raise e of “%s” by 0.1 and α of “%s” %s by about %.4f.",
             short_of(row->now->source[j].text).text,
             short_of(row->now->source[i].text).text, step < 0 ? "falls" : "grows",
             fabs(step));
}

// Whether this row learns, and that in a sentence or two.
static bool verdict(const struct specimen *row, const struct map *map, char *out,
                    size_t size)
{
    int s = steepest_of(row->alpha, row->n, row->tau);
    double alpha = (double)row->alpha[s], slope = alpha * (1 - alpha);
    if (!(row->tau > 0))
        snprintf(out, size,
                 "τ = 0: α jumps from one word to another and is flat between. No "
                 "gradient: it learns nothing here.");
    else if (isinf(row->tau))
        snprintf(out, size,
                 "τ = ∞: α is 1/%d whatever the scores are. No gradient: it learns "
                 "nothing here.",
                 row->n);
    else if (row->edited)
        snprintf(out, size,
                 "Changed after the softmax (%s): the scores do not make this α, and "
                 "move none of it.",
                 specimen_deed(row));
    else if (slope < dead)
        snprintf(out, size,
                 "Saturated: learns nothing here. “%s” has α = %.4f, so no score moves "
                 "any weight.",
                 short_of(row->now->source[row->parts.best].text).text,
                 (double)row->alpha[row->parts.best]);
    else {
        say_step(row, map, out, size);
        return true;
    }
    return false;
}

// The largest slope of each row that is shown: where in the sentence a step of training
// would still move something.
static void draw_rows(struct ui *ui, const struct specimen *row, struct rect at)
{
    const struct style *style = ui->style;
    int lines = (int)((at.h - 26) / 24);
    if (lines < 3 || !(row->tau > 0) || isinf(row->tau))
        return;
    ui_text_fit(ui, FONT_TEXT, 15, rect_make(at.x, at.y, at.w, 22), -1, style->dim,
                "the largest slope of every row");
    lines = lines < row->rows ? lines : row->rows;
    int first = row->t - lines / 2;
    first = first > row->rows - lines ? row->rows - lines : first < 0 ? 0 : first;
    float word = fminf(110, at.w * 0.3f), full = at.w - word - 70;
    for (int i = 0; i < lines; i++) {
        int t = first + i;
        char text[32];
        const float *alpha = row->all + (size_t)t * (size_t)row->n;
        int s = steepest_of(alpha, row->n, row->tau);
        double slope =
            t == row->t ? slope_of(row, s, s) : softmax_slope(alpha, s, s, row->tau);
        float y = at.y + 26 + 24 * (float)i;
        struct color ink = t == row->t ? style->accent : style->ink;
        ui_text_fit(ui, t == row->t ? FONT_BOLD : FONT_TEXT, 15,
                    rect_make(at.x, y, word - 8, 22), 1, ink, row->now->target[t].text);
        float share = (float)(slope * (double)row->tau / 0.25);
        draw_fill(ui->list, rect_make(at.x + word, y + 8, fmaxf(1, full * share), 8), 2,
                  t == row->t ? style->accent : color_fade(style->dim, 0.75f));
        snprintf(text, sizeof text, "%.3f", slope);
        ui_text_fit(ui, FONT_TEXT, 15, rect_make(at.x + at.w - 64, y, 64, 22), 1, ink,
                    text);
    }
}

// The slope under the pointer, or the largest.
static void say_slope(const struct specimen *row, const struct map *map, char *out,
                      size_t size)
{
    int s = steepest_of(row->alpha, row->n, row->tau);
    bool pointed = map->i >= 0;
    int i = pointed ? map->i : s, j = pointed ? map->j : s;
    double slope = slope_of(row, i, j);
    char number[32];
    snprintf(number, sizeof number, "%s%.4f", slope < 0 ? "−" : "", fabs(slope));
    if (fabs(slope) > 0 && fabs(slope) < 0.00005)
        snprintf(number, sizeof number, "less than 0.0001");
    if (pointed)
        snprintf(out, size, "∂α “%s” / ∂e “%s”: %s",
                 short_of(row->now->source[i].text).text,
                 short_of(row->now->source[j].text).text, number);
    else
        snprintf(out, size, "largest: %s, “%s”", number,
                 short_of(row->now->source[s].text).text);
}

static void draw_block(struct ui *ui, const struct specimen *row, struct rect at,
                       const struct map *map)
{
    char text[320];
    bool large = at.w >= 360 && at.h >= 420;
    float bottom = at.y + at.h - 8, small = large ? 16 : 15, step = large ? 23 : 20;
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    at = rect_make(at.x + PAD, at.y + 12, at.w - 2 * PAD, 0);
    at.y = wrap_draw(ui, FONT_BOLD, large ? 22 : 18, ui->style->accent, at, 29, -1,
                     "∂αᵢ/∂eⱼ = αᵢ (δᵢⱼ − αⱼ) / τ") +
           8;
    say_slope(row, map, text, sizeof text);
    at.y =
        wrap_draw(ui, FONT_MEDIUM, large ? 21 : 18, ui->style->ink, at, 27, -1, text) + 8;
    bool learns = verdict(row, map, text, sizeof text);
    at.y = wrap_draw(ui, FONT_MEDIUM, large ? 19 : 17,
                     learns ? ui->style->ink : ui->style->warn, at, 25, -1, text) +
           10;
    const char *more =
        "At most 0.25 / τ, where α is a half. Each row and each column sums "
        "to 0: what one weight gains the others lose.";
    if (at.y + step * (float)wrap_count(ui, FONT_TEXT, small, at.w, more) > bottom)
        return;
    at.y = wrap_draw(ui, FONT_TEXT, small, ui->style->dim, at, step, -1, more) + 16;
    at.h = bottom - at.y;
    draw_rows(ui, row, at);
}

void gradient_draw(struct ui *ui, const struct specimen *row, struct rect at)
{
    bool low = at.h < 320;
    float gutter = at.w >= 900 ? 112 : 84, top = low ? 56 : 84;
    float block = at.w >= 1000 ? at.w * 0.36f : at.w >= 560 ? at.w * 0.42f : 0;
    float w = at.w - gutter - (block > 0 ? block + 20 : 0);
    float side = fminf(fmaxf(40, at.h - top - 28), w);
    float tau = row->tau;
    struct map map = {.at = rect_make(at.x + gutter, at.y + top, side, side),
                      .n = row->n,
                      .full = tau > 0 && tau < 1 ? 0.25 / (double)tau : 0.25,
                      .i = NOWHERE,
                      .j = NOWHERE};
    int pixels = (int)(side * ui->input->scale);
    map.cells = row->n < pixels ? row->n : pixels;
    if (rect_contains(map.at, ui->input->x, ui->input->y)) {
        map.i = (int)((ui->input->y - map.at.y) / side * (float)row->n);
        map.j = (int)((ui->input->x - map.at.x) / side * (float)row->n);
    }
    draw_cells(ui, row, &map);
    draw_frame(ui->list, rect_inset(map.at, -1), 0, 1, ui->style->line);
    draw_axes(ui, row, &map, gutter, top);
    ui_text_fit(ui, FONT_TEXT, 14, rect_make(at.x, map.at.y - 26, gutter - 10, 22), 1,
                ui->style->dim, "α ↓   e →");
    draw_scale(ui, &map, rect_make(map.at.x - 56, map.at.y + side + 6, side + 112, 20));
    if (block <= 0)
        return;
    float x = map.at.x + side + 40, right = at.x + at.w;
    x = fmaxf(x, right - 640);
    draw_block(ui, row, rect_make(x, at.y, right - x, at.h), &map);
}
