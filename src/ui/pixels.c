// SPDX-License-Identifier: MIT
// Numbers from a list are not trusted: what is not finite draws nothing, what is huge is
// cut. See pixels.h.
#include "ui/pixels.h"

#include <math.h>

static const float far_away = 1e6f; // pixels

int pixels_at(float at)
{
    return (int)floorf(fminf(fmaxf(at, -far_away), far_away) + 0.5f);
}

static bool is_usable(struct rect r)
{
    return isfinite(r.x) && isfinite(r.y) && isfinite(r.w) && isfinite(r.h);
}

struct box pixels_box(struct rect r, float scale)
{
    if (!is_usable(r) || !(r.w > 0) || !(r.h > 0))
        return (struct box){0, 0, 0, 0};
    struct box box = {pixels_at(r.x * scale), pixels_at(r.y * scale),
                      pixels_at((r.x + r.w) * scale), pixels_at((r.y + r.h) * scale)};
    if (box.x1 <= box.x0)
        box.x1 = box.x0 + 1;
    if (box.y1 <= box.y0)
        box.y1 = box.y0 + 1;
    return box;
}

float pixels_radius(float radius, float scale)
{
    radius *= scale;
    return radius > 0 && isfinite(radius) ? radius : 0;
}

int pixels_stroke(float width, float scale)
{
    width *= scale;
    if (!(width > 0))
        return 0;
    return width < 1 ? 1 : pixels_at(width);
}

float pixels_angle(float angle)
{
    angle = fmodf(roundf(angle * 4) / 4, 360);
    return isfinite(angle) ? angle : 0;
}
