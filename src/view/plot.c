// SPDX-License-Identifier: MIT
// Curves on two axes that begin at zero: a cut axis would make a small drop look like a
// cliff. See plot.h.
#include "view/plot.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 52, BOTTOM = 44, NEAR = 14, MOST_TICKS = 40 };

struct axes {
    struct rect area; // inside the axes
    float x_unit, y_unit;
};

static float x_of(const struct axes *axes, float x)
{
    return axes->area.x + x * axes->x_unit;
}

// What is beyond all numbers is at the top.
static float y_of(const struct axes *axes, float y)
{
    float up = y * axes->y_unit;
    return axes->area.y + axes->area.h - (isfinite(up) ? up : axes->area.h);
}

// 0 where the axis has no length: all is at its beginning.
static float unit_of(float length, float most)
{
    float unit = length / most;
    return isfinite(unit) ? unit : 0;
}

// 1, 2 or 5 times a power of ten, so that about `wanted` steps fill the axis.
static float tick_step(float most, float wanted)
{
    float rough = most / wanted, power = powf(10, floorf(log10f(rough)));
    float lead = rough / power;
    return power * (lead < 1.5f ? 1 : lead < 3.5f ? 2 : lead < 7.5f ? 5 : 10);
}

// How many steps from 0 reach the end of an axis, however small or large it is.
static int ticks_of(float most, float step)
{
    float ticks = step > 0 ? floorf(most / step * 1.001f) : 0;
    return ticks >= 0 && ticks <= MOST_TICKS ? (int)ticks : 0;
}

static void draw_axes(struct ui *ui, const struct axes *axes, const struct plot *plot)
{
    struct color line = ui->style->line, dim = ui->style->dim;
    char text[32];
    float step = tick_step(plot->y_max, 5);
    for (int i = 0; i <= ticks_of(plot->y_max, step); i++) {
        float y = i ? (float)i * step : 0;
        draw_fill(ui->list, rect_make(axes->area.x, y_of(axes, y), axes->area.w, 1), 0,
                  line);
        snprintf(text, sizeof text, "%g", (double)y);
        ui_text_fit(ui, FONT_TEXT, 12.5f,
                    rect_make(axes->area.x - LEFT, y_of(axes, y) - 10, LEFT - 10, 20), 1,
                    dim, text);
    }
    step = tick_step(plot->x_max, 6);
    for (int i = 0; i <= ticks_of(plot->x_max, step); i++) {
        float x = i ? (float)i * step : 0, at = x_of(axes, x);
        draw_fill(ui->list, rect_make(at, axes->area.y + axes->area.h, 1, 5), 0, dim);
        snprintf(text, sizeof text, "%g", plot->x_powers ? exp2((double)x) : (double)x);
        ui_text_fit(ui, FONT_TEXT, 12.5f,
                    rect_make(at - 30, axes->area.y + axes->area.h + 6, 60, 18), 0, dim,
                    text);
    }
    ui_text_fit(
        ui, FONT_TEXT, 12.5f,
        rect_make(axes->area.x, axes->area.y + axes->area.h + 24, axes->area.w, 18), 0,
        dim, plot->x_name);
    ui_text_fit(ui, FONT_TEXT, 12.5f,
                rect_make(axes->area.x - LEFT + 8, axes->area.y - 26, 200, 18), -1, dim,
                plot->y_name);
}

static struct color series_color(struct ui *ui, const struct plot_series *series)
{
    return series->strong ? ui->style->accent : ui->style->ink;
}

static void draw_series(struct ui *ui, const struct axes *axes,
                        const struct plot_series *series, int marked)
{
    struct color color = series_color(ui, series);
    for (int i = 0; i < series->count; i++) {
        const struct plot_point *p = &series->points[i];
        float x = x_of(axes, p->x), y = y_of(axes, p->y);
        if (i > 0)
            draw_stroke(ui->list, x_of(axes, p[-1].x), y_of(axes, p[-1].y), x, y, 2,
                        color_fade(color, series->hollow ? 0.35f : 0.7f));
        float r = i == marked ? 8 : 5;
        struct rect mark = rect_make(x - r, y - r, 2 * r, 2 * r);
        draw_fill(ui->list, mark, r,
                  series->hollow ? ui->style->panel : color_fade(color, p->spread));
        if (series->hollow)
            draw_frame(ui->list, mark, r, 2, color_fade(color, 0.4f + 0.6f * p->spread));
    }
    if (!series->count || series->hollow)
        return; // a hollow curve lies by the one it belongs to
    const struct plot_point *last = &series->points[series->count - 1];
    float y = y_of(axes, last->y) - 14;
    float w = ui_text_width(ui, FONT_MEDIUM, 13.5f, series->name, -1);
    struct rect name = rect_make(x_of(axes, last->x) + 14, y - 4, w + 1, 18);
    draw_fill(ui->list, rect_inset(name, -2), 0, ui->style->ground); // not struck through
    ui_text_fit(ui, FONT_MEDIUM, 13.5f, name, -1, color, series->name);
}

static struct plot_hit nearest(struct ui *ui, const struct axes *axes,
                               const struct plot *plot)
{
    struct plot_hit hit = {PLOT_NOWHERE, PLOT_NOWHERE, false};
    float best = NEAR * NEAR;
    for (int k = 0; k < plot->n_series; k++)
        for (int i = 0; i < plot->series[k].count; i++) {
            float dx = x_of(axes, plot->series[k].points[i].x) - ui->input->x;
            float dy = y_of(axes, plot->series[k].points[i].y) - ui->input->y;
            if (dx * dx + dy * dy < best) {
                best = dx * dx + dy * dy;
                hit.series = k;
                hit.point = i;
            }
        }
    hit.clicked = hit.series != PLOT_NOWHERE && ui->input->pressed;
    return hit;
}

struct plot_hit plot_draw(struct ui *ui, struct rect at, const struct plot *plot)
{
    struct axes axes = {.area = rect_make(at.x + LEFT, at.y + 30,
                                          at.w - LEFT - (at.w >= 600 ? 130 : 90),
                                          at.h - 30 - BOTTOM)};
    axes.x_unit = unit_of(axes.area.w, plot->x_max);
    axes.y_unit = unit_of(axes.area.h, plot->y_max);
    draw_axes(ui, &axes, plot);
    struct plot_hit hit = nearest(ui, &axes, plot);
    for (int k = 0; k < plot->n_series; k++)
        draw_series(ui, &axes, &plot->series[k], hit.series == k ? hit.point : -1);
    return hit;
}
