// SPDX-License-Identifier: MIT
// Next words. See candidates.h.
#include "view/candidates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ui_id id_of(int k)
{
    char name[24];
    snprintf(name, sizeof name, "next word %d", k);
    return ui_hash(name);
}

int candidates_clicked(const struct ui *ui)
{
    for (int k = 0; k < ALIGNMENT_TOP; k++)
        if (ui->input->released && ui->press_origin == id_of(k) &&
            ui_is_hot(ui, id_of(k)))
            return k;
    return -1;
}

const char *candidate_name(const struct candidate *of, int n, int k, char *out,
                           size_t size)
{
    for (int i = 0; i < n && of[k].joins; i++)
        if (of[i].text && !of[i].joins && !strcmp(of[i].text, of[k].text)) {
            snprintf(out, size, "…%s", of[k].text);
            return out;
        }
    return of[k].text;
}

// The output of the bare equation: a number for each column of V, as many as have room.
static float draw_blend(struct ui *ui, const struct specimen *row, struct rect at,
                        float line)
{
    const struct blends *blends = row->now->blends;
    const float *c = blends->at + (size_t)row->t * (size_t)blends->columns;
    float size = line >= 28 ? 19 : 13.5f, most = 0;
    int shown = blends->columns <= ALIGNMENT_TOP ? blends->columns : ALIGNMENT_TOP - 1;
    for (int j = 0; j < blends->columns; j++)
        most = fmaxf(most, fabsf(c[j]));
    float word = fminf(at.w * 0.3f, 170), bar_x = at.x + word + 8;
    float unit = most > 0 ? (at.w - word - 88) / most : 0;
    char text[48];
    for (int j = 0; j < shown; j++, at.y += line) {
        ui_text_fit(ui, FONT_TEXT, size, rect_make(at.x, at.y, word, line - 4), -1,
                    ui->style->ink, blends->names[j]);
        draw_fill(ui->list,
                  rect_make(bar_x, at.y + line * 0.15f, fmaxf(2, unit * fabsf(c[j])),
                            line * 0.5f),
                  2, color_fade(c[j] < 0 ? ui->style->ring : ui->style->accent, 0.8f));
        snprintf(text, sizeof text, "%.4g", (double)c[j]);
        ui_text_fit(ui, FONT_MEDIUM, size, rect_make(at.x, at.y, at.w, line - 4), 1,
                    ui->style->ink, text);
    }
    if (shown == blends->columns)
        return at.y;
    snprintf(text, sizeof text, "and %d more", blends->columns - shown);
    ui_text_fit(ui, FONT_TEXT, fminf(size, 15), rect_make(at.x, at.y, at.w, line - 4), -1,
                ui->style->dim, text);
    return at.y + line;
}

float candidates_draw(struct ui *ui, const struct specimen *row, struct rect at,
                      float line)
{
    if (row->now->blends)
        return draw_blend(ui, row, at, line);
    const struct candidate *top = row->now->top + (size_t)row->t * ALIGNMENT_TOP;
    int chosen = row->now->target[row->t].id;
    bool large = line >= 28;
    float size = large ? 19 : line >= 20 ? 13.5f : 12, number = large ? 84 : 52;
    float word = large ? fminf(at.w * 0.36f, 170) : at.w >= 280 ? 76 : 60;
    float bar_x = at.x + word + 8, bar_w = at.w - word - 8 - number;
    for (int k = 0; k < ALIGNMENT_TOP && top[k].text; k++, at.y += line) {
        float p = expf(top[k].log_p);
        bool mine = top[k].id == chosen;
        bool hot = ui_hover(ui, id_of(k), rect_make(at.x, at.y, at.w, line));
        struct color color = mine ? ui->style->accent : ui->style->dim;
        char text[32], name[72];
        ui_text_fit(ui, mine || hot ? FONT_BOLD : FONT_TEXT, size,
                    rect_make(at.x, at.y, word, line - 4), -1,
                    mine ? color : ui->style->ink,
                    candidate_name(top, ALIGNMENT_TOP, k, name, sizeof name));
        draw_fill(ui->list,
                  rect_make(bar_x, at.y + line * 0.15f, fmaxf(2, bar_w * p), line * 0.5f),
                  2, color_fade(color, 0.8f));
        snprintf(text, sizeof text, "%.1f%%", 100 * (double)p);
        ui_text_fit(ui, large ? FONT_MEDIUM : FONT_TEXT, large ? 19 : 12,
                    rect_make(at.x + at.w - number - 4, at.y, number + 4, line - 4), 1,
                    large ? ui->style->ink : ui->style->dim, text);
    }
    return at.y;
}
