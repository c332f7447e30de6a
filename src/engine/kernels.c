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
#include "engine/kernels_sets.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
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
    size_t at = (size_t)row * (size_t)(w->cols + w->skip) * dtype_size(w->type);
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

static float plain_sum(const struct tensor *w, int row, const float *x,
                       const struct tensor *bias)
{
    const unsigned char *at = row_bytes(w, row);
    float sum, b = 0;
    if (w->type == DTYPE_F32)
        sum = row_dot(at, DTYPE_F32, x, w->cols);
    else if (w->type == DTYPE_F16)
        sum = row_dot(at, DTYPE_F16, x, w->cols);
    else
        sum = row_dot(at, DTYPE_BF16, x, w->cols);
    if (bias && bias->data)
        widen(&b, row_bytes(bias, row), bias->type, 1);
    return sum + b;
}

static void plain_product(float *out, const struct tensor *w, const float *x, int n,
                          const struct tensor *bias)
{
    for (int i = 0; i < n; i++, out += w->rows, x += w->cols)
        for (int row = 0; row < w->rows; row++)
            out[row] = plain_sum(w, row, x, bias);
}

static struct best plain_product_best(float *out, const struct tensor *w, const float *x,
                                      const struct tensor *bias)
{
    struct best best = {0, -INFINITY};
    for (int row = 0; row < w->rows; row++) {
        float value = plain_sum(w, row, x, bias);
        if (value > best.value)
            best = (struct best){row, value};
        if (out)
            out[row] = value;
    }
    return best;
}

static void plain_tanh_dots(float *e, const float *v, const float *q, const float *keys,
                            int n, int width)
{
    for (int row = 0; row < n; row++, keys += width) {
        float lane[LANES] = {0};
        for (int i = 0; i < width; i++)
            lane[i % LANES] += v[i] * tanhf(q[i] + keys[i]);
        e[row] = lanes_sum(lane);
    }
}

static float plain_sum_exp(const float *x, float shift, int n)
{
    float lane[LANES] = {0};
    for (int i = 0; i < n; i++)
        lane[i % LANES] += expf(x[i] - shift);
    return lanes_sum(lane);
}

static void plain_blend(float *out, const float *weights, const float *rows, int n,
                        int width)
{
    for (int i = 0; i < width; i++)
        out[i] = 0;
    for (int row = 0; row < n; row++, rows += width)
        for (int i = 0; i < width; i++)
            out[i] += weights[row] * rows[i];
}

static float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

static void plain_exp(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = expf(x[i]);
}

static void plain_tanh(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = tanhf(x[i]);
}

static void plain_sigmoid(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = sigmoid(x[i]);
}

static void plain_softmax(float *alpha, const float *e, int n, float tau)
{
    float high = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        high = e[i] > high ? e[i] : high;
    if (isinf(high))
        high = 0; // zeros
    for (int i = 0; i < n; i++)
        sum += alpha[i] = expf((e[i] - high) / tau);
    for (int i = 0; sum > 0 && i < n; i++)
        alpha[i] /= sum;
}

static float gate_of(enum gate gate, float x)
{
    if (gate == GATE_SIGMOID)
        return sigmoid(x);
    float y = (gate == GATE_HARD_FIFTH ? x * 0.2f : x / 6.0f) + 0.5f;
    return y < 0 ? 0 : y > 1 ? 1 : y;
}

static void plain_gru(float *state, const struct gates *in, const struct gates *rec,
                      int h, enum gate gate, bool z_is_new)
{
    for (int i = 0; i < h; i++) {
        float r = in->at[0] ? gate_of(gate, in->at[0][i] + rec->at[0][i]) : 1;
        float z = gate_of(gate, in->at[1][i] + rec->at[1][i]);
        float n = tanhf(in->at[2][i] + r * rec->at[2][i]);
        state[i] =
            z_is_new ? (1.0f - z) * state[i] + z * n : (1.0f - z) * n + z * state[i];
    }
}

static void plain_gru_reset(float *kept, const float *in_r, const float *rec_r,
                            const float *state, int h, enum gate gate)
{
    for (int i = 0; i < h; i++)
        kept[i] = gate_of(gate, in_r[i] + rec_r[i]) * state[i];
}

static void plain_lstm(float *state, float *cell, const struct gates *in,
                       const struct gates *rec, int h, enum gate gate, float forget_bias)
{
    for (int i = 0; i < h; i++) {
        float taken = gate_of(gate, in->at[0][i] + rec->at[0][i]);
        float kept = gate_of(gate, in->at[1][i] + rec->at[1][i] + forget_bias);
        float new = tanhf(in->at[2][i] + rec->at[2][i]);
        float out = gate_of(gate, in->at[3][i] + rec->at[3][i]);
        cell[i] = kept * cell[i] + taken * new;
        state[i] = out * tanhf(cell[i]);
    }
}

static unsigned plain_read(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t word, all = 0;
    for (size_t i = 0; i + 64 <= bytes; i += 64)
        for (size_t k = 0; k < 64; k += sizeof word) {
            memcpy(&word, at + i + k, sizeof word);
            all |= word;
        }
    return (unsigned)(all | all >> 32);
}

