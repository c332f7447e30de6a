// SPDX-License-Identifier: MIT
// From sub-words to words: the columns of one source word are summed, the rows of one
// target word are averaged, and </s> and its like are left out. What was spent on </s> is
// not handed to the others, so a merged row sums to 1 or less.
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
// merged (n_tgt, n_src) of words from alpha (rows, columns) of tokens. A word without
// tokens has zeros. row_word: (rows), column_word: (columns), as merge_map gives them.
void merge_alpha(const float *alpha, int rows, int columns, const int *row_word,
                 const int *column_word, float *merged, int n_tgt, int n_src);
