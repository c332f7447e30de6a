// SPDX-License-Identifier: MIT
// A window for each test, and what tests do and see in it.
#pragma once

#include "driver.h"

extern struct driver *driver;
extern const char coffee[], long_text[]; // a sentence, and one that fills the matrix

#define COFFEE_CASE(name) cmocka_unit_test_setup_teardown(name, open_coffee, close_driver)

int open_coffee(void **state); // with en-fr-bahdanau and the sentence
int close_driver(void **state);
void begin_again(const char *model, const char *text); // another window in its place
void command(const char *line); // succeeds, and the picture is complete again
void refuse(const char *line, const char *words);   // fails so, and nothing is changed
void press(enum key which, char ch, unsigned mods); // and the picture is complete again
void expect(const char *words);                     // is in some text of the picture
void expect_not(const char *words);
int sightings(const char *words);   // in how many texts it is
void click_text(const char *words); // the first that contains this
// The last text that is exactly this: words of the picture come after the sentence, and
// those of the microscope do not count.
const struct draw_cmd *find_word(const char *text);
void click_word(const char *text);
// Another matrix in the place of the decoded one: cell gives α of row t and column s.
void put_matrix(float (*cell)(int t, int s));
