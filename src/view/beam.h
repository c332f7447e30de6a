// SPDX-License-Identifier: MIT
// The page of a beam search: its tree, step by step from left to right, the hypotheses
// with their scores, and the α of the chosen node. It fills the room of the matrix.
#pragma once

#include "align/alignment.h"
#include "align/beam_tree.h"
#include "ui/ui.h"
#include "view/colormap.h"

enum { BEAM_PAGE_WIDEST = 16 };

struct beam_page {
    const struct beam_tree *tree;        // NULL: nothing was searched yet
    const struct alignment *now;         // that of the heatmap, for the source's labels
    const char *words[BEAM_PAGE_WIDEST]; // of each result
    int width;                           // as asked for
    float length;
    int node;       // chosen; NOWHERE
    int shown;      // the result on the heatmap; NOWHERE
    bool reveal;    // the node was chosen just now: it has to be in sight
    int first, top; // step and place at the canvas' corner
    enum colormap map;
};

struct beam_page_result {
    char line[48];  // a command; "" none
    int first, top; // within bounds
};

struct beam_page_result beam_page_draw(struct ui *ui, struct rect at,
                                       const struct beam_page *page);

// The canvas alone: the tree. *node: what was clicked; else it stays.
void beam_canvas_draw(struct ui *ui, struct rect at, struct beam_page *page, int *node);
