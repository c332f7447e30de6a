// SPDX-License-Identifier: MIT
// What the encoder's and the decoder's layers have in common: embeddings with their
// positions, residual and norm around a sub-layer, the feed-forward. Inside the engine
// only.
#pragma once

#include "engine/family.h"

struct tower { // n rows on their way up, in memory for `max` of them
    const struct kernels *kernels;
    const struct transformer_config *config;
    const struct stack_config *side;
    int max;
    float *x;          // (max, d) what flows from layer to layer
    float *normed;     // (max, d)
    float *q, *k, *v;  // (max, d)
    float *joined;     // (max, d) what all heads read, side by side
    float *y;          // (max, d) what a sub-layer gives
    float *hidden;     // (max, F)
    float *gate;       // (max, F)
    float *norm;       // (2, d) a norm's weight and bias
    double *frequency; // (d/2) of the positions
};

bool tower_take(struct tower *tower, struct taking *taking, const struct kernels *kernels,
                const struct transformer_config *config, const struct stack_config *side,
                int max);
// Adds the position to x (d).
void tower_position(struct tower *tower, const struct tensor *positions, float *x,
                    int position);
// Row i becomes the embedding of ids[i] at the position `position` and, with
// `advance`, one more for each row.
void tower_embed(struct tower *tower, const struct tensor *embedding,
                 const struct tensor *positions, const int *ids, int n, int position,
                 bool advance);
// What a sub-layer reads of x: itself, or normed before.
const float *tower_before(struct tower *tower, const struct linear *norm, int n);
// x takes in what the sub-layer gave in y.
void tower_after(struct tower *tower, const struct linear *norm, int n);
// q, k and v of what a sub-layer reads; q is scaled by 1 / √d_k.
void tower_query(struct tower *tower, const struct linear *query, const float *in, int n);
void tower_project(struct tower *tower, const struct linear *map, const float *in, int n,
                   float *out);
void tower_feed_forward(struct tower *tower, const struct transformer_layer *layer,
                        int n);
// x (n, d) of the last layer becomes what the tower gives.
void tower_finish(struct tower *tower, const struct linear *top, int n);
// out (H, n, d_k) from x (n, d).
void split_heads(float *out, const float *x, int n, int heads, int width);
