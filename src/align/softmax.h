// SPDX-License-Identifier: MIT
// The softmax of one row taken apart, as the stable form computes it:
//   a = e / τ,   a - max a,   exp(a - max a),   divided by their sum.
// At τ = 0 and τ = ∞ the parts are the limits, and the first of equal maxima takes all.
#pragma once

#include <stdbool.h>

struct softmax_parts {
    float tau;
    float best_e; // max e
    int best;     // the first position that has it; -1 for n = 0
    double most;  // max e / τ
    double sum;   // Σ exp(e / τ - most)
};

// e: (n), finite. blocked: (n) positions that a mask takes out; NULL: none. Where all
// are, best is -1, and the sum 0.
struct softmax_parts softmax_take_apart(const float *e, const bool *blocked, int n,
                                        float tau);
double softmax_scaled(const struct softmax_parts *parts, float e);  // e / τ
double softmax_shifted(const struct softmax_parts *parts, float e); // e / τ - most
// exp of that, at position s of e
double softmax_power(const struct softmax_parts *parts, const float *e, int s);
// ∂α_i/∂e_j = α_i (δ_ij - α_j) / τ; 0 at τ = 0, where α jumps, and at τ = ∞. At most
// 0.25 / τ, where α_i is a half.
double softmax_slope(const float *alpha, int i, int j, float tau);
