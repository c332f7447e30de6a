// SPDX-License-Identifier: MIT
// The plain kernels: portable C, the ones every faster set is compared with.
//
// A sum over a row runs in eight lanes, lane l taking elements l, l + 8, ..., and the
// lanes are added in a fixed tree. A compiler can keep the lanes in vector registers, and
// the order, so the result, depends on nothing but the row itself.
//
// Softmax with temperature: alpha_i = exp((e_i - max e) / tau) / sum. Taking the maximum
// away before the division keeps every exponent <= 0, so no tau makes it overflow.
#include "engine/kernels.h"

#include "engine/floats.h"
#include "engine/kernels_avx2.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

enum { LANES = 8 };

const char *dtype_name(enum dtype type)
{
    static const char *const names[] = {"F32", "F16", "BF16"};
    return names[type];
}

size_t dtype_size(enum dtype type)
{
    return type == DTYPE_F32 ? 4 : 2;
}

static const unsigned char *row_bytes(const struct tensor *w, int row)
{
    size_t at = (size_t)row * (size_t)w->cols * dtype_size(w->type);
    return (const unsigned char *)w->data + at;
}

// Eight values as floats. The loops have a fixed length so that a compiler turns each
// into a few vector instructions.
static inline void widen_lanes(float *out, const unsigned char *data, enum dtype type)
{
    uint32_t whole[LANES];
    uint16_t bits[LANES];
    if (type == DTYPE_F32) {
        memcpy(whole, data, sizeof whole);
        for (int l = 0; l < LANES; l++)
            out[l] = float_from_bits(whole[l]);
        return;
    }
    memcpy(bits, data, sizeof bits);
    if (type == DTYPE_F16)
        for (int l = 0; l < LANES; l++)
            out[l] = float_from_half(bits[l]);
    else
        for (int l = 0; l < LANES; l++)
            out[l] = float_from_bfloat(bits[l]);
}

// The last n < 8 values, the rest zero: nothing past the row is read.
static void widen_tail(float *out, const unsigned char *data, enum dtype type, size_t n)
{
    unsigned char bytes[LANES * sizeof(float)] = {0};
    memcpy(bytes, data, n * dtype_size(type));
    widen_lanes(out, bytes, type);
}

static void widen(float *out, const unsigned char *data, enum dtype type, size_t n)
{
    float tail[LANES];
    size_t i = 0, size = dtype_size(type);
    for (; i + LANES <= n; i += LANES)
        widen_lanes(out + i, data + i * size, type);
    if (i < n) {
        widen_tail(tail, data + i * size, type, n - i);
        memcpy(out + i, tail, (n - i) * sizeof *out);
    }
}

static float lanes_sum(const float *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static inline float row_dot(const unsigned char *row, enum dtype type, const float *x,
                            int n)
{
    size_t size = dtype_size(type);
    float lane[LANES] = {0}, w[LANES];
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        widen_lanes(w, row + (size_t)i * size, type);
        for (int l = 0; l < LANES; l++)
            lane[l] += w[l] * x[i + l];
    }
    if (i < n)
        widen_tail(w, row + (size_t)i * size, type, (size_t)(n - i));
    for (int l = 0; l < n - i; l++)
        lane[l] += w[l] * x[i + l];
    return lanes_sum(lane);
}

static void plain_vector(float *out, const struct tensor *w, const float *x)
{
    for (int row = 0; row < w->rows; row++) {
        const unsigned char *at = row_bytes(w, row);
        if (w->type == DTYPE_F32)
            out[row] = row_dot(at, DTYPE_F32, x, w->cols);
        else if (w->type == DTYPE_F16)
            out[row] = row_dot(at, DTYPE_F16, x, w->cols);
        else
            out[row] = row_dot(at, DTYPE_BF16, x, w->cols);
    }
}

static void plain_product(float *out, const struct tensor *w, const float *x, int n,
                          const struct tensor *bias)
{
    for (int i = 0; i < n; i++, out += w->rows, x += w->cols) {
        plain_vector(out, w, x);
        tensor_add(out, bias);
    }
}

static float plain_dot(const float *a, const float *b, int n)
{
    return row_dot((const unsigned char *)a, DTYPE_F32, b, n);
}

static float plain_dot_tanh(const float *v, const float *q, const float *k, int n)
{
    float lane[LANES] = {0};
    for (int i = 0; i < n; i++)
        lane[i % LANES] += v[i] * tanhf(q[i] + k[i]);
    return lanes_sum(lane);
}

