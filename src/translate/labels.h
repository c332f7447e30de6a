// SPDX-License-Identifier: MIT
// What the rows and columns of an alignment are called.
#pragma once

#include "align/alignment.h"
#include "text/tokenizer.h"

// Label text is written into memory that was taken up front.
struct label_pool {
    char *at;
    size_t left;
};

// Enough for n_src source labels of a text of length bytes and for max_tgt rows with
// their candidates, where no piece is longer than longest bytes.
size_t label_pool_bytes(int n_src, size_t length, int max_tgt, int longest);
// The longest piece of a vocabulary, in bytes.
int label_longest(const struct tokenizer *tokenizer);

// The label of one token of text; before: the label to its left, NULL for the first.
struct label label_source(struct label_pool *pool, const struct tokenizer *tokenizer,
                          const char *text, size_t length, const struct token *token,
                          const struct label *before);
// The </s> that ends the source, after length bytes of text.
struct label label_source_end(struct label_pool *pool, const struct tokenizer *tokenizer,
                              int eos, size_t length);
// The label of an emitted token; first: it begins the sentence.
struct label label_target(struct label_pool *pool, const struct tokenizer *tokenizer,
                          int eos, int id, bool first);
// Whether it continues the word of the token before it, where there is one.
bool label_target_joins(const struct tokenizer *tokenizer, int eos, int id);
// What an emitted token shows.
const char *label_target_text(struct label_pool *pool, const struct tokenizer *tokenizer,
                              int eos, int id);
