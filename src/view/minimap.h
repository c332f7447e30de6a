// SPDX-License-Identifier: MIT
// The whole of a matrix that is not whole on the screen, small, with a frame around what
// is in sight.
#pragma once

#include "ui/ui.h"
#include "view/grid.h"
#include "view/scene.h"

// The largest place in `room` with the shape of the matrix, within reason.
struct rect minimap_place(const struct grid *grid, struct rect room);
void minimap_draw(struct ui *ui, const struct scene *scene, const struct grid *grid,
                  struct rect at);
// The port that has the middle of what is in sight at x, y of the map.
struct grid_port minimap_port(const struct grid *grid, struct rect at, float x, float y);
