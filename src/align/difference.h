// SPDX-License-Identifier: MIT
// The signed difference of two alignments of one sentence. Rows are matched by target
// position: row t of one with row t of the other, whether or not they say the same word.
// What one of them lacks is left without numbers.
#pragma once

#include "align/lens.h"

struct difference_side { // all borrowed
    const struct alignment *of;
    const float *alpha; // (rows, n_src)
    int rows;
};

struct difference {
    struct arena arena; // of what follows but `shown`, which has its own
    // As many rows as the longer one has; alpha is α_b - α_a, from -1 to 1, and 0 in a
    // row that only one of them has. Target labels are the word of both, "chat / chien"
    // where they differ, or that of the one that has the row.
    struct alignment *shown;
    int matched;          // the first rows: those that both have
    int longer;           // 0: a has the others, 1: b
    bool *differs;        // (rows) the words of both differ
    float *a;             // (matched, n_src) α_a
    float *bits;          // (rows) Jensen-Shannon divergence; NAN: it cannot be read
    float mean_bits;      // over those that can be read; NAN: none
    bool by_words;        // sub-words were merged: the models split the words in two ways
    const char *words[2]; // the translations
};

// The columns of both are the same pieces of the same typed text.
bool difference_same_source(const struct alignment *a, const struct alignment *b);
// Of b from a, both through the same lens, of which sub-words and hidden tokens count.
// Where the columns are not the same, by words. NULL with *err when the columns are not
// the same even so, when one has no attention or no columns, or when memory is short.
struct difference *difference_create(const struct difference_side *a,
                                     const struct difference_side *b,
                                     const struct lens_options *options,
                                     struct error *err);
void difference_destroy(struct difference *difference); // NULL is fine
