// SPDX-License-Identifier: MIT
// Dropout on α. See dropout.h.
#include "engine/dropout.h"

#include <stdint.h>

bool dropout_valid(float rate)
{
    return rate >= 0 && rate < 1;
}

// Uniform over [0, 1), a multiple of 2^-24.
static float uniform(uint64_t seed, uint64_t counter)
{
    uint64_t x = seed + (counter + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (float)(x >> 40) / (float)(1 << 24);
}

void dropout_apply(float *alpha, int n_src, float rate, unsigned seed, int t)
{
    float scale = 1.0f / (1.0f - rate);
    for (int s = 0; s < n_src; s++) {
        bool falls = uniform(seed, (uint64_t)t << 32 | (uint64_t)s) < rate;
        alpha[s] = falls ? 0.0f : alpha[s] * scale;
    }
}
