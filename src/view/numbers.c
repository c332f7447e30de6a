// SPDX-License-Identifier: MIT
// Matrices with numbers. See numbers.h.
#include "view/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 22, NAMES = 20, MOST_W = 92, MOST_H = 34, SHORT_W = 56, LEAST_H = 15 };
enum { MOST_PIXELS = 512, MOST_TEXTS = 3000, LEAST_SIZE = 10 };
static const float most_size = 14.5f;

struct layout {
    struct rect cells;
    float w, h; // of a cell
    float size; // of its number; 0: no room for it
};

static double most_of(const struct numbers *n)
{
    double most = 0;
    for (int i = 0; i < n->rows * n->columns; i++)
        if (isfinite(n->at[i]) && !(n->masked && n->masked[i]))
            most = fmax(most, fabs(n->at[i]));
    return most;
}

static void value_text(double value, float width, char *out, size_t size)
{
    double amount = fabs(value);
    const char *sign = value < 0 ? "−" : "";
    if (!isfinite(value))
        snprintf(out, size, "∞/∞");
    else if (amount >= 1e5 || (amount > 0 && amount < 5e-4))
        snprintf(out, size, "%s%.1e", sign, amount);
    else
        snprintf(out, size,
                 amount >= 1000    ? "%s%.0f"
                 : amount >= 100   ? "%s%.1f"
                 : width < SHORT_W ? "%s%.2f"
                                   : "%s%.3f",
                 sign, amount);
}

// What lets the widest number into its cell; 0 where it would be too small to read.
static float size_of_texts(struct ui *ui, const struct numbers *n, float w, float h)
{
    char text[32];
    float widest = 1;
    if (h + 2 < LEAST_H || n->rows * n->columns > MOST_TEXTS)
        return 0;
    for (int i = 0; i < n->rows * n->columns; i++) {
        value_text(n->at[i], w, text, sizeof text);
        if (!n->masked || !n->masked[i])
            widest = fmaxf(widest, ui_text_width(ui, FONT_MEDIUM, most_size, text, -1));
    }
    float size = fminf(fminf(most_size, h * 0.62f), most_size * (w - 4) / widest);
    return size >= LEAST_SIZE ? size : 0;
}

static struct layout lay_out(struct ui *ui, struct rect at, const struct numbers *n)
{
    float gutter = 0;
    for (int i = 0; n->row_names && i < n->rows; i++)
        gutter =
            fmaxf(gutter, ui_text_width(ui, FONT_TEXT, 13, n->row_names[i], -1) + 12);
    gutter = fminf(gutter, at.w * (n->columns < 3 ? 0.45f : 0.3f));
    float top = HEAD + (n->column_names ? NAMES : 4);
    struct layout l = {.w = fminf(MOST_W, (at.w - gutter) / (float)n->columns),
                       .h = fminf(MOST_H, (at.h - top) / (float)n->rows)};
    l.size = size_of_texts(ui, n, l.w - 2, l.h - 2);
    l.cells = rect_make(at.x + gutter, at.y + top, l.w * (float)n->columns,
                        l.h * (float)n->rows);
    return l;
}

static struct color color_of(const struct ui *ui, const struct numbers *n, double value,
                             double most)
{
    if (!isfinite(value))
        return ui->style->warn;
    if (n->weights)
        return colormap_at(n->map, ui->style->theme, (float)value);
    return colormap_signed(ui->style->theme, most > 0 ? (float)(value / most) : 0);
}

// Dark or light, whichever is easier to read on the cell.
static struct color ink_on(struct color ground)
{
    float light =
        (0.3f * (float)ground.r + 0.59f * (float)ground.g + 0.11f * (float)ground.b) /
        255;
    return light > 0.5f ? (struct color){16, 18, 22, 255}
                        : (struct color){240, 242, 245, 255};
}

static void draw_value(struct ui *ui, struct rect cell, float size, struct color ground,
                       double value)
{
    char text[32];
    value_text(value, cell.w, text, sizeof text);
    ui_text_fit(ui, FONT_MEDIUM, size, cell, 0, ink_on(ground), text);
}

void numbers_text(struct ui *ui, struct rect cell, struct color ground, double value)
{
    draw_value(ui, cell, fminf(most_size, cell.h * 0.62f), ground, value);
}

static void draw_cell(struct ui *ui, const struct numbers *n, const struct layout *l,
                      int row, int column, double most)
{
    size_t i = (size_t)row * (size_t)n->columns + (size_t)column;
    float gap = l->size > 0 ? 2 : l->h >= 6 && l->w >= 6 ? 1 : 0;
    struct rect cell = rect_make(l->cells.x + l->w * (float)column,
                                 l->cells.y + l->h * (float)row, l->w - gap, l->h - gap);
    if (n->masked && n->masked[i]) {
        draw_frame(ui->list, cell, l->size > 0 ? 3 : 0, 1, ui->style->line);
        if (l->size > 0)
            ui_text_fit(ui, FONT_TEXT, 13, cell, 0, ui->style->dim, "×");
        return;
    }
    struct color color = color_of(ui, n, n->at[i], most);
    draw_fill(ui->list, cell, l->size > 0 ? 3 : 0, color);
    if (l->size > 0)
        draw_value(ui, cell, l->size, color, n->at[i]);
}

