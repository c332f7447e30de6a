// SPDX-License-Identifier: MIT
// Banner and help page. See overlay.h.
#include "view/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"

// The longest beginning of text, in whole words, that fits the width; at least one word.
static size_t line_length(struct ui *ui, const char *text, float width)
{
    size_t fits = 0, at = 0, all = strlen(text);
    while (at < all) {
        size_t word = at + strcspn(text + at, " ");
        if (fits && ui_text_width(ui, FONT_MEDIUM, 14, text, (int)word) > width)
            return fits;
        fits = word;
        at = word + strspn(text + word, " ");
    }
    return all;
}

bool overlay_banner(struct ui *ui, struct rect at, const char *text)
{
    const char *lines[4];
    size_t lengths[4];
    int count = 0;
    while (*text && count < 4) {
        lines[count] = text;
        lengths[count] = line_length(ui, text, at.w - 92);
        text += lengths[count++];
        text += strspn(text, " ");
    }
    float h = 20 + 20 * (float)count;
    struct rect box = rect_make(at.x, at.y + at.h - h, at.w, h);
    draw_fill(ui->list, box, 8, ui->style->warn);
    for (int i = 0; i < count; i++) {
        char line[600];
        snprintf(line, sizeof line, "%.*s", (int)lengths[i], lines[i]);
        ui_text_fit(ui, FONT_MEDIUM, 14,
                    rect_make(box.x + 20, box.y + 10 + 20 * (float)i, box.w - 92, 20), -1,
                    ui->style->on_warn, line);
    }
    struct rect cross = rect_make(box.x + box.w - 48, box.y + h / 2 - 14, 28, 28);
    return widget_button(ui, "banner close", cross, "×", false, true);
}

static void draw_keys(struct ui *ui, struct rect box, const struct overlay_line *lines,
                      int count)
{
    int columns = box.w >= 760 ? 2 : 1, rows = (count + columns - 1) / columns;
    float column_w = (box.w - 48) / (float)columns;
    float step = fminf(26, (box.h - 110) / (float)rows);
    for (int i = 0; i < count; i++) {
        float x = box.x + 24 + column_w * (float)(i / rows);
        float y = box.y + 62 + step * (float)(i % rows);
        ui_text_fit(ui, FONT_BOLD, 13, rect_make(x, y, 148, step), -1, ui->style->accent,
                    lines[i].keys);
        ui_text_fit(ui, FONT_TEXT, 13, rect_make(x + 156, y, column_w - 172, step), -1,
                    ui->style->ink, lines[i].help);
    }
}

bool overlay_help(struct ui *ui, const struct overlay_line *lines, int count)
{
    float w = fminf(ui->input->width - 32, 920), h = fminf(ui->input->height - 32, 560);
    struct rect box =
        rect_make((ui->input->width - w) / 2, (ui->input->height - h) / 2, w, h);
    draw_fill(ui->list, rect_make(0, 0, ui->input->width, ui->input->height), 0,
              color_fade(ui->style->ground, 0.8f));
    draw_fill(ui->list, box, 10, ui->style->panel);
    draw_frame(ui->list, box, 10, 1, ui->style->accent);
    ui_text_fit(ui, FONT_BOLD, 18, rect_make(box.x + 24, box.y + 18, w - 48, 28), -1,
                ui->style->ink, "Keys, and how to read the picture");
    draw_keys(ui, box, lines, count);
    ui_text_fit(
        ui, FONT_TEXT, 13, rect_make(box.x + 24, box.y + h - 42, w - 48, 26), -1,
        ui->style->dim,
        "Row t shows where the decoder looked when it wrote word t: α is a weight, "
        "not an explanation. Esc closes this page.");
    return ui->input->pressed;
}
