// SPDX-License-Identifier: MIT
// Command lines by table, and what the subcommands say on stderr. Not getopt: that keeps
// its place in global variables and words its own complaints.
#pragma once

#include "base/error.h"

#include <stdbool.h>

struct option_list { // of an option that may be given several times
    const char **items;
    int max, n;
};

struct option_row {
    const char *name;         // "tau" for --tau X, --tau=X
    char letter;              // 'o' for -o X, -oX; '\0': none
    const char **value;       // set to the argument; the last one given wins
    bool *given;              // or, for an option without a value: set to true
    struct option_list *list; // or: each value is added
};

struct command {
    const char *name; // "trace"; "" for the window
    const struct option_row *options;
    int n_options;
    const char **words; // arguments that are not options, (max_words)
    int max_words, n_words;
    bool help; // --help or -h was given
};

// False after a sentence on stderr: the caller returns EXIT_USAGE.
MUST_CHECK bool options_read(struct command *command, int argc, char **argv);
// The index of value among names; -1 after a sentence that lists them.
int options_choose(const char *command, const char *option, const char *value,
                   const char *const *names, int n);

// Values that several commands take; false after a sentence.
bool options_tau(const char *command, const char *value, float *tau);
bool options_scale(const char *command, const char *value, float *scale);
// --option's value, from low to high.
bool options_number(const char *command, const char *option, const char *value, float low,
                    float high, float *number);
bool options_count(const char *command, const char *option, const char *value, int low,
                   int high, int *count);

int options_processors(int most); // how many there are, at least 1

// "alphascope trace: ..." on stderr, one line. Control characters become '?'.
void say(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);
// The same with a hint to --help; gives EXIT_USAGE.
int say_usage(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);
// Says what went wrong, unless it is only that nobody reads any more. Gives EXIT_INPUT.
int say_error(const char *command, const struct error *err);
