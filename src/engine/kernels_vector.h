// SPDX-License-Identifier: MIT
// The body of every vector set, written once. A file that includes it has said what its
// vector is and how its processor does the few things that C cannot say:
//
//   SET         the struct kernels it defines, NAME what it is called
//   TARGET      the attribute of functions compiled for the processor
//   vec         a vector of LANES floats
//   vec_all(x)  x in every lane          vec_fma(a, b, c)   a b + c, rounded once
//   vec_max(constant, a), vec_min(constant, a)              that keep a NaN of a
//   vec_round(a)  to nearest, even       vec_from_half(at)  LANES halves, unaligned
//   vec_sum4(out, a, b, c, d)            the sum over the lanes of each, in one order
//
// Products: a row is summed in two vectors, the even and the odd blocks of LANES columns,
// added at the end. That order belongs to the row alone, so an output is the same bit for
// bit beside whatever rows and vectors it is made. For one vector four rows are taken at
// a time: eight chains of multiply-adds hide their latency, and the next four rows are
// prefetched while these are read. For several vectors two rows meet three vectors, so
// that a weight is read and converted once for three.
//
// exp(y) = 2^k exp(f), k the nearest integer to y / ln 2, f = y - k ln 2 in two parts,
// exp(f) by the polynomial of Cephes (Moshier 1992). tanh(x) = -m / (m + 2), with m =
// exp(-2|x|) - 1 made without cancellation, and the sign of x. tests/kernels holds them
// to the bounds in kernels.h.
#ifdef SET

#include <stdint.h>
#include <string.h>

// Loops of constant length stay loops at -O2 unless gcc is told; clang needs no telling.
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#define INLINE TARGET static inline __attribute__((always_inline))

enum { ROWS = 4, FEW_ROWS = 2, FEW = 3, SUMS = 8, CHUNK = 16, LINE = 64 };

typedef int32_t ivec __attribute__((vector_size(LANES * 4)));
typedef uint32_t uvec __attribute__((vector_size(LANES * 4)));
typedef uint16_t small_vec __attribute__((vector_size(LANES * 2)));

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
    small_vec bits;
    if (type == DTYPE_F16)
        return vec_from_half(at);
    if (type == DTYPE_F32) {
        memcpy(&floats, at, sizeof floats);
        return floats;
    }
    memcpy(&bits, at, sizeof bits);
    return (vec)(__builtin_convertvector(bits, uvec) << 16);
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

// even and odd += two blocks of columns from column i.
INLINE void tile_step(vec *even, vec *odd, enum dtype type, struct tile t, size_t i)
{
#pragma GCC unroll 8
    for (int r = 0; r < t.rows; r++) {
        const unsigned char *at = t.w + (size_t)r * t.stride + i * size_of(type);
        vec w0 = vec_widen(type, at), w1 = vec_widen(type, at + LANES * size_of(type));
#pragma GCC unroll 8
        for (int v = 0; v < t.n; v++) {
            const float *x = t.x + (size_t)v * t.cols + i;
            int k = v * t.rows + r;
            even[k] = vec_fma(w0, vec_load(x), even[k]);
            odd[k] = vec_fma(w1, vec_load(x + LANES), odd[k]);
        }
    }
}

INLINE void tile_prefetch(const unsigned char *at, struct tile t)
{
#pragma GCC unroll 8
    for (int r = 0; r < t.rows; r++)
        __builtin_prefetch(at + (size_t)r * t.stride);
}

INLINE void tile_rest(vec *even, enum dtype type, struct tile t, size_t i)
{
    for (; i < t.cols; i += LANES) {
#pragma GCC unroll 8
        for (int r = 0; r < t.rows; r++) {
            const unsigned char *at = t.w + (size_t)r * t.stride + i * size_of(type);
            vec w = vec_widen_part(type, at, t.cols - i);
#pragma GCC unroll 8
            for (int v = 0; v < t.n; v++) {
                vec x = vec_part(t.x + (size_t)v * t.cols + i, t.cols - i);
                even[v * t.rows + r] = vec_fma(w, x, even[v * t.rows + r]);
            }
        }
    }
}

// sums (n, CHUNK). t.rows and t.n are constants where this is inlined.
INLINE void tile_sums(float *sums, enum dtype type, struct tile t)
{
    const size_t line = LINE / size_of(type);
    const size_t step = line > 2 * LANES ? line : 2 * LANES;
    vec even[SUMS], odd[SUMS];
    float all[SUMS];
    size_t i = 0;
#pragma GCC unroll 8
    for (int k = 0; k < SUMS; k++)
        even[k] = odd[k] = vec_all(0);
    for (; i + step <= t.cols; i += step) {
        if (t.n == 1)
            tile_prefetch(t.w + (size_t)t.rows * t.stride + i * size_of(type), t);
#pragma GCC unroll 8
        for (size_t j = 0; j < step; j += 2 * LANES)
            tile_step(even, odd, type, t, i + j);
    }
    tile_rest(even, type, t, i);
#pragma GCC unroll 8
    for (int k = 0; k < SUMS; k++)
        even[k] += odd[k];
#pragma GCC unroll 2
    for (int k = 0; k < t.rows * t.n; k += 4)
        vec_sum4(all + k, even[k], even[k + 1], even[k + 2], even[k + 3]);
#pragma GCC unroll 8
    for (int k = 0; k < t.rows * t.n; k++)
        sums[k / t.rows * CHUNK + k % t.rows] = all[k];
}

