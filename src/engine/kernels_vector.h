// SPDX-License-Identifier: MIT
// The body of every vector set, written once. A file that includes it has said what its
// vector is and how its processor does the few things that C cannot say:
//
//   SET         the struct kernels it defines, NAME what it is called
//   SMALL_PRODUCT   its product of small integers, or NULL
//   MANY        how many vectors four rows meet at once: 3 with 16 registers, 6 with 32
//   TARGET      the attribute of functions compiled for the processor
//   vec         a vector of LANES floats
//   vec_all(x)  x in every lane          vec_fma(a, b, c)   a b + c, rounded once
//   vec_max(constant, a), vec_min(constant, a)              that keep a NaN of a
//   vec_round(a)  to nearest, even
//   vec_from_half(at), vec_from_bfloat(at)   from LANES small floats, unaligned
//   vec_sum4(out, a, b, c, d)   out (4): the sum over the lanes of each, in one order
//
// Products: a row is summed in one vector, LANES columns at a time, whose lanes are added
// at the end. That order belongs to the row alone, so an output is the same bit for bit
// beside whatever rows and vectors it is made. For one vector eight rows are taken at a
// time: eight chains of multiply-adds hide their latency, and the next eight rows are
// prefetched while these are read. For several vectors four rows meet MANY of them, or
// three or two, so that a weight is read and converted once for all of those.
#ifdef SET

#include <stdint.h>
#include <string.h>

// Loops of constant length stay loops at -O2 unless gcc is told; clang needs no telling.
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
// A compiler must not read x again for every row: loads are what is short.
#define IN_REGISTER(x) __asm__("" : "+" VECTOR_REGISTER(x))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { ROWS = 4, MORE_ROWS = 8, TWO = 2, FEW = 3, SUMS = ROWS * MANY }; // of a tile
enum { LINE = 64, STEP = 32 };         // bytes of the cache, columns
enum { CHUNK = 16, BEST_CHUNK = 256 }; // rows

typedef int32_t ivec __attribute__((vector_size(LANES * 4)));

INLINE vec vec_load(const float *at)
{
    vec v;
    memcpy(&v, at, sizeof v);
    return v;
}

INLINE void vec_store(float *at, vec v)
{
    memcpy(at, &v, sizeof v);
}

INLINE size_t size_of(enum dtype type)
{
    return type == DTYPE_F32 ? 4 : 2;
}

INLINE vec vec_widen(enum dtype type, const unsigned char *at)
{
    vec floats;
    if (type == DTYPE_F16)
        return vec_from_half(at);
    if (type == DTYPE_BF16)
        return vec_from_bfloat(at);
    memcpy(&floats, at, sizeof floats);
    return floats;
}

// The first n values when fewer than LANES are left, the rest zero: nothing past them is
// read.
INLINE vec vec_widen_part(enum dtype type, const unsigned char *at, size_t n)
{
    unsigned char bytes[LANES * 4] = {0};
    if (n >= LANES)
        return vec_widen(type, at);
    memcpy(bytes, at, n * size_of(type));
    return vec_widen(type, bytes);
}

INLINE vec vec_part(const float *at, size_t n)
{
    return vec_widen_part(DTYPE_F32, (const unsigned char *)at, n);
}

INLINE void vec_store_part(float *at, vec v, size_t n)
{
    if (n >= LANES)
        vec_store(at, v);
    else
        memcpy(at, &v, n * sizeof *at);
}

struct tile { // rows of weights times n vectors
    const unsigned char *w;
    const float *x;
    size_t stride, cols; // in bytes; in values
    int rows, n;
};

// sums (n, rows) += LANES columns from column i.
INLINE void tile_step(vec *sums, enum dtype type, struct tile t, size_t i)
{
    vec x[MANY];
#pragma GCC unroll 8
    for (int v = 0; v < t.n; v++) {
        x[v] = vec_load(t.x + (size_t)v * t.cols + i);
        IN_REGISTER(x[v]);
    }
#pragma GCC unroll 8
    for (int r = 0; r < t.rows; r++) {
        vec w = vec_widen(type, t.w + (size_t)r * t.stride + i * size_of(type));
#pragma GCC unroll 8
        for (int v = 0; v < t.n; v++)
            sums[v * t.rows + r] = vec_fma(w, x[v], sums[v * t.rows + r]);
    }
#pragma GCC unroll 24
    for (int k = 0; k < t.rows * t.n; k++)
        IN_REGISTER(sums[k]);
}

