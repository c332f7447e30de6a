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
struct run;

// directory: assets/fonts. system_fallback false: only the bundled faces (for exact
// tests).
struct fonts *fonts_create(const char *directory, bool system_fallback,
                           struct error *err);
void fonts_destroy(struct fonts *fonts);
// Logical width of text at size * scale pixels; cached.
float fonts_width(struct fonts *fonts, enum font font, float size, float scale,
                  const char *text, size_t length);
// The same in whole pixels at a pixel size, which fonts_px gives.
int fonts_width_px(struct fonts *fonts, enum font font, int px, const char *text,
                   size_t length);
int fonts_px(float size, float scale);
// Long text is measured and drawn in pieces, side by side: where the piece that begins at
// `at` ends. Pieces of a text that reads right to left stand in reverse.
size_t fonts_piece(int px, const char *text, size_t length, size_t at);
bool fonts_right_to_left(const char *text, size_t length);
// For whoever draws outlines: the runs of a piece, in the order in which they stand, and
// the whole pixels that each takes, into runs and widths (RUNS_MAX_BYTES); their number.
int fonts_runs(struct fonts *fonts, enum font font, int px, const char *text,
               size_t length, struct run *runs, int *widths);
struct font_file {
    const unsigned char *bytes; // NULL: it is at path; borrowed like it
    size_t size;
    const char *path;
    int index;   // face within the file
    bool bitmap; // it has no outlines
};
struct font_file fonts_file(const struct fonts *fonts, int face); // of a run, no FACE_BOX
// Rendered white on transparent at px pixels high, ARGB8888; *baseline: rows from the
// top. Colour glyphs are in their own
// colours, none of which is exactly white. It is as wide as fonts_width_px says, or a
// little wider where a letter hangs over. NULL when the text is empty or memory is short.
// Free with SDL_FreeSurface.
struct SDL_Surface *fonts_render(struct fonts *fonts, enum font font, int px,
                                 const char *text, size_t length, int *baseline);
// Pieces measured since the beginning (for tests).
long fonts_measured(const struct fonts *fonts);
