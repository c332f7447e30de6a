// SPDX-License-Identifier: MIT
// The arithmetic. Weights are read where they lie, as F32, F16 or BF16, aligned or not;
// activations are float. kernels_plain is portable C; kernels_best picks, once, the
// fastest set this processor runs. Every set agrees with the plain one to rounding
// (tests/kernels proves the bound), and rows are always summed in the same order, so that
// a run repeats bit for bit on one machine.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dtype { DTYPE_F32, DTYPE_F16, DTYPE_BF16 };
const char *dtype_name(enum dtype type);
size_t dtype_size(enum dtype type);

struct tensor { // a matrix of weights, row-major, not owned
    const void *data;
    enum dtype type;
    int rows, cols; // a vector has rows = n, cols = 1
    int skip;       // values between two rows, of a matrix that is columns of another
};

// Small products meet so many rows at once, and so many columns of each lie together.
enum { SMALL_ROWS = 64, SMALL_COLS = 4 };

// Where a weight of such rows is: four columns of all of them, then the next four.
static inline size_t small_at(int row, int col)
{
    return (size_t)((col / SMALL_COLS * SMALL_ROWS + row) * SMALL_COLS +
                    col % SMALL_COLS);
}

struct small_rows { // what small products say of rows, one number for each:
                    // engine/screen.h
    const int32_t *offset;
    const float *scale, *length, *rest, *bias, *slack;
};

struct small_vector {
    float scale, by_length, by_rest;
};

struct small_range {
    float low, high;
};

struct best { // a maximum and where it is
    int at;
    float value;
};

// The gate function: sigmoid, or one of Keras' two hard ones, x / 5 + 1/2 and x / 6 + 1/2
// between 0 and 1.
enum gate { GATE_SIGMOID, GATE_HARD_FIFTH, GATE_HARD_SIXTH };

struct gates { // one product of each gate, (h): r, z, n of a GRU; i, f, g, o of an LSTM
    const float *at[4];
};

