// SPDX-License-Identifier: MIT
// Word, then a column a step. In a narrow window the columns that come last stay. See
// table.h.
#include "view/table.h"

#include <math.h>
#include <stdio.h>

enum {
    LEAST_LINE = 26,
    MOST_LINE = 40,
    HEAD = 30,
    FOOT = 36,
    LEAST_W = 92,
    MOST_W = 160
};

struct lay {
    struct rect at;
    float word_w, column_w, line;
    float size; // of the numbers
    int from;   // first column that is drawn
    int lines, first;
};

static struct lay lay_out(const struct specimen *row, struct rect at,
                          const struct table *table, int first)
{
    float body = fmaxf(LEAST_LINE, at.h - HEAD - FOOT);
    struct lay lay = {.at = at, .first = first};
    lay.line = fminf(fmaxf(floorf(body / (float)row->n), LEAST_LINE), MOST_LINE);
    lay.lines = (int)(body / lay.line);
    lay.lines = lay.lines < row->n ? lay.lines : row->n;
    lay.word_w = fminf(fmaxf(at.w * 0.17f, 96), 190);
    int fit = (int)((at.w - lay.word_w) / LEAST_W), shown = table->count;
    fit = fit < 1 ? 1 : fit;
    while (shown > fit && !table->columns[shown - 1].shown)
        shown--; // what is still to come goes first
    lay.from = shown > fit ? shown - fit : 0;
    int drawn = table->count - lay.from < fit ? table->count - lay.from : fit;
    lay.column_w = fminf((at.w - lay.word_w) / (float)drawn, MOST_W);
    lay.size = fminf(fminf(lay.line * 0.68f, lay.column_w / 5.4f), 25);
    lay.size = fmaxf(lay.size, 18);
    int last = row->n - lay.lines;
    lay.first = first > last ? last : first;
    lay.first = lay.first < 0 ? 0 : lay.first;
    return lay;
}

static struct rect column_rect(const struct lay *lay, int column)
{
    float x = lay->at.x + lay->word_w + lay->column_w * (float)(column - lay->from);
    return rect_make(x, lay->at.y, lay->column_w, lay->at.h);
}

static int drawn_to(const struct lay *lay, const struct table *table)
{
    int room = (int)((lay->at.w - lay->word_w) / lay->column_w + 0.01f);
    int to = lay->from + room;
    return to < table->count ? to : table->count;
}

struct range {
    double low, high;
};

static struct range range_of(const struct specimen *row,
                             const struct table_column *column, int index)
{
    struct range range = {0, 0};
    for (int s = 0; column->bars && s < row->n; s++) {
        double value = column->value(row, index, s);
        if (!isfinite(value))
            continue;
        range.low = fmin(range.low, value);
        range.high = fmax(range.high, value);
    }
    return range;
}

// A thin bar under the number, from the column's own zero.
static void draw_bar(struct ui *ui, struct rect cell, struct range range, double value,
                     struct color color)
{
    double span = range.high - range.low;
    if (!isfinite(value) || !(span > 0) || !(fabs(value) > 0))
        return;
    float w = cell.w - 20, unit = w / (float)span;
    float zero = cell.x + 14 - (float)range.low * unit;
    float from = value < 0 ? zero + (float)value * unit : zero;
    draw_fill(
        ui->list,
        rect_make(from, cell.y + cell.h - 5, fmaxf(1, fabsf((float)value) * unit), 3),
        1.5f, color);
}

