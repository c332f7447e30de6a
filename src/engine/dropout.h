// SPDX-License-Identifier: MIT
// Dropout on α, as it is on when a model trains (Srivastava et al. 2014) and should be
// off when it is read: a weight is 0 with the probability `rate`, else it is divided by
// 1 - rate, and the row need not sum to 1 any more. For teaching; off unless asked for.
//
// Which weights fall is a function of (seed, t, s) alone: element t * 2^32 + s of the
// SplitMix64 sequence of the seed (Steele, Lea, Flood 2014). So a run repeats, and every
// hypothesis of a beam loses the same columns in the same step.
#pragma once

#include <stdbool.h>

bool dropout_valid(float rate); // 0 to below 1
// alpha (n_src) of step t.
void dropout_apply(float *alpha, int n_src, float rate, unsigned seed, int t);
