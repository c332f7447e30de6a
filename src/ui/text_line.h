// SPDX-License-Identifier: MIT
// A line of text cut into chunks after spaces, each measured once: positions, hit tests
// and drawing in a long line then cost one short measurement instead of the whole line,
// and what is drawn stands exactly where it was measured. An ordinary sentence is one
// chunk. Internal to ui/.
#pragma once

#include "ui/ui.h"

enum { LINE_CHUNK_BYTES = 160, LINE_MAX_CHUNKS = 96 };

struct text_line {
    const struct ui *ui;
    enum font font;
    float size;
    const char *text; // borrowed
    size_t length;
    int count;
    size_t start[LINE_MAX_CHUNKS + 1]; // (count + 1)
    float x[LINE_MAX_CHUNKS + 1];      // (count + 1) where each begins; last: the width
};

void text_line_measure(struct text_line *line, const struct ui *ui, enum font font,
                       float size, const char *text, size_t length);
float text_line_width(const struct text_line *line);
// Where the byte offset (a code point's begin) stands, from the line's begin.
float text_line_x(const struct text_line *line, size_t at);
// The cluster boundary nearest to x, for a caret; or the begin of the cluster under x.
size_t text_line_near(const struct text_line *line, float x);
size_t text_line_under(const struct text_line *line, float x);
// Draws the chunks that show between left and right; the line begins at x.
void text_line_draw(const struct text_line *line, struct draw_list *list, float x,
                    float baseline, float left, float right, struct color color);
