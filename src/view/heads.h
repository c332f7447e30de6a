// SPDX-License-Identifier: MIT
// All maps of one kind of attention at a glance: a small map for each head of each layer,
// on one scale of colours, with what it reads; and the pooled ones beside them.
#pragma once

#include "align/alignment.h"
#include "ui/ui.h"
#include "view/colormap.h"

enum { HEADS_TILE = 96 }; // cells of a small map, at most, each way

enum heads_sort {
    HEADS_GRID,    // layer × head, the pooled ones at the right and below
    HEADS_ENTROPY, // the sharpest first
    HEADS_DIAGONAL,
    HEADS_SPECIAL, // the largest share on special tokens first
    HEADS_SORTS
};

struct head_tile {
    struct map_choice choice;
    int rows, columns;  // of the picture, pooled by the maximum where it is smaller
    const float *alpha; // (rows, columns)
    bool masked;        // above its diagonal nothing may be read
    float entropy_bits, diagonal, special; // NAN where it has none
};

struct heads_page {
    const struct head_tile *tiles; // (count), in the order of the page
    int count, across;             // tiles in a row
    const struct maps *maps;       // NULL without tiles
    struct map_choice chosen;
    enum heads_sort sort;
    int pool;
    enum colormap map;
    enum shade shade;
    const char *mark;  // the special token that is read: "⏎", "<s>"
    const char *empty; // why there are no tiles
};

struct heads_result {
    const char *line;    // of a command; NULL: none
    int opened, pointed; // a tile; -1: none
};

struct heads_result heads_page_draw(struct ui *ui, struct rect at,
                                    const struct heads_page *page);
// "entropy", "diagonal"; static.
const char *heads_sort_word(enum heads_sort sort);
