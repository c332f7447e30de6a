// SPDX-License-Identifier: MIT
// Kernels for x86-64 with AVX2, FMA and F16C, compiled for every x86-64 and chosen when
// the processor has them.
//
// A row is summed in eight lanes as in the plain set. Four rows are taken at a time,
// which shares the loads of x and hides the latency of the multiply-add; each row has its
// own accumulator, so its sum does not depend on which rows stand beside it.
//
// tanh(x) = 1 - 2 / (exp(2x) + 1), with exp(y) = 2^k 2^f, k the nearest integer to
// y log2(e), and 2^f its Taylor polynomial of degree 6 on |f| <= 1/2 (relative error
// below 1.3e-7). The absolute error of tanh is below 3e-7 everywhere; tests/kernels holds
// it to that.
#include "engine/kernels_avx2.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,fma,f16c")))

enum { LANES = 8, ROWS = 4 };

// F16C is asked of the processor itself: not every compiler's builtin knows its name.
// That the system saves the wide registers is part of what the builtin checks for AVX2.
bool kernels_avx2_runs(void)
{
    unsigned a, b, c = 0, d;
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    return f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

AVX2 static inline __m256 load_f32(const unsigned char *at)
{
    return _mm256_loadu_ps((const float *)(const void *)at);
}

AVX2 static inline __m256 load_f16(const unsigned char *at)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)at));
}

AVX2 static inline __m256 load_bf16(const unsigned char *at)
{
    __m128i bits = _mm_loadu_si128((const __m128i *)(const void *)at);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}

AVX2 static inline __m256 load_as(enum dtype type, const unsigned char *at)
{
    if (type == DTYPE_F32)
        return load_f32(at);
    return type == DTYPE_F16 ? load_f16(at) : load_bf16(at);
}

AVX2 static inline size_t size_of(enum dtype type)
{
    return type == DTYPE_F32 ? 4 : 2;
}

// The last n < 8 values, the rest zero: nothing past the row is read.
AVX2 static inline __m256 load_tail(enum dtype type, const unsigned char *at, size_t n)
{
    unsigned char bytes[LANES * 4] = {0};
    memcpy(bytes, at, n * size_of(type));
    return load_as(type, bytes);
}

AVX2 static inline float lanes_sum(__m256 lanes)
{
    __m128 four =
        _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

#define INLINE AVX2 static inline __attribute__((always_inline))

// sum + w x over eight columns of the row that begins at `row`, from column i.
INLINE __m256 take(__m256 sum, enum dtype type, const unsigned char *row, size_t i,
                   __m256 x)
{
    return _mm256_fmadd_ps(load_as(type, row + i * size_of(type)), x, sum);
}

INLINE __m256 take_tail(__m256 sum, enum dtype type, const unsigned char *row, size_t i,
                        size_t n, __m256 x)
{
    return _mm256_fmadd_ps(load_tail(type, row + i * size_of(type), n), x, sum);
}

INLINE float one_row(enum dtype type, const unsigned char *row, const float *x, size_t n)
{
    __m256 sum = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        sum = take(sum, type, row, i, _mm256_loadu_ps(x + i));
    if (i < n) {
        __m256 xs = load_tail(DTYPE_F32, (const unsigned char *)(x + i), n - i);
        sum = take_tail(sum, type, row, i, n - i, xs);
    }
    return lanes_sum(sum);
}

// The four sums are written out: they must stay in registers.
INLINE void four_rows(float *out, enum dtype type, const unsigned char *w, const float *x,
                      size_t n)
{
    const unsigned char *w0 = w, *w1 = w0 + n * size_of(type);
    const unsigned char *w2 = w1 + n * size_of(type), *w3 = w2 + n * size_of(type);
    __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        __m256 xs = _mm256_loadu_ps(x + i);
        s0 = take(s0, type, w0, i, xs);
        s1 = take(s1, type, w1, i, xs);
        s2 = take(s2, type, w2, i, xs);
        s3 = take(s3, type, w3, i, xs);
    }
    if (i < n) {
        __m256 xs = load_tail(DTYPE_F32, (const unsigned char *)(x + i), n - i);
        s0 = take_tail(s0, type, w0, i, n - i, xs);
        s1 = take_tail(s1, type, w1, i, n - i, xs);
        s2 = take_tail(s2, type, w2, i, n - i, xs);
        s3 = take_tail(s3, type, w3, i, n - i, xs);
    }
    out[0] = lanes_sum(s0);
    out[1] = lanes_sum(s1);
    out[2] = lanes_sum(s2);
    out[3] = lanes_sum(s3);
}

INLINE void all_rows(float *out, enum dtype type, const struct tensor *w, const float *x)
{
    size_t n = (size_t)w->cols, stride = n * size_of(type);
    const unsigned char *data = w->data;
    int row = 0;
    for (; row + ROWS <= w->rows; row += ROWS)
        four_rows(out + row, type, data + (size_t)row * stride, x, n);
    for (; row < w->rows; row++)
        out[row] = one_row(type, data + (size_t)row * stride, x, n);
}

