// SPDX-License-Identifier: MIT
// Banner and help page. See overlay.h.
#include "view/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/wrap.h"

bool overlay_banner(struct ui *ui, struct rect at, const char *text, bool done)
{
    float width = at.w - 92;
    float h = 20 + 20 * (float)wrap_count(ui, FONT_MEDIUM, 14, width, text);
    struct rect box = rect_make(at.x, at.y + at.h - h, at.w, h);
    draw_fill(ui->list, box, 8, done ? ui->style->panel : ui->style->warn);
    if (done)
        draw_frame(ui->list, box, 8, 1, ui->style->dim);
    wrap_draw(ui, FONT_MEDIUM, 14, done ? ui->style->ink : ui->style->on_warn,
              rect_make(box.x + 20, box.y + 10, width, 0), 20, -1, text);
    struct rect cross = rect_make(box.x + box.w - 48, box.y + h / 2 - 14, 28, 28);
    return widget_button(ui, "banner close", cross, "×", false, true);
}

static const struct overlay_line reading[] = {
    {"rows", "the words that are written, from top to bottom"},
    {"columns", "the pieces of your sentence; ⏎ is its end"},
    {"colour", "α: how much of its attention a row gives a column; a row sums to 1"},
    {"entropy", "H = −Σ α log₂ α: 0 is one word only, log₂ S is all alike"},
    {"words", "2^H: as if the attention were spread evenly over so many"},
    {"coverage", "Σ α of a column: how much was read of that piece in all"},
    {"τ", "softmax(e / τ): below 1 sharper, above 1 flatter"},
};

static float draw_lines(struct ui *ui, struct rect at, const struct overlay_line *lines,
                        int count, int columns, float keys_w, float step)
{
    int rows = (count + columns - 1) / columns;
    float column_w = at.w / (float)columns;
    for (int i = 0; i < count; i++) {
        float x = at.x + column_w * (float)(i / rows);
        float y = at.y + step * (float)(i % rows);
        ui_text_fit(ui, FONT_BOLD, 13, rect_make(x, y, keys_w, step), -1,
                    ui->style->accent, lines[i].keys);
        ui_text_fit(ui, FONT_TEXT, 13,
                    rect_make(x + keys_w + 8, y, column_w - keys_w - 16, step), -1,
                    ui->style->ink, lines[i].help);
    }
    return at.y + step * (float)rows;
}

enum { READING = sizeof reading / sizeof *reading, STEP = 25, LEAST_STEP = 17 };

struct help_box {
    struct rect rect;
    int columns;
    int key_pages, keys_a_page; // when it is not whole
    bool whole;                 // keys and reading fit one page
};

static struct help_box help_box(float width, float height, int count)
{
    struct help_box box = {0};
    float w = fminf(width - 24, 960), h = fminf(height - 24, 660);
    box.rect = rect_make((width - w) / 2, (height - h) / 2, w, h);
    box.columns = w >= 760 ? 2 : 1;
    int rows = (count + box.columns - 1) / box.columns;
    box.whole = (h - 150) / (float)(rows + READING) >= LEAST_STEP;
    int rows_a_page = (int)fmaxf(1, (h - 64) / LEAST_STEP);
    box.keys_a_page = box.whole ? count : rows_a_page * box.columns;
    box.key_pages = (count + box.keys_a_page - 1) / box.keys_a_page;
    return box;
}

int overlay_help_pages(float width, float height, int count)
{
    struct help_box box = help_box(width, height, count);
    return box.whole ? 1 : box.key_pages + 1;
}

static void draw_reading(struct ui *ui, struct rect at, float step, const char *now)
{
    at.y = draw_lines(ui, at, reading, READING, 1, 90, step) + 8;
    at.y = wrap_draw(ui, FONT_MEDIUM, 13, ui->style->ink, at, 19, -1, now);
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x, at.y + 2, at.w, 20), -1,
                ui->style->dim, "α is a weight, not an explanation.");
}

bool overlay_help(struct ui *ui, const struct overlay_line *lines, int count,
                  const char *now, int page)
{
    struct rect window = rect_make(0, 0, ui->input->width, ui->input->height);
    struct help_box box = help_box(window.w, window.h, count);
    ui_hover(ui, ui_hash("help page"), window); // what lies under it is out of reach
    draw_fill(ui->list, window, 0, color_fade(ui->style->ground, 0.8f));
    draw_fill(ui->list, box.rect, 10, ui->style->panel);
    draw_frame(ui->list, box.rect, 10, 1, ui->style->accent);
    struct rect at =
        rect_make(box.rect.x + 24, box.rect.y + 52, box.rect.w - 48, box.rect.h);
    bool keys = page <= box.key_pages, words = box.whole || !keys;
    const char *head = box.whole ? "Keys, and how to read the picture   (Esc)"
                       : keys    ? "Keys   (F1 or a click: next page)"
                                 : "How to read the picture   (Esc)";
    ui_text_fit(ui, FONT_BOLD, 18, rect_make(at.x, box.rect.y + 16, at.w, 28), -1,
                ui->style->ink, head);
    int first = keys ? (page - 1) * box.keys_a_page : count;
    int shown = count - first < box.keys_a_page ? count - first : box.keys_a_page;
    int rows = (shown + box.columns - 1) / box.columns + (words ? READING : 0);
    float step = fminf(STEP, (box.rect.h - (words ? 150 : 64)) / (float)rows);
    if (keys)
        at.y = draw_lines(ui, at, lines + first, shown, box.columns, 184, step) + 10;
    if (words)
        draw_reading(ui, at, step, now);
    return ui->input->pressed;
}
