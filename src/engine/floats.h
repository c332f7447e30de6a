// SPDX-License-Identifier: MIT
// Small floats as they lie in a weight file, read through memcpy: such a file promises
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

static inline uint32_t bits_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// IEEE binary16. Below 2^-14 the exponent is 0: the value is then m * 2^-24, which is
// what remains of 0.5 + m * 2^-24 when 0.5 is taken away. No step here meets a float
// subnormal, and none needs a branch.
static inline float float_from_half(uint16_t half)
{
    uint32_t m = half & 0x7fffu, sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t is_small = 0u - (uint32_t)(m < 0x400u);
    uint32_t is_special = 0u - (uint32_t)(m > 0x7bffu); // infinity or NaN
    uint32_t normal = (m << 13) + (112u << 23) + (is_special & 112u << 23);
    uint32_t small = bits_from_float(float_from_bits(m | 0x3f000000u) - 0.5f);
    return float_from_bits((is_small & small) | (~is_small & normal) | sign);
}

static inline float float_from_bfloat(uint16_t bfloat)
{
    return float_from_bits((uint32_t)bfloat << 16);
}
