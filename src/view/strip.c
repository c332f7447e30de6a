// SPDX-License-Identifier: MIT
// See strip.h. The scale is the vector's own: two strips are compared by their pattern,
// not by their colours.
#include "view/strip.h"

#include <math.h>
#include <stdio.h>

#include "view/colormap.h"

enum { MAX_CELLS = 1024, LABEL = 19 };

// The number of largest size among [from, to).
static float strongest(const float *values, int from, int to)
{
    float most = values[from];
    for (int i = from + 1; i < to; i++)
        most = fabsf(values[i]) > fabsf(most) ? values[i] : most;
    return most;
}

void strip_draw(struct ui *ui, struct rect at, const char *name, const float *values,
                int n)
{
    const struct style *style = ui->style;
    float full = fmaxf(fabsf(strongest(values, 0, n)), 1e-12f);
    int cells = (int)fminf(fminf((float)n, at.w), MAX_CELLS);
    uint8_t pixels[MAX_CELLS * 4];
    for (int i = 0; i < cells; i++) {
        float value = strongest(values, i * n / cells, (i + 1) * n / cells);
        struct color c = colormap_signed(style->theme, value / full);
        pixels[4 * i] = c.r;
        pixels[4 * i + 1] = c.g;
        pixels[4 * i + 2] = c.b;
        pixels[4 * i + 3] = 255;
    }
    char text[200];
    snprintf(text, sizeof text, "%s: %d numbers, ±%.2f", name, n, (double)full);
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x, at.y, at.w, LABEL - 2), -1, style->dim,
                text);
    draw_image(ui->list, rect_make(at.x, at.y + LABEL, at.w, at.h - LABEL), cells, 1,
               pixels, 255);
}
