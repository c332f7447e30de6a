// SPDX-License-Identifier: MIT
// Kernels for x86-64 with AVX2, FMA and F16C, compiled for every x86-64 and chosen when
// the processor has them.
#include "engine/kernels_sets.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <math.h>

#define SET kernels_avx2
#define NAME "avx2"
#define SMALL_PRODUCT small_product_avx2
#define MANY 3
#define VECTOR_REGISTER "x" // to the assembler
#define TARGET __attribute__((target("avx2,fma,f16c")))

enum { LANES = 8 };
typedef __m256 vec;

#define vec_all(x) _mm256_set1_ps(x)
#define vec_fma(a, b, c) _mm256_fmadd_ps(a, b, c)
#define vec_max(constant, a) _mm256_max_ps(constant, a) // this order keeps a NaN
#define vec_min(constant, a) _mm256_min_ps(constant, a)
#define vec_round(a) _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

TARGET static inline vec vec_from_half(const unsigned char *at)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)at));
}

// One shuffle puts each value into the upper half of its lane, over zeros.
TARGET static inline vec vec_from_bfloat(const unsigned char *at)
{
    const __m256i upper =
        _mm256_setr_epi8(-1, -1, 0, 1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, 6, 7, -1, -1,
                         8, 9, -1, -1, 10, 11, -1, -1, 12, 13, -1, -1, 14, 15);
    __m128i bits = _mm_loadu_si128((const __m128i *)(const void *)at);
    return _mm256_castsi256_ps(
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bits), upper));
}

// Horizontal adds, which are slow, by shuffles and adds.
TARGET static inline vec pairs_sum(vec a, vec b)
{
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)),
                         _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
}

TARGET static inline void vec_sum4(float *out, vec a, vec b, vec c, vec d)
{
    vec sums = pairs_sum(pairs_sum(a, b), pairs_sum(c, d));
    _mm_storeu_ps(
        out, _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1)));
}

// F16C is asked of the processor itself: not every compiler's builtin knows its name.
// That the system saves the wide registers is part of what the builtin checks for AVX2.
bool kernels_avx2_runs(void)
{
    unsigned a, b, c = 0, d;
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#include "engine/kernels_vector.h"

#endif
