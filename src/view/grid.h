// SPDX-License-Identifier: MIT
// Where the cells of a matrix go. Cell sizes come from a short ladder of whole pixels, so
// that typing one more word seldom moves anything, and every cell is equally large.
#pragma once

#include "ui/draw.h"

struct cell_size {
    float w, h; // 0: none
};

struct grid_port {     // what of a large matrix is in sight; zeroed: all of it
    float zoom;        // cells are so much larger than where all fit; at least 1
    float column, row; // cells that lie outside, to the left and above
};

struct grid {
    struct rect area;                             // all cells, in sight or not
    struct rect sight;                            // the part of it that is on the screen
    int from_row, to_row, from_column, to_column; // in sight, [from, to)
    struct grid_port port;                        // as asked for, within bounds
    int n_src, rows;
    float cell_w, cell_h;
    struct cell_size fitted; // what they are without zoom
    float scale;             // pixels of one unit
    float gap;               // between cells; 0 when they are tiny
    bool pooled;       // some cells are under a pixel: the maximum of several is drawn
    float label_size;  // of source labels
    float label_angle; // degrees
    float label_room;  // longest source label, along its own direction
    int label_every;   // draw each k-th source label; 0: none
    float row_label_size;
    int row_label_every;
};

// Fits n_src columns and rows into room (cells only); label_height is the room above it.
// keep: the cells of the frame before, which stay as they are while they can.
struct grid grid_fit(struct rect room, float label_height, int n_src, int rows,
                     float scale, struct cell_size keep);
// Zooms into a grid that fits the room.
void grid_look(struct grid *grid, struct rect room, float label_height, float scale,
               struct grid_port port);
bool grid_is_whole(const struct grid *grid); // nothing lies outside
// The port after a zoom by a factor that leaves what is at x, y where it is.
struct grid_port grid_zoom(const struct grid *grid, float factor, float x, float y);
// The port that brings a row and a column into sight; negative: does not matter.
struct grid_port grid_reveal(const struct grid *grid, int row, int column);
struct rect grid_cell(const struct grid *grid, int row, int column);
// The cell in sight at x, y; false outside the cells.
bool grid_hit(const struct grid *grid, float x, float y, int *row, int *column);
