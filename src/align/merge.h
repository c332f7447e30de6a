// SPDX-License-Identifier: MIT
// From sub-words to words: the columns of one source word are summed, the rows of one
// target word are averaged; or the largest α of both stands for them.
#pragma once

#include "align/alignment.h"

struct merge_span { // bytes of a text: [begin, end)
    int begin, end;
};

// The words of a text that spaces part, into out (max). Returns how many there are.
int merge_split(const char *text, size_t length, struct merge_span *out, int max);
// The word of each label, by the bytes it came from: the word that holds its first byte
// that is in a word, or else the next word after it ("▁" alone belongs to what follows).
// -1 for special labels and where there is no word. words: in order, (n_words); out: (n)
void merge_map(const struct label *labels, int n, const struct merge_span *words,
               int n_words, int *out);
// The word of each label, by the labels alone: a joined one belongs to the label before
// it, a special one is a word of its own. Returns the number of words. out: (n)
int merge_joined(const struct label *labels, int n, int *out);

// merged (n_tgt, n_src) of words from alpha (rows, columns) of tokens. A word without
// tokens has zeros, and a token of word -1 is left out: what was spent on it is not
// handed to the others, so a merged row sums to 1 or less. row_word: (rows),
// column_word: (columns).
void merge_alpha(const float *alpha, int rows, int columns, const int *row_word,
                 const int *column_word, float *merged, int n_tgt, int n_src);
// The same with the largest α of the tokens of both words.
void merge_largest(const float *alpha, int rows, int columns, const int *row_word,
                   const int *column_word, float *merged, int n_tgt, int n_src);
