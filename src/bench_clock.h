// SPDX-License-Identifier: MIT
// Clocks and samples of the benchmark. What one thread computes is timed by the processor
// time it took, so that other programs on the machine count little; what people wait for,
// and what many threads do, by the clock on the wall.
#pragma once

#include <stdbool.h>

enum { SAMPLES = 200 };

struct samples { // the first SAMPLES of them
    double at[SAMPLES];
    int count;
};

double wall_us(void);
double thread_us(void);  // processor time of this thread
double process_us(void); // and of all threads
void samples_add(struct samples *samples, double value);
// The value that a share of the samples does not exceed: 0.5 is the median. 0 for none.
double samples_at(struct samples *samples, double share);
// The shortest of `times` runs, divided by `repeats`, which each run does inside.
double best_us(void (*run)(void *context), void *context, int times, int repeats);
