// SPDX-License-Identifier: MIT
// Where the cells of a matrix go. Cell sizes come from a short ladder of whole pixels, so
// that typing one more word seldom moves anything, and every cell is equally large.
#pragma once

#include "ui/draw.h"

struct cell_size {
    float w, h; // 0: none
};

struct grid {
    struct rect area; // cells only
    int n_src, rows;
    float cell_w, cell_h;
    float gap;         // between cells; 0 when they are tiny
    bool pooled;       // some cells are under a pixel: the maximum of several is drawn
    float label_size;  // of source labels
    float label_angle; // degrees
    float label_room;  // longest source label, along its own direction
    int label_every;   // draw each k-th source label
    float row_label_size;
    int row_label_every;
};

// Fits n_src columns and rows into room (cells only); label_height is the room above it.
// keep: the cells of the frame before, which stay as they are while they can.
struct grid grid_fit(struct rect room, float label_height, int n_src, int rows,
                     float scale, struct cell_size keep);
struct rect grid_cell(const struct grid *grid, int row, int column);
// The cell at x, y; false outside the cells.
bool grid_hit(const struct grid *grid, float x, float y, int *row, int *column);
