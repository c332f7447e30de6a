// SPDX-License-Identifier: MIT
// A window in a folder of its own, for tests of what leaves it as a file and comes back.
#pragma once

#include "case.h"

extern char folder[]; // the current directory; each test leaves it empty

#define FILES_CASE(name) cmocka_unit_test_setup_teardown(name, open_driver, close_driver)

int files_begin(void **state);
int files_end(void **state);
int open_driver(void **state);
void put(const char *path, const char *text);
const char *get(const char *path); // until the next call
// Where the first text that contains this is.
void find(const char *text, float *x, float *y);
// The picture as a number, without the banner and the pointer.
uint64_t plain_hash(void);
// Saves the session, opens it in a new window, as an argument of the program, by command
// and as a drop in turns: the same picture, and the same file.
void comes_back(void);
