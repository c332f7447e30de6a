// SPDX-License-Identifier: MIT
// Sentences worth looking at, for each group of models, from
// assets/examples/LANGUAGES.txt: a line is TEXT, or TEXT TAB what there is to see.
// English makes no sense to a model that reads dates, so each group keeps its own text,
// too.
#pragma once

#include "text/tokenizer.h"

#include <stdbool.h>

enum { EXAMPLES_MAX = 40, EXAMPLES_GROUPS = 12 };

struct example {
    char text[512], note[256]; // note: "" when there is none
};

struct examples {                      // zeroed is empty
    struct example list[EXAMPLES_MAX]; // of the languages loaded last
    int count;
    struct kept_text { // what was typed in a group before another was chosen
        char languages[32];
        char text[TEXT_MAX_BYTES + 1];
    } kept[EXAMPLES_GROUPS];
    int n_kept;
};

// Reads the list for these languages; without a file it is empty.
void examples_load(struct examples *examples, const char *languages);
// The same from a file's bytes, NUL-terminated.
void examples_parse(struct examples *examples, const char *text);
// The example with this very text; -1: none.
int examples_at(const struct examples *examples, const char *text);
void examples_keep(struct examples *examples, const char *languages, const char *text);
// What was kept for these languages; NULL: nothing.
const char *examples_kept(const struct examples *examples, const char *languages);
