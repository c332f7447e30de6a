// SPDX-License-Identifier: MIT
// The numbers beside the rows and under the columns.
#pragma once

#include "ui/ui.h"
#include "view/grid.h"
#include "view/scene.h"

// Width that suits an area of this width: bar + bits + effective words + p(y), or fewer.
float readouts_width(float area_width);
// Row readouts, starting at x: entropy between its marks 0 and log2 S, bits, 2^H, p(y).
// Where source words are rows: coverage.
void readouts_rows(struct ui *ui, const struct scene *scene, const struct grid *grid,
                   float x, float width);
// A bar of a share of the row's room, between its two marks.
void readouts_bar(struct ui *ui, const struct grid *grid, struct rect row, float share,
                  struct color color);
// A text that ends at `right`.
void readouts_number(struct ui *ui, float right, float middle, float size,
                     struct color color, const char *text);
// The size of numbers beside rows.
float readouts_size(const struct grid *grid);
// Bars of Σ_t α under the columns, with a dashed line at 1, in a strip
// from y on, height tall. Where target words are columns: their entropy, with the line at
// log2 S.
void readouts_columns(struct ui *ui, const struct scene *scene, const struct grid *grid,
                      float gutter, float y, float height);
