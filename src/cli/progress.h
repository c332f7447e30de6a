// SPDX-License-Identifier: MIT
// How far long work is, on stderr, for a person who waits: only when stderr is a
// terminal.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool wanted, shown;
    uint64_t start_ms, next_ms;
};

// For a filter: also only when input is no terminal and output does not go to one, which
// would be the same screen.
void progress_init(struct progress *progress, int in_fd, int out_fd);
void progress_step(struct progress *progress, long lines); // after each line
// For work whose results come at the end, with a bar. share: 0 to 1, negative: not known.
void progress_init_bar(struct progress *progress);
void progress_bar(struct progress *progress, long lines, double share);
void progress_clear(struct progress *progress); // before other words
