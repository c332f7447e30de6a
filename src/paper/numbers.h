// SPDX-License-Identifier: MIT
// What cairo writes into an SVG of the process and not of the picture.
#pragma once

#include "base/buf.h"

// In the SVG that begins at `from`: the ids of surfaces, which cairo counts through the
// life of the process, are counted from 1 in the order in which they stand. False when
// memory is short.
MUST_CHECK bool numbers_anew(struct buf *svg, size_t from);
