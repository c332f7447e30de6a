// SPDX-License-Identifier: MIT
// A reading as a PNG, SVG or PDF: the window's heatmap with its readouts, without a
// display.
#pragma once

#include "base/buf.h"
#include "formats/write.h"
#include "paper/paper.h"
#include "view/colormap.h"

struct picture_look {
    enum sheet_kind kind;
    enum theme theme;
    float scale; // pixels per logical unit
    bool hard, ribbon;
    enum shade shade;
    enum colormap map;
};

// Appends the file to *out.
MUST_CHECK bool picture_file(struct buf *out, const struct reading *reading,
                             const char *title, const struct picture_look *look,
                             struct error *err);
