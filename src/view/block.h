// SPDX-License-Identifier: MIT
// A layer of the encoder told step by step, as on a blackboard: the formula of the step
// large, vectors as strips of signed cells with a few of their values, and what belongs
// to each token as a row of numbers. The application says what stands there.
#pragma once

#include "ui/ui.h"
#include "view/colormap.h"

enum { BLOCK_STRIPS = 5, BLOCK_ROWS = 3, BLOCK_STEPS_MAX = 12 };

struct block_strip {
    char name[48];       // "W_O z + b": the letter behind a _ is small and low
    const float *values; // (n)
    int n;
    int parts, part; // it is so many of one size, of which one is framed; 0: it is one
    float weight;    // times the values; 1
};

struct block_row { // a number for each token
    const char *name;
    const float *values; // (n)
    bool weights;        // α, not signed
};

struct block_page {
    const char *const *steps; // (n_steps) their names
    int n_steps, step;
    const char *title;   // whose, where
    const char *formula; // large
    const char *reason;  // one sentence
    struct block_strip strips[BLOCK_STRIPS];
    int n_strips;
    bool one_scale; // for all strips; else each has its own
    struct block_row rows[BLOCK_ROWS];
    int n_rows;
    const char *const *tokens; // (n) of the rows
    const float *alpha;        // (n) the heaviest are shown where not all have room
    int n, position;           // the token that is told of
    const char *empty;         // why there is nothing; NULL: there is
    enum colormap map;
};

struct block_result {
    int step;
    bool close;
};

struct block_result block_page_draw(struct ui *ui, struct rect at,
                                    const struct block_page *page);
