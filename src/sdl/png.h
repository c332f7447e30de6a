// SPDX-License-Identifier: MIT
// What offscreen.h says of PNG, and rows from a surface. Pictures have at most
// PNG_MAX_PIXELS pixels.
#pragma once

#include "base/buf.h"
#include "base/error.h"

enum { PNG_MAX_PIXELS = 64 * 1024 * 1024 };

struct SDL_Surface;
// Appends the surface's colours, 3 bytes a pixel.
MUST_CHECK bool png_rgb(const struct SDL_Surface *surface, struct buf *out,
                        struct error *err);
