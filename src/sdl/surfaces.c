// SPDX-License-Identifier: MIT
// Pixels of letters, made and put together. See surfaces.h.
#include "sdl/surfaces.h"

#include <SDL.h>
#include <math.h>

SDL_Surface *surface_make(int w, int h)
{
    return SDL_CreateRGBSurfaceWithFormat(0, w < 1 ? 1 : w, h < 1 ? 1 : h, 32,
                                          SDL_PIXELFORMAT_ARGB8888);
}

static Uint32 *row_of(const SDL_Surface *surface, int y)
{
    return (Uint32 *)surface->pixels + (size_t)y * ((size_t)surface->pitch / 4);
}

SDL_Surface *surface_boxes(int count, int box_width, int px)
{
    int height = (px * 3 + 3) / 4;
    int stroke = px < 24 ? 1 : px / 16, side = px < 16 ? 1 : px / 12;
    SDL_Surface *surface = surface_make(box_width * count, height);
    for (int i = 0; surface && i < count; i++) {
        SDL_Rect outer = {i * box_width + side, 0, box_width - 2 * side, height};
        SDL_Rect inner = {outer.x + stroke, stroke, outer.w - 2 * stroke,
                          height - 2 * stroke};
        SDL_FillRect(surface, &outer, 0xFFFFFFFF);
        if (inner.w > 0 && inner.h > 0)
            SDL_FillRect(surface, &inner, 0);
    }
    return surface;
}

// The average of a rectangle of source pixels, weighted by their alpha, never quite
// white.
static Uint32 average(const SDL_Surface *from, int x0, int y0, int x1, int y1)
{
    unsigned long a = 0, r = 0, g = 0, b = 0;
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            Uint32 pixel = row_of(from, y)[x], alpha = pixel >> 24;
            a += alpha;
            r += alpha * (pixel >> 16 & 255);
            g += alpha * (pixel >> 8 & 255);
            b += alpha * (pixel & 255);
        }
    }
    if (a == 0)
        return 0;
    unsigned long count = (unsigned long)(x1 - x0) * (unsigned long)(y1 - y0);
    unsigned long red = r / a, alpha = a / count;
    red = red > 254 ? 254 : red;
    return (Uint32)(alpha << 24 | red << 16 | g / a << 8 | b / a);
}

SDL_Surface *surface_shrink(SDL_Surface *from, float scale)
{
    int w = (int)lroundf((float)from->w * scale),
        h = (int)lroundf((float)from->h * scale);
    SDL_Surface *to = surface_make(w, h);
    for (int y = 0; to && y < to->h; y++) {
        int y0 = y * from->h / to->h, y1 = (y + 1) * from->h / to->h;
        for (int x = 0; x < to->w; x++) {
            int x0 = x * from->w / to->w, x1 = (x + 1) * from->w / to->w;
            row_of(to, y)[x] =
                average(from, x0, y0, x1 > x0 ? x1 : x0 + 1, y1 > y0 ? y1 : y0 + 1);
        }
    }
    SDL_FreeSurface(from);
    return to;
}

void surface_copy(SDL_Surface *to, const SDL_Surface *from, int left, int top)
{
    for (int y = 0; y < from->h; y++) {
        if (y + top < 0 || y + top >= to->h)
            continue;
        const Uint32 *source = row_of(from, y);
        Uint32 *target = row_of(to, y + top);
        for (int x = 0; x < from->w; x++) {
            int at = x + left;
            if (at >= 0 && at < to->w && source[x] >> 24 > target[at] >> 24)
                target[at] = source[x];
        }
    }
}