// out (n, CHUNK) = sums + bias, of the t.rows <= CHUNK rows from `row`. t.n is a
// constant.
INLINE void chunk(float *out, enum dtype type, struct tile t, const struct tensor *bias,
                  int row)
{
    const int rows = t.rows, n = t.n, wide = n == 1 ? ROWS : FEW_ROWS;
    int done = 0;
    t.rows = wide;
    for (; done + wide <= rows; done += wide, t.w += (size_t)wide * t.stride)
        tile_sums(out + done, type, t);
    t.rows = 1;
    for (; done < rows; done++, t.w += t.stride)
        tile_sums(out + done, type, t);
    for (int i = 0; bias && i < rows; i += LANES) {
        size_t at = (size_t)(row + i) * size_of(bias->type);
        vec b = vec_widen_part(bias->type, (const unsigned char *)bias->data + at,
                               (size_t)(rows - i));
        for (int v = 0; v < n; v++)
            vec_store(out + v * CHUNK + i, vec_load(out + v * CHUNK + i) + b);
    }
}

// The rows from `row` that make a chunk, and the vectors x.
INLINE struct tile tile_at(const struct tensor *w, enum dtype type, int row,
                           const float *x, int n)
{
    size_t cols = (size_t)w->cols, stride = cols * size_of(type);
    int rows = w->rows - row < CHUNK ? w->rows - row : CHUNK;
    const unsigned char *at = w->data;
    return (struct tile){at + (size_t)row * stride, x, stride, cols, rows, n};
}

INLINE void product_as(enum dtype type, float *out, const struct tensor *w,
                       const float *x, int n, const struct tensor *bias)
{
    float sums[FEW * CHUNK] = {0};
    for (int row = 0; row < w->rows; row += CHUNK) {
        struct tile t = tile_at(w, type, row, x, n);
        for (int i = 0, few; i < n; i += few, t.x += (size_t)few * t.cols) {
            few = n - i >= FEW ? FEW : 1;
            t.n = few;
            if (few == FEW)
                chunk(sums, type, (struct tile){t.w, t.x, t.stride, t.cols, t.rows, FEW},
                      bias, row);
            else
                chunk(sums, type, (struct tile){t.w, t.x, t.stride, t.cols, t.rows, 1},
                      bias, row);
            for (int v = 0; v < few; v++)
                memcpy(out + (size_t)(i + v) * (size_t)w->rows + row, sums + v * CHUNK,
                       (size_t)t.rows * sizeof *out);
        }
    }
}

INLINE struct best best_as(enum dtype type, float *out, const struct tensor *w,
                           const float *x, const struct tensor *bias)
{
    float sums[CHUNK] = {0};
    struct best best = {0};
    for (int row = 0; row < w->rows; row += CHUNK) {
        struct tile t = tile_at(w, type, row, x, 1);
        chunk(sums, type, t, bias, row);
        if (row == 0)
            best.value = sums[0];
        for (int i = 0; i < t.rows; i++)
            if (sums[i] > best.value)
                best = (struct best){row + i, sums[i]};
        if (out)
            memcpy(out + row, sums, (size_t)t.rows * sizeof *out);
    }
    return best;
}

TARGET static void vector_product(float *out, const struct tensor *w, const float *x,
                                  int n, const struct tensor *bias)
{
    bias = bias && bias->data ? bias : NULL;
    if (w->type == DTYPE_F32)
        product_as(DTYPE_F32, out, w, x, n, bias);
    else if (w->type == DTYPE_F16)
        product_as(DTYPE_F16, out, w, x, n, bias);
    else
        product_as(DTYPE_BF16, out, w, x, n, bias);
}

TARGET static struct best vector_product_best(float *out, const struct tensor *w,
                                              const float *x, const struct tensor *bias)
{
    bias = bias && bias->data ? bias : NULL;
    if (w->type == DTYPE_F32)
        return best_as(DTYPE_F32, out, w, x, bias);
    if (w->type == DTYPE_F16)
        return best_as(DTYPE_F16, out, w, x, bias);
    return best_as(DTYPE_BF16, out, w, x, bias);
}

INLINE vec choose(ivec mask, vec yes, vec no)
{
    return (vec)((mask & (ivec)yes) | (~mask & (ivec)no));
}

