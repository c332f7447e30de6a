// SPDX-License-Identifier: MIT
// BLEU as sacreBLEU 2 computes it when nothing is asked of it (Papineni et al. 2002; Post
// 2018): whole corpus, 4-grams, the 13a tokeniser, case kept, "exp" smoothing, effective
// order off. All statistics are sums, so a corpus of any length needs one struct.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { BLEU_ORDER = 4, BLEU_MAX_REFERENCES = 64, BLEU_MAX_BYTES = 1 << 20 };

struct bleu_text { // borrowed, valid UTF-8
    const char *text;
    size_t length;
};

struct bleu { // sums over segments; a zeroed one is empty
    uint64_t segments, length, reference_length;
    uint64_t correct[BLEU_ORDER], total[BLEU_ORDER]; // n-grams of n = 1 to 4
    int fewest_references, most_references;          // of a segment
};

struct bleu_score {
    double score;                 // 0 to 100
    double precision[BLEU_ORDER]; // 0 to 100, smoothed where there is no match
    double brevity;               // 0 to 1
};

// Appends the tokens of a text, a space between each two.
MUST_CHECK bool bleu_tokenize(struct buf *out, struct bleu_text text, struct error *err);
// Adds one segment with 1 to BLEU_MAX_REFERENCES references, none over BLEU_MAX_BYTES.
// scratch is reset.
MUST_CHECK bool bleu_add(struct bleu *bleu, struct arena *scratch,
                         struct bleu_text hypothesis, const struct bleu_text *references,
                         int n_references, struct error *err);
// sum += part.
void bleu_sum(struct bleu *sum, const struct bleu *part);
struct bleu_score bleu_score(const struct bleu *bleu);
// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2 (as sacreBLEU 2)"
void bleu_signature(const struct bleu *bleu, char *out, size_t size);
