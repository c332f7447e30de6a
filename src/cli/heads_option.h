// SPDX-License-Identifier: MIT
// --attention, --layer and --head: which of a Transformer's maps is shown.
#pragma once

#include "align/alignment.h"

struct heads_option {
    bool given; // one of them
    enum map_kind kind;
    const char *layer, *head; // "3", "mean", "max"; NULL: not given, mean
};

// From what was typed (NULL: not). False after a sentence on stderr: wrong usage.
bool heads_option_read(struct heads_option *out, const char *attention, const char *layer,
                       const char *head);
// The view that was asked for, for the caller to destroy. NULL with *err for a layer or a
// head there is not, and for a model without.
struct alignment *heads_option_view(const struct heads_option *option,
                                    const struct alignment *of, struct error *err);
