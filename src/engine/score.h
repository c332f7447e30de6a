// SPDX-License-Identifier: MIT
// The scoring functions: one row each.
#pragma once

#include "engine/encoder.h"

struct scorer {
    // Width of a key and of a projected query; 0: there are none.
    int (*width)(const struct model_config *config);
    // Fills encoding->keys (S, width) from a position on; NULL: the keys are the memory
    // itself.
    void (*keys)(const struct kernels *kernels, const struct network *network,
                 struct encoding *encoding, int from);
    // queries (n, width) from states (n, D); NULL: the states themselves.
    void (*queries)(const struct kernels *kernels, const struct network *network,
                    const float *states, int n, float *queries);
    // e (n, S) of queries (n, width). coverage (n, S) may be NULL; with it scratch is
    // (S, width).
    void (*fill)(const struct kernels *kernels, const struct encoding *encoding,
                 const float *queries, int n, int width, const float *coverage,
                 float *scratch, float *e);
};

const struct scorer *scorer_of(enum score score);
// The floats of encoding->keys for each position that are not the memory itself.
int scorer_key_width(const struct model_config *config);
