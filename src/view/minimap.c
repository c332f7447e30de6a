// SPDX-License-Identifier: MIT
// The overview. See minimap.h. Its pixels are maxima, as in the matrix itself.
#include "view/minimap.h"

#include <math.h>

#include "view/heatmap.h"

struct rect minimap_place(const struct grid *grid, struct rect room)
{
    float shape = grid->area.w / fmaxf(1, grid->area.h);
    float h = room.h, w = fminf(room.w, fmaxf(h * 0.4f, h * shape));
    if (shape > 0 && w / shape < h)
        h = fmaxf(24, w / shape);
    return rect_make(room.x + room.w - w, room.y + room.h - h, w, h);
}

void minimap_draw(struct ui *ui, const struct scene *scene, const struct grid *grid,
                  struct rect at)
{
    struct grid whole = *grid;
    whole.area = whole.sight = at;
    float area_h = fmaxf(1, grid->area.h); // as long as there is no row
    whole.cell_w = at.w / (float)grid->n_src;
    whole.cell_h = at.h / fmaxf(1, (float)grid->rows);
    whole.gap = 0;
    whole.from_row = whole.from_column = 0;
    whole.to_row = grid->rows;
    whole.to_column = grid->n_src;
    draw_fill(ui->list, rect_inset(at, -2), 2, ui->style->panel);
    heatmap_cells(ui, scene, &whole);
    draw_frame(ui->list, rect_inset(at, -2), 2, 1, ui->style->line);
    float x = at.x + (grid->sight.x - grid->area.x) / grid->area.w * at.w;
    float y = at.y + (grid->sight.y - grid->area.y) / area_h * at.h;
    struct rect sight =
        rect_make(x - 1, y - 1, fmaxf(4, grid->sight.w / grid->area.w * at.w) + 2,
                  fmaxf(4, grid->sight.h / area_h * at.h) + 2);
    draw_frame(ui->list, sight, 2, 1.5f, ui->style->accent);
}

struct grid_port minimap_port(const struct grid *grid, struct rect at, float x, float y)
{
    struct grid_port port = grid->port;
    port.column =
        (x - at.x) / at.w * (float)grid->n_src - grid->sight.w / grid->cell_w / 2;
    port.row = (y - at.y) / at.h * (float)grid->rows - grid->sight.h / grid->cell_h / 2;
    return port;
}
