// SPDX-License-Identifier: MIT
// Memory and files that fail on demand. The linker sends the program's own calls
// (--wrap) here; libraries below keep theirs, but for cJSON, which takes hooks.
#pragma once

#include <stdbool.h>

enum fault {
    FAULT_MEMORY,    // malloc, calloc, realloc give NULL; no thread can be made
    FAULT_FILES,     // open, opendir, fstat, mmap, read, write, rename, mkstemp: EIO
    FAULT_INTERRUPT, // read and write: EINTR, nothing done
    FAULT_SHORT,     // read and write: one byte done
    FAULT_CLOSE,     // close: EIO, though the descriptor is gone
};

// The n-th call of this kind (from 0) fails, and with `sticky` every later one too, in
// whatever thread.
void faults_arm(enum fault fault, int n, bool sticky);
// Nothing fails any more. True when something had.
bool faults_disarm(void);
