// SPDX-License-Identifier: MIT
// Random numbers that a seed repeats (splitmix64; Steele, Lea, Flood 2014).
#pragma once

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_bits(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// 0 .. n - 1
static inline int random_below(struct random *random, int n)
{
    return (int)(random_bits(random) % (uint64_t)n);
}

static inline float random_between(struct random *random, float low, float high)
{
    return low + (high - low) * (float)(random_bits(random) >> 40) / (float)(1 << 24);
}

static inline const char *random_of(struct random *random, const char *const *list, int n)
{
    return list[random_below(random, n)];
}
