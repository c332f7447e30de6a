// SPDX-License-Identifier: MIT
// One line of text as any good editor edits it: caret and selection on grapheme clusters,
// word moves, undo, clipboard text, and an input method's preedit that is drawn but never
// part of the text. Pure model: no drawing, no SDL.
#pragma once

#include "ui/input.h"

#include <stdbool.h>
#include <stddef.h>

enum { TEXTEDIT_MAX_BYTES = 4096, TEXTEDIT_UNDO = 128 };

struct textedit; // heap: text and undo history

struct textedit *textedit_create(void); // NULL: no memory
void textedit_destroy(struct textedit *edit);

const char *textedit_text(const struct textedit *edit); // NUL-terminated, valid UTF-8
size_t textedit_length(const struct textedit *edit);
size_t textedit_caret(const struct textedit *edit);
size_t textedit_anchor(const struct textedit *edit); // == caret: no selection
// Bytes lost in the last insert or set because the text was full; 0 when all fitted.
size_t textedit_cut(const struct textedit *edit);
// Ill-formed sequences that the last insert or set replaced.
int textedit_replaced(const struct textedit *edit);

// Replaces everything (any bytes: cleaned as in utf8_clean); caret at the end; undoable.
void textedit_set(struct textedit *edit, const char *bytes, size_t length);
// Replaces the selection by any bytes, cleaned; newline, tab and NUL become spaces.
void textedit_insert(struct textedit *edit, const char *bytes, size_t length);
void textedit_select(struct textedit *edit, size_t anchor, size_t caret);
void textedit_select_word(struct textedit *edit, size_t at);
void textedit_select_all(struct textedit *edit);
// Arrow, word (Ctrl), Home/End moves with Shift; Backspace/Delete with Ctrl; Ctrl+A,
// Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z. True when the key meant something here.
bool textedit_key(struct textedit *edit, struct key_event key);
bool textedit_undo(struct textedit *edit);
bool textedit_redo(struct textedit *edit);
