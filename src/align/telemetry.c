// SPDX-License-Identifier: MIT
// Entropy, effective words, coverage. See telemetry.h.
//
// Sums run in double: a row of 513 floats then says 1.000 when it is 1. A zero weight
// adds nothing to the entropy (x log x → 0), and rounding never takes it outside
// 0 ≤ H ≤ log2 n.
#include "align/telemetry.h"

#include <math.h>
#include <stddef.h>

struct row_stats telemetry_row(const float *alpha, int n)
{
    struct row_stats stats = {.argmax = -1};
    double entropy = 0, sum = 0;
    for (int s = 0; s < n; s++) {
        double a = (double)alpha[s];
        sum += a;
        if (a > 0)
            entropy -= a * log2(a);
        if (s == 0 || alpha[s] > stats.max) {
            stats.max = alpha[s];
            stats.argmax = s;
        }
    }
    if (sum > 0) // of a / Σ a
        entropy = entropy / sum + log2(sum);
    float most = n > 0 ? (float)log2(n) : 0.0f;
    float bits = (float)entropy;
    stats.entropy_bits = bits > 0.0f ? (bits < most ? bits : most) : 0.0f;
    stats.effective = n > 0 ? exp2f(stats.entropy_bits) : 0.0f;
    stats.sum = (float)sum;
    return stats;
}

// Row by row over a block of columns: down a column, each weight is a cache miss.
void telemetry_coverage(const float *alpha, int rows, int n_src, float *out)
{
    enum { BLOCK = 64 };
    for (int from = 0; from < n_src; from += BLOCK) {
        double sums[BLOCK] = {0};
        int count = n_src - from < BLOCK ? n_src - from : BLOCK;
        for (int t = 0; t < rows; t++)
            for (int s = 0; s < count; s++)
                sums[s] += (double)alpha[(size_t)t * (size_t)n_src + (size_t)(from + s)];
        for (int s = 0; s < count; s++)
            out[from + s] = (float)sums[s];
    }
}
