// SPDX-License-Identifier: MIT
// In double: what is shown here is rounded to a few digits once, not twice. See
// softmax.h.
#include "align/softmax.h"

#include <math.h>
#include <stddef.h>

double softmax_scaled(const struct softmax_parts *parts, float e)
{
    if (isinf(parts->tau))
        return 0;
    if (parts->tau > 0)
        return (double)e / (double)parts->tau;
    return e > 0 ? (double)INFINITY : e < 0 ? -(double)INFINITY : 0;
}

double softmax_shifted(const struct softmax_parts *parts, float e)
{
    if (isinf(parts->tau) || !(e < parts->best_e))
        return 0;
    if (parts->tau > 0)
        return ((double)e - (double)parts->best_e) / (double)parts->tau;
    return -(double)INFINITY;
}

double softmax_power(const struct softmax_parts *parts, const float *e, int s)
{
    if (!(parts->tau > 0))
        return s == parts->best ? 1 : 0;
    return exp(softmax_shifted(parts, e[s]));
}

struct softmax_parts softmax_take_apart(const float *e, const bool *blocked, int n,
                                        float tau)
{
    struct softmax_parts parts = {.tau = tau, .best = -1};
    for (int s = 0; s < n; s++)
        if (!(blocked && blocked[s]) && (parts.best < 0 || e[s] > parts.best_e)) {
            parts.best_e = e[s];
            parts.best = s;
        }
    parts.most = softmax_scaled(&parts, parts.best_e);
    for (int s = 0; s < n; s++)
        parts.sum += blocked && blocked[s] ? 0 : softmax_power(&parts, e, s);
    return parts;
}

double softmax_slope(const float *alpha, int i, int j, float tau)
{
    if (!(tau > 0) || isinf(tau))
        return 0;
    double own = i == j ? 1 : 0;
    return (double)alpha[i] * (own - (double)alpha[j]) / (double)tau;
}
