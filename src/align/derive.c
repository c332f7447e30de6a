// SPDX-License-Identifier: MIT
// Numbers made from those of a matrix. See derive.h.
#include "align/derive.h"

#include <math.h>
#include <string.h>

static size_t at(int row, int columns)
{
    return (size_t)row * (size_t)columns;
}

void derive_hard(const float *alpha, int rows, int columns, float *out)
{
    memset(out, 0, at(rows, columns) * sizeof *out);
    for (int t = 0; t < rows; t++) {
        const float *row = alpha + at(t, columns);
        int best = -1;
        bool whole = true;
        for (int s = 0; s < columns; s++) {
            whole = whole && !isnan(row[s]);
            if (row[s] > (best < 0 ? 0 : row[best]))
                best = s;
        }
        if (whole && best >= 0)
            out[at(t, columns) + (size_t)best] = 1;
    }
}

void derive_rows(const float *alpha, int rows, int columns, const bool *chosen, bool mean,
                 float *out)
{
    for (int s = 0; s < columns; s++) {
        double sum = 0;
        int count = 0;
        for (int t = 0; t < rows; t++) {
            sum += chosen[t] ? (double)alpha[at(t, columns) + (size_t)s] : 0;
            count += chosen[t];
        }
        out[s] = (float)(mean && count ? sum / count : sum);
    }
}

void derive_columns(const float *alpha, int rows, int columns, const bool *chosen,
                    bool mean, float *out)
{
    for (int t = 0; t < rows; t++) {
        double sum = 0;
        int count = 0;
        for (int s = 0; s < columns; s++) {
            sum += chosen[s] ? (double)alpha[at(t, columns) + (size_t)s] : 0;
            count += chosen[s];
        }
        out[t] = (float)(mean && count ? sum / count : sum);
    }
}

void derive_gradient(const float *alpha, int n, float tau, float *out)
{
    bool flat = !(tau > 0) || isinf(tau);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float own = i == j ? 1.0f : 0.0f;
            out[at(i, n) + (size_t)j] = flat ? 0 : alpha[i] * (own - alpha[j]) / tau;
        }
}
