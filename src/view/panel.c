// SPDX-License-Identifier: MIT
// Layout of the matrix panel. Readouts, colour scale and gutter keep their places while
// one types; only the matrix grows. See panel.h.
#include "view/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "view/heatmap.h"
#include "view/legend.h"
#include "view/readouts.h"
#include "view/wrap.h"

// Single characters stand upright: leaning helps words only.
static bool all_single(const struct alignment *now)
{
    for (int s = 0; now && s < now->n_src; s++) {
        const char *text = now->source[s].text;
        size_t length = text ? strlen(text) : 0;
        if (length && utf8_next(text, length, 0) != length)
            return false;
    }
    return now && now->n_src > 0;
}

struct panel panel_layout(struct rect area, const struct scene *scene, float scale)
{
    struct panel panel = {.area = area,
                          .gutter = area.w >= 1800  ? 170
                                    : area.w >= 560 ? 112
                                                    : 84};
    panel.readout_w = readouts_width(area.w);
    panel.readout_x = area.x + area.w - panel.readout_w;
    panel.compact = area.h < 400;
    float label_height = panel.compact ? 62 : area.h < 1000 ? 96 : 140;
    panel.coverage_h = panel.compact ? 28 : 40;
    panel.legend_h = panel.compact ? 20 : 36;
    panel.legend_y = area.y + area.h - panel.legend_h;
    float bottom = panel.legend_y - panel.coverage_h - (panel.compact ? 4 : 12);
    struct rect room = rect_make(area.x + panel.gutter, area.y + label_height,
                                 panel.readout_x - 28 - area.x - panel.gutter,
                                 fmaxf(8, bottom - area.y - label_height));
    room.w = fmaxf(8, room.w);
    int n = scene->now ? scene->now->n_src : 0;
    panel.grid = grid_fit(room, label_height, n, scene_rows(scene), scale, scene->keep);
    if (all_single(scene->now) && panel.grid.cell_w >= 12)
        panel.grid.label_angle = 0;
    panel.coverage_y = panel.grid.area.y + panel.grid.area.h + 2;
    return panel;
}

static void draw_message(struct ui *ui, struct rect area, const char *head,
                         const char *body)
{
    struct rect at = rect_make(area.x, area.y + area.h * 0.36f, area.w, 0);
    at.y = wrap_draw(ui, FONT_MEDIUM, 18, ui->style->ink, at, 26, 0, head) + 6;
    wrap_draw(ui, FONT_TEXT, 14.5f, ui->style->dim, at, 21, 0, body);
}

static void draw_unattended(struct ui *ui, const struct scene *scene,
                            const struct panel *panel)
{
    struct grid grid = panel->grid;
    float right = panel->readout_x - 28;
    struct rect box = rect_make(grid.area.x, grid.area.y, right - grid.area.x,
                                fmaxf(120, grid.cell_h * (float)grid.rows));
    draw_frame(ui->list, box, 6, 1, ui->style->line);
    draw_message(ui, rect_inset(box, 12), "no α here: this model has no attention",
                 "the decoder reads one fixed vector, the encoder's last state");
    heatmap_labels(ui, scene, &grid, panel->gutter);
    readouts_rows(ui, scene, &grid, panel->readout_x, panel->readout_w);
}

// Where the numbers stand far from the cells, a thin line leads the eye along each row.
static void draw_rules(struct ui *ui, const struct scene *scene,
                       const struct panel *panel)
{
    const struct grid *grid = &panel->grid;
    float from = grid->area.x + grid->area.w + 8, to = panel->readout_x - 10;
    if (to - from < 40 || grid->row_label_every > 1)
        return;
    for (int t = 0; t < scene->rows; t++) {
        float y = grid->area.y + ((float)t + 0.5f) * grid->cell_h;
        bool marked = t == scene->selected || t == scene->hover_t;
        draw_fill(ui->list, rect_make(from, y, to - from, 1), 0,
                  marked ? ui->style->accent : ui->style->line);
    }
}

void panel_draw(struct ui *ui, const struct scene *scene, const struct panel *panel)
{
    const struct alignment *now = scene->now;
    if (!now) {
        draw_message(ui, panel->area, "loading the model", "the picture follows at once");
        return;
    }
    if (now->n_src == 0) {
        draw_message(ui, panel->area, "nothing to translate yet",
                     "a sentence gives a picture, and every key a new one");
        return;
    }
    if (!now->has_attention) {
        draw_unattended(ui, scene, panel);
        return;
    }
    heatmap_cells(ui, scene, &panel->grid);
    draw_rules(ui, scene, panel);
    heatmap_labels(ui, scene, &panel->grid, panel->gutter);
    heatmap_marks(ui, scene, &panel->grid);
    readouts_rows(ui, scene, &panel->grid, panel->readout_x, panel->readout_w);
    readouts_coverage(ui, scene, &panel->grid, panel->gutter, panel->coverage_y,
                      panel->coverage_h);
    struct rect legend =
        rect_make(panel->grid.area.x, panel->legend_y,
                  panel->area.x + panel->area.w - panel->grid.area.x, panel->legend_h);
    legend_draw(ui, scene, legend);
}

void panel_hit(const struct panel *panel, float x, float y, int *row, int *column)
{
    const struct rect cells = panel->grid.area;
    *row = *column = NOWHERE;
    if (grid_hit(&panel->grid, x, y, row, column) || !rect_contains(panel->area, x, y))
        return;
    bool in_rows = y >= cells.y && y < cells.y + cells.h;
    // A label leans away from its column: above the cells a point belongs to the column
    // its label begins at.
    float angle = panel->grid.label_angle;
    if (y < cells.y && angle > 0 && angle < 90)
        x -= (cells.y - y) / tanf(angle * 3.14159265f / 180);
    bool in_columns = x >= cells.x && x < cells.x + cells.w;
    if (in_rows && panel->grid.rows > 0)
        *row = (int)((y - cells.y) / panel->grid.cell_h);
    else if (in_columns && y < panel->legend_y && panel->grid.n_src > 0)
        *column = (int)((x - cells.x) / panel->grid.cell_w);
    if (*row >= panel->grid.rows)
        *row = NOWHERE;
    if (*column >= panel->grid.n_src)
        *column = NOWHERE;
}
