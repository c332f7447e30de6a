// SPDX-License-Identifier: MIT
// The same random numbers in every run; rows that are weights. Include after cmocka.h.
#pragma once

#include <math.h>
#include <stdint.h>

static uint32_t seed = 7;

static inline uint32_t next_random(void) // xorshift32 (Marsaglia 2003)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static inline double sum_of(const float *alpha, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(alpha[i]) && alpha[i] >= 0 && alpha[i] <= 1);
        sum += (double)alpha[i];
    }
    return sum;
}
