// SPDX-License-Identifier: MIT
// What `alphascope attend`, `inspect` and `models` were asked for, checked.
#pragma once

#include <stdbool.h>

struct attend_options {
    const char *sheet;  // a file or a name of ours; NULL, "-": standard input
    const char *output; // NULL: standard output
    bool json, help;
};

struct inspect_options {
    const char *path; // not NULL
    bool help;
};

struct models_options {
    bool json, help;
};

// False after a sentence on stderr: wrong usage.
bool attend_options_read(struct attend_options *options, int argc, char **argv);
bool inspect_options_read(struct inspect_options *options, int argc, char **argv);
bool models_options_read(struct models_options *options, int argc, char **argv);
