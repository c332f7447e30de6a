// SPDX-License-Identifier: MIT
// The colour scale, always on screen, and the fixed place where the number under the
// pointer stands.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

// With 30 units of height or more the ends are named under the scale, else beside it.
void legend_draw(struct ui *ui, const struct scene *scene, struct rect at);
