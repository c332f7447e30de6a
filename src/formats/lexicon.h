// SPDX-License-Identifier: MIT
// Word translation probabilities t(f|e) of IBM Model 1, as models/ibm1.py makes them from
// sentence pairs, and laid over an alignment. A table is for one direction: e are words
// of the source, f of the target. Constant once open; may be read from several threads.
//
// The file, all numbers little-endian:
//   "IBM1 v1\n"; u32 source words, target words, pairs, bytes of the source words' text,
//   bytes of the target words' text; the words of each side, each ended by a NUL, sorted
//   by bytes, the first of the source being "" (NULL, the empty word);
//   u16 pairs of each source word; u16 target word of each pair, rising within a source
//   word; u8 q of each pair: t = 2^(-q/16)
#pragma once

#include "align/alignment.h"
#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { LEXICON_MAX_WORDS = 65535, LEXICON_MAX_PAIRS = 4000000 };
enum { LEXICON_MAX_BYTES = 32 << 20 };

struct lexicon;

// assets/ibm1/LANGUAGES.ibm1 ("en-fr") into path; false when there is none.
bool lexicon_path(const char *languages, char *path, size_t size);
struct lexicon *lexicon_open(const char *path, struct error *err);
// data is copied. what: the file's name, for errors.
struct lexicon *lexicon_parse(const void *data, size_t size, const char *what,
                              struct error *err);
void lexicon_close(struct lexicon *lexicon); // NULL is fine

// Words in lower case; -1 for one that is not there. Source word 0 is NULL.
int lexicon_source(const struct lexicon *lexicon, const char *word);
int lexicon_target(const struct lexicon *lexicon, const char *word);
// t(f|e) of numbers as above; 0 for -1 and for a pair that is not there.
float lexicon_t(const struct lexicon *lexicon, int source, int target);

struct lexicon_side {  // the words of one side
    int count;         // without white space; marks are words
    const char **word; // (count) lower case
    int *of_label;     // (labels) the word of each label; -1: special
};

struct lexicon_over { // IBM Model 1 over an alignment, by words; in the caller's arena
    struct lexicon_side source, target;
    float *alpha;         // (n_tgt, n_src) merged: columns summed, rows averaged
    float *t;             // (n_tgt, n_src + 1), the last column NULL
    float *posterior;     // (n_tgt, n_src + 1)
    int *best;            // (n_tgt) Viterbi; -1: NULL, or a word without any t
    unsigned char *cells; // (n_tgt, n_src) enum ibm1_cell
    unsigned char *rows;  // (n_tgt) enum ibm1_row
};

// Words are runs of letters and digits, and runs of marks, as the labels spell them: the
// same on both sides, decoded or forced. Of the first rows rows; alpha: (rows, n_src).
MUST_CHECK bool lexicon_lay(const struct lexicon *lexicon,
                            const struct alignment *alignment, const float *alpha,
                            int rows, struct arena *arena, struct lexicon_over *out,
                            struct error *err);
// α of another reading of the same rows: alpha, cells and rows of what was laid are made
// anew, all else stands. Takes no memory.
void lexicon_weigh(struct lexicon_over *over, int n_src, const float *alpha, int rows);