struct kernels {
    const char *name; // "plain", "avx2", "avx512", "neon"
    // out (n, rows) = x (n, cols) Wᵀ + bias (rows); bias NULL or without data: none. Each
    // of the sums is the same bit for bit whatever n is and whatever rows stand beside
    // it.
    void (*product)(float *out, const struct tensor *w, const float *x, int n,
                    const struct tensor *bias);
    // The product with one vector, and in the same pass its first maximum. out may be
    // NULL: nothing is stored. A NaN is no maximum; of nothing but NaN it is row 0,
    // -INFINITY.
    struct best (*product_best)(float *out, const struct tensor *w, const float *x,
                                const struct tensor *bias);
    // out (n, SMALL_ROWS) = w (SMALL_ROWS, cols) u (n, cols)ᵀ of small integers, exactly:
    // w from -63 to 63, where small_at says, u from 0 to 127, cols a multiple of 64.
    // NULL: the set has none that is faster than its product.
    void (*small_product)(int32_t *out, const int8_t *w, int cols, const uint8_t *u,
                          int n);
    // Of `rows` rows, a multiple of 16, from their small products with a vector: upper
    // (rows), no less than what each comes to; returns the greatest of those and of the
    // lower bounds. NULL in the plain set.
    struct small_range (*small_bounds)(float *upper, const int32_t *products,
                                       struct small_rows of, int rows,
                                       const struct small_vector *vector);
    // e_j = Σ_i v_i tanh(q_i + k_ji); e (n), v and q (width), keys (n, width)
    void (*tanh_dots)(float *e, const float *v, const float *q, const float *keys, int n,
                      int width);
    // out (width) = Σ_j weights_j row_j; weights (n), rows (n, width)
    void (*blend)(float *out, const float *weights, const float *rows, int n, int width);
    // Σ_i exp(x_i - shift), i < n, for shift >= every x_i
    float (*sum_exp)(const float *x, float shift, int n);
    // In place, x (n), within these units in the last place of the true value: exp 2,
    // tanh 4, sigmoid 4. Where floats lose their digits, below x = -87, exp is 0 and
    // sigmoid absolutely within 2e-38; exp is infinite above 88.25.
    void (*exp)(float *x, int n);
    void (*tanh)(float *x, int n);
    void (*sigmoid)(float *x, int n);
    // alpha (n) = softmax(e / tau), e (n) or alpha itself: the maximum is subtracted
    // first. 0 < tau < INFINITY. A score may be -INFINITY, which weighs exactly 0 (all of
    // them: zeros), but not INFINITY or NaN; softmax_tau is for every tau and score. The
    // sum is made in the order of the row, so that one without weight changes no bit. A
    // weight is within (|e - max| / tau + n / 4 + 10) FLT_EPSILON of itself.
    void (*softmax)(float *alpha, const float *e, int n, float tau);
    // What a cell does after its products, of x (in = W x + b) and of the state before
    // (rec = U h + d); σ is the gate function. Absolutely within 1e-6 where products are
    // at most 3 and states and cells at most 1.
    // GRU: state (h) <- (1 - z) n + z state, or, z_is_new, (1 - z) state + z n
    //   with z = σ(in_z + rec_z), n = tanh(in_n + r rec_n), r = σ(in_r + rec_r)
    // Where the reset gate has acted before the product, in.at[0] is NULL, and r is 1.
    void (*gru)(float *state, const struct gates *in, const struct gates *rec, int h,
                enum gate gate, bool z_is_new);
    // That earlier act: kept (h) = σ(in_r + rec_r) state
    void (*gru_reset)(float *kept, const float *in_r, const float *rec_r,
                      const float *state, int h, enum gate gate);
    // LSTM, f with a bias of its own: cell <- f cell + i tanh(in_g + rec_g), state <- o
    // tanh(cell), i = σ(in_i + rec_i) and so on
    void (*lstm)(float *state, float *cell, const struct gates *in,
                 const struct gates *rec, int h, enum gate gate, float forget_bias);
    // Reads the bytes (whole 64 of them) and as good as nothing else: all their bits
    // joined by or. What a benchmark compares the others with.
    unsigned (*read)(const void *data, size_t bytes);
};

extern const struct kernels kernels_plain;
const struct kernels *kernels_best(void);
enum { KERNELS_SETS = 4 };
// All that run on this processor, the fastest first, plain last; returns how many.
int kernels_here(const struct kernels **sets); // (KERNELS_SETS)

// `rows` rows from `first` as a matrix of their own.
struct tensor tensor_rows(const struct tensor *w, int first, int rows);
// `cols` columns from `first`; of a tensor without data, none.
struct tensor tensor_columns(const struct tensor *w, int first, int cols);
// Row `row` of a weight matrix as floats: out (cols).
void tensor_row(float *out, const struct tensor *w, int row);
// A whole tensor without skips (rows * cols values) as floats.
void tensor_floats(float *out, const struct tensor *w);
// False when any value is NaN or infinite, of a tensor without skips; *where is then its
// flat index.
bool tensor_finite(const struct tensor *w, size_t *where);
bool floats_finite(const float *x, int n);
void floats_add(float *restrict to, const float *restrict from, int n); // to += from
// The first place from i on with a value above the limit; n: there is none.
int floats_above(const float *x, int i, int n, float limit);
float floats_length(const float *x, int n); // √Σ x_i², summed in double

// alpha (n) = softmax(e / tau), e (n) or alpha itself, by the set's kernel. blocked (n)
// may be NULL; a blocked position gets exactly 0, after the temperature. tau = 0: exact
// one-hot on the first maximum; tau = INFINITY: exactly 1 / (number of open positions).
// All blocked: zeros. A score that is not a number counts as blocked. tau must be >= 0
// and not NaN (see tau_valid).
void softmax_tau(const struct kernels *kernels, float *alpha, const float *e,
                 const bool *blocked, int n, float tau);
bool tau_valid(float tau);
