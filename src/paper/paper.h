// SPDX-License-Identifier: MIT
// A draw list as the bytes of a picture file. PNG is what the renderer of the window
// paints; SVG and PDF are the same shapes at the same places as vectors, text as outlines
// in SVG and as text in the program's fonts, embedded, in PDF. The same list gives the
// same bytes, always: no file holds a date or a number of the machine's.
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "ui/sheet.h"
#include "ui/ui.h"

struct paper;

// fonts_directory, system_fallback: as in fonts_create.
struct paper *paper_create(const char *fonts_directory, bool system_fallback,
                           struct error *err);
void paper_destroy(struct paper *paper); // NULL is fine
// Text measure for making a list at this scale.
const struct ui_host *paper_host(struct paper *paper, float scale);
// Appends the file to *out.
MUST_CHECK bool paper_write(struct paper *paper, enum sheet_kind kind,
                            const struct sheet *sheet, struct buf *out,
                            struct error *err);
