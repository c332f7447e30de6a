// SPDX-License-Identifier: MIT
// The encoder's block as in class: one head of one layer, one position, step by step with
// the model's own numbers. The head is the one of the encoder's self-attention that is
// chosen, the position its selected row; closing the page leaves both on the heatmap.
#pragma once

#include "app/worker.h"
#include "engine/block.h"

struct app;
struct rect;

struct block_key { // what the numbers were made of
    int begun;     // of the show: which sentence
    int layer, position;
};

// What the page tells of. Made for one place of one sentence on the worker's thread, with
// the words and the facts that belong to it, and never changed: the page has all from
// here, so that old numbers never stand under new words.
struct block_numbers {
    struct worker_task task; // first: it is one
    struct arena arena;      // of what follows
    struct block_key key;
    int head; // that is told of
    struct transformer_config config;
    const struct network *network; // until it has run
    int n;
    int *ids;            // (n)
    const char **tokens; // (n)
    float *powers;       // (n) exp(e - max e) of the head
    struct block block;
    bool made;
    struct error why; // it was not made
};

struct blocking {
    bool open;
    int step;
    struct block_numbers *shown; // owned; NULL: none yet
    struct block_key asked;      // the newest that was wanted
    bool waits;                  // for the worker
    struct error why;            // there are none; "": there are, or will be
};

void block_init(struct blocking *blocking);
void block_finish(struct blocking *blocking);
// While the page is open, "next" and "back" go through its steps. False: it is for
// somebody else.
bool block_takes(struct app *app, const char *step);
// The page is about a head of the encoder: another kind of attention closes it.
void block_follow(struct app *app);
// False, and nothing is drawn, until the first numbers are there.
bool block_draw(struct app *app, struct rect at);

// block_numbers.c
// Asks for other numbers when other ones are wanted; block_take gets them.
void block_update(struct app *app);
void block_take(struct app *app, struct worker_task *task);
// No numbers are on their way.
bool block_stands(const struct app *app);
// Those on the page are of what is chosen now.
bool block_current(const struct app *app);
