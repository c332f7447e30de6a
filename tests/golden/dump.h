// SPDX-License-Identifier: MIT
// Reading a dump line by line: a word, then what follows it. Anything unexpected fails
// the test that reads.
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { DUMP_MAX_VALUES = 512, DUMP_MAX_LINE = 8192 };

struct dump {
    const char *name;
    FILE *file;
    char line[DUMP_MAX_LINE];
};

// False at the end of the file.
bool dump_next(struct dump *dump);
// What follows the word at the start of the line; NULL when the line has another word.
char *dump_after(struct dump *dump, const char *word);
// The same of the next line, which must have the word.
char *dump_expect(struct dump *dump, const char *word);
// Numbers of a text into out (DUMP_MAX_VALUES); returns how many.
int dump_floats(const char *text, float *out);
int dump_ids(const char *text, int *out);
