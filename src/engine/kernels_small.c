// SPDX-License-Identifier: MIT
// Products of small integers, 32 at once, for processors with AVX2.
//
// maddubs multiplies unsigned by signed bytes and adds each two products into 16 bits,
// and it saturates there. 2 · 127 · 63 = 16002, and two such sums are 32004, below 32767:
// with u of 7 bits and w of 7 bits with their sign nothing is ever lost, and eight
// columns can be added in 16 bits before they are widened. Each lane is a row, so that no
// lanes are added at the end.
#include "engine/kernels_sets.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { BYTES = 32, LANES = 8, PARTS = 4, HALF = PARTS * LANES, PAIR = 2 };
enum { CELL = SMALL_ROWS * SMALL_COLS, STEP = 2 * SMALL_COLS };

INLINE __m256i load(const int8_t *at)
{
    return _mm256_loadu_si256((const void *)at);
}

// Four columns of a vector, for every row.
INLINE __m256i four(const uint8_t *u)
{
    int32_t bytes;
    memcpy(&bytes, u, sizeof bytes);
    return _mm256_set1_epi32(bytes);
}

// Half the rows with n vectors, a constant.
INLINE void tile(int32_t *out, const int8_t *w, const uint8_t *u, size_t cols, int n)
{
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[PAIR][PARTS], x[PAIR], y[PAIR];
#pragma GCC unroll 8
    for (int k = 0; k < n * PARTS; k++)
        sums[k / PARTS][k % PARTS] = _mm256_setzero_si256();
    for (size_t i = 0; i < cols; i += STEP, w += 2 * CELL) {
#pragma GCC unroll 2
        for (int v = 0; v < n; v++) {
            x[v] = four(u + (size_t)v * cols + i);
            y[v] = four(u + (size_t)v * cols + i + SMALL_COLS);
        }
#pragma GCC unroll 4
        for (int p = 0; p < PARTS; p++) {
            __m256i left = load(w + p * BYTES), right = load(w + CELL + p * BYTES);
#pragma GCC unroll 2
            for (int v = 0; v < n; v++) {
                __m256i sum = _mm256_add_epi16(_mm256_maddubs_epi16(x[v], left),
                                               _mm256_maddubs_epi16(y[v], right));
                sums[v][p] = _mm256_add_epi32(sums[v][p], _mm256_madd_epi16(sum, ones));
            }
        }
    }
#pragma GCC unroll 8
    for (int k = 0; k < n * PARTS; k++)
        _mm256_storeu_si256((void *)(out + k / PARTS * SMALL_ROWS + k % PARTS * LANES),
                            sums[k / PARTS][k % PARTS]);
}

TARGET static void pair(int32_t *out, const int8_t *w, const uint8_t *u, size_t cols)
{
    tile(out, w, u, cols, PAIR);
}

TARGET static void single(int32_t *out, const int8_t *w, const uint8_t *u, size_t cols)
{
    tile(out, w, u, cols, 1);
}

void small_product_avx2(int32_t *out, const int8_t *w, int cols, const uint8_t *u, int n)
{
    size_t width = (size_t)cols;
    for (int half = 0; half < 2; half++, w += HALF * SMALL_COLS, out += HALF)
        for (int i = 0; i < n; i += PAIR)
            (i + PAIR <= n ? pair : single)(out + i * SMALL_ROWS, w,
                                            u + (size_t)i * width, width);
}

#endif
