// SPDX-License-Identifier: MIT
// The encoder: a sentence to its memory H, once, with the keys the scorer needs.
#pragma once

#include "base/arena.h"
#include "engine/model.h"

struct encoding {
    int n_src;     // S
    float *memory; // (S, M) h_i
    float *keys; // (S, key_width) W_k h_i + b_k; the memory itself for dot; NULL for none
    float *summary; // (M) m
    float *state0;  // (D) s_0
    float *v;       // (A) the additive/concat vector as floats; else NULL
};

// Everything comes from the arena. ids: (n_src), already ending in </s>, all in range
// (checked: ERR_FORMAT). n_src >= 1.
MUST_CHECK bool encoder_run(struct encoding *out, struct arena *arena,
                            const struct network *network, const int *ids, int n_src,
                            struct error *err);
// The same with a chosen set of kernels, for tests and benchmarks.
MUST_CHECK bool encoder_run_with(const struct kernels *kernels, struct encoding *out,
                                 struct arena *arena, const struct network *network,
                                 const int *ids, int n_src, struct error *err);