// exp(y) - 1 = 2^k m + (2^k - 1): *power = 2^k, returned m = exp(f) - 1. |y| < 88.3.
INLINE vec reduced_exp(vec y, vec *power)
{
    vec k = vec_round(y * vec_all(1.44269504089f));
    // y - k ln 2 in two parts: the first has few bits, so its product is exact.
    vec f = vec_fma(k, vec_all(-0.693359375f), y);
    f = vec_fma(k, vec_all(2.12194440e-4f), f);
    vec p = vec_all(1.9875691500e-4f);
    p = vec_fma(p, f, vec_all(1.3981999507e-3f));
    p = vec_fma(p, f, vec_all(8.3334519073e-3f));
    p = vec_fma(p, f, vec_all(4.1665795894e-2f));
    p = vec_fma(p, f, vec_all(1.6666665459e-1f));
    p = vec_fma(p, f, vec_all(5.0000001201e-1f));
    *power = (vec)((__builtin_convertvector(k, ivec) + 127) << 23);
    return vec_fma(p * f, f, f);
}

INLINE vec vec_exp(vec x)
{
    vec power, y = vec_min(vec_all(88.25f), vec_max(vec_all(-87.25f), x));
    vec m = reduced_exp(y, &power);
    vec e = choose(x > vec_all(88.25f), vec_all(INFINITY), vec_fma(power, m, power));
    return choose(x < vec_all(-87.0f), vec_all(0), e);
}

INLINE vec vec_tanh(vec x)
{
    const ivec sign = (ivec)vec_all(-0.0f);
    vec power, y = vec_max(vec_all(-40.0f), (vec)((ivec)(x + x) | sign));
    vec m = reduced_exp(y, &power);
    m = vec_fma(power, m, power - vec_all(1)); // exp(-2|x|) - 1
    vec t = m / (m + vec_all(2));
    return (vec)(((ivec)t & ~sign) | ((ivec)x & sign));
}

INLINE vec vec_sigmoid(vec x)
{
    return vec_all(1) / (vec_all(1) + vec_exp(-x));
}

// Two vectors at a time hide the latency of one another.
#define EACH(function)                                                                   \
    for (int i = 0; i < n; i += LANES)                                                   \
    vec_store_part(x + i, function(vec_part(x + i, (size_t)(n - i))), (size_t)(n - i))

TARGET static void vector_exp(float *x, int n)
{
    EACH(vec_exp);
}

TARGET static void vector_tanh(float *x, int n)
{
    EACH(vec_tanh);
}

TARGET static void vector_sigmoid(float *x, int n)
{
    EACH(vec_sigmoid);
}

INLINE float vec_sum(vec v)
{
    float sums[4];
    vec_sum4(sums, v, v, v, v);
    return sums[0];
}

TARGET static float vector_sum_exp(const float *x, float shift, int n)
{
    vec sum = vec_all(0);
    float last[LANES];
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        sum += vec_exp(vec_load(x + i) - vec_all(shift));
    vec_store(last, vec_all(-INFINITY));
    memcpy(last, x + i, (size_t)(n - i) * sizeof *x);
    return vec_sum(sum + vec_exp(vec_load(last) - vec_all(shift)));
}

TARGET static void vector_tanh_dots(float *e, const float *v, const float *q,
                                    const float *keys, int n, int width)
{
    for (int row = 0; row < n; row++, keys += width) {
        vec sum = vec_all(0);
        for (int i = 0; i < width; i += LANES) {
            size_t left = (size_t)(width - i);
            vec t = vec_tanh(vec_part(q + i, left) + vec_part(keys + i, left));
            sum = vec_fma(vec_part(v + i, left), t, sum);
        }
        e[row] = vec_sum(sum);
    }
}

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

TARGET static void vector_gru(float *state, const float *in, const float *rec, int h)
{
    for (int i = 0; i < h; i += LANES) {
        const float *in_i = in + i, *rec_i = rec + i;
        size_t left = (size_t)(h - i);
        vec r = vec_sigmoid(vec_part(in_i, left) + vec_part(rec_i, left));
        vec z = vec_sigmoid(vec_part(in_i + h, left) + vec_part(rec_i + h, left));
        vec n = vec_tanh(
            vec_fma(r, vec_part(rec_i + 2 * h, left), vec_part(in_i + 2 * h, left)));
        vec s = vec_part(state + i, left);
        vec_store_part(state + i, vec_fma(z, s, n - z * n), left);
    }
}

TARGET static void vector_lstm(float *state, float *cell, const float *gates, int h)
{
    for (int i = 0; i < h; i += LANES) {
        const float *at = gates + i;
        size_t left = (size_t)(h - i);
        vec in = vec_sigmoid(vec_part(at, left));
        vec forget = vec_sigmoid(vec_part(at + h, left));
        vec new = vec_tanh(vec_part(at + 2 * h, left));
        vec out = vec_sigmoid(vec_part(at + 3 * h, left));
        vec c = vec_fma(forget, vec_part(cell + i, left), in * new);
        vec_store_part(cell + i, c, left);
        vec_store_part(state + i, out * vec_tanh(c), left);
    }
}

const struct kernels SET = {
    .name = NAME,
    .product = vector_product,
    .product_best = vector_product_best,
    .tanh_dots = vector_tanh_dots,
    .blend = vector_blend,
    .sum_exp = vector_sum_exp,
    .exp = vector_exp,
    .tanh = vector_tanh,
    .sigmoid = vector_sigmoid,
    .gru = vector_gru,
    .lstm = vector_lstm,
};

#endif
