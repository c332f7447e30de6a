// SPDX-License-Identifier: MIT
// Small floats as they lie in a weight file, read through memcpy: a mapped file promises
// no alignment.
#pragma once

#include <stdint.h>
#include <string.h>

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// IEEE binary16. Below 2^-14 the exponent is 0: the value is then m * 2^-24, which is
// what remains of 0.5 + m * 2^-24 when 0.5 is taken away. No step here meets a float
// subnormal.
static inline float float_from_half(uint16_t half)
{
    uint32_t m = half & 0x7fffu;
    uint32_t normal = (m << 13) + (112u << 23) + (m >= 0x7c00u ? 112u << 23 : 0);
    float small = float_from_bits(m | 0x3f000000u) - 0.5f;
    float value = m < 0x400u ? small : float_from_bits(normal);
    return half & 0x8000u ? -value : value;
}

static inline float float_from_bfloat(uint16_t bfloat)
{
    return float_from_bits((uint32_t)bfloat << 16);
}
