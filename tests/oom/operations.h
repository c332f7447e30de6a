// SPDX-License-Identifier: MIT
// What is tried while memory and files fail. Each operation gives true when it did its
// work and the result is right, and leaves nothing behind.
#pragma once

#include "base/error.h"

#include <stdbool.h>

typedef bool operation(struct error *err);

enum { OPERATIONS = 20 };

extern const struct named_operation {
    const char *name;
    operation *run;
    bool memory, files, survives; // a want of memory
} operations[OPERATIONS];         // the first two read a file and write one

struct model_dir;
extern struct model_dir *model;       // the bundled one that they use
extern char folder[], scratch_path[]; // what the second one writes is there
extern const char sentence[];         // what is translated
struct session *session_on(const struct model_dir *dir, struct error *err);
int operations_begin(void **state);
int operations_end(void **state);
