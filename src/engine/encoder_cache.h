// SPDX-License-Identifier: MIT
// What an encoder keeps of the last sentence for the next. A state that has read the same
// tokens is the same: of a sentence that only grew, the forward states; of one that was
// edited in the middle, the forward states before and the backward states after the edit.
// This holds for the first layer and for every layer of a direction that reads nothing of
// the other one. A run that reuses states gives the same bits as one that does not.
#pragma once

#include "base/arena.h"
#include "engine/model.h"

enum { ENCODER_CACHE_MAX_BYTES = 64 << 20 };

struct encoder_cache { // a zeroed one is empty
    struct arena arena;
    const struct network *network; // that it is of
    int rows;                      // room
    int n;                         // tokens of the last sentence
    int *ids;                      // (rows)
    int reused[2];                 // steps of each direction that the last run took over
    // (rows, H) after each step of a direction, in the order in which it reads; of an
    // LSTM its memory too; NULL for a layer that reads the other direction
    float *states[MODEL_MAX_LAYERS][2], *memories[MODEL_MAX_LAYERS][2];
    // (rows, key width) of an encoder that reads forward alone. One of both directions
    // has read all the sentence at every position: any edit changes every key. NULL: none
    float *keys;
};

// Whether states of this layer follow from what its direction has read alone.
bool encoder_cache_keeps(const struct model_config *config, int layer);
// Finds in `reused` what a sentence shares with the last, which it now replaces. Without
// room for it (memory is short, or more than the limit) nothing is kept: rows is 0 then.
void encoder_cache_begin(struct encoder_cache *cache, const struct network *network,
                         const int *ids, int n);
// The states are those of the sentence of the last begin. Without it they are forgotten.
void encoder_cache_end(struct encoder_cache *cache, int n);
void encoder_cache_finish(struct encoder_cache *cache);
