// SPDX-License-Identifier: MIT
// Blending shapes into 32-bit pixels. All coordinates are whole pixels, inside or outside
// the clip; corners are anti-aliased.
#pragma once

#include "ui/pixels.h"

#include <stddef.h>
#include <stdint.h>

struct canvas {
    uint32_t *pixels; // 0xffRRGGBB
    size_t stride;    // pixels a row
    int w, h;
    struct box clip; // inside 0, 0, w, h
};

struct box box_intersect(struct box a, struct box b);

void raster_clear(struct canvas *canvas, struct color color);
void raster_fill(struct canvas *canvas, struct box box, float radius, struct color color);
// A stroke of `width` whole pixels inside the box.
void raster_frame(struct canvas *canvas, struct box box, float radius, int width,
                  struct color color);
// 8-bit coverage, w * h, its top left corner at x, y.
void raster_mask(struct canvas *canvas, int x, int y, const uint8_t *mask, int w, int h,
                 struct color color);
// Pixels with alpha (0xAARRGGBB); exactly white ones take the colour, others its alpha.
void raster_glyphs(struct canvas *canvas, int x, int y, const uint32_t *pixels, int w,
                   int h, struct color color);
// A band down the box; its left edge goes from x `from` to x `to`, `width` pixels beside
// it its right one, as draw_ribbon says; the sides are anti-aliased along the line.
void raster_ribbon(struct canvas *canvas, struct box box, float from, float to,
                   float width, struct color color);
// A line from one point to the other with flat ends, in pixels; nothing outside the box.
void raster_stroke(struct canvas *canvas, struct box box, const float from[2],
                   const float to[2], float width, struct color color);
// RGBA bytes, w * h, stretched over the box by nearest sample.
void raster_image(struct canvas *canvas, struct box box, const uint8_t *rgba, int w,
                  int h, uint8_t opacity);
