// SPDX-License-Identifier: MIT
// How a subcommand that prints one thing, whole, begins and ends.
#pragma once

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

// read: the line was right; help: and asked for --help alone. False: it is over with
// *code.
MUST_CHECK bool print_begin(bool read, bool help, int *code);
// Puts what was made to path, or to standard output, and finishes it; or says the error
// why nothing was made. Gives the exit code.
int print_end(const char *command, const char *path, struct buf *out, bool made,
              struct error *err);
