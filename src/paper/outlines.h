// SPDX-License-Identifier: MIT
// Text of a draw list on a cairo surface, as outlines, where the renderer would draw it.
#pragma once

#include "base/error.h"
#include "sdl/fonts.h"

struct _cairo; // cairo_t
struct outlines;

struct outlines *outlines_create(struct fonts *fonts, struct error *err);
void outlines_destroy(struct outlines *outlines); // NULL is fine
// scale: pixels per logical unit, which are cairo's units. Text that cannot be drawn is
// an error.
MUST_CHECK bool outlines_draw(struct outlines *outlines, struct _cairo *cairo,
                              float scale, const struct draw_cmd *cmd, const char *text,
                              struct error *err);
