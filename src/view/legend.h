// SPDX-License-Identifier: MIT
// The colour scale, always on screen, and the fixed place where the number under the
// pointer stands.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

enum { LEGEND_HEIGHT = 40 };

void legend_draw(struct ui *ui, const struct scene *scene, struct rect at);
