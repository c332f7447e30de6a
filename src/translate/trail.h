// SPDX-License-Identifier: MIT
// The rows of the run before, and the decoder's state ahead of each: when other edits
// come, the decoder carries on from the first row that they change, and what stands
// before it is taken as it is. Inside the room only.
#pragma once

#include "align/alignment.h"
#include "align/edits.h"
#include "engine/decoder.h"

struct row;

struct trail { // zeroed: nothing is kept
    bool wanted;
    struct arena arena;
    struct run_options options;           // of the run
    struct edits *edits;                  // of the run, owned; NULL: none
    int max, wide, floats, query_width;   // what there is room for: rows, tokens
    int n_src;                            // of the run; 0: its rows are not kept
    int rows;                             // complete
    float *e, *alpha;                     // (max, S)
    float *state;                         // (max, floats) ahead of each row
    float *query;                         // (max, query_width)
    float *p, *query_norm, *context_norm; // (max)
    int *previous, *token;                // (max) y_{t-1} and y_t
    bool *spread;                         // (max) nothing was left of the row
    int n_top;
    int *top;         // (max, n_top)
    float *top_log_p; // (max, n_top)
};

void trail_finish(struct trail *trail);
void trail_forget(struct trail *trail); // another sentence; the memory stays
// A run begins. How many rows of the run before are those of this one: the trail keeps
// them. -1 with *err: memory is short.
int trail_begin(struct trail *trail, const struct decoder *decoder,
                const struct run_options *options, const struct edits *edits, int rows,
                int query_width, struct error *err);
// Ahead of the decoder's next step, which makes row t.
void trail_before(struct trail *trail, const struct decoder *decoder, int t);
void trail_add(struct trail *trail, int t, const struct row *row, bool spread);
void trail_row(const struct trail *trail, int t, struct row *row);
