// SPDX-License-Identifier: MIT
// What `alphascope evaluate` was asked for, checked.
#pragma once

#include "cli/verdict.h"

#include <stdbool.h>

enum { EVALUATE_MAX_THREADS = 64 };

struct evaluate_options {
    const char *models[VERDICT_MAX_MODELS]; // one NULL: the default model
    int n_models;
    const char *test, *references, *gold[PAIRS_MAX_GOLD], *output; // NULL: not given
    int n_gold;
    struct judge_rules rules;
    bool exact, joined, natural, posterior, json, help;
    int threads;
};

// False after a sentence on stderr: wrong usage.
bool evaluate_options_read(struct evaluate_options *options, int argc, char **argv);
