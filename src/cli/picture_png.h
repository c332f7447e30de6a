// SPDX-License-Identifier: MIT
// A reading as a PNG: the window's heatmap with its readouts, without a display.
#pragma once

#include "base/buf.h"
#include "formats/write.h"
#include "ui/style.h"

// Appends the file to *out. scale: pixels per logical unit.
MUST_CHECK bool picture_png(struct buf *out, const struct reading *reading,
                            const char *title, enum theme theme, float scale,
                            struct error *err);
