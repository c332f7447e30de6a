// SPDX-License-Identifier: MIT
// The matrix with everything that belongs to it: labels, row readouts, coverage, colour
// scale; or, where there is no matrix, words that say why.
#pragma once

#include "ui/ui.h"
#include "view/grid.h"
#include "view/ribbon.h"
#include "view/scene.h"

struct panel {
    struct rect area;
    struct grid grid;
    float gutter; // room for target labels
    float readout_x, readout_w;
    bool compact;  // a low window: narrow strips, one line of legend
    float doubt_y; // a line of it above the matrix; 0: no doubt
    float coverage_y, coverage_h, legend_y, legend_h;
    struct grid_port port; // in use, within bounds
    bool is_ribbon;        // lines of words, in `ribbon`, instead of the grid
    struct ribbon ribbon;
    struct rect map; // overview of a matrix that is not whole; .w 0: none
};

struct panel panel_layout(struct ui *ui, struct rect area, const struct scene *scene);
void panel_draw(struct ui *ui, const struct scene *scene, const struct panel *panel);
// What is at x, y: a cell, a label or a readout (then the other one is NOWHERE).
void panel_hit(const struct panel *panel, const struct scene *scene, float x, float y,
               int *row, int *column);
// The port with what is selected in sight.
struct grid_port panel_reveal(const struct panel *panel, const struct scene *scene);
