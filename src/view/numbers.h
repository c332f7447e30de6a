// SPDX-License-Identifier: MIT
// A small matrix with its numbers in the cells: scores, outputs. Where cells are too
// small for numbers their colours are left, and under a pixel the farthest from 0 wins.
#pragma once

#include "ui/ui.h"
#include "view/colormap.h"

struct numbers {
    const char *title, *note; // note: dim, after the title; NULL: none
    int rows, columns;
    const double *at;   // (rows, columns); what is not finite is shown as ∞/∞
    const bool *masked; // (rows, columns); NULL: nothing is
    const char *const *row_names, *const *column_names; // NULL: none
    bool weights; // 0 to 1, in the colours of the heatmap; else signed
    enum colormap map;
    int selected; // row; -1
};

struct numbers_hit { // under the pointer; -1
    int row, column;
    bool clicked;
};

// The number in its cell, in an ink that can be read on the cell's colour.
void numbers_text(struct ui *ui, struct rect cell, struct color ground, double value);

struct numbers_hit numbers_draw(struct ui *ui, struct rect at, const struct numbers *n);
