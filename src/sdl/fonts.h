// SPDX-License-Identifier: MIT
// Faces by (font, pixel size), with fallback: Inter, then DejaVu Sans, then whatever the
// system has for a character both lack (asked of fontconfig, only then). Text is split
// into grapheme clusters, each drawn with the first face that has all of it;
// right-to-left runs are shaped inside the run.
#pragma once

#include "base/error.h"
#include "ui/draw.h"

#include <stddef.h>

struct SDL_Surface;
struct fonts;

// directory: assets/fonts. system_fallback false: only the bundled faces (for exact
// tests).
struct fonts *fonts_create(const char *directory, bool system_fallback,
                           struct error *err);
void fonts_destroy(struct fonts *fonts);
// Logical width of text at size * scale pixels; cached.
float fonts_width(struct fonts *fonts, enum font font, float size, float scale,
                  const char *text, size_t length);
// Rendered white on transparent at px pixels high, ARGB8888; *baseline: rows from the
// top. NULL when nothing is visible or memory is short. Free with SDL_FreeSurface.
struct SDL_Surface *fonts_render(struct fonts *fonts, enum font font, int px,
                                 const char *text, size_t length, int *baseline);