static void draw_column(struct ui *ui, const struct specimen *row, const struct lay *lay,
                        const struct table *table, int index)
{
    const struct table_column *column = &table->columns[index];
    const struct style *style = ui->style;
    struct rect at = column_rect(lay, index);
    struct range range = range_of(row, column, index);
    char text[64];
    int lines = lay->lines;
    float body = HEAD + lay->line * (float)lines;
    if (column->current)
        draw_fill(ui->list, rect_make(at.x + 4, at.y, at.w - 4, body + FOOT), 6,
                  color_fade(style->accent, 0.12f));
    struct rect head = rect_make(at.x + 4, at.y + 2, at.w - 10, HEAD - 4);
    ui_text_fit(ui, column->current ? FONT_BOLD : FONT_TEXT, 16, head, 1,
                column->current ? style->accent
                : column->shown ? style->dim
                                : color_fade(style->dim, 0.5f),
                column->head);
    for (int i = 0; column->shown && i < lines; i++) {
        int s = lay->first + i;
        struct rect cell =
            rect_make(at.x, at.y + HEAD + lay->line * (float)i, at.w, lay->line);
        column->text(row, index, s, text, sizeof text);
        bool best = s == row->parts.best;
        if (column->bars)
            draw_bar(ui, cell, range, column->value(row, index, s),
                     best ? style->accent : color_fade(style->dim, 0.7f));
        cell.w -= 6;
        cell.h -= 3;
        ui_text_fit(ui, column->current ? FONT_MEDIUM : FONT_TEXT, lay->size, cell, 1,
                    column->current ? style->ink
                                    : color_mix(style->dim, style->ink, 0.35f),
                    text);
    }
    if (!column->shown || !column->total)
        return;
    column->total(row, index, text, sizeof text);
    ui_text_fit(ui, FONT_MEDIUM, lay->column_w < 104 ? 14 : 16,
                rect_make(at.x, at.y + body + 6, at.w - 6, FOOT - 8), 1,
                column->current ? style->accent : style->dim, text);
}

static void draw_words(struct ui *ui, const struct specimen *row, const struct lay *lay,
                       int pointed)
{
    const struct style *style = ui->style;
    int lines = lay->lines;
    struct rect at = rect_make(lay->at.x + 14, lay->at.y, lay->word_w - 16, HEAD);
    char text[64];
    if (lines < row->n) {
        snprintf(text, sizeof text, "%d–%d of %d", lay->first + 1, lay->first + lines,
                 row->n);
        ui_text_fit(ui, FONT_TEXT, 15, at, -1, style->ink, text);
    } else {
        ui_text_fit(ui, FONT_TEXT, 15, at, -1, style->dim,
                    row->now->blends ? "key" : "source");
    }
    for (int i = 0; i < lines; i++) {
        int s = lay->first + i;
        struct rect word =
            rect_make(at.x, lay->at.y + HEAD + lay->line * (float)i, at.w, lay->line);
        bool best = s == row->parts.best;
        if (s == pointed)
            draw_fill(ui->list, rect_make(lay->at.x, word.y, lay->at.w, lay->line), 4,
                      color_fade(style->dim, 0.15f));
        word.h -= 3;
        bool cut =
            ui_text_fit(ui, best ? FONT_BOLD : FONT_TEXT, fminf(lay->size, 20), word, -1,
                        best ? style->accent : style->ink, row->now->source[s].text);
        if (cut && s == pointed)
            ui_tooltip(ui, word, row->now->source[s].text);
    }
}

// Where in the sentence the lines are: a thumb at the left edge.
static void draw_thumb(struct ui *ui, const struct specimen *row, const struct lay *lay)
{
    if (row->n <= lay->lines)
        return;
    float h = lay->line * (float)lay->lines, y = lay->at.y + HEAD, n = (float)row->n;
    draw_fill(ui->list, rect_make(lay->at.x + 2, y, 4, h), 2, ui->style->line);
    draw_fill(ui->list,
              rect_make(lay->at.x + 2, y + h * (float)lay->first / n, 4,
                        h * (float)lay->lines / n),
              2, ui->style->dim);
}

int table_draw(struct ui *ui, const struct specimen *row, struct rect at,
               struct table *table, int first)
{
    struct rect body = rect_make(at.x, at.y + HEAD, at.w, at.h - HEAD - FOOT);
    bool over = ui_hover(ui, ui_hash("microscope table"), at);
    if (over)
        first -= (int)lroundf(ui->input->wheel_y * 2);
    struct lay lay = lay_out(row, at, table, first);
    table->pointed = NOWHERE;
    if (over && rect_contains(body, ui->input->x, ui->input->y)) {
        int line = (int)((ui->input->y - body.y) / lay.line);
        table->pointed = line < lay.lines ? lay.first + line : NOWHERE;
    }
    draw_words(ui, row, &lay, table->pointed);
    draw_thumb(ui, row, &lay);
    for (int i = lay.from; i < drawn_to(&lay, table); i++)
        draw_column(ui, row, &lay, table, i);
    float foot = at.y + HEAD + lay.line * (float)lay.lines + 2;
    draw_fill(ui->list, rect_make(at.x + 14, foot, at.w - 14, 1), 0, ui->style->line);
    return lay.first;
}
