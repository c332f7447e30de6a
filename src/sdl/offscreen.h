// SPDX-License-Identifier: MIT
// Pictures without a display: a draw list painted on a bare surface, saved as PNG.
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "sdl/render.h"
#include "ui/ui.h"

struct offscreen; // fonts + render + a surface; no SDL_Init(VIDEO)

// system_fallback as in fonts_create.
struct offscreen *offscreen_create(const char *fonts_directory, bool system_fallback,
                                   struct error *err);
void offscreen_destroy(struct offscreen *offscreen);
// Text measure at this scale, and an in-memory clipboard.
const struct ui_host *offscreen_host(struct offscreen *offscreen, float scale);
// The fonts it draws with; borrowed.
struct fonts *offscreen_fonts(struct offscreen *offscreen);
// Paints at width x height logical units; the pixels stay until the next paint.
MUST_CHECK bool offscreen_paint(struct offscreen *offscreen, const struct draw_list *list,
                                float width, float height, float scale,
                                struct color ground, struct error *err);
// RGB, 3 bytes a pixel, opaque.
const unsigned char *offscreen_pixels(struct offscreen *offscreen, int *w, int *h);
// Appends a PNG of the picture to *out.
MUST_CHECK bool offscreen_png(struct offscreen *offscreen, struct buf *out,
                              struct error *err);
// Reads a PNG file to RGB (for comparing screens); free(*rgb).
MUST_CHECK bool png_read(const char *path, unsigned char **rgb, int *w, int *h,
                         struct error *err);
// Appends RGB pixels as a PNG.
MUST_CHECK bool png_write(const unsigned char *rgb, int w, int h, struct buf *out,
                          struct error *err);
