// SPDX-License-Identifier: MIT
// A draw list as SVG or PDF.
#pragma once

#include "paper/paper.h"

struct _cairo; // cairo_t
struct fonts;

// The list over its ground, on whatever surface; a unit of cairo's is a pixel.
MUST_CHECK bool vector_paint(struct fonts *fonts, const struct sheet *sheet,
                             struct _cairo *cairo, struct error *err);
MUST_CHECK bool vector_write(struct fonts *fonts, bool pdf, const struct sheet *sheet,
                             struct buf *out, struct error *err);
