// SPDX-License-Identifier: MIT
// Beam search in the window: how wide it is, what it found, which of its hypotheses
// stands on the heatmap, and the page that shows its tree. While a beam searches, edits
// rest: they go with greedy decoding only.
#pragma once

#include "translate/beam.h"

struct app;
struct rect;

enum { BEAM_USUAL = 5 };

struct beaming {
    struct beam beam;        // width 0: greedy
    struct beam_found found; // by the search that is on the screen; empty: greedy. The
                             // alignment of the one on the heatmap is lent to the show
    int shown;               // the result on the heatmap
    int node;                // chosen in the tree; NOWHERE
    int seen;                // the node that was brought into sight last
    int first, top;          // step and place at the corner of the tree
    bool open;               // the page
};

// What a decoding found; empty: it was greedy. Now ours.
void beam_take(struct app *app, const struct beam_found *found);
void beam_finish(struct beaming *beaming);
// While the page is open, "next", "back", "first" and "last" move in the tree: along the
// steps, or beside each other in one. False: it is for somebody else.
bool beam_takes(struct app *app, const char *move, bool along);
// The page, in the place of matrix and microscope.
void beam_draw(struct app *app, struct rect at);
// What the hypothesis on the heatmap is worth; false: it is greedy.
struct rank;
bool beam_rank(const struct app *app, struct rank *rank);
// "beam 5: 2 of 4", or "".
void beam_say(const struct app *app, char *out, size_t size);
