// SPDX-License-Identifier: MIT
// Random queries and keys of growing size. See attend_scaling.h.
#include "align/attend_scaling.h"

#include <math.h>

#include "align/attend.h"

enum { FIRST = 4, WIDEST = FIRST << (SCALING_SIZES - 1) };

struct numbers {
    uint64_t state;
    double next; // the second of a pair
    bool has_next;
};

static uint64_t next_bits(struct numbers *numbers)
{
    uint64_t z = numbers->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// Between 0 and 1, and neither.
static double next_uniform(struct numbers *numbers)
{
    return ((double)(next_bits(numbers) >> 12) + 0.5) / 4503599627370496.0;
}

static double next_normal(struct numbers *numbers)
{
    const double turn = 6.283185307179586476925;
    numbers->has_next = !numbers->has_next;
    if (!numbers->has_next)
        return numbers->next;
    double u = next_uniform(numbers), angle = turn * next_uniform(numbers);
    double length = sqrt(-2 * log(u));
    numbers->next = length * sin(angle);
    return length * cos(angle);
}

struct sums {
    double e, squares, entropy, slope;
};

static void add_row(struct sums *sums, const double *e, int keys)
{
    double alpha[SCALING_MAX_KEYS];
    struct attend_softmax softmax = attend_softmax(e, keys, 1, alpha);
    sums->entropy += softmax.entropy_bits;
    sums->slope += softmax.norm;
    for (int s = 0; s < keys; s++) {
        sums->e += e[s];
        sums->squares += e[s] * e[s];
    }
}

static struct scaling_reading read_sums(const struct sums *sums,
                                        const struct scaling *scaling)
{
    double queries = scaling->queries, all = queries * scaling->keys;
    double mean = sums->e / all;
    return (struct scaling_reading){sums->squares / all - mean * mean,
                                    sums->entropy / queries, sums->slope / queries};
}

static struct scaling_point measure(const struct scaling *scaling, int d,
                                    struct numbers *numbers)
{
    struct sums plain = {0}, scaled = {0};
    double q[WIDEST], e[SCALING_MAX_KEYS];
    for (int t = 0; t < scaling->queries; t++) {
        for (int i = 0; i < d; i++)
            q[i] = next_normal(numbers);
        for (int s = 0; s < scaling->keys; s++) {
            e[s] = 0;
            for (int i = 0; i < d; i++)
                e[s] += q[i] * next_normal(numbers);
        }
        add_row(&plain, e, scaling->keys);
        for (int s = 0; s < scaling->keys; s++)
            e[s] /= sqrt(d);
        add_row(&scaled, e, scaling->keys);
    }
    return (struct scaling_point){d, read_sums(&plain, scaling),
                                  read_sums(&scaled, scaling)};
}

void scaling_measure(const struct scaling *scaling,
                     struct scaling_point out[SCALING_SIZES])
{
    struct numbers numbers = {.state = scaling->seed};
    for (int i = 0; i < SCALING_SIZES; i++)
        out[i] = measure(scaling, FIRST << i, &numbers);
}
