// SPDX-License-Identifier: MIT
// Text as any good editor edits it, on one line or on several: caret and selection on
// grapheme clusters, word moves, undo, clipboard text, and an input method's preedit that
// is drawn but never part of the text. Pure model: no drawing, no SDL.
#pragma once

#include "ui/input.h"

#include <stdbool.h>
#include <stddef.h>

enum { TEXTEDIT_MAX_BYTES = 4096, TEXTEDIT_UNDO = 128, TEXTEDIT_UNDO_LINES = 48 };

struct textedit; // heap: text and undo history

struct textedit *textedit_create(void); // one line; NULL: no memory
// Several lines: newlines stay, Home and End are of the line, and with Ctrl of the text.
// It holds max_bytes and takes memory for what it holds.
struct textedit *textedit_create_lines(size_t max_bytes);
void textedit_destroy(struct textedit *edit);

const char *textedit_text(const struct textedit *edit); // NUL-terminated, valid UTF-8
size_t textedit_length(const struct textedit *edit);
size_t textedit_caret(const struct textedit *edit);
size_t textedit_anchor(const struct textedit *edit); // == caret: no selection
// Bytes lost in the last insert or set because the text was full; 0 when all fitted.
size_t textedit_cut(const struct textedit *edit);
// Ill-formed sequences that the last insert or set replaced.
int textedit_replaced(const struct textedit *edit);

// Changes whenever the text does, and never repeats.
uint64_t textedit_revision(const struct textedit *edit);
// Tells the time, for undo: more than a second since the last edit starts a new step.
void textedit_clock(struct textedit *edit, uint64_t now_ms);

// Replaces everything (any bytes: cleaned as in utf8_clean); caret at the end; undoable.
void textedit_set(struct textedit *edit, const char *bytes, size_t length);
// Replaces the selection by any bytes, cleaned; newline, tab and NUL become spaces (the
// newline not where there are lines).
// One cluster counts as typed: a run of them up to the next space is one undo step.
void textedit_insert(struct textedit *edit, const char *bytes, size_t length);
// Any offsets: moved down to cluster boundaries within the text.
void textedit_select(struct textedit *edit, size_t anchor, size_t caret);
// The word, or the run of white space, that the cluster at this offset is part of.
void textedit_select_word(struct textedit *edit, size_t at);
// Where the line of this offset begins, and where it ends, before its newline.
size_t textedit_line_begin(const struct textedit *edit, size_t at);
size_t textedit_line_end(const struct textedit *edit, size_t at);
void textedit_select_all(struct textedit *edit);
// Arrow, word (Ctrl), Home/End moves with Shift; Backspace/Delete with Ctrl; Ctrl+A,
// Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z. True when the key meant something here.
bool textedit_key(struct textedit *edit, struct key_event key);
bool textedit_undo(struct textedit *edit);
bool textedit_redo(struct textedit *edit);
