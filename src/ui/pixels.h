// SPDX-License-Identifier: MIT
// Where the logical units of a draw list fall on whole pixels. Everything that draws a
// list asks here, so that a picture has the same edges on the screen, in a PNG and as
// vectors.
#pragma once

#include "ui/draw.h"

struct box { // pixels x0 <= x < x1, y0 <= y < y1
    int x0, y0, x1, y1;
};

int pixels_at(float at); // a place in pixels, rounded; what is huge is cut
// Edges are rounded one by one, so that neighbours that share an edge share it here; a
// side that would vanish keeps one pixel. Empty (x1 <= x0) for what cannot be drawn.
struct box pixels_box(struct rect rect, float scale);
float pixels_radius(float radius, float scale); // 0 for what is none
int pixels_stroke(float width, float scale);    // at least 1 for what is there at all
// Degrees, to a quarter of one; 0 for what is no angle.
float pixels_angle(float angle);
