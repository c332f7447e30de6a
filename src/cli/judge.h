// SPDX-License-Identifier: MIT
// Scores pairs with one model: what `alphascope evaluate` does in each of its threads.
#pragma once

#include "cli/pairs.h"
#include "evaluate/aer.h"
#include "evaluate/bleu.h"
#include "translate/crew.h"

// What the links of a gold pair are taken from: α, which the decoder reads before it
// knows the word, or its posterior (engine/posterior.h).
enum links { LINKS_ALPHA, LINKS_POSTERIOR, LINKS };

struct judgement {     // sums over pairs; a zeroed one is empty
    struct bleu bleu;  // all references
    struct bleu first; // the first reference alone
    uint64_t exact, at_limit;
    uint64_t words;           // of the sources
    uint64_t tokens;          // of the translations, </s> included
    uint64_t rows;            // with attention, without the row of </s>
    double entropy_bits, max; // sums over those rows
    uint64_t columns, unread; // source tokens; those with a coverage under 0.2
    double coverage_gap;      // Σ |coverage - 1| over them
    double us;                // of encoding and decoding
    struct aer aer[LINKS], short_aer[LINKS]; // gold; pairs of few source tokens
};

struct judge_rules {
    float tau, threshold;
    int max_tokens;   // of a short gold pair
    struct beam beam; // of translations; width 0: greedy
    bool natural;     // gold text is joined as people write it
    bool posterior;   // links of gold pairs from the posterior as well
};

struct judge; // one thread at a time

// translator is borrowed.
struct judge *judge_create(const struct translator *translator,
                           const struct judge_rules *rules, struct error *err);
void judge_destroy(struct judge *judge); // NULL is fine
struct judged {
    struct pair *pair; // passed over when it has failed
    struct judgement *judgement;
};
// What each of the pairs adds to the sums, or why it has failed.
void judge_pairs(struct judge *judge, struct judged *pairs, int n);
void judgement_sum(struct judgement *sum, const struct judgement *part);