// The columns from `at` of the rows of the next tile.
INLINE void tile_prefetch(const unsigned char *at, enum dtype type, struct tile t)
{
#pragma GCC unroll 8
    for (int r = 0; r < t.rows; r++)
#pragma GCC unroll 8
        for (size_t line = 0; line < STEP * size_of(type); line += LINE)
            __builtin_prefetch(at + (size_t)r * t.stride + line, 0, 2);
}

// The last columns, fewer than STEP.
INLINE void tile_rest(vec *sums, enum dtype type, struct tile t, size_t i)
{
    for (; i < t.cols; i += LANES) {
#pragma GCC unroll 8
        for (int r = 0; r < t.rows; r++) {
            const unsigned char *at = t.w + (size_t)r * t.stride + i * size_of(type);
            vec w = vec_widen_part(type, at, t.cols - i);
#pragma GCC unroll 8
            for (int v = 0; v < t.n; v++) {
                vec x = vec_part(t.x + (size_t)v * t.cols + i, t.cols - i);
                sums[v * t.rows + r] = vec_fma(w, x, sums[v * t.rows + r]);
            }
        }
    }
}

// The lanes of the sums of one vector, added: out (rows).
INLINE void tile_out(float *out, const vec *sums, int rows)
{
    float first[4];
    for (int r = 0; r + 4 <= rows; r += 4)
        vec_sum4(out + r, sums[r], sums[r + 1], sums[r + 2], sums[r + 3]);
    if (rows < 4)
        vec_sum4(first, sums[0], sums[0], sums[0], sums[0]), *out = first[0];
}

// out (n, out_step): sums of the rows with the vectors; t.rows and t.n are constants.
INLINE void tile_sums(float *out, size_t out_step, enum dtype type, struct tile t)
{
    const size_t end = t.cols - t.cols % STEP;
    vec sums[SUMS];
#pragma GCC unroll 24
    for (int k = 0; k < SUMS; k++)
        sums[k] = vec_all(0);
    for (size_t i = 0; i < end; i += STEP) {
        if (t.n == 1)
            tile_prefetch(t.w + (size_t)t.rows * t.stride + i * size_of(type), type, t);
#pragma GCC unroll 8
        for (size_t j = i; j < i + STEP; j += LANES)
            tile_step(sums, type, t, j);
    }
    tile_rest(sums, type, t, end);
#pragma GCC unroll 8
    for (int v = 0; v < t.n; v++)
        tile_out(out + (size_t)v * out_step, sums + v * t.rows, t.rows);
}

// The same for any number of rows. t.n is a constant.
INLINE void chunk_sums(float *out, size_t out_step, enum dtype type, struct tile t)
{
    int left = t.rows;
    t.rows = MORE_ROWS;
    for (; t.n == 1 && left >= t.rows; left -= t.rows, out += t.rows)
        tile_sums(out, out_step, type, t), t.w += (size_t)t.rows * t.stride;
    t.rows = ROWS;
    for (; left >= t.rows; left -= t.rows, out += t.rows)
        tile_sums(out, out_step, type, t), t.w += (size_t)t.rows * t.stride;
    t.rows = 1;
    for (; left; left--, out++, t.w += t.stride)
        tile_sums(out, out_step, type, t);
}

#define CHUNK_SUMS(name, type, count)                                                    \
    TARGET static void name(float *out, size_t out_step, struct tile t)                  \
    {                                                                                    \
        t.n = count;                                                                     \
        chunk_sums(out, out_step, type, t);                                              \
    }
CHUNK_SUMS(one_f32, DTYPE_F32, 1)
CHUNK_SUMS(one_f16, DTYPE_F16, 1)
CHUNK_SUMS(one_bf16, DTYPE_BF16, 1)
CHUNK_SUMS(two_f32, DTYPE_F32, TWO)
CHUNK_SUMS(two_f16, DTYPE_F16, TWO)
CHUNK_SUMS(two_bf16, DTYPE_BF16, TWO)
CHUNK_SUMS(few_f32, DTYPE_F32, FEW)
CHUNK_SUMS(few_f16, DTYPE_F16, FEW)
CHUNK_SUMS(few_bf16, DTYPE_BF16, FEW)
#if MANY > 3
CHUNK_SUMS(many_f32, DTYPE_F32, MANY)
CHUNK_SUMS(many_f16, DTYPE_F16, MANY)
CHUNK_SUMS(many_bf16, DTYPE_BF16, MANY)
#endif
typedef void chunk_function(float *out, size_t out_step, struct tile t);
static chunk_function *const one[] = {one_f32, one_f16, one_bf16};
static chunk_function *const several[][3] = {
    [TWO] = {two_f32, two_f16, two_bf16},
    [FEW] = {few_f32, few_f16, few_bf16},
#if MANY > 3
    [MANY] = {many_f32, many_f16, many_bf16},
#endif
};

