// SPDX-License-Identifier: MIT
// The matrix itself: cells, labels on both sides, the selected row, the pointed-at cell.
#pragma once

#include "ui/ui.h"
#include "view/grid.h"
#include "view/scene.h"

// Cells of now, then the dimmed rows of before; the maximum wins where cells are pooled.
void heatmap_cells(struct ui *ui, const struct scene *scene, const struct grid *grid);
// Source labels above, target labels right-aligned in `gutter` width left of the cells.
void heatmap_labels(struct ui *ui, const struct scene *scene, const struct grid *grid,
                    float gutter);
// Frames around the selected row and the cell under the pointer.
void heatmap_marks(struct ui *ui, const struct scene *scene, const struct grid *grid);
// Labels are thinned to every k-th when they would overlap; what is selected or pointed
// at always has its label, in place of its neighbours.
bool heatmap_label_shown(int index, int every, int selected, int pointed);
// The largest α of all that is shown, 0 without α; of a difference the largest |Δα|.
float heatmap_max(const struct scene *scene);
// The largest α of columns [from, to) of a row. alpha: (n,)
float heatmap_pool(const float *alpha, int from, int to);
