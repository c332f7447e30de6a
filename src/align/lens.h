// SPDX-License-Identifier: MIT
// A lens: an alignment looked at in another way, as an alignment again. Special tokens
// are hidden, sub-words become words, small weights are left out, rows and columns
// exchange places, in this order. Whoever draws or reads the result need not know; the
// axes lead back to the tokens.
#pragma once

#include "align/alignment.h"

enum lens_merge { LENS_PIECES, LENS_SUM, LENS_MAX };

struct lens_options { // zeroed: nothing is changed
    enum lens_merge merge;
    bool hide_special; // rows are scaled to sum 1 again
    int top;           // the largest so many of each row stay; 0: all
    bool transpose;
};

struct lens_span { // tokens of one word, first to last
    int first, last;
};

struct lens_axis {
    int n;                   // words
    struct lens_span *words; // (n)
    int *word;               // (tokens) of each token its word; -1: hidden
};

struct lens {
    struct alignment *shown; // alpha as the options say; score is NAN where no single e
                             // stands behind a cell; p is the product of a word's pieces
    struct lens_axis target, source; // of the alignment that was looked at
};

bool lens_is_clear(const struct lens_options *options);
// Target words still sum to 1.
bool lens_keeps_sums(const struct lens_options *options);
bool lens_same(const struct lens_options *a, const struct lens_options *b);
// Looks at the first rows rows of `of` with alpha (rows, n_src) for its weights. What was
// published is not read again: the lens owns all it shows. An axis of special tokens
// alone keeps them. Transposed, p is NAN: a source word has none; before the first row
// there is nothing to transpose. NULL with *err when memory is short.
struct lens *lens_create(const struct alignment *of, const float *alpha, int rows,
                         const struct lens_options *options, struct error *err);
void lens_destroy(struct lens *lens); // NULL is fine
// What the options do, in words for the picture: "the largest 3 of each row".
// "" when they do nothing.
void lens_say(const struct lens_options *options, char *out, size_t size);
// The same where there is little room: "largest 3".
void lens_say_brief(const struct lens_options *options, char *out, size_t size);
