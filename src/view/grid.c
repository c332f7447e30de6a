// SPDX-License-Identifier: MIT
// Geometry of the matrix. See grid.h.
#include "view/grid.h"

#include <math.h>

static const float ladder_w[] = {200, 170, 144, 120, 100, 84, 66, 54, 46, 40, 34, 30, 26,
                                 23,  20,  17,  15,  13,  12, 11, 10, 9,  8,  7,  6};
static const float ladder_h[] = {100, 84, 70, 58, 46, 36, 32, 28, 24, 21, 18,
                                 16,  14, 13, 12, 11, 10, 9,  8,  7,  6};

enum { ZOOM_W = 200, ZOOM_H = 100 }; // no cell becomes larger than this by zooming

struct ladder {
    const float *steps;
    int count;
    float most; // cells are not larger than this
};

// The size that cells have keeps while it fits and fills a good third of the room:
// while one types, cells change only where they must. Else the largest step of the
// ladder, in whole pixels, with which count cells fit the length.
static float fit_cell(struct ladder ladder, float length, int count, float scale,
                      float keep)
{
    float n = (float)(count < 1 ? 1 : count);
    if (keep > 0 && keep * n <= length && keep * n > 0.35f * length)
        return keep;
    for (int i = 0; i < ladder.count; i++) {
        float cell = floorf(ladder.steps[i] * scale) / scale;
        if (cell > 0 && cell <= ladder.most && cell * n <= length)
            return cell;
    }
    return length / n;
}

// Labels lean more the narrower the columns are, and stand upright at last.
static void fit_labels(struct grid *grid, float height)
{
    float w = grid->cell_w;
    grid->label_angle = w >= 26 ? 40 : w >= 17 ? 58 : 90;
    grid->label_size = w >= 110  ? 26
                       : w >= 60 ? 19
                       : w >= 26 ? 17
                       : w >= 17 ? 15
                       : w >= 12 ? 13
                                 : 11;
    float sine = sinf(grid->label_angle * 3.14159265f / 180);
    grid->label_room = (height - 14) / sine;
    grid->label_every = w >= 12 ? 1 : (int)ceilf(13 / w);
    float h = grid->cell_h;
    grid->row_label_size = h >= 56   ? 26
                           : h >= 40 ? 19
                           : h >= 24 ? 17
                           : h >= 19 ? 15
                           : h >= 14 ? 13
                                     : 11;
    grid->row_label_every = h >= 11 ? 1 : (int)ceilf(13 / h);
}

struct grid grid_fit(struct rect room, float label_height, int n_src, int rows,
                     float scale, struct cell_size keep)
{
    struct grid grid = {.n_src = n_src, .rows = rows, .scale = scale};
    struct ladder wide = {ladder_w, sizeof ladder_w / sizeof *ladder_w,
                          fminf(fmaxf(84, room.w / 7.5f), 200)};
    struct ladder high = {ladder_h, sizeof ladder_h / sizeof *ladder_h,
                          fminf(fmaxf(46, room.h / 9), 100)};
    grid.cell_w = fit_cell(wide, room.w, n_src, scale, keep.w);
    grid.cell_h = fit_cell(high, room.h, rows, scale, keep.h);
    grid.fitted = (struct cell_size){grid.cell_w, grid.cell_h};
    grid_look(&grid, room, label_height, scale, (struct grid_port){0});
    return grid;
}

// Whole pixels where a cell has several.
static float zoom_cell(float fitted, float zoom, float most, float scale)
{
    float cell = fmaxf(fitted, fminf(most, fitted * zoom));
    return cell > fitted && cell * scale >= 6 ? roundf(cell * scale) / scale : cell;
}

// The zoom within bounds, and the cells that it makes.
static struct cell_size zoomed(const struct grid *grid, float *zoom)
{
    const struct cell_size fitted = grid->fitted;
    float most = fmaxf(1, fmaxf(ZOOM_W / fitted.w, ZOOM_H / fitted.h));
    *zoom = fminf(fmaxf(*zoom, 1), most);
    return (struct cell_size){zoom_cell(fitted.w, *zoom, ZOOM_W, grid->scale),
                              zoom_cell(fitted.h, *zoom, ZOOM_H, grid->scale)};
}

