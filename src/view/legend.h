// SPDX-License-Identifier: MIT
// The colour scale, always on screen, and the fixed place where the number under the
// pointer stands.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

// The scale alone; returns its right edge. With 30 units of height or more its ends are
// named under it, else beside it.
// all: of several that share it.
float legend_scale(struct ui *ui, enum colormap map, enum shade shade, bool all,
                   struct rect at);
void legend_draw(struct ui *ui, const struct scene *scene, struct rect at);
