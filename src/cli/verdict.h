// SPDX-License-Identifier: MIT
// What `alphascope evaluate` found, and how it says so.
#pragma once

#include "base/buf.h"
#include "cli/judge.h"
#include "evaluate/buckets.h"

enum { VERDICT_MAX_MODELS = 16 };

struct verdict { // of one model
    const char *model;
    bool has_attention;
    struct judgement test;
    struct judgement bucket[BUCKETS];          // of test, by words of the source
    struct judgement joined[PAIRS_JOINED + 1]; // [k]: k lines as one
    struct judgement gold[PAIRS_MAX_GOLD];
};

struct verdicts {
    int n_models;
    struct verdict models[VERDICT_MAX_MODELS];
    const char *test, *gold[PAIRS_MAX_GOLD]; // paths; NULL: none
    int n_gold;
    bool exact, joined;
    struct judge_rules rules;
    long lines, unscored; // of the test file
    long joined_unscored;
    long gold_lines[PAIRS_MAX_GOLD], gold_unscored[PAIRS_MAX_GOLD];
};

void verdict_add(struct verdict *verdict, const struct pair *pair,
                 const struct judgement *judgement);
// One object a model, a line each. Nothing in it but tokens_per_second depends on the
// machine.
void verdicts_json(struct buf *out, const struct verdicts *verdicts);
// A table, a column for each model.
void verdicts_text(struct buf *out, const struct verdicts *verdicts);