// How many of n vectors, two or more, are met next: none is left alone but the last of
// all.
static int next_vectors(int n)
{
    if (n >= MANY && n != MANY + 1)
        return MANY;
    return n == 2 || n == 4 ? TWO : FEW;
}

// At most `limit` rows from `row`, to meet the vectors x.
static struct tile tile_at(const struct tensor *w, int row, int limit, const float *x)
{
    size_t cols = (size_t)w->cols, stride = (size_t)(w->cols + w->skip);
    stride *= dtype_size(w->type);
    int rows = w->rows - row < limit ? w->rows - row : limit;
    const unsigned char *at = w->data;
    return (struct tile){at + (size_t)row * stride, x, stride, cols, rows, 1};
}

INLINE vec bias_at(const struct tensor *bias, int row, size_t left)
{
    if (!bias || !bias->data)
        return vec_all(0);
    const unsigned char *at = bias->data;
    return vec_widen_part(bias->type, at + (size_t)row * size_of(bias->type), left);
}

// sums (n, out_step) of the rows with n vectors.
static void tile_all(float *out, size_t out_step, enum dtype type, struct tile t, int n)
{
    while (n > 1) {
        int count = next_vectors(n);
        several[count][type](out, out_step, t);
        out += (size_t)count * out_step;
        t.x += (size_t)count * t.cols;
        n -= count;
    }
    if (n)
        one[type](out, out_step, t);
}

// sums (n, out_step) of some rows from `row` on += bias.
TARGET static void add_bias(float *sums, size_t out_step, const struct tensor *bias,
                            int row, int rows, int n)
{
    for (int i = 0; bias && bias->data && i < rows; i += LANES) {
        size_t left = (size_t)(rows - i);
        vec add = bias_at(bias, row + i, left);
        float *at = sums + i;
        for (int v = 0; v < n; v++, at += out_step)
            vec_store_part(at, vec_part(at, left) + add, left);
    }
}

// A chunk of rows is read once for all the vectors while it is near. The bias is added
// in a pass of its own, when most of the sums have long been written.
TARGET static void vector_product(float *out, const struct tensor *w, const float *x,
                                  int n, const struct tensor *bias)
{
    const int chunk = n == 1 ? w->rows : CHUNK;
    const size_t step = (size_t)w->rows;
    for (int row = 0; row < w->rows; row += chunk) {
        struct tile t = tile_at(w, row, chunk, x);
        tile_all(out + row, step, w->type, t, n);
        add_bias(out + row, step, bias, row, t.rows, n);
    }
}

INLINE vec choose(ivec mask, vec yes, vec no)
{
    return (vec)((mask & (ivec)yes) | (~mask & (ivec)no));
}

struct tops { // of each lane: its first maximum and where that is
    vec value;
    ivec at;
};

// sums (rows), which begin at `row`, += bias; and what of them is the greatest.
TARGET static void add_bias_and_compare(float *sums, const struct tensor *bias, int row,
                                        int rows, struct tops *tops)
{
    vec value = tops->value;
    ivec at = tops->at, here = tops->at * 0 + row;
    for (int lane = 0; lane < LANES; lane++)
        here[lane] += lane;
    for (int i = 0; i < rows; i += LANES, here += LANES) {
        size_t left = (size_t)(rows - i);
        vec sum = vec_part(sums + i, left) + bias_at(bias, row + i, left);
        vec_store_part(sums + i, sum, left);
        ivec more = sum > value;
        if (left < LANES)
            more &= here < row + rows;
        value = choose(more, sum, value);
        at = (more & here) | (~more & at);
    }
    *tops = (struct tops){value, at};
}

TARGET static struct best vector_product_best(float *out, const struct tensor *w,
                                              const float *x, const struct tensor *bias)
{
    float sums[BEST_CHUNK];
    struct tops tops = {vec_all(-INFINITY), {0}};
    struct best best = {0, -INFINITY};
    for (int row = 0; row < w->rows; row += BEST_CHUNK) {
        struct tile t = tile_at(w, row, BEST_CHUNK, x);
        float *at = out ? out + row : sums;
        one[w->type](at, 0, t);
        add_bias_and_compare(at, bias, row, t.rows, &tops);
    }
    for (int lane = 0; lane < LANES; lane++) {
        struct best its = {tops.at[lane], tops.value[lane]};
        if (its.value > best.value || (its.value == best.value && its.at < best.at))
            best = its;
    }
    return best;
}

