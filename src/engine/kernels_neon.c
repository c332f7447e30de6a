// SPDX-License-Identifier: MIT
// Kernels for 64-bit ARM. NEON, its fused multiply-add and its conversion of halves
// belong to every such processor.
#include "engine/kernels_sets.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <math.h>
#include <string.h>

#define SET kernels_neon
#define NAME "neon"
#define SMALL_PRODUCT NULL
#define MANY 3
#define VECTOR_REGISTER "w" // to the assembler
#define TARGET

enum { LANES = 4 };
typedef float32x4_t vec;

#define vec_all(x) vdupq_n_f32(x)
#define vec_fma(a, b, c) vfmaq_f32(c, a, b)
#define vec_max(constant, a) vmaxq_f32(constant, a) // NaN when one is NaN
#define vec_min(constant, a) vminq_f32(constant, a)
#define vec_round(a) vrndnq_f32(a)

static inline vec vec_from_half(const unsigned char *at)
{
    float16x4_t halves;
    memcpy(&halves, at, sizeof halves);
    return vcvt_f32_f16(halves);
}

static inline vec vec_from_bfloat(const unsigned char *at)
{
    uint16x4_t bits;
    memcpy(&bits, at, sizeof bits);
    return vreinterpretq_f32_u32(vshll_n_u16(bits, 16));
}

static inline void vec_sum4(float *out, vec a, vec b, vec c, vec d)
{
    vst1q_f32(out, vpaddq_f32(vpaddq_f32(a, b), vpaddq_f32(c, d)));
}

#include "engine/kernels_vector.h"

#endif
