// SPDX-License-Identifier: MIT
// What `alphascope bench` was asked for, checked.
#pragma once

#include <stdbool.h>

struct bench_options {
    const char *model; // an id or a path; NULL: the first
    int times;         // how often each thing is measured, 1 to SAMPLES
    bool help;
};

// False after a sentence on stderr: wrong usage.
bool bench_options_read(struct bench_options *options, int argc, char **argv);