INLINE ivec ints_at(const int32_t *at)
{
    ivec ints;
    memcpy(&ints, at, sizeof ints);
    return ints;
}

TARGET static struct small_range vector_small_bounds(float *upper,
                                                     const int32_t *products,
                                                     struct small_rows of, int rows,
                                                     const struct small_vector *vector)
{
    const vec by_length = vec_all(vector->by_length), by_rest = vec_all(vector->by_rest);
    const vec by_scale = vec_all(vector->scale);
    vec low = vec_all(-INFINITY), high = low;
    for (int i = 0; i < rows; i += LANES) {
        ivec whole = ints_at(products + i) - ints_at(of.offset + i);
        vec scale = vec_load(of.scale + i) * by_scale;
        vec middle = __builtin_convertvector(whole, vec) * scale + vec_load(of.bias + i);
        vec around = vec_load(of.length + i) * by_length +
                     vec_load(of.rest + i) * by_rest + vec_load(of.slack + i);
        vec_store(upper + i, middle + around);
        low = vec_max(low, middle - around);
        high = vec_max(high, middle + around);
    }
    struct small_range range = {low[0], high[0]};
    for (int lane = 1; lane < LANES; lane++) {
        range.low = low[lane] > range.low ? low[lane] : range.low;
        range.high = high[lane] > range.high ? high[lane] : range.high;
    }
    return range;
}

#include "engine/kernels_functions.h"

// Sums of `count` vectors of columns, a constant.
INLINE void blend_columns(float *out, const float *weights, const float *rows, int n,
                          int width, int count, size_t left)
{
    vec sum[4];
#pragma GCC unroll 4
    for (int c = 0; c < count; c++)
        sum[c] = vec_all(0);
    for (int j = 0; j < n; j++, rows += width) {
        vec weight = vec_all(weights[j]);
#pragma GCC unroll 4
        for (int c = 0; c < count; c++)
            sum[c] = vec_fma(weight, vec_part(rows + c * LANES, left), sum[c]);
    }
#pragma GCC unroll 4
    for (int c = 0; c < count; c++)
        vec_store_part(out + c * LANES, sum[c], left);
}

TARGET static void vector_blend(float *out, const float *weights, const float *rows,
                                int n, int width)
{
    int i = 0;
    for (; i + 4 * LANES <= width; i += 4 * LANES)
        blend_columns(out + i, weights, rows + i, n, width, 4, LANES);
    for (; i < width; i += LANES)
        blend_columns(out + i, weights, rows + i, n, width, 1, (size_t)(width - i));
}

INLINE ivec bits_at(const unsigned char *at)
{
    ivec bits;
    memcpy(&bits, at, sizeof bits);
    return bits;
}

TARGET static unsigned vector_read(const void *data, size_t bytes)
{
    enum { WIDTH = LANES * 4 };
    const unsigned char *at = data;
    ivec a = {0}, b = a, c = a, d = a;
    size_t i = 0;
    for (; i + 256 <= bytes; i += 256)
#pragma GCC unroll 8
        for (size_t k = i; k < i + 256; k += (size_t)4 * WIDTH) {
            a |= bits_at(at + k);
            b |= bits_at(at + k + WIDTH);
            c |= bits_at(at + k + 2 * WIDTH);
            d |= bits_at(at + k + 3 * WIDTH);
        }
    for (; i + WIDTH <= bytes; i += WIDTH)
        b |= bits_at(at + i);
    a |= b | c | d;
    unsigned all = 0;
    for (int lane = 0; lane < LANES; lane++)
        all |= (unsigned)a[lane];
    return all;
}

#include "engine/kernels_gates.h"

const struct kernels SET = {
    .name = NAME,
    .product = vector_product,
    .product_best = vector_product_best,
    .small_product = SMALL_PRODUCT,
    .small_bounds = vector_small_bounds,
    .tanh_dots = vector_tanh_dots,
    .blend = vector_blend,
    .sum_exp = vector_sum_exp,
    .exp = vector_exp,
    .tanh = vector_tanh,
    .sigmoid = vector_sigmoid,
    .softmax = vector_softmax,
    .gru = vector_gru,
    .gru_reset = vector_gru_reset,
    .lstm = vector_lstm,
    .read = vector_read,
};

#endif
