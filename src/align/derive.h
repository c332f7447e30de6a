// SPDX-License-Identifier: MIT
// Numbers made from those of a matrix: the hard alignment, several rows or columns as
// one, the slope of the softmax. Each writes into memory of the caller's.
#pragma once

#include <stdbool.h>

// 1 at the largest of each row, the first of equals, else 0. A row that holds a NaN or
// nothing above 0 becomes zeros.
void derive_hard(const float *alpha, int rows, int columns, float *out);
// chosen: (rows) or (columns); their sum, or the mean. out: (columns) or (rows); zeros
// when none is chosen.
void derive_rows(const float *alpha, int rows, int columns, const bool *chosen, bool mean,
                 float *out);
void derive_columns(const float *alpha, int rows, int columns, const bool *chosen,
                    bool mean, float *out);
// out (n, n), [i * n + j] = ∂α_i / ∂e_j = α_i (δ_ij - α_j) / τ of α = softmax(e / τ).
// Zeros at τ = 0, where α jumps, and at τ = ∞.
void derive_gradient(const float *alpha, int n, float tau, float *out);
