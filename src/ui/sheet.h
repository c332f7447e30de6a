// SPDX-License-Identifier: MIT
// A sheet: a draw list that is to leave the screen, and what a file needs to know of it.
#pragma once

#include "ui/draw.h"

enum sheet_kind { SHEET_PNG, SHEET_SVG, SHEET_PDF, SHEET_KINDS };

// "png"; its ending is that with a dot.
static inline const char *sheet_kind_name(enum sheet_kind kind)
{
    static const char *const names[] = {"png", "svg", "pdf"};
    return names[kind];
}

struct sheet {
    const struct draw_list *list;
    float width, height; // logical units
    float scale;         // pixels per unit: of a PNG, and what edges are rounded to
    struct color ground;
};
