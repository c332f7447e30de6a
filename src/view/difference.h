// SPDX-License-Identifier: MIT
// What belongs to a matrix of differences: divergence beside its rows, sums under its
// columns, its own colour scale. The cells themselves are those of a heatmap.
#pragma once

#include "ui/ui.h"
#include "view/grid.h"
#include "view/scene.h"

// Jensen-Shannon divergence in bits between its marks 0 and 1. A row that only one side
// has is named so, without a number.
void difference_rows(struct ui *ui, const struct scene *scene, const struct grid *grid,
                     float x, float width);
// Σ_t Δα over the rows that both have, up or down from a middle line.
void difference_columns(struct ui *ui, const struct scene *scene, const struct grid *grid,
                        float gutter, float y, float height);
// The diverging scale and the words of what is under the pointer.
void difference_legend(struct ui *ui, const struct scene *scene, struct rect at);
// The colour of a side (0 or 1) where it has more.
struct color difference_hue(const struct ui *ui, int side);
