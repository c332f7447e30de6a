// SPDX-License-Identifier: MIT
// The encoder's block as in class: one head of one layer, one position, step by step with
// the model's own numbers. The head is the one of the encoder's self-attention that is
// chosen, the position its selected row; closing the page leaves both on the heatmap.
#pragma once

#include "align/alignment.h"
#include "engine/block.h"

struct app;
struct rect;

struct blocking {
    bool open;
    int step;
    struct arena arena;
    struct block block;                    // of what is below
    const char *tokens[ALIGNMENT_MAX_SRC]; // (block.n)
    int begun, layer, position;            // what it was made of
    float *powers; // (n) exp(e - max e) of the head that is told of
    bool made;
    struct error why; // it could not be made
};

void block_init(struct blocking *blocking);
void block_finish(struct blocking *blocking);
// While the page is open, "next" and "back" go through its steps. False: it is for
// somebody else.
bool block_takes(struct app *app, const char *step);
// The page is about a head of the encoder: another kind of attention closes it.
void block_follow(struct app *app);
void block_draw(struct app *app, struct rect at);
