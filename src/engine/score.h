// SPDX-License-Identifier: MIT
// The scoring functions: one row each. The interface lists this table.
#pragma once

#include "engine/model.h"

struct encoding;

struct scorer {
    enum score score;
    const char *id;      // as in config.json: "general"
    const char *label;   // "General"
    const char *formula; // "e = sᵀ W h"
    const char *paper;   // "Luong, Pham, Manning 2015"
    const char *name;    // "Luong general", "RNNsearch", "RNNencdec"
    // Width of a projected key; 0: keys are the memory itself, or there are none.
    int (*key_width)(const struct model_config *config);
    // e (S) from the projected query; NULL for none.
    void (*score_all)(const struct kernels *kernels, const struct network *network,
                      const struct encoding *encoding, const float *state,
                      float *query_scratch, float *e);
};

const struct scorer *scorer_of(enum score score);
// By config.json's name; NULL when unknown.
const struct scorer *scorer_find(const char *id);
// "previous", "current", and back; -1 when unknown.
const char *query_name(enum query query);
int query_find(const char *id);