static float plain_sum_exp(const float *x, float shift, int n)
{
    float lane[LANES] = {0};
    for (int i = 0; i < n; i++)
        lane[i % LANES] += expf(x[i] - shift);
    return lanes_sum(lane);
}

static void plain_add_scaled(float *out, const float *x, float scale, int n)
{
    for (int i = 0; i < n; i++)
        out[i] += scale * x[i];
}

const struct kernels kernels_plain = {
    .name = "plain",
    .product = plain_product,
    .dot_tanh = plain_dot_tanh,
    .dot = plain_dot,
    .add_scaled = plain_add_scaled,
    .sum_exp = plain_sum_exp,
};

const struct kernels *kernels_best(void)
{
#if defined(__x86_64__)
    if (kernels_avx2_runs())
        return &kernels_avx2;
#endif
    return &kernels_plain;
}

void tensor_row(float *out, const struct tensor *w, int row)
{
    assert(row >= 0 && row < w->rows);
    widen(out, row_bytes(w, row), w->type, (size_t)w->cols);
}

void tensor_floats(float *out, const struct tensor *w)
{
    widen(out, w->data, w->type, (size_t)w->rows * (size_t)w->cols);
}

void tensor_add(float *out, const struct tensor *bias)
{
    if (!bias || !bias->data)
        return;
    size_t size = dtype_size(bias->type), n = (size_t)bias->rows * (size_t)bias->cols;
    const unsigned char *data = bias->data;
    float values[LANES];
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        widen_lanes(values, data + i * size, bias->type);
        for (size_t l = 0; l < LANES; l++)
            out[i + l] += values[l];
    }
    if (i < n)
        widen_tail(values, data + i * size, bias->type, n - i);
    for (size_t l = 0; l < n - i; l++)
        out[i + l] += values[l];
}

// NaN and infinity have every exponent bit set. In each lane of a 64-bit word the masked
// exponent plus its lowest bit reaches the sign bit only then, and never carries further.
struct exponent {
    uint64_t mask, lowest, sign;
};

static struct exponent exponent_of(enum dtype type)
{
    if (type == DTYPE_F32)
        return (struct exponent){0x7f8000007f800000u, 0x0080000000800000u,
                                 0x8000000080000000u};
    if (type == DTYPE_F16)
        return (struct exponent){0x7c007c007c007c00u, 0x0400040004000400u,
                                 0x8000800080008000u};
    return (struct exponent){0x7f807f807f807f80u, 0x0080008000800080u,
                             0x8000800080008000u};
}

static bool words_finite(const unsigned char *data, size_t words, struct exponent x)
{
    uint64_t bad = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, data + 8 * i, sizeof word);
        bad |= ((word & x.mask) + x.lowest) & x.sign;
    }
    return bad == 0;
}

bool tensor_finite(const struct tensor *w, size_t *where)
{
    size_t size = dtype_size(w->type), n = (size_t)w->rows * (size_t)w->cols;
    size_t words = n * size / 8, from = words * 8 / size;
    const unsigned char *data = w->data;
    if (!words_finite(data, words, exponent_of(w->type)))
        from = 0;
    for (size_t i = from; i < n; i++) {
        float value;
        widen(&value, data + i * size, w->type, 1);
        if (!isfinite(value)) {
            *where = i;
            return false;
        }
    }
    return true;
}

bool tau_valid(float tau)
{
    return tau >= 0;
}

static bool is_open(const float *e, const bool *blocked, int i)
{
    return !(blocked && blocked[i]) && !isnan(e[i]);
}

// The first maximum among the open positions, -1 when there is none.
static int first_maximum(const float *e, const bool *blocked, int n, int *open)
{
    int best = -1;
    *open = 0;
    for (int i = 0; i < n; i++) {
        if (!is_open(e, blocked, i))
            continue;
        ++*open;
        if (best < 0 || e[i] > e[best])
            best = i;
    }
    return best;
}

void softmax_tau(float *alpha, const float *e, const bool *blocked, int n, float tau)
{
    int open, best = first_maximum(e, blocked, n, &open);
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float weight = 0;
        if (!is_open(e, blocked, i))
            weight = 0;
        else if (isinf(tau))
            weight = 1;
        else if (tau > 0)
            weight = e[i] == e[best] ? 1 : expf((e[i] - e[best]) / tau);
        else
            weight = i == best ? 1 : 0;
        alpha[i] = weight;
        sum += weight;
    }
    for (int i = 0; open > 0 && i < n; i++)
        alpha[i] /= sum;
}
