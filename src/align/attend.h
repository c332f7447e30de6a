// SPDX-License-Identifier: MIT
// The bare equation: attention over matrices that somebody has written down, in double.
//
//   Attention(Q, K, V) = softmax(Q Kᵀ / √d) V     Vaswani et al. 2017, equation 1
//
// with what is put around it, in this order; a vector is a row.
//   order      row i of K and of V is row order[i] of what was given
//   positions  are added to the rows of K; what is not given follows: without K, Q = K
//              (self-attention), without V, V = K
//   W          Q W_Q, K W_K, V W_V; one that is not given is the identity
//   normalise  rows of Q and K are divided by their lengths; a row of zeros stays
//   score      dot q·k, scaled dot q·k / √d, cosine q·k / (‖q‖ ‖k‖) (0 for a row of
//              zeros), additive Σ v tanh(W_q q + W_k k) (Bahdanau, Cho, Bengio 2015)
//   mask       a key that a query may not read has no part in its softmax
//   softmax    a = e / τ,  α = exp(a - max a) / Σ exp(a - max a); τ = 0: 1 at the first
//              of the largest; τ = ∞: all alike
//   output     c = Σ α v
// A query that may read no key at all has α = 0, entropy 0 and c = 0; `readable` says so.
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

enum { ATTEND_MAX = 512 }; // rows and columns of anything

struct attend_matrix { // at[row * columns + column]; rows 0: not given
    int rows, columns;
    const double *at;
};

enum attend_score {
    ATTEND_DOT,
    ATTEND_SCALED_DOT,
    ATTEND_COSINE,
    ATTEND_ADDITIVE,
    ATTEND_SCORES,
};
enum attend_mask {
    ATTEND_NO_MASK,
    ATTEND_CAUSAL, // query i may read keys 0 to i
    ATTEND_ALLOWED,
    ATTEND_MASKS,
};
enum attend_part { // the matrices, as the sheets and the pages name them
    ATTEND_Q,
    ATTEND_K,
    ATTEND_V,
    ATTEND_W_Q,
    ATTEND_W_K,
    ATTEND_W_V,
    ATTEND_SCORE_Q, // (h, d of q), not given: the identity
    ATTEND_SCORE_K, // (h, d of k), not given: the identity
    ATTEND_SCORE_V, // (1, h), not given: ones
    ATTEND_MASK,    // (queries, keys) 1: may be read, 0: not; with ATTEND_ALLOWED
    ATTEND_POSITIONS,
    ATTEND_ORDER, // (1, keys) whole numbers from 1, each once
    ATTEND_PARTS,
};

struct attend {
    struct attend_matrix part[ATTEND_PARTS];
    enum attend_score score;
    enum attend_mask mask;
    bool normalise;
    double tau;
};

struct attend_result { // everything is (rows, columns) in the caller's arena
    int queries, keys;
    int width;               // of a query and a key when they are compared
    int columns;             // of V and of the output
    const double *q, *k, *v; // as they are compared and blended
    const double *score;     // (queries, keys), of masked pairs too
    const bool *masked;      // (queries, keys)
    const double *alpha;     // (queries, keys)
    const double *output;    // (queries, columns)
    const double *entropy;   // (queries) in bits
    const double *slope; // (queries) ‖∂α/∂e‖, the Frobenius norm; 0 at τ = 0 and ∞
    const int *readable; // (queries) keys that are not masked
};

// "dot", "scaled-dot", "cosine", "additive"; "none", "causal", "given"; "Q", "W_Q", ...
const char *attend_score_name(enum attend_score score);
const char *attend_mask_name(enum attend_mask mask);
const char *attend_part_name(enum attend_part part);
// False with one sentence: a size that does not fit, a number that is not finite.
MUST_CHECK bool attend_compute(struct attend_result *out, const struct attend *input,
                               struct arena *arena, struct error *err);

// One row of the softmax without subtracting the maximum, as it is written in books:
// exp(a) / Σ exp(a). Returns false when an exponential overflows, and leaves α as it
// then is, with NaN where ∞ is divided by ∞.
bool attend_naive(const struct attend_result *result, int query, double tau,
                  double *alpha);
// Largest x whose exp is finite, in IEEE double, single and half precision.
extern const double attend_exp_limits[3];

struct attend_softmax { // of one row
    double entropy_bits;
    double norm; // ‖diag(α) - α αᵀ‖, Frobenius
};
// α of scores that may hold -INFINITY for masked ones. e, alpha: (n), n ≤ ATTEND_MAX
struct attend_softmax attend_softmax(const double *e, int n, double tau, double *alpha);
