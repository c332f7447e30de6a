// SPDX-License-Identifier: MIT
// Products of small integers, 32 at once, for processors with AVX2.
//
// maddubs multiplies unsigned by signed bytes and adds each two products into 16 bits,
// and it saturates there. 2 · 127 · 63 = 16002, and two such sums are 32004, below 32767:
// with u of 7 bits and w of 7 bits with their sign nothing is ever lost, and 64 columns
// can be added in 16 bits before they are widened.
#include "engine/kernels_sets.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { ROWS = 4, PAIR = 2, BYTES = 32, STEP = 2 * BYTES };

INLINE __m256i load(const void *at)
{
    return _mm256_loadu_si256(at);
}

// The sums over the lanes of four.
INLINE __m128i sum4(const __m256i *sums)
{
    __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]),
                                    _mm256_hadd_epi32(sums[2], sums[3]));
    return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

// Four rows with n vectors, a constant: out (n, out_step).
INLINE void tile(int32_t *out, size_t out_step, const int8_t *w, const uint8_t *u,
                 size_t cols, int n)
{
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[PAIR][ROWS];
#pragma GCC unroll 8
    for (int k = 0; k < n * ROWS; k++)
        sums[k / ROWS][k % ROWS] = _mm256_setzero_si256();
    for (size_t i = 0; i < cols; i += STEP)
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) {
            const int8_t *row = w + (size_t)r * cols + i;
            __m256i left = load(row), right = load(row + BYTES);
#pragma GCC unroll 2
            for (int v = 0; v < n; v++) {
                const uint8_t *at = u + (size_t)v * cols + i;
                __m256i sum =
                    _mm256_add_epi16(_mm256_maddubs_epi16(load(at), left),
                                     _mm256_maddubs_epi16(load(at + BYTES), right));
                sums[v][r] = _mm256_add_epi32(sums[v][r], _mm256_madd_epi16(sum, ones));
            }
        }
#pragma GCC unroll 2
    for (int v = 0; v < n; v++)
        _mm_storeu_si128((void *)(out + (size_t)v * out_step), sum4(sums[v]));
}

// One row with one vector.
TARGET static int32_t dot(const int8_t *w, const uint8_t *u, size_t cols)
{
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[ROWS] = {_mm256_setzero_si256()};
    for (size_t i = 0; i < cols; i += BYTES) {
        __m256i sum = _mm256_maddubs_epi16(load(u + i), load(w + i));
        sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(sum, ones));
    }
    sums[1] = sums[2] = sums[3] = sums[0];
    return _mm_cvtsi128_si32(sum4(sums));
}

TARGET static void pair(int32_t *out, size_t step, const int8_t *w, const uint8_t *u,
                        size_t cols)
{
    tile(out, step, w, u, cols, PAIR);
}

TARGET static void single(int32_t *out, size_t step, const int8_t *w, const uint8_t *u,
                          size_t cols)
{
    tile(out, step, w, u, cols, 1);
}

TARGET void small_product_avx2(int32_t *out, const int8_t *w, int rows, int cols,
                               const uint8_t *u, int n)
{
    size_t width = (size_t)cols, step = (size_t)rows;
    int row = 0;
    for (; row + ROWS <= rows; row += ROWS, w += ROWS * width) {
        int i = 0;
        for (; i + PAIR <= n; i += PAIR)
            pair(out + (size_t)i * step + row, step, w, u + (size_t)i * width, width);
        if (i < n)
            single(out + (size_t)i * step + row, step, w, u + (size_t)i * width, width);
    }
    for (; row < rows; row++, w += width)
        for (int i = 0; i < n; i++)
            out[(size_t)i * step + (size_t)row] = dot(w, u + (size_t)i * width, width);
}

#endif
