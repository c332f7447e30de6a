// SPDX-License-Identifier: MIT
// The headless subcommands: filters from stdin to stdout, one sentence a line, in order,
// flushed per line. Exit codes: 0 done, 1 the input could not be used, 2 wrong usage.
#pragma once

enum { EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_USAGE = 2 };

// argv[0] is the subcommand's name. Each prints its own errors, one sentence, on stderr.
int cli_trace(int argc, char **argv);
int cli_evaluate(int argc, char **argv);
int cli_inspect(int argc, char **argv);
int cli_models(int argc, char **argv);
int cli_attend(int argc, char **argv);
void cli_help(void); // the whole --help text to stdout
