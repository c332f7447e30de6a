// SPDX-License-Identifier: MIT
// Edits as lines of text: what is typed, stored and listed.
//
//   cell ROW COLUMN V         α of a cell, 0 to 1; +V and -V: more, less than it is
//   pin ROW [V ...]           the row as it is, or these numbers
//   unpin ROW
//   mute COLUMN
//   boost COLUMN [FACTOR]     2 when none is given
//   hard on | off [ROW]       every row when none is given
//   shuffle SEED | off        the encoder's memory in another order
//   shuffle-words SEED | off  the words in another order, encoded so
//   word ROW N                the N-th best word that the model has for the row
//   word ROW "TEXT"
//   word ROW id ID ...        by its tokens
//   prefix [TEXT]             the sentence begins with TEXT; none: as the model says
//
// Rows and columns count from 1; "here" is the selected one.
#pragma once

#include "align/alignment.h"
#include "align/edits.h"

enum { EDIT_TEXT_MAX = 4096 };

struct edit_here { // the selected row and column, from 0; -1: none
    int row, column;
};

struct edit_room { // what an edit that was read from a line points to
    float alpha[ALIGNMENT_MAX_SRC];
    int tokens[ALIGNMENT_MAX_TGT];
    char text[EDIT_TEXT_MAX + 1];
    bool relative; // cell: value is to be added to what α is
    int choice;    // word: which of the best words, from 1; 0: by text or tokens
};

// What a line says of places and tokens is not checked. A pin without numbers has
// n_alpha 0, a word or a prefix by its text has n_tokens 0: the caller knows them.
MUST_CHECK bool edit_parse(const char *line, struct edit_here here, struct edit *edit,
                           struct edit_room *room, struct error *err);
// Appends the line that edit_parse reads as this edit. False: out is full.
bool edit_print(const struct edit *edit, struct buf *out);
