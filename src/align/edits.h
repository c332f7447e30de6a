// SPDX-License-Identifier: MIT
// What if: edits of an alignment that is being decoded. Edits are values in a list; the
// decoder reads them before it uses α, so that everything after the first edited step
// follows from them.
//
// Rows and columns are tokens of the target and of the sentence as typed, from 0; also a
// shuffled memory keeps the numbers of its tokens.
//
// A row of α, after softmax and τ, is edited in this order, and sums to 1 after each:
//   1. columns   α_s is multiplied by the column's factor, and the row scaled to sum to 1
//   2. hard      1 at the largest, the first of equals, else 0
//   3. pin       the row as it was when it was pinned, whatever 1 and 2 made of it
//   4. cells     α_s = v, the others scaled by (1 - v) / (their sum), in the order in
//                which the cells were edited; in a pinned row those edited after the pin
// Of the edits of one column, of pins of one row, of hard, of a shuffle and of prefixes
// the last counts. Where nothing is left of a row (all its α on muted columns, or all on
// a cell that is made smaller) it is spread evenly over the columns that are not muted.
// A row that is not finite is left as it is.
#pragma once

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>

enum { EDITS_MAX = 256, EDITS_MAX_FACTOR = 1000, EDITS_MAX_BYTES = 8 << 20 };

enum edit_kind {
    EDIT_CELL,          // row, column, value: v from 0 to 1
    EDIT_PIN,           // row, alpha
    EDIT_UNPIN,         // row
    EDIT_COLUMN,        // column, value: the factor, 0 to EDITS_MAX_FACTOR; 0 mutes
    EDIT_HARD,          // row, or EDIT_ALL; value 1: on, 0: off
    EDIT_SHUFFLE,       // seed: the encoder's memory in another order; 0: in its own
    EDIT_SHUFFLE_WORDS, // seed: the tokens in another order, encoded so
    EDIT_WORD,          // row, tokens: the words of this row and of those that follow
    EDIT_PREFIX,        // tokens: the words of the first rows; none: as decoded
};

enum { EDIT_ALL = -1 };

struct edit {
    enum edit_kind kind;
    int row, column; // EDIT_ALL where the kind has none
    float value;
    unsigned seed;
    const float *alpha; // (n_alpha)
    int n_alpha;
    const int *tokens; // (n_tokens)
    int n_tokens;
    const char *text; // WORD, PREFIX: as typed; NULL: chosen by its tokens
};

struct edits { // a list of values with what was undone; zeroed is the empty one
    struct edit list[EDITS_MAX]; // use edits_at
    size_t from[EDITS_MAX + 1];  // where the arrays of each are in `arrays`
    struct buf arrays;
    int count;        // in force: the first
    int total;        // with those that were undone
    unsigned changes; // one more with every change
};

// An edit that brings no arrays.
struct edit edit_make(enum edit_kind kind, int row, int column, float value);

void edits_finish(struct edits *edits); // leaves the empty list
// A copy of those in force, on the heap; NULL: memory is short.
struct edits *edits_create(const struct edits *from, struct error *err);
void edits_destroy(struct edits *edits); // NULL is fine

// The i-th of total; its arrays live until the list changes.
struct edit edits_at(const struct edits *edits, int i);
// False, with a sentence, when an edit cannot be: a value out of range, a place outside
// the matrix, every column muted, nothing to edit. n_src, rows: -1 where they are not
// known yet.
MUST_CHECK bool edits_check(const struct edits *edits, const struct edit *edit, int n_src,
                            int rows, struct error *err);
// Adds a copy (not of one of its own); what was undone is forgotten. False: too many, or
// memory is short.
MUST_CHECK bool edits_add(struct edits *edits, const struct edit *edit,
                          struct error *err);
// The same in place of the newest: a drag is one edit.
MUST_CHECK bool edits_replace(struct edits *edits, const struct edit *edit,
                              struct error *err);
bool edits_undo(struct edits *edits); // false: there was none
bool edits_redo(struct edits *edits);
void edits_clear(struct edits *edits);  // undoes all, which can be redone
void edits_forget(struct edits *edits); // all, and what was undone

// alpha (n) of row t. True when nothing was left of it, so that it was spread evenly.
// A row that no edit concerns keeps every bit.
bool edits_apply(const struct edits *edits, int t, float *alpha, int n);
// How many rows, from the first, are the same under both (NULL: no edits), whatever else
// they say; EDITS_ALL_ROWS when all are.
enum { EDITS_ALL_ROWS = 1 << 30 };
int edits_same_rows(const struct edits *a, const struct edits *b);
// The token that row t must say; -1: the decoder chooses.
int edits_token(const struct edits *edits, int t);
int edits_forced_rows(const struct edits *edits); // up to the last such row
// EDIT_SHUFFLE or EDIT_SHUFFLE_WORDS when one is in force, else EDIT_ALL.
int edits_shuffle(const struct edits *edits);
// order (n): which token stands at each place under the shuffle in force, never the order
// that it was in unless n < 2.
void edits_order(const struct edits *edits, int n, int *order);
// Of column s: the factor in force; 1: none.
float edits_factor(const struct edits *edits, int s);
bool edits_pinned(const struct edits *edits, int t);
bool edits_hard(const struct edits *edits, int t);
