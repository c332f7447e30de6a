// SPDX-License-Identifier: MIT
// Layout of the matrix panel. Readouts, colour scale and gutter keep their places while
// one types; only the matrix grows. See panel.h.
#include "view/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "view/difference.h"
#include "view/edits.h"
#include "view/heatmap.h"
#include "view/legend.h"
#include "view/minimap.h"
#include "view/readouts.h"
#include "view/remarks.h"
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

struct panel panel_layout(struct ui *ui, struct rect area, const struct scene *scene)
{
    float scale = ui->input->scale, doubt_y = area.y;
    bool doubted = scene->remarks && (scene->remarks->doubts || scene->remarks->cropped);
    area.y += doubted ? REMARKS_STRIP : 0;
    area.h -= doubted ? REMARKS_STRIP : 0;
    struct panel panel = {.area = area,
                          .doubt_y = doubted ? doubt_y : 0,
                          .gutter = area.w >= 1800  ? 170
                                    : area.w >= 560 ? 112
                                                    : 84};
    if (scene->difference) // "chat / chien"
        panel.gutter *= 1.5f;
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
    grid_look(&panel.grid, room, label_height, scale, scene->port);
    if (all_single(scene->now) && panel.grid.cell_w >= 12)
        panel.grid.label_angle = 0;
    panel.coverage_y = panel.grid.sight.y + panel.grid.sight.h + 2;
    panel.is_ribbon =
        scene->ribbon && scene->now && scene->now->has_attention && scene->rows > 0;
    panel.port = panel.grid.port;
    if (panel.is_ribbon) {
        ribbon_layout(&panel.ribbon, ui, scene,
                      rect_make(area.x, area.y + 8, area.w,
                                panel.legend_y - (panel.compact ? 4 : 16) - area.y - 8),
                      panel.gutter);
        panel.port.column = panel.ribbon.outside / panel.ribbon.width * (float)n;
    } else if (!grid_is_whole(&panel.grid)) {
        panel.map = minimap_place(&panel.grid,
                                  rect_make(panel.readout_x, bottom + 6, panel.readout_w,
                                            area.y + area.h - bottom - 6));
    }
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
    struct rect box = rect_make(grid.sight.x, grid.sight.y, right - grid.sight.x,
                                fmaxf(120, grid.sight.h));
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
    float from = grid->sight.x + grid->sight.w + 8, to = panel->readout_x - 10;
    if (to - from < 40 || grid->row_label_every > 1)
        return;
    for (int t = grid->from_row; t < grid->to_row && t < scene->rows; t++) {
        float y = grid->area.y + ((float)t + 0.5f) * grid->cell_h;
        if (y < grid->sight.y || y >= grid->sight.y + grid->sight.h)
            continue;
        bool marked = t == scene->selected || t == scene->hover_t;
        draw_fill(ui->list, rect_make(from, y, to - from, 1), 0,
                  marked ? ui->style->accent : ui->style->line);
    }
}

static void draw_doubt(struct ui *ui, const struct scene *scene,
                       const struct panel *panel)
{
    struct buf text;
    buf_init(&text, 1024);
    struct rect at = rect_make(panel->area.x, panel->doubt_y, panel->area.w, 20);
    if (remarks_doubt(scene, &text))
        ui_text_fit(ui, FONT_MEDIUM, 14, at, -1, ui->style->warn, buf_text(&text));
    buf_finish(&text);
}

static void draw_matrix(struct ui *ui, const struct scene *scene,
                        const struct panel *panel)
{
    heatmap_cells(ui, scene, &panel->grid);
    draw_rules(ui, scene, panel);
    heatmap_labels(ui, scene, &panel->grid, panel->gutter - remarks_gutter(scene));
    heatmap_marks(ui, scene, &panel->grid);
    edits_mark(ui, scene, &panel->grid);
    remarks_draw(ui, scene, &panel->grid, panel->grid.sight.x - panel->gutter,
                 panel->readout_x);
    bool differs = scene->difference != NULL;
    (differs ? difference_rows : readouts_rows)(ui, scene, &panel->grid, panel->readout_x,
                                                panel->readout_w);
    (differs ? difference_columns : readouts_columns)(
        ui, scene, &panel->grid, panel->gutter, panel->coverage_y, panel->coverage_h);
    if (panel->map.w > 0)
        minimap_draw(ui, scene, &panel->grid, panel->map);
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
    if (panel->doubt_y > 0)
        draw_doubt(ui, scene, panel);
    if (panel->is_ribbon) {
        ribbon_draw(ui, scene, &panel->ribbon);
        edits_mark_ribbons(ui, scene, &panel->ribbon);
    } else {
        draw_matrix(ui, scene, panel);
    }
    struct rect legend = rect_make(panel->area.x + panel->gutter, panel->legend_y,
                                   panel->area.w - panel->gutter, panel->legend_h);
    if (panel->map.w > 0)
        legend.w = panel->map.x - 16 - legend.x;
    (scene->difference ? difference_legend : legend_draw)(ui, scene, legend);
}

struct grid_port panel_reveal(const struct panel *panel, const struct scene *scene)
{
    if (panel->is_ribbon)
        return ribbon_reveal(&panel->ribbon, scene, scene->selected, scene->selected_s);
    return grid_reveal(&panel->grid, scene->selected, scene->selected_s);
}

void panel_hit(const struct panel *panel, const struct scene *scene, float x, float y,
               int *row, int *column)
{
    if (panel->is_ribbon) {
        ribbon_hit(&panel->ribbon, scene, x, y, row, column);
        return;
    }
    const struct rect cells = panel->grid.sight, all = panel->grid.area;
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
        *row = (int)((y - all.y) / panel->grid.cell_h);
    else if (in_columns && y < panel->legend_y && panel->grid.n_src > 0)
        *column = (int)((x - all.x) / panel->grid.cell_w);
    if (*row >= panel->grid.rows)
        *row = NOWHERE;
    if (*column >= panel->grid.n_src)
        *column = NOWHERE;
}
