// SPDX-License-Identifier: MIT
// Clocks and samples.
#include "bench_clock.h"

#include <stdlib.h>
#include <time.h>

static double us_of(clockid_t clock)
{
    struct timespec ts;
    clock_gettime(clock, &ts);
    return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

double wall_us(void)
{
    return us_of(CLOCK_MONOTONIC);
}

double thread_us(void)
{
    return us_of(CLOCK_THREAD_CPUTIME_ID);
}

double process_us(void)
{
    return us_of(CLOCK_PROCESS_CPUTIME_ID);
}

void samples_add(struct samples *samples, double value)
{
    if (samples->count < SAMPLES)
        samples->at[samples->count++] = value;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double samples_at(struct samples *samples, double share)
{
    if (!samples->count)
        return 0;
    qsort(samples->at, (size_t)samples->count, sizeof *samples->at, by_size);
    return samples->at[(int)(share * (samples->count - 1))];
}

double best_us(void (*run)(void *context), void *context, int times, int repeats)
{
    double best = 0;
    for (int i = 0; i < times; i++) {
        double begin = wall_us();
        for (int k = 0; k < repeats; k++)
            run(context);
        double took = (wall_us() - begin) / repeats;
        if (i == 0 || took < best)
            best = took;
    }
    return best;
}
