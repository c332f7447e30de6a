// SPDX-License-Identifier: MIT
// IBM Model 1 (Brown, Della Pietra, Della Pietra, Mercer 1993) of one sentence pair:
//   p(f, a | e) ∝ Π_j t(f_j | e_{a_j}),   a_j from 0 (NULL) to I, all alike before
// so that each target word is aligned for itself. See ibm1.h.
#include "align/ibm1.h"

#include <stddef.h>

#include "align/readings.h"

void ibm1_align(const float *t, int n_tgt, int n_src, float *posterior, int *best)
{
    int width = n_src + 1;
    for (int j = 0; j < n_tgt; j++) {
        const float *row = t + (size_t)j * (size_t)width;
        float *to = posterior + (size_t)j * (size_t)width;
        double sum = 0;
        int most = n_src;
        for (int i = 0; i < width; i++)
            sum += (double)row[i];
        for (int i = 0; i < width; i++)
            to[i] = sum > 0 ? (float)((double)row[i] / sum) : 0;
        for (int i = n_src - 1; i >= 0; i--)
            most = row[i] > 0 && row[i] >= row[most] ? i : most;
        best[j] = most < n_src ? most : -1;
    }
}

// The largest, where no other is as large: of equal weights none is what a row reads
// most.
static int largest(const float *row, int n)
{
    const float alike = 1 - 1e-5f;
    int best = 0;
    for (int i = 1; i < n; i++)
        best = row[i] > row[best] ? i : best;
    for (int i = 0; i < n; i++)
        if (i != best && row[i] >= alike * row[best])
            return -1;
    return best;
}

void ibm1_mark(const float *t, const float *alpha, int n_tgt, int n_src,
               unsigned char *cells, unsigned char *rows)
{
    for (int j = 0; j < n_tgt; j++) {
        const float *row = alpha + (size_t)j * (size_t)n_src;
        const float *listed = t + (size_t)j * (size_t)(n_src + 1);
        unsigned char *to = cells + (size_t)j * (size_t)n_src;
        bool can_read = readings_can_read(row, n_src), any = false;
        int peak = can_read ? largest(row, n_src) : -1;
        for (int i = 0; i < n_src; i++) {
            bool read = can_read && (i == peak || row[i] >= IBM1_READ);
            bool has = listed[i] >= IBM1_LISTED;
            any = any || has;
            to[i] = !has ? IBM1_CELL_PLAIN : read ? IBM1_CELL_AGREES : IBM1_CELL_LISTED;
        }
        rows[j] = !any || peak < 0              ? IBM1_ROW_UNLISTED
                  : listed[peak] >= IBM1_LISTED ? IBM1_ROW_AGREES
                                                : IBM1_ROW_DISAGREES;
    }
}