const struct kernels kernels_plain = {
    .name = "plain",
    .product = plain_product,
    .product_best = plain_product_best,
    .tanh_dots = plain_tanh_dots,
    .blend = plain_blend,
    .sum_exp = plain_sum_exp,
    .exp = plain_exp,
    .tanh = plain_tanh,
    .sigmoid = plain_sigmoid,
    .softmax = plain_softmax,
    .gru = plain_gru,
    .gru_reset = plain_gru_reset,
    .lstm = plain_lstm,
    .read = plain_read,
};

int kernels_here(const struct kernels **sets)
{
    int count = 0;
#if defined(__x86_64__)
    if (kernels_avx512_runs())
        sets[count++] = &kernels_avx512;
    if (kernels_avx2_runs())
        sets[count++] = &kernels_avx2;
#elif defined(__aarch64__)
    sets[count++] = &kernels_neon;
#endif
    sets[count++] = &kernels_plain;
    return count;
}

// Asking the processor is slow on a virtual machine, so the answer is kept; threads that
// ask at the same time find the same one.
const struct kernels *kernels_best(void)
{
    static _Atomic(const struct kernels *) best;
    const struct kernels *known = atomic_load_explicit(&best, memory_order_relaxed);
    if (known)
        return known;
    const struct kernels *sets[KERNELS_SETS];
    kernels_here(sets);
    atomic_store_explicit(&best, sets[0], memory_order_relaxed);
    return sets[0];
}

struct tensor tensor_rows(const struct tensor *w, int first, int rows)
{
    assert(first >= 0 && rows >= 0 && first + rows <= w->rows);
    return (struct tensor){row_bytes(w, first), w->type, rows, w->cols, w->skip};
}

struct tensor tensor_columns(const struct tensor *w, int first, int cols)
{
    if (!w->data)
        return *w;
    assert(first >= 0 && cols >= 0 && first + cols <= w->cols);
    const unsigned char *at = row_bytes(w, 0) + (size_t)first * dtype_size(w->type);
    return (struct tensor){at, w->type, w->rows, cols, w->cols - cols + w->skip};
}

void tensor_row(float *out, const struct tensor *w, int row)
{
    assert(row >= 0 && row < w->rows);
    widen(out, row_bytes(w, row), w->type, (size_t)w->cols);
}

void tensor_floats(float *out, const struct tensor *w)
{
    assert(!w->skip);
    widen(out, w->data, w->type, (size_t)w->rows * (size_t)w->cols);
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
    assert(!w->skip);
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

bool floats_finite(const float *x, int n)
{
    size_t where;
    const struct tensor all = {x, DTYPE_F32, n, 1, 0};
    return tensor_finite(&all, &where);
}

void floats_add(float *restrict to, const float *restrict from, int n)
{
    enum { BLOCK = 16 };
    int i = 0;
    for (; i + BLOCK <= n; i += BLOCK) // of constant length: vectors
        for (int k = 0; k < BLOCK; k++)
            to[i + k] += from[i + k];
    for (; i < n; i++)
        to[i] += from[i];
}

int floats_above(const float *x, int i, int n, float limit)
{
    enum { BLOCK = 16 };
    for (; i + BLOCK <= n; i += BLOCK) {
        int above = 0; // a loop of constant length without branches: vectors
        for (int k = 0; k < BLOCK; k++)
            above |= x[i + k] > limit;
        if (above)
            break;
    }
    while (i < n && !(x[i] > limit))
        i++;
    return i;
}

float floats_length(const float *x, int n)
{
    enum { CHAINS = 4 };
    double sums[CHAINS] = {0};
    int i = 0;
    for (; i + CHAINS <= n; i += CHAINS)
        for (int k = 0; k < CHAINS; k++)
            sums[k] += (double)x[i + k] * (double)x[i + k];
    for (; i < n; i++)
        sums[i % CHAINS] += (double)x[i] * (double)x[i];
    return (float)sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
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
static int first_maximum(const float *e, const bool *blocked, int n)
{
    int best = -1;
    for (int i = 0; i < n; i++)
        if (is_open(e, blocked, i) && (best < 0 || e[i] > e[best]))
            best = i;
    return best;
}

// A score as the kernel takes it. Where the weight goes to the greatest alone or to all
// alike, what gets some has 0 and what gets none has -INFINITY.
static float taken_score(float e, float highest, bool first, float tau)
{
    if (tau == 0)
        return first ? 0 : -INFINITY;
    if (isinf(tau))
        return 0;
    if (isinf(highest))
        return e == highest ? 0 : -INFINITY;
    return e;
}

void softmax_tau(const struct kernels *kernels, float *alpha, const float *e,
                 const bool *blocked, int n, float tau)
{
    bool ends = tau == 0 || isinf(tau); // of what τ may be
    if (!ends && !blocked && floats_finite(e, n)) {
        kernels->softmax(alpha, e, n, tau);
        return;
    }
    int best = first_maximum(e, blocked, n);
    const float highest = best < 0 ? 0 : e[best];
    for (int i = 0; i < n; i++)
        alpha[i] = is_open(e, blocked, i) ? taken_score(e[i], highest, i == best, tau)
                                          : -INFINITY;
    kernels->softmax(alpha, alpha, n, ends ? 1 : tau);
}
