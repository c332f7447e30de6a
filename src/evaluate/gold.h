// SPDX-License-Identifier: MIT
// One hand-aligned sentence pair: source tokens TAB target tokens TAB links. A space
// parts tokens and links; i-j is a sure link, i?j one that is only possible; both from 0.
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

enum { GOLD_MAX_WORDS = 512 };

enum link { LINK_NONE, LINK_POSSIBLE, LINK_SURE }; // a sure link is a possible one too

struct gold {
    const char *source, *target; // borrowed from the line; not NUL-terminated
    size_t source_length, target_length;
    int n_src, n_tgt;
    unsigned char *links; // (n_tgt, n_src) enum link
};

// line: valid UTF-8. links come from the arena. A link that is there twice counts once,
// and as sure when either is.
MUST_CHECK bool gold_parse(struct gold *gold, struct arena *arena, const char *line,
                           size_t length, struct error *err);
