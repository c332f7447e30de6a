// SPDX-License-Identifier: MIT
// One row taken apart: scores e, softmax α, and the blend that chose the next word.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

// formula: the scorer's, "e = vᵀ tanh(W s + U h)". Draws into a panel at `at`.
void microscope_draw(struct ui *ui, const struct scene *scene, struct rect at,
                     const char *formula);
