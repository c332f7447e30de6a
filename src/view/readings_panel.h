// SPDX-License-Identifier: MIT
// The readings in words and numbers: of the whole matrix, or of the selected row and the
// column under the pointer. The page assets/readings.md has their formulas.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

enum readings_tab { READINGS_MATRIX, READINGS_ROW, READINGS_TABS };

// Returns the tab that is wanted next.
enum readings_tab readings_panel_draw(struct ui *ui, const struct scene *scene,
                                      struct rect at, enum readings_tab tab);
