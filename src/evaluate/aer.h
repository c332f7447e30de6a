// SPDX-License-Identifier: MIT
// Alignment error rate (Och and Ney 2003) of links A against sure links S and possible
// links P, S within P:
//   AER = 1 - (|A∩S| + |A∩P|) / (|A| + |S|)
//   precision = |A∩P| / |A|,  recall = |A∩S| / |S|
#pragma once

#include "evaluate/gold.h"

#include <stdint.h>

struct aer { // sums over pairs; a zeroed one is empty
    uint64_t pairs, links, sure, in_sure, in_possible;
};

// A as alignments of attention give it: each target word has one source word or none.
// best: (n_tgt) its index, -1 for none.
void aer_add(struct aer *aer, const struct gold *gold, const int *best);
void aer_sum(struct aer *sum, const struct aer *part);
// NaN where there is nothing to divide by.
double aer_rate(const struct aer *aer);
double aer_precision(const struct aer *aer);
double aer_recall(const struct aer *aer);
// The index of the largest weight of a row if that is above the threshold, else -1; the
// first of several. weights: (n,)
int aer_best(const float *weights, int n, float threshold);
