// SPDX-License-Identifier: MIT
// The signed difference of two alignments of one sentence. Rows are paired by their words
// (align/pairs.h): equal ones with each other, and one that stands in for another with
// that. A row without a partner is left without numbers.
#pragma once

#include "align/lens.h"
#include "align/pairs.h"

struct difference_side { // all borrowed
    const struct alignment *of;
    const float *alpha; // (rows, n_src)
    int rows;
};

struct difference {
    struct arena arena; // of what follows but `shown`, which has its own
    // A row for each pair; alpha is α_b - α_a, from -1 to 1, and 0 in a row that only one
    // of them has. Target labels are the word of both, "chat / chien" where they differ,
    // or that of the one that has the row.
    struct alignment *shown;
    struct pairs rows;    // which rows of both stand at each
    bool *differs;        // (rows) the words of both differ
    float *a;             // (rows, n_src) α_a; 0 where a has no row
    float *bits;          // (rows) Jensen-Shannon divergence; NAN: it cannot be read
    float mean_bits;      // over those that can be read; NAN: none
    bool by_words;        // sub-words were merged: the models split the words in two ways
    const char *words[2]; // the translations
    struct lens_options lens; // that both were seen through, as asked for
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
// The side that alone has row t, 0 or 1; -1: both have it.
int difference_only(const struct difference *difference, int t);
// Where row t of a side stands; -1: nowhere.
int difference_place(const struct difference *difference, int side, int t);
void difference_destroy(struct difference *difference); // NULL is fine
