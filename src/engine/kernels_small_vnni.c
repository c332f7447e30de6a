// SPDX-License-Identifier: MIT
// Products of small integers, 64 at once, for processors with AVX-512 and VNNI.
//
// dpbusd multiplies unsigned by signed bytes and adds each four products to 32 bits,
// where nothing is lost. An AVX-512 without it takes the products of AVX2.
#include "engine/kernels_sets.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vnni,avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { ROWS = 4, FOUR = 4, PAIR = 2, STEP = 64 };

INLINE __m512i load(const void *at)
{
    return _mm512_loadu_si512(at);
}

INLINE __m256i halves_sum(__m512i a)
{
    return _mm256_add_epi32(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
}

// The sums over the lanes of four.
INLINE __m128i sum4(const __m512i *sums)
{
    __m256i all =
        _mm256_hadd_epi32(_mm256_hadd_epi32(halves_sum(sums[0]), halves_sum(sums[1])),
                          _mm256_hadd_epi32(halves_sum(sums[2]), halves_sum(sums[3])));
    return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

// Four rows with n vectors, a constant: out (n, out_step).
INLINE void tile(int32_t *out, size_t out_step, const int8_t *w, const uint8_t *u,
                 size_t cols, int n)
{
    __m512i sums[FOUR][ROWS];
#pragma GCC unroll 16
    for (int k = 0; k < n * ROWS; k++)
        sums[k / ROWS][k % ROWS] = _mm512_setzero_si512();
    for (size_t i = 0; i < cols; i += STEP) {
        __m512i rows[ROWS];
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++)
            rows[r] = load(w + (size_t)r * cols + i);
#pragma GCC unroll 4
        for (int v = 0; v < n; v++) {
            __m512i x = load(u + (size_t)v * cols + i);
#pragma GCC unroll 4
            for (int r = 0; r < ROWS; r++)
                sums[v][r] = _mm512_dpbusd_epi32(sums[v][r], x, rows[r]);
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < n; v++)
        _mm_storeu_si128((void *)(out + (size_t)v * out_step), sum4(sums[v]));
}

// One row with one vector.
TARGET static int32_t dot(const int8_t *w, const uint8_t *u, size_t cols)
{
    __m512i sums[ROWS] = {_mm512_setzero_si512()};
    for (size_t i = 0; i < cols; i += STEP)
        sums[0] = _mm512_dpbusd_epi32(sums[0], load(u + i), load(w + i));
    sums[1] = sums[2] = sums[3] = sums[0];
    return _mm_cvtsi128_si32(sum4(sums));
}

typedef void tile_function(int32_t *out, size_t step, const int8_t *w, const uint8_t *u,
                           size_t cols);
#define TILE(name, n)                                                                    \
    TARGET static void name(int32_t *out, size_t step, const int8_t *w,                  \
                            const uint8_t *u, size_t cols)                               \
    {                                                                                    \
        tile(out, step, w, u, cols, n);                                                  \
    }
TILE(four, FOUR)
TILE(pair, PAIR)
TILE(single, 1)

static void product(int32_t *out, const int8_t *w, int rows, int cols, const uint8_t *u,
                    int n)
{
    size_t width = (size_t)cols, step = (size_t)rows;
    int row = 0;
    for (; row + ROWS <= rows; row += ROWS, w += ROWS * width)
        for (int i = 0, count; i < n; i += count) {
            count = n - i >= FOUR ? FOUR : n - i >= PAIR ? PAIR : 1;
            tile_function *some = count == FOUR ? four : count == PAIR ? pair : single;
            some(out + (size_t)i * step + row, step, w, u + (size_t)i * width, width);
        }
    for (; row < rows; row++, w += width)
        for (int i = 0; i < n; i++)
            out[(size_t)i * step + (size_t)row] = dot(w, u + (size_t)i * width, width);
}

void small_product_avx512(int32_t *out, const int8_t *w, int rows, int cols,
                          const uint8_t *u, int n)
{
    if (__builtin_cpu_supports("avx512vnni"))
        product(out, w, rows, cols, u, n);
    else
        small_product_avx2(out, w, rows, cols, u, n);
}

#endif
