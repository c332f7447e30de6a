// SPDX-License-Identifier: MIT
// The history of a training: the weights of some steps in a model directory's history/,
// so that an alignment can be watched forming. history/index.json lists them with what
// was measured; without it the .safetensors files there are taken in the order of the
// numbers in their names.
#pragma once

#include "formats/model_dir.h"

enum { HISTORY_MAX = 256 };

struct history_entry {
    int64_t step;       // of the training
    char file[256];     // name within history/
    float entropy_bits; // mean of the rows on held-out text; NAN: not measured
    float exact;        // share of held-out lines that were exact, 0..1; NAN
};

struct history {
    int count;                                 // 0: the model has none
    struct history_entry entries[HISTORY_MAX]; // by step
};

struct stage { // of a training: how far its model had learned
    int64_t step, steps;
};

// False only when there is a history that cannot be used: one sentence.
MUST_CHECK bool history_read(struct history *history, const struct model_dir *dir,
                             struct error *err);
// The index.json of one from bytes; path is for the sentence.
MUST_CHECK bool history_parse(struct history *history, const char *text, size_t size,
                              const char *path, struct error *err);

// Other weights for the same network: the directory's facts and tokenizers stay.
struct checkpoint {
    struct network network;
    struct safetensors weights;
};

// file: a name within history/. NULL with *err set. dir may be closed before it.
struct checkpoint *checkpoint_open(const struct model_dir *dir, const char *file,
                                   struct error *err);
void checkpoint_close(struct checkpoint *checkpoint); // NULL is fine