// As lines of pixels.
static void draw_pooled(struct ui *ui, const struct numbers *n, const struct layout *l,
                        double most)
{
    uint8_t line[MOST_PIXELS * 4];
    int width = n->columns < (int)l->cells.w ? n->columns : (int)l->cells.w;
    int lines = n->rows < (int)l->cells.h ? n->rows : (int)l->cells.h;
    width = width < 1 ? 1 : width > MOST_PIXELS ? MOST_PIXELS : width;
    for (int y = 0; y < lines; y++) {
        int from = y * n->rows / lines, to = (y + 1) * n->rows / lines;
        for (int x = 0; x < width; x++) {
            double value = 0;
            bool any = false;
            for (int i = from; i < to; i++)
                for (int j = x * n->columns / width; j < (x + 1) * n->columns / width;
                     j++) {
                    size_t k = (size_t)i * (size_t)n->columns + (size_t)j;
                    if (n->masked && n->masked[k])
                        continue;
                    any = true;
                    value = fabs(n->at[k]) > fabs(value) ? n->at[k] : value;
                }
            struct color c = any ? color_of(ui, n, value, most) : ui->style->ground;
            memcpy(line + 4 * x, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
        }
        draw_image(ui->list,
                   rect_make(l->cells.x, l->cells.y + l->h * (float)from, l->cells.w,
                             l->h * (float)(to - from)),
                   width, 1, line, 255);
    }
}

static void draw_names(struct ui *ui, const struct numbers *n, const struct layout *l,
                       float left)
{
    int every_row = (int)ceilf(13 / l->h), every = (int)ceilf(30 / l->w);
    for (int i = 0; n->row_names && i < n->rows; i += every_row)
        ui_text_fit(ui, i == n->selected ? FONT_BOLD : FONT_TEXT, 13,
                    rect_make(left, l->cells.y + l->h * (float)i, l->cells.x - left - 8,
                              l->h - 2),
                    1, i == n->selected ? ui->style->accent : ui->style->ink,
                    n->row_names[i]);
    for (int j = 0; n->column_names && j < n->columns; j += every)
        ui_text_fit(ui, FONT_TEXT, 12.5f,
                    rect_make(l->cells.x + l->w * (float)j, l->cells.y - NAMES,
                              l->w * (float)every - 4, NAMES),
                    every > 1 ? -1 : 0, ui->style->dim, n->column_names[j]);
}

// A row too thin for a frame has a mark at its side.
static void draw_selected(struct ui *ui, const struct layout *l, int row)
{
    float y = l->cells.y + l->h * (float)row;
    if (l->h >= 8)
        draw_frame(ui->list, rect_make(l->cells.x - 2, y - 2, l->cells.w + 2, l->h + 2),
                   4, 1.5f, ui->style->accent);
    else
        draw_fill(ui->list, rect_make(l->cells.x - 7, y + l->h / 2 - 2, 5, 4), 2,
                  ui->style->accent);
}

static struct numbers_hit hit(struct ui *ui, const struct layout *l,
                              const struct numbers *n)
{
    struct numbers_hit hit = {-1, -1, false};
    if (!rect_contains(l->cells, ui->input->x, ui->input->y))
        return hit;
    hit.row = (int)((ui->input->y - l->cells.y) / l->h);
    hit.column = (int)((ui->input->x - l->cells.x) / l->w);
    hit.row = hit.row < n->rows ? hit.row : n->rows - 1;
    hit.column = hit.column < n->columns ? hit.column : n->columns - 1;
    hit.clicked = ui->input->pressed;
    return hit;
}

struct numbers_hit numbers_draw(struct ui *ui, struct rect at, const struct numbers *n)
{
    struct layout l = lay_out(ui, at, n);
    double most = most_of(n);
    float w = fminf(ui_text_width(ui, FONT_MEDIUM, 14, n->title, -1) + 10, at.w);
    ui_text_fit(ui, FONT_MEDIUM, 14, rect_make(at.x, at.y, w, HEAD), -1, ui->style->ink,
                n->title);
    if (n->note)
        ui_text_fit(ui, FONT_TEXT, 12.5f, rect_make(at.x + w, at.y, at.w - w, HEAD), -1,
                    ui->style->dim, n->note);
    if (l.cells.w < 4 || l.cells.h < 4)
        return (struct numbers_hit){-1, -1, false}; // no room but for the title
    draw_names(ui, n, &l, at.x);
    if (l.w < 5 || l.h < 3 || n->rows * n->columns > MOST_TEXTS)
        draw_pooled(ui, n, &l, most);
    else
        for (int i = 0; i < n->rows * n->columns; i++)
            draw_cell(ui, n, &l, i / n->columns, i % n->columns, most);
    if (n->selected >= 0 && n->selected < n->rows)
        draw_selected(ui, &l, n->selected);
    return hit(ui, &l, n);
}
