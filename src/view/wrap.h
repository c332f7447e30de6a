// SPDX-License-Identifier: MIT
// A few lines of running text, broken between words.
#pragma once

#include "ui/ui.h"

enum { WRAP_LINES = 6 };

// How many lines the text takes; at most WRAP_LINES.
int wrap_count(struct ui *ui, enum font font, float size, float width, const char *text);
// Draws from the top of `at` downwards, `step` a line, as many as at.h has room for (0:
// WRAP_LINES); align as in ui_text_fit. A word that is wider than the line, and what is
// left after the last line, is elided. Returns the next y.
float wrap_draw(struct ui *ui, enum font font, float size, struct color color,
                struct rect at, float step, int align, const char *text);
