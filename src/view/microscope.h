// SPDX-License-Identifier: MIT
// One row taken apart, beside the matrix: scores e, softmax α, and the blend that chose
// the next word. All at once, or a step at a time.
#pragma once

#include "view/scope.h"

// Draws into a panel at `at`. row NULL: no row is selected; any_rows: though there are
// some.
struct scope microscope_draw(struct ui *ui, const struct specimen *row, bool any_rows,
                             struct rect at, struct scope scope, int hover_s);
