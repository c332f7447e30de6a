// SPDX-License-Identifier: MIT
// Products of small integers, 64 at once, for processors with AVX-512 and VNNI.
//
// dpbusd multiplies unsigned by signed bytes and adds each four products to 32 bits,
// where nothing is lost. Each lane is a row. An AVX-512 without it takes the products of
// AVX2.
#include "engine/kernels_sets.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512vnni")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { BYTES = 64, LANES = 16, PARTS = SMALL_ROWS / LANES, FOUR = 4, PAIR = 2 };

// Four columns of a vector, for every row.
INLINE __m512i four_of(const uint8_t *u)
{
    int32_t bytes;
    memcpy(&bytes, u, sizeof bytes);
    return _mm512_set1_epi32(bytes);
}

// All rows with n vectors, a constant.
INLINE void tile(int32_t *out, const int8_t *w, const uint8_t *u, size_t cols, int n)
{
    __m512i sums[FOUR][PARTS], x[FOUR];
#pragma GCC unroll 16
    for (int k = 0; k < n * PARTS; k++)
        sums[k / PARTS][k % PARTS] = _mm512_setzero_si512();
    for (size_t i = 0; i < cols; i += SMALL_COLS, w += PARTS * BYTES) {
#pragma GCC unroll 4
        for (int v = 0; v < n; v++)
            x[v] = four_of(u + (size_t)v * cols + i);
#pragma GCC unroll 4
        for (int p = 0; p < PARTS; p++) {
            __m512i rows = _mm512_loadu_si512(w + p * BYTES);
#pragma GCC unroll 4
            for (int v = 0; v < n; v++)
                sums[v][p] = _mm512_dpbusd_epi32(sums[v][p], x[v], rows);
        }
    }
#pragma GCC unroll 16
    for (int k = 0; k < n * PARTS; k++)
        _mm512_storeu_si512(out + k / PARTS * SMALL_ROWS + k % PARTS * LANES,
                            sums[k / PARTS][k % PARTS]);
}

#define TILE(name, n)                                                                    \
    TARGET static void name(int32_t *out, const int8_t *w, const uint8_t *u,             \
                            size_t cols)                                                 \
    {                                                                                    \
        tile(out, w, u, cols, n);                                                        \
    }
TILE(four, FOUR)
TILE(pair, PAIR)
TILE(single, 1)

static void product(int32_t *out, const int8_t *w, int cols, const uint8_t *u, int n)
{
    size_t width = (size_t)cols;
    int i = 0;
    for (; i + FOUR <= n; i += FOUR)
        four(out + i * SMALL_ROWS, w, u + (size_t)i * width, width);
    if (i + PAIR <= n) {
        pair(out + i * SMALL_ROWS, w, u + (size_t)i * width, width);
        i += PAIR;
    }
    if (i < n)
        single(out + i * SMALL_ROWS, w, u + (size_t)i * width, width);
}

void small_product_avx512(int32_t *out, const int8_t *w, int cols, const uint8_t *u,
                          int n)
{
    bool has_vnni = __builtin_cpu_supports("avx512vnni");
    (has_vnni ? product : small_product_avx2)(out, w, cols, u, n);
}

#endif
