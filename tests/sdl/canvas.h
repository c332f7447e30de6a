// SPDX-License-Identifier: MIT
// A list that is painted without a window, on a square of black, for all tests of a
// program.
#pragma once

#include "sdl/offscreen.h"
#include "ui/draw.h"

enum { SIDE = 200 };

extern struct offscreen *screen;
extern struct draw_list list; // each test finds it empty
extern const struct color black, white;

int open_canvas(void **state);
int close_canvas(void **state);
int clean_canvas(void **state);
// Paints the list on SIDE x SIDE logical units and gives its pixels.
const unsigned char *paint(float scale);
// The red channel at scale 1: of a pixel, and all of a rectangle.
int at(const unsigned char *rgb, int x, int y);
long sum(const unsigned char *rgb, int x0, int y0, int x1, int y1);

#define ON_CANVAS(test) cmocka_unit_test_setup(test, clean_canvas)
