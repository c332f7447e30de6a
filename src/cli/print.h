// SPDX-License-Identifier: MIT
// How a subcommand that prints one thing, whole, begins and ends.
#pragma once

#include "base/buf.h"
#include "cli/options.h"

// False: it is over with *code, for --help was given or the line was wrong. Call it
// first.
MUST_CHECK bool print_begin(struct command *command, int argc, char **argv, int *code);
// Puts what was made to path, or to standard output, and finishes it; or says the error
// why nothing was made. Gives the exit code.
int print_end(const char *command, const char *path, struct buf *out, bool made,
              struct error *err);