AVX2 static void avx2_product(float *out, const struct tensor *w, const float *x, int n,
                              const struct tensor *bias)
{
    for (int i = 0; i < n; i++, out += w->rows, x += w->cols) {
        if (w->type == DTYPE_F32)
            all_rows(out, DTYPE_F32, w, x);
        else if (w->type == DTYPE_F16)
            all_rows(out, DTYPE_F16, w, x);
        else
            all_rows(out, DTYPE_BF16, w, x);
        tensor_add(out, bias);
    }
}

AVX2 static float avx2_dot(const float *a, const float *b, int n)
{
    return one_row(DTYPE_F32, (const unsigned char *)a, b, (size_t)n);
}

// exp(y) for y <= 88; below -87 it is held at exp(-87), about 1.6e-38.
AVX2 static inline __m256 exp8(__m256 y)
{
    y = _mm256_max_ps(_mm256_set1_ps(-87.0f), y); // this order keeps a NaN
    __m256 t = _mm256_mul_ps(y, _mm256_set1_ps(1.44269504089f));
    __m256 k = _mm256_round_ps(t, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    // y - k ln 2 in two parts: the first has few bits, so its product is exact.
    __m256 f = _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693145751953125f), y);
    f = _mm256_fnmadd_ps(k, _mm256_set1_ps(1.42860682030941723e-6f), f);
    __m256 p = _mm256_set1_ps(1.0f / 720);
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f / 120));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f / 24));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f / 6));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(0.5f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f));
    __m256i scale = _mm256_slli_epi32(
        _mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(p, _mm256_castsi256_ps(scale));
}

// Beyond |x| = 10 tanh is 1 within float rounding.
AVX2 static inline __m256 tanh8(__m256 x)
{
    __m256 one = _mm256_set1_ps(1.0f), two = _mm256_set1_ps(2.0f);
    x = _mm256_min_ps(_mm256_set1_ps(10.0f), _mm256_max_ps(_mm256_set1_ps(-10.0f), x));
    __m256 e = exp8(_mm256_add_ps(x, x));
    return _mm256_sub_ps(one, _mm256_div_ps(two, _mm256_add_ps(e, one)));
}

AVX2 static float avx2_dot_tanh(const float *v, const float *q, const float *k, int n)
{
    __m256 sum = _mm256_setzero_ps();
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        __m256 t = tanh8(_mm256_add_ps(_mm256_loadu_ps(q + i), _mm256_loadu_ps(k + i)));
        sum = _mm256_fmadd_ps(_mm256_loadu_ps(v + i), t, sum);
    }
    size_t left = (size_t)(n - i);
    if (left) {
        __m256 qs = load_tail(DTYPE_F32, (const unsigned char *)(q + i), left);
        __m256 ks = load_tail(DTYPE_F32, (const unsigned char *)(k + i), left);
        __m256 vs = load_tail(DTYPE_F32, (const unsigned char *)(v + i), left);
        sum = _mm256_fmadd_ps(vs, tanh8(_mm256_add_ps(qs, ks)), sum);
    }
    return lanes_sum(sum);
}

AVX2 static float avx2_sum_exp(const float *x, float shift, int n)
{
    __m256 sum = _mm256_setzero_ps(), away = _mm256_set1_ps(shift);
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        sum = _mm256_add_ps(sum, exp8(_mm256_sub_ps(_mm256_loadu_ps(x + i), away)));
    float lanes[LANES] = {0};
    size_t left = (size_t)(n - i);
    if (left) {
        __m256 xs = load_tail(DTYPE_F32, (const unsigned char *)(x + i), left);
        _mm256_storeu_ps(lanes, exp8(_mm256_sub_ps(xs, away)));
        memset(lanes + left, 0, (LANES - left) * sizeof *lanes);
        sum = _mm256_add_ps(sum, _mm256_loadu_ps(lanes));
    }
    return lanes_sum(sum);
}

AVX2 static void avx2_add_scaled(float *out, const float *x, float scale, int n)
{
    __m256 factor = _mm256_set1_ps(scale);
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        __m256 sum =
            _mm256_fmadd_ps(_mm256_loadu_ps(x + i), factor, _mm256_loadu_ps(out + i));
        _mm256_storeu_ps(out + i, sum);
    }
    for (; i < n; i++)
        out[i] += scale * x[i];
}

const struct kernels kernels_avx2 = {
    .name = "avx2",
    .product = avx2_product,
    .dot_tanh = avx2_dot_tanh,
    .dot = avx2_dot,
    .add_scaled = avx2_add_scaled,
    .sum_exp = avx2_sum_exp,
};

#endif
