// SPDX-License-Identifier: MIT
// One layer of a Transformer's encoder as one position sees it (Vaswani et al. 2017):
// every number on the way, made again on demand. A translation knows nothing of it.
#pragma once

#include "base/arena.h"
#include "engine/model.h"

struct block {      // LN: a layer norm; each array (d) that does not say otherwise
    int n, d, ffn;  // tokens, the widths of x and of the hidden layer
    int heads, d_k; // d_k = d / heads
    int layer, position;
    const float *embedding; // E[id]
    const float *scaled;    // √d E[id], or E[id]
    const float *place;     // P(position)
    const float *bottom;    // scaled + place, what the first layer reads
    const float *x;         // what this layer reads
    const float *read;     // what Q, K and V are made of: x, or LN(x) in a pre-norm layer
    const float *q;        // W_Q read + b, of all heads side by side
    const float *k, *v;    // (n, d) of every position
    const float *dots;     // (H, n) q · k_j
    const float *e;        // (H, n) q · k_j / √d_k
    const float *alpha;    // (H, n) softmax(e)
    const float *joined;   // Σ_j α_j v_j of all heads side by side
    const float *attended; // W_O joined + b
    const float *sum;      // x + attended
    const float *middle;   // LN(sum), or sum in a pre-norm layer
    const float *fed_with; // what the feed-forward reads: middle, or LN(middle)
    const float *hidden;   // (F) f(W_1 fed_with + b)
    const float *fed;      // W_2 hidden + b
    const float *second;   // middle + fed
    const float *out;      // LN(second), or second: x of the next layer
};

// A layer and a position there are. ids: (n), checked as encoder_run does. Everything
// comes from the arena.
MUST_CHECK bool block_make(struct block *out, struct arena *arena,
                           const struct network *network, const int *ids, int n,
                           int layer, int position, struct error *err);
