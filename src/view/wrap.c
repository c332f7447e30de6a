// SPDX-License-Identifier: MIT
// Breaking text between words. See wrap.h.
#include "view/wrap.h"

#include <stdio.h>
#include <string.h>

struct wrapped {
    const char *begin[WRAP_LINES];
    size_t length[WRAP_LINES];
    int count;
};

// The longest beginning of text, in whole words, that fits the width; at least one word.
static size_t line_length(struct ui *ui, enum font font, float size, const char *text,
                          float width)
{
    size_t fits = 0, at = 0, all = strlen(text);
    while (at < all) {
        size_t word = at + strcspn(text + at, " ");
        if (fits && ui_text_width(ui, font, size, text, (int)word) > width)
            return fits;
        fits = word;
        at = word + strspn(text + word, " ");
    }
    return all;
}

static struct wrapped wrap(struct ui *ui, enum font font, float size, float width,
                           int most, const char *text)
{
    struct wrapped lines = {0};
    while (*text && lines.count < most) {
        bool last = lines.count == most - 1;
        size_t length = last ? strlen(text) : line_length(ui, font, size, text, width);
        lines.begin[lines.count] = text;
        lines.length[lines.count++] = length;
        text += length;
        text += strspn(text, " ");
    }
    return lines;
}

int wrap_count(struct ui *ui, enum font font, float size, float width, const char *text)
{
    return wrap(ui, font, size, width, WRAP_LINES, text).count;
}

float wrap_draw(struct ui *ui, enum font font, float size, struct color color,
                struct rect at, float step, int align, const char *text)
{
    int room = (int)(at.h / step);
    bool few = at.h > 0 && room < WRAP_LINES;
    struct wrapped lines = wrap(ui, font, size, at.w, few ? room : WRAP_LINES, text);
    for (int i = 0; i < lines.count; i++, at.y += step) {
        char line[640];
        snprintf(line, sizeof line, "%.*s", (int)lines.length[i], lines.begin[i]);
        ui_text_fit(ui, font, size, rect_make(at.x, at.y, at.w, step), align, color,
                    line);
    }
    return at.y;
}
