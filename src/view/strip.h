// SPDX-License-Identifier: MIT
// A vector as a strip: a cell for each of its numbers, from the most negative colour to
// the most positive. What is too wide shows the largest of those that share a cell.
#pragma once

#include "ui/ui.h"

// Over the height of `at`: name, how many numbers and what has the full colour, and below
// them the strip.
void strip_draw(struct ui *ui, struct rect at, const char *name, const float *values,
                int n);
