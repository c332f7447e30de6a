// SPDX-License-Identifier: MIT
// Drawn text, ready to blend, remembered: the least recently used goes first.
#pragma once

#include "base/error.h"
#include "sdl/fonts.h"

#include <stdint.h>

struct masks;

struct mask {
    int left, top;          // of the first pixel, from the start of the baseline
    int w, h;               // 0: no ink
    const uint8_t *cover;   // (h, w) coverage; NULL: coloured
    const uint32_t *pixels; // (h, w) 0xAARRGGBB, as raster_glyphs takes them
};

struct text_key {
    enum font font;
    int px;
    float angle; // degrees, counter-clockwise
    const char *text;
    size_t length; // one piece of fonts_piece
};

struct masks *masks_create(struct fonts *fonts, size_t max_bytes, struct error *err);
void masks_destroy(struct masks *masks);
// The mask, drawn now if it is not known; valid until the next call. NULL: no memory.
const struct mask *masks_get(struct masks *masks, const struct text_key *key);
// Bytes held now, and texts drawn since the beginning (for tests).
size_t masks_bytes(const struct masks *masks);
long masks_drawn(const struct masks *masks);
