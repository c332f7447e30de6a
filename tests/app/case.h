// SPDX-License-Identifier: MIT
// A window for each test, and what tests do and see in it.
#pragma once

#include "driver.h"

extern struct driver *driver;
extern const char coffee[], long_text[]; // a sentence, and one that fills the matrix

int open_coffee(void **state); // with en-fr-bahdanau and the sentence
int close_driver(void **state);
void command(const char *line); // succeeds, and the picture is complete again
void refuse(const char *line, const char *words);
// The last text that is exactly this: words of the picture come after the sentence, and
// those of the microscope do not count.
const struct draw_cmd *find_word(const char *text);
void click_word(const char *text);
