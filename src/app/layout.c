// SPDX-License-Identifier: MIT
// The window in parts, by its size: a low one has less air, and a narrow one no
// microscope. See layout.h.
#include "app/layout.h"

#include "view/forming.h"

struct layout layout_of(float w, float h, bool has_history)
{
    struct layout l = {0};
    float margin = w >= 1000 ? 24 : 14, gap = h >= 640 ? 18 : h >= 500 ? 10 : 8;
    float inner = w - 2 * margin, y = h >= 640 ? 16 : 8;
    l.top = rect_make(margin, y, inner, 30);
    y += 30 + gap * 0.85f;
    l.sentence = rect_make(margin, y, inner, h >= 640 ? 56 : h >= 500 ? 44 : 38);
    l.sentence_size = h >= 640 ? 26 : h >= 500 ? 20 : 18;
    y += l.sentence.h + gap;
    float bottom = h >= 600 ? 94 : 58;
    l.bottom = rect_make(margin, h - gap - bottom, inner, bottom);
    float room = l.bottom.y - gap - y;
    float strip = h >= 600 ? FORMING_HEIGHT : FORMING_LOW;
    if (has_history && room >= 200) {
        room -= strip + gap;
        l.forming = rect_make(margin, y + room + gap, inner, strip);
    }
    float look = w >= 1180 ? 344 : w >= 940 ? 264 : 0;
    if (room < 330)
        look = 0;
    l.microscope = rect_make(margin + inner - look, y, look, room);
    l.panel = rect_make(margin, y, inner - (look > 0 ? look + 22 : 0), room);
    return l;
}

struct rect layout_middle(const struct layout *layout)
{
    struct rect all = layout->panel;
    if (layout->microscope.w > 0)
        all.w = layout->microscope.x + layout->microscope.w - all.x;
    return all;
}

struct rect layout_whole(const struct layout *layout)
{
    struct rect all = layout->top;
    all.h = layout->bottom.y + layout->bottom.h - all.y;
    return all;
}
