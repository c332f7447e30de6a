// SPDX-License-Identifier: MIT
// Geometry of the matrix. See grid.h.
#include "view/grid.h"

#include <math.h>

static const float ladder_w[] = {200, 170, 144, 120, 100, 84, 66, 54, 46, 40, 34, 30, 26,
                                 23,  20,  17,  15,  13,  12, 11, 10, 9,  8,  7,  6};
static const float ladder_h[] = {100, 84, 70, 58, 46, 36, 32, 28, 24, 21, 18,
                                 16,  14, 13, 12, 11, 10, 9,  8,  7,  6};

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
    struct grid grid = {.n_src = n_src, .rows = rows};
    struct ladder wide = {ladder_w, sizeof ladder_w / sizeof *ladder_w,
                          fminf(fmaxf(84, room.w / 7.5f), 200)};
    struct ladder high = {ladder_h, sizeof ladder_h / sizeof *ladder_h,
                          fminf(fmaxf(46, room.h / 9), 100)};
    grid.cell_w = fit_cell(wide, room.w, n_src, scale, keep.w);
    grid.cell_h = fit_cell(high, room.h, rows, scale, keep.h);
    float least = fminf(grid.cell_w, grid.cell_h);
    grid.gap = least >= 12 ? 1.5f : least >= 6 ? 1 : 0;
    grid.pooled = least * scale < 1;
    grid.area =
        rect_make(room.x, room.y, grid.cell_w * (float)n_src, grid.cell_h * (float)rows);
    fit_labels(&grid, label_height);
    return grid;
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
    if (!rect_contains(grid->area, x, y))
        return false;
    *column = (int)((x - grid->area.x) / grid->cell_w);
    *row = (int)((y - grid->area.y) / grid->cell_h);
    return *column < grid->n_src && *row < grid->rows;
}
