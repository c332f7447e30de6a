// SPDX-License-Identifier: MIT
// Kernels for x86-64 with AVX-512 (F and VL, with AVX2, FMA and F16C), compiled for every
// x86-64 and chosen when the processor has them.
#include "engine/kernels_sets.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <math.h>

// Without optimisation gcc's roundscale is a macro with such a conversion in it.
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define SET kernels_avx512
#define NAME "avx512"
#define SMALL_PRODUCT small_product_avx512
#define MANY 6
#define VECTOR_REGISTER "v" // to the assembler
#define TARGET __attribute__((target("avx512f,avx512vl,avx2,fma,f16c")))

enum { LANES = 16 };
typedef __m512 vec;

#define vec_all(x) _mm512_set1_ps(x)
#define vec_fma(a, b, c) _mm512_fmadd_ps(a, b, c)
#define vec_max(constant, a) _mm512_max_ps(constant, a) // this order keeps a NaN
#define vec_min(constant, a) _mm512_min_ps(constant, a)
#define vec_round(a)                                                                     \
    _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

TARGET static inline vec vec_from_half(const unsigned char *at)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)at));
}

TARGET static inline vec vec_from_bfloat(const unsigned char *at)
{
    __m256i bits = _mm256_loadu_si256((const __m256i *)(const void *)at);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

TARGET static inline __m256 halves_sum(vec a)
{
    __m256d upper = _mm512_extractf64x4_pd(_mm512_castps_pd(a), 1);
    return _mm256_add_ps(_mm512_castps512_ps256(a), _mm256_castpd_ps(upper));
}

TARGET static inline void vec_sum4(float *out, vec a, vec b, vec c, vec d)
{
    __m256 sums = _mm256_hadd_ps(_mm256_hadd_ps(halves_sum(a), halves_sum(b)),
                                 _mm256_hadd_ps(halves_sum(c), halves_sum(d)));
    _mm_storeu_ps(
        out, _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1)));
}

bool kernels_avx512_runs(void)
{
    return kernels_avx2_runs() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl");
}

#include "engine/kernels_vector.h"

#endif
