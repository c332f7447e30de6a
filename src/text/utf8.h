// SPDX-License-Identifier: MIT
// Text from outside made safe, and walked by what a reader calls a character.
// Grapheme clusters are Unicode's extended ones (UAX #29), from utf8proc.
// All positions are byte offsets into valid UTF-8; every function is pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct utf8_report {
    int invalid;    // ill-formed sequences, each replaced by U+FFFD
    int controls;   // runs of newline, tab, NUL and other controls, each made one space
    bool cut;       // the input did not fit; it was cut at a cluster boundary
    size_t in_used; // bytes of the input that were taken
};

// Any bytes to valid UTF-8 without control characters, NUL-terminated, at most
// out_size - 1 bytes. CR LF counts as one newline. A byte-order mark at the start is
// dropped. Returns the length. report may be NULL.
size_t utf8_clean(char *out, size_t out_size, const char *in, size_t in_length,
                  struct utf8_report *report);
bool utf8_valid(const char *text, size_t length);
// True for empty text and for text of white space (Unicode's) only.
bool utf8_blank(const char *text, size_t length);
// The code point at *at, which is moved past it; -1 at the end. text must be valid.
int32_t utf8_decode(const char *text, size_t length, size_t *at);
// Next and previous grapheme cluster boundary; stay at the ends.
size_t utf8_next(const char *text, size_t length, size_t at);
size_t utf8_previous(const char *text, size_t length, size_t at);
// Word moves as editors do them: over white space, then over a run of one class
// (letters and digits with their marks | other).
size_t utf8_word_next(const char *text, size_t length, size_t at);
size_t utf8_word_previous(const char *text, size_t length, size_t at);
// True when there is something but white space, and no letter, digit or mark of one.
bool utf8_is_punctuation(const char *text, size_t length);
// Valid text in lower case, character by character, NUL-terminated; what does not fit is
// left off between characters. Returns the length.
size_t utf8_lower(char *out, size_t out_size, const char *text, size_t length);
// A combining mark: it needs a character before it to stand on.
bool utf8_is_mark(int32_t code);
// How many columns a terminal gives the text (wide = 2, combining = 0).
int utf8_columns(const char *text, size_t length);