// Clamps what lies outside, and returns where the cells begin, in whole pixels.
static float scroll(float *outside, float cell, int count, float room, float scale)
{
    float most = fmaxf(0, (float)count - room / cell);
    *outside = fminf(fmaxf(*outside, 0), most);
    return -roundf(*outside * cell * scale) / scale;
}

static void see(float begin, float cell, int count, float room, int *from, int *to)
{
    int first = (int)floorf(-begin / cell + 0.001f);
    int last = (int)ceilf((room - begin) / cell - 0.001f);
    *from = first < 0 ? 0 : first;
    *to = last > count ? count : last;
}

void grid_look(struct grid *grid, struct rect room, float label_height, float scale,
               struct grid_port port)
{
    float n = (float)grid->n_src, rows = (float)grid->rows;
    struct cell_size cell = zoomed(grid, &port.zoom);
    grid->cell_w = cell.w;
    grid->cell_h = cell.h;
    float x = scroll(&port.column, grid->cell_w, grid->n_src, room.w, scale);
    float y = scroll(&port.row, grid->cell_h, grid->rows, room.h, scale);
    grid->port = port;
    grid->area = rect_make(room.x + x, room.y + y, grid->cell_w * n, grid->cell_h * rows);
    grid->sight = rect_make(room.x, room.y, fminf(room.w, grid->area.w),
                            fminf(room.h, grid->area.h));
    see(x, grid->cell_w, grid->n_src, room.w, &grid->from_column, &grid->to_column);
    see(y, grid->cell_h, grid->rows, room.h, &grid->from_row, &grid->to_row);
    float least = fminf(grid->cell_w, grid->cell_h);
    grid->gap = least >= 12 ? 1.5f : least >= 6 ? 1 : 0;
    grid->pooled = least * scale < 1;
    fit_labels(grid, label_height);
}

bool grid_is_whole(const struct grid *grid)
{
    return grid->sight.w > grid->area.w - 0.5f && grid->sight.h > grid->area.h - 0.5f;
}

static float reveal(float outside, float seen, int at)
{
    if (at < 0)
        return outside;
    return fminf(fmaxf(outside, (float)(at + 1) - seen), (float)at);
}

struct grid_port grid_reveal(const struct grid *grid, int row, int column)
{
    struct grid_port port = grid->port;
    port.column = reveal(port.column, grid->sight.w / grid->cell_w, column);
    port.row = reveal(port.row, grid->sight.h / grid->cell_h, row);
    return port;
}

struct grid_port grid_zoom(const struct grid *grid, float factor, float x, float y)
{
    struct grid_port port = grid->port;
    float right = x - grid->sight.x, down = y - grid->sight.y;
    port.zoom *= factor;
    if (port.zoom <= 1)
        return (struct grid_port){0};
    struct cell_size cell = zoomed(grid, &port.zoom);
    port.column = (x - grid->area.x) / grid->cell_w - right / cell.w;
    port.row = (y - grid->area.y) / grid->cell_h - down / cell.h;
    return port;
}

struct rect grid_cell(const struct grid *grid, int row, int column)
{
    float half = grid->gap / 2;
    return rect_make(grid->area.x + (float)column * grid->cell_w + half,
                     grid->area.y + (float)row * grid->cell_h + half,
                     grid->cell_w - grid->gap, grid->cell_h - grid->gap);
}

bool grid_hit(const struct grid *grid, float x, float y, int *row, int *column)
{
    if (!rect_contains(grid->sight, x, y))
        return false;
    *column = (int)((x - grid->area.x) / grid->cell_w);
    *row = (int)((y - grid->area.y) / grid->cell_h);
    return *column < grid->n_src && *row < grid->rows;
}
