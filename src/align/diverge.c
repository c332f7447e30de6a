// SPDX-License-Identifier: MIT
// Jensen-Shannon divergence. See diverge.h. It is summed as two Kullback-Leibler
// divergences to the mean m, whose terms are small where p and q are close:
//   JSD = Σ_s (p log2(p / m) + q log2(q / m)) / 2
#include "align/diverge.h"

#include <math.h>
#include <stddef.h>

#include "align/readings.h"

static double sum_of(const float *p, int n)
{
    double sum = 0;
    for (int s = 0; s < n; s++)
        sum += (double)p[s];
    return sum;
}

static double term(double p, double mean)
{
    return p > 0 ? p * log2(p / mean) / 2 : 0;
}

float diverge_rows(const float *p, const float *q, int n)
{
    if (!readings_can_read(p, n) || !readings_can_read(q, n))
        return NAN;
    double p_sum = sum_of(p, n), q_sum = sum_of(q, n), bits = 0;
    for (int s = 0; s < n; s++) {
        double a = (double)p[s] / p_sum, b = (double)q[s] / q_sum, mean = (a + b) / 2;
        bits += term(a, mean) + term(b, mean);
    }
    return (float)fmin(fmax(bits, 0), 1);
}
