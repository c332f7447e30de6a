// SPDX-License-Identifier: MIT
// Alignment forming. The curves run over checkpoints, not over time: early steps, where
// much happens, stand as far apart as late ones. See forming.h.
#include "view/forming.h"

#include <math.h>
#include <stdio.h>

#include "ui/widgets.h"

static float value_of(const struct forming_point *point, bool exact, float most)
{
    return exact ? point->exact : point->entropy_bits / most;
}

// Straight from point to point; a gap where nothing was measured.
static void draw_curve(struct ui *ui, struct rect at, const struct forming *forming,
                       bool exact, float most, struct color color)
{
    float step = at.w / (float)(forming->count - 1);
    for (int i = 1; i < forming->count; i++) {
        float a = value_of(&forming->points[i - 1], exact, most);
        float b = value_of(&forming->points[i], exact, most);
        float x = at.x + step * (float)i;
        draw_stroke(ui->list, x - step, at.y + at.h * (1 - a), x, at.y + at.h * (1 - b),
                    1.5f, color);
    }
}

static float most_entropy(const struct forming *forming)
{
    float most = 1e-6f;
    for (int i = 0; i < forming->count; i++)
        if (forming->points[i].entropy_bits > most)
            most = forming->points[i].entropy_bits;
    return most;
}

// At this step.
static void draw_numbers(struct ui *ui, struct rect label, const struct forming *forming,
                         bool low)
{
    const struct forming_point *point = &forming->points[forming->at];
    char text[64];
    if (isfinite(point->entropy_bits)) {
        snprintf(text, sizeof text, "entropy %.2f bits", (double)point->entropy_bits);
        ui_text_fit(ui, FONT_TEXT, 12.5f, label, -1, ui->style->accent, text);
    }
    label.y += 20;
    if (isfinite(point->exact)) {
        snprintf(text, sizeof text, "exact %.1f %%", 100 * (double)point->exact);
        ui_text_fit(ui, FONT_TEXT, 12.5f, label, -1, ui->style->ink, text);
    }
    if (low || (!isfinite(point->entropy_bits) && !isfinite(point->exact)))
        return;
    label.y += 18; // not of the sentence in the matrix
    ui_text_fit(ui, FONT_TEXT, 11.5f, label, -1, ui->style->dim, "on held-out text");
}

static void draw_curves(struct ui *ui, struct rect at, const struct forming *forming,
                        bool low)
{
    draw_fill(ui->list, rect_make(at.x, at.y + at.h, at.w, 1), 0, ui->style->line);
    float x = at.x + at.w * (float)forming->at / (float)(forming->count - 1);
    draw_fill(ui->list, rect_make(x - 0.5f, at.y, 1, at.h), 0, ui->style->dim);
    draw_curve(ui, at, forming, false, most_entropy(forming), ui->style->accent);
    draw_curve(ui, at, forming, true, 1, ui->style->ink);
    draw_numbers(ui, rect_make(at.x + at.w + 12, at.y - 2, 150, 18), forming, low);
}

// Step and place; returns where the slider may begin.
static float draw_step(struct ui *ui, struct rect at, const struct forming *forming)
{
    char text[96];
    bool low = at.h < FORMING_HEIGHT;
    snprintf(text, sizeof text, "step %lld",
             (long long)forming->points[forming->at].step);
    struct rect line = rect_make(at.x + 80, at.y + (low ? 10 : 14), low ? 96 : 170, 22);
    ui_text_fit(ui, FONT_BOLD, low ? 15 : 17, line, -1, ui->style->ink, text);
    if (low)
        return line.x + 116;
    snprintf(text, sizeof text, "of its training, %d of %d", forming->at + 1,
             forming->count);
    line.y += 26;
    ui_text_fit(ui, FONT_TEXT, 12.5f, line, -1, ui->style->dim, text);
    return line.x + 190;
}

struct forming_result forming_draw(struct ui *ui, struct rect at,
                                   const struct forming *forming)
{
    struct forming_result result = {.at = forming->at};
    bool low = at.h < FORMING_HEIGHT;
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    float button_h = low ? 28 : 36;
    struct rect button = rect_make(at.x + 20, at.y + (at.h - button_h) / 2, 44, button_h);
    result.play = widget_button(ui, "play", button, forming->playing ? "⏸" : "▶",
                                forming->playing, true);
    float x = draw_step(ui, at, forming);
    float curves = at.w < 760 ? 0 : at.w >= 900 && !low ? 180 : 110;
    float labels = curves > 0 ? 172 : 20;
    struct rect track =
        rect_make(x, at.y + (at.h - 32) / 2, at.x + at.w - x - curves - labels - 20, 32);
    float last = (float)(forming->count - 1), position = (float)forming->at / last;
    if (track.w > 60 && widget_slider(ui, "checkpoint", track, 1 / last, &position))
        result.at = (int)lroundf(position * last);
    float top = low ? 8 : 16, under = low ? 16 : 34;
    if (curves > 0)
        draw_curves(
            ui,
            rect_make(at.x + at.w - curves - labels, at.y + top, curves, at.h - under),
            forming, low);
    return result;
}
