// SPDX-License-Identifier: MIT
// The words of two translations paired in order, with the fewest words that have no equal
// partner: the edit distance of Levenshtein (1966), found as Wagner and Fischer (1974)
// do. A word that stands in for another is its partner; one that was put in has none. Of
// ways that are as good, words go with words and marks with marks.
#pragma once

#include "align/alignment.h"
#include "base/arena.h"

struct pairs {
    int count;
    int *at[2]; // (count) places in a and in b, each rising; -1: this one has no partner
};

enum { PAIRS_MAX = 1 << 22 }; // cells of the table; beyond it words are paired by place

size_t pairs_bytes(int n, int m); // that pairs_make takes from the arena at most
// False: memory is short.
MUST_CHECK bool pairs_make(struct pairs *pairs, struct arena *arena,
                           const struct label *a, int n, const struct label *b, int m);
