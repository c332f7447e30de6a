// SPDX-License-Identifier: MIT
// The alignment of IBM Model 1, the hard ancestor of the soft one, from word translation
// probabilities t(f|e) (formats/lexicon.h looks them up), and where it and the attention
// agree. Everything is of words, not pieces: see align/merge.h.
//
// A word list is not the truth: t is 0 for every pair that its table left out.
#pragma once

// t: (n_tgt, n_src + 1) t(f_j | e_i); the last column is that of NULL, the empty word.
// posterior: (n_tgt, n_src + 1) P(a_j = i | f_j, e) = t_ji / Σ t_ji'; zeros for a word
// without any t. best: (n_tgt) the Viterbi alignment, the largest of the posterior, the
// first of equals; -1: NULL, or a word without any t.
void ibm1_align(const float *t, int n_tgt, int n_src, float *posterior, int *best);

enum ibm1_cell {
    IBM1_CELL_PLAIN,  // not in the list
    IBM1_CELL_LISTED, // the list has the pair, and the attention is elsewhere
    IBM1_CELL_AGREES, // the list has the pair, and the attention reads it
};
enum ibm1_row {
    IBM1_ROW_UNLISTED,  // the list has no translation of the word in this sentence
    IBM1_ROW_AGREES,    // the row's largest α is on a word that the list has
    IBM1_ROW_DISAGREES, // it is on another
};

// The list has a pair from t = IBM1_LISTED on: below it the table holds what only occurs
// together. alpha: (n_tgt, n_src) of words; a cell is read from IBM1_READ on, or when it
// is the largest of its row. cells: (n_tgt, n_src) ibm1_cell; rows: (n_tgt) ibm1_row. A
// row without attention (all 0, or a NaN in it) is IBM1_ROW_UNLISTED, and so is one whose
// largest α are equal: it reads no word most.
#define IBM1_LISTED 0.05f
#define IBM1_READ 0.2f
void ibm1_mark(const float *t, const float *alpha, int n_tgt, int n_src,
               unsigned char *cells, unsigned char *rows);
