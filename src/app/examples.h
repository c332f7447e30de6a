// SPDX-License-Identifier: MIT
// A sentence for each group of models: what was typed there last, or the first line of
// assets/examples/LANGUAGES.txt. English makes no sense to a model that reads dates.
#pragma once

#include "text/tokenizer.h"

#include <stdbool.h>

enum { EXAMPLES_MAX = 12 };

struct examples { // zeroed is empty
    struct kept_text {
        char languages[32];
        char text[TEXT_MAX_BYTES + 1];
    } kept[EXAMPLES_MAX];
    int count;
};

void examples_keep(struct examples *examples, const char *languages, const char *text);
// Into out (TEXT_MAX_BYTES + 1). False: there is neither.
bool examples_find(const struct examples *examples, const char *languages, char *out);
