// SPDX-License-Identifier: MIT
// How far a long stream is, on stderr, for a person who waits: only when stderr is a
// terminal, input is not, and output does not go to the same screen.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool wanted, shown;
    uint64_t start_ms, next_ms;
};

void progress_init(struct progress *progress, int in_fd, int out_fd);
void progress_step(struct progress *progress, long lines); // after each line
void progress_clear(struct progress *progress);            // before other words
