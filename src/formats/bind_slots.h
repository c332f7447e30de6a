// SPDX-License-Identifier: MIT
// The slots of a network and what the file has for each. Inside bind*.c only.
#pragma once

#include "formats/bind.h"

struct binding {
    struct network *network;
    const struct safetensors *file;
    int count;
    struct tensor_slot slots[MODEL_MAX_TENSORS];
    const struct safetensors_entry *entries[MODEL_MAX_TENSORS]; // NULL: it is missing
};

// By Hugging Face's rules for MarianMT; slots that may be empty are left out, and those
// that may be there are added.
void marian_find_all(struct binding *binding);
// One of the tables, which may be left over.
bool marian_spares(const struct safetensors_entry *entry,
                   const struct model_config *config);
// The field of config.json that has no use for a tensor; NULL: no single one.
const char *left_over_field(const struct binding *binding, const char *name);
