// SPDX-License-Identifier: MIT
// What a matrix says of itself: entropy, effective words, coverage.
#pragma once

struct row_stats {
    float entropy_bits; // H = -Σ p log2 p of p = α / Σ α, 0 ≤ H ≤ log2 n
    float effective;    // 2^H words
    float sum;          // Σ α: 1 for an honest row
    float max;
    int argmax; // the first maximum; -1 for n = 0
};

// alpha: (n,)
struct row_stats telemetry_row(const float *alpha, int n);
// coverage_s = Σ_t α_ts over the first rows rows of alpha (rows, n_src) into out (n_src).
// Tu, Lu, Liu, Liu, Li 2016 call the running form of it the coverage vector.
void telemetry_coverage(const float *alpha, int rows, int n_src, float *out);
