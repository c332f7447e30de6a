// SPDX-License-Identifier: MIT
// The bundled fonts for all tests of a program, and on SDL's dummy driver a window for
// each.
#pragma once

#include "sdl/fonts.h"
#include "sdl/window.h"

extern struct fonts *fonts;
extern struct window *window;
extern struct input input; // what the window was last told

const char *font_directory(void);
int open_fonts(void **state);
int close_fonts(void **state);
int open_window(void **state);
int close_window(void **state);
void push_window(int what); // an event of the window

#define WITH_WINDOW(test) cmocka_unit_test_setup_teardown(test, open_window, close_window)
