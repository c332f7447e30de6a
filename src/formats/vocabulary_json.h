// SPDX-License-Identifier: MIT
// vocab.json: an object of every piece and its id, from 0 to one below their number.
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

struct vocabulary_json { // a zeroed one is empty
    struct arena arena;
    int count;
    const char **pieces; // by id
    int eos, unk;        // of "</s>" and "<unk>"
    int pad;             // of "<pad>"; -1: none
};

// expected: how many there must be, as config.json's `field` says.
MUST_CHECK bool vocabulary_json_read(struct vocabulary_json *out, const char *path,
                                     const char *field, int expected, struct error *err);
// The same on bytes in memory; path is for the sentence.
MUST_CHECK bool vocabulary_json_parse(struct vocabulary_json *out, const char *text,
                                      size_t size, const char *path, const char *field,
                                      int expected, struct error *err);
void vocabulary_json_finish(struct vocabulary_json *vocabulary);
