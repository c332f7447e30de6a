// SPDX-License-Identifier: MIT
// Draw lists to pixels of a surface, the window's or a bare one, so that a picture is the
// same, bit for bit, in the window, in a PNG and in a test, and start-up loads no
// graphics driver.
#pragma once

#include "base/error.h"
#include "sdl/fonts.h"
#include "ui/pixels.h"

struct SDL_Surface;
struct render;

// fonts is borrowed. A render keeps a cache of text masks (bounded, LRU).
struct render *render_create(struct fonts *fonts, struct error *err);
void render_destroy(struct render *render);
// Paints the list over `ground` on the surface. scale: pixels per logical unit. Where the
// surface holds the picture of the call before, only what differs is painted: nobody else
// may write there in between.
MUST_CHECK bool render_paint(struct render *render, struct SDL_Surface *surface,
                             const struct draw_list *list, float scale,
                             struct color ground, struct error *err);
// The pixels that the last render_paint wrote, as so many boxes; they live until the
// next.
int render_changed(const struct render *render, const struct box **boxes);
