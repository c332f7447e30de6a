// SPDX-License-Identifier: MIT
// Why the dot product is divided by √d (Vaswani et al. 2017, 3.2.1): of a query and keys
// whose d numbers are independent, with mean 0 and variance 1, the scores q·k have
// variance d. The larger d, the closer the softmax is to one key alone, and the less of a
// gradient it has.
//
// The numbers are our own and repeat: SplitMix64 (Steele, Lea, Flood 2014) from a seed,
// two of it made two normal ones (Box, Muller 1958). For each d in turn, for each query:
// the d numbers of the query, then those of each key.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { SCALING_SIZES = 9, SCALING_MAX_KEYS = 64, SCALING_MAX_QUERIES = 64 };

struct scaling {
    uint64_t seed;
    int queries, keys; // of each size, 1 to the MAX
};

struct scaling_reading { // of one size, over all queries
    double variance;     // of the scores, around their mean
    double entropy_bits; // mean of the rows' softmax
    double slope;        // mean of ‖∂α/∂a‖, Frobenius, a: what the softmax gets
};

struct scaling_point {
    int d;                                // 4, 8, ... 1024
    struct scaling_reading plain, scaled; // of q·k and of q·k / √d
};

void scaling_measure(const struct scaling *scaling,
                     struct scaling_point out[SCALING_SIZES]);
