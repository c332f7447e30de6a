// SPDX-License-Identifier: MIT
// Standard input or a file as lines, in constant memory whatever the lines are.
#pragma once

#include "base/error.h"
#include "text/tokenizer.h"

#include <stddef.h>

struct sentence {
    char text[TEXT_MAX_BYTES + 1]; // valid UTF-8 without controls, NUL-terminated
    size_t length;
    size_t cut_bytes; // bytes of the input that were not taken
    int invalid;      // ill-formed sequences that became U+FFFD
};

// Any bytes to a sentence. Used for a command-line argument as well.
void sentence_take(struct sentence *sentence, const char *bytes, size_t length,
                   size_t dropped);

enum {
    LINE_KEPT_BYTES = 4 * TEXT_MAX_BYTES, // of a line; the rest is counted only
    LINES_CHUNK_BYTES = 64 * 1024,
};

struct lines {
    int fd;
    const char *name; // for errors; borrowed
    bool at_end;
    size_t begin, end; // of what is not yet taken in chunk
    long count;        // lines given out
    long long taken;   // bytes read so far
    size_t total;      // bytes so far of the line that is not yet whole
    char last;         // the last of them
    char chunk[LINES_CHUNK_BYTES];
    char kept[LINE_KEPT_BYTES];
};

struct line { // any bytes, until the next call
    const char *bytes;
    size_t length;
    size_t dropped; // bytes at its end that were not kept
};

enum lines_result { LINES_ONE, LINES_END, LINES_FAILED };

void lines_init(struct lines *lines, int fd, const char *name);
// Whether lines_next gives an answer without waiting for more input: the next line is
// here whole, or there is no more.
bool lines_ready(struct lines *lines);
// LF or CR LF ends a line; the last one needs neither.
enum lines_result lines_next(struct lines *lines, struct sentence *sentence,
                             struct error *err);
// The same as it is: nothing is replaced.
enum lines_result lines_next_raw(struct lines *lines, struct line *line,
                                 struct error *err);
