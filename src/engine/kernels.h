// SPDX-License-Identifier: MIT
// The arithmetic. Weights are read where they lie, as F32, F16 or BF16, aligned or not;
// activations are float. kernels_plain is portable C; kernels_best picks, once, the
// fastest set this processor runs. Every set agrees with the plain one to rounding
// (tests/kernels proves the bound), and rows are always summed in the same order, so that
// a run repeats bit for bit on one machine.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum dtype { DTYPE_F32, DTYPE_F16, DTYPE_BF16 };
const char *dtype_name(enum dtype type);
size_t dtype_size(enum dtype type);

struct tensor { // a matrix of weights, row-major, not owned
    const void *data;
    enum dtype type;
    int rows, cols; // a vector has rows = n, cols = 1
};

struct kernels {
    const char *name; // "plain", "avx2"
    // out (n, rows) = x (n, cols) Wᵀ + bias (rows); bias NULL or without data: none. Each
    // of the sums is the same bit for bit whatever n is and whatever rows stand beside
    // it.
    void (*product)(float *out, const struct tensor *w, const float *x, int n,
                    const struct tensor *bias);
    // Σ_i v_i tanh(q_i + k_i), i < n
    float (*dot_tanh)(const float *v, const float *q, const float *k, int n);
    float (*dot)(const float *a, const float *b, int n);
    // out (n) += scale * x (n)
    void (*add_scaled)(float *out, const float *x, float scale, int n);
    // Σ_i exp(x_i - shift), i < n, for shift >= every x_i
    float (*sum_exp)(const float *x, float shift, int n);
};

extern const struct kernels kernels_plain;
const struct kernels *kernels_best(void);

// Row `row` of a weight matrix as floats: out (cols).
void tensor_row(float *out, const struct tensor *w, int row);
// A whole vector (rows * cols values) as floats.
void tensor_floats(float *out, const struct tensor *w);
// out (rows * cols) += the vector; NULL or without data: nothing.
void tensor_add(float *out, const struct tensor *bias);
// False when any value is NaN or infinite; *where is then its flat index.
bool tensor_finite(const struct tensor *w, size_t *where);

// alpha (n) = softmax(e / tau), the maximum subtracted first. blocked (n) may be NULL; a
// blocked position gets exactly 0, after the temperature. tau = 0: exact one-hot on the
// first maximum; tau = INFINITY: exactly 1 / (number of open positions). All blocked:
// zeros. A score that is not a number counts as blocked. tau must be >= 0 and not NaN
// (see tau_valid).
void softmax_tau(float *alpha, const float *e, const bool *blocked, int n, float tau);
bool tau_valid(float tau);
