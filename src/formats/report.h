// SPDX-License-Identifier: MIT
// report.json: what was measured of a model. For the window the curve of BLEU over source
// length counts and how long the model was trained; other fields are for people and other
// programs.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { REPORT_MAX_POINTS = 32 };

struct report_point {
    float words; // mean source words of the sentences
    float bleu;
};

struct report {
    int count;                                        // 0: not measured
    struct report_point by_length[REPORT_MAX_POINTS]; // by words
    uint64_t steps; // of training, with those before its own; 0: not said
};

// A directory without report.json, and a report without "bleu_by_joined", give count 0.
// The steps are those of "steps" and of "steps_before", of the models that it began with.
// False when there is one that cannot be used: one sentence.
MUST_CHECK bool report_read(struct report *report, const char *model_path,
                            struct error *err);
// The same from bytes; path is for the sentence.
MUST_CHECK bool report_parse(struct report *report, const char *text, size_t size,
                             const char *path, struct error *err);
