// SPDX-License-Identifier: MIT
// The pixel loops. They are our own and in integers (but for corner distances), so that a
// picture is the same on every machine and with every version of SDL, and a text mask
// takes a byte a pixel. A corner pixel is covered by how far its centre is from the arc,
// which is within 1/20 of its true area for radii from 1 up and has no visible steps.
#include "sdl/raster.h"

#include <math.h>
#include <string.h>

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

struct box box_intersect(struct box a, struct box b)
{
    struct box c = {max_int(a.x0, b.x0), max_int(a.y0, b.y0), min_int(a.x1, b.x1),
                    min_int(a.y1, b.y1)};
    c.x1 = max_int(c.x0, c.x1);
    c.y1 = max_int(c.y0, c.y1);
    return c;
}

// x / 255, rounded, for 0 <= x <= 255 * 255.
static inline uint32_t div255(uint32_t x)
{
    x += 128;
    return (x + (x >> 8)) >> 8;
}

static uint32_t pack(struct color c)
{
    return 0xFF000000u | (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

// div255 of each channel; red and blue in one number, where 16 bits hold 255 * 255 + 128.
static inline uint32_t blend(uint32_t under, uint32_t over, uint32_t alpha)
{
    const uint32_t pair = 0xFF00FF, half = 0x800080;
    uint32_t rest = 255 - alpha;
    uint32_t rb = (over & pair) * alpha + (under & pair) * rest + half;
    uint32_t g = (over >> 8 & 255) * alpha + (under >> 8 & 255) * rest + 128;
    rb = (rb + (rb >> 8 & pair)) >> 8 & pair;
    g = (g + (g >> 8)) & 0xFF00;
    return 0xFF000000u | rb | g;
}

// Four pixels of a canvas as blend does each; an alpha for each of their bytes.
static inline void blend_four(uint32_t *pixels, uint32_t over, const uint8_t *alpha)
{
    const uint32_t four[4] = {over, over, over, over};
    uint8_t under[16], from[16];
    memcpy(under, pixels, sizeof under);
    memcpy(from, four, sizeof from);
    for (int i = 0; i < 16; i++) { // compiles to 16-bit lanes
        uint16_t sum = (uint16_t)(from[i] * alpha[i] + under[i] * (255 - alpha[i]) + 128);
        sum = (uint16_t)(sum + (sum >> 8));
        under[i] = (uint8_t)(sum >> 8);
    }
    memcpy(pixels, under, sizeof under);
}

static uint32_t *row_of(const struct canvas *canvas, int y)
{
    return canvas->pixels + (size_t)y * canvas->stride;
}

static void fill_row(uint32_t *row, int x0, int x1, uint32_t color, uint32_t alpha)
{
    if (alpha == 255) {
        const uint32_t eight[8] = {color, color, color, color,
                                   color, color, color, color};
        int x = x0;
        for (; x + 8 <= x1; x += 8) // compiles to wide stores
            memcpy(row + x, eight, sizeof eight);
        for (; x < x1; x++)
            row[x] = color;
    } else {
        uint8_t alphas[16];
        int x = x0;
        memset(alphas, (int)alpha, sizeof alphas);
        for (; x + 4 <= x1; x += 4)
            blend_four(row + x, color, alphas);
        for (; x < x1; x++)
            row[x] = blend(row[x], color, alpha);
    }
}

static void fill_box(struct canvas *canvas, struct box box, struct color color)
{
    box = box_intersect(box, canvas->clip);
    for (int y = box.y0; y < box.y1; y++)
        fill_row(row_of(canvas, y), box.x0, box.x1, pack(color), color.a);
}

void raster_clear(struct canvas *canvas, struct color color)
{
    color.a = 255;
    fill_box(canvas, (struct box){0, 0, canvas->w, canvas->h}, color);
}

// A rounded rectangle for asking about single pixels.
struct shape {
    float x0, y0, x1, y1, radius;
};

static struct shape shape_of(struct box box, float radius)
{
    float half = 0.5f * (float)min_int(box.x1 - box.x0, box.y1 - box.y0);
    radius = radius > half ? half : radius;
    return (struct shape){(float)box.x0, (float)box.y0, (float)box.x1, (float)box.y1,
                          radius > 0 ? radius : 0};
}

static float larger(float a, float b) // fmaxf is a call
{
    return a > b ? a : b;
}

// How much of the pixel is inside, 0..1.
static float coverage(const struct shape *s, int x, int y)
{
    float px = (float)x + 0.5f, py = (float)y + 0.5f;
    if (px < s->x0 || px > s->x1 || py < s->y0 || py > s->y1)
        return 0;
    float dx = larger(s->x0 + s->radius - px, px - (s->x1 - s->radius));
    float dy = larger(s->y0 + s->radius - py, py - (s->y1 - s->radius));
    if (dx <= 0 || dy <= 0)
        return 1;
    float inside = s->radius + 0.5f - sqrtf(dx * dx + dy * dy);
    return inside <= 0 ? 0 : inside >= 1 ? 1 : inside;
}

// The pixels of one corner: inside `outer` and outside `inner` (which may be NULL).
static void fill_corner(struct canvas *canvas, struct box box, const struct shape *outer,
                        const struct shape *inner, struct color color)
{
    uint32_t packed = pack(color);
    box = box_intersect(box, canvas->clip);
    for (int y = box.y0; y < box.y1; y++) {
        uint32_t *row = row_of(canvas, y);
        for (int x = box.x0; x < box.x1; x++) {
            float cover = coverage(outer, x, y);
            if (inner)
                cover -= cover * coverage(inner, x, y);
            uint32_t alpha = (uint32_t)(cover * (float)color.a + 0.5f);
            if (alpha > 0)
                row[x] = blend(row[x], packed, alpha);
        }
    }
}

static void fill_corners(struct canvas *canvas, struct box box, int size,
                         const struct shape *outer, const struct shape *inner,
                         struct color color)
{
    int left = min_int(box.x0 + size, box.x1), top = min_int(box.y0 + size, box.y1);
    int right = max_int(box.x1 - size, left), bottom = max_int(box.y1 - size, top);
    struct box corners[4] = {{box.x0, box.y0, left, top},
                             {right, box.y0, box.x1, top},
                             {box.x0, bottom, left, box.y1},
                             {right, bottom, box.x1, box.y1}};
    for (int i = 0; i < 4; i++)
        fill_corner(canvas, corners[i], outer, inner, color);
}

void raster_fill(struct canvas *canvas, struct box box, float radius, struct color color)
{
    if (box.x1 <= box.x0 || box.y1 <= box.y0 || color.a == 0)
        return;
    struct shape shape = shape_of(box, radius);
    int size = (int)ceilf(shape.radius);
    if (size == 0) {
        fill_box(canvas, box, color);
        return;
    }
    fill_corners(canvas, box, size, &shape, NULL, color);
    int left = min_int(box.x0 + size, box.x1), top = min_int(box.y0 + size, box.y1);
    int right = max_int(box.x1 - size, left), bottom = max_int(box.y1 - size, top);
    fill_box(canvas, (struct box){left, box.y0, right, top}, color);
    fill_box(canvas, (struct box){box.x0, top, box.x1, bottom}, color);
    fill_box(canvas, (struct box){left, bottom, right, box.y1}, color);
}

void raster_frame(struct canvas *canvas, struct box box, float radius, int width,
                  struct color color)
{
    if (box.x1 <= box.x0 || box.y1 <= box.y0 || color.a == 0 || width < 1)
        return;
    if (2 * (int64_t)width >= min_int(box.x1 - box.x0, box.y1 - box.y0)) {
        raster_fill(canvas, box, radius, color);
        return;
    }
    struct box hole = {box.x0 + width, box.y0 + width, box.x1 - width, box.y1 - width};
    struct shape outer = shape_of(box, radius);
    struct shape inner = shape_of(hole, outer.radius - (float)width);
    int size = max_int((int)ceilf(outer.radius), width);
    fill_corners(canvas, box, size, &outer, &inner, color);
    int left = box.x0 + size, top = box.y0 + size;
    int right = max_int(box.x1 - size, left), bottom = max_int(box.y1 - size, top);
    fill_box(canvas, (struct box){left, box.y0, right, hole.y0}, color);
    fill_box(canvas, (struct box){left, hole.y1, right, box.y1}, color);
    fill_box(canvas, (struct box){box.x0, top, hole.x0, bottom}, color);
    fill_box(canvas, (struct box){hole.x1, top, box.x1, bottom}, color);
}

static bool all_zero(const uint8_t *eight)
{
    uint64_t all;
    memcpy(&all, eight, sizeof all);
    return all == 0;
}

static inline uint32_t mask_alpha(uint8_t cover, uint8_t alpha)
{
    return alpha == 255 ? cover : div255((uint32_t)cover * alpha);
}

// Four bytes of cover, each for the four bytes of its pixel.
static inline void blend_mask(uint32_t *pixels, uint32_t over, const uint8_t *cover,
                              uint8_t alpha)
{
    typedef uint32_t lanes __attribute__((vector_size(16)));
    lanes alphas = {mask_alpha(cover[0], alpha), mask_alpha(cover[1], alpha),
                    mask_alpha(cover[2], alpha), mask_alpha(cover[3], alpha)};
    uint8_t bytes[16];
    alphas |= alphas << 8;
    alphas |= alphas << 16;
    memcpy(bytes, &alphas, sizeof bytes);
    blend_four(pixels, over, bytes);
}

static void mask_row(uint32_t *pixels, const uint8_t *cover, int count,
                     struct color color)
{
    uint32_t packed = pack(color);
    int at = 0;
    while (at + 8 <= count) {
        if (all_zero(cover + at)) { // most of a text
            at += 8;
            continue;
        }
        for (int end = at + 8; at < end; at += 4)
            blend_mask(pixels + at, packed, cover + at, color.a);
    }
    for (; at < count; at++)
        pixels[at] = blend(pixels[at], packed, mask_alpha(cover[at], color.a));
}

void raster_mask(struct canvas *canvas, int x, int y, const uint8_t *mask, int w, int h,
                 struct color color)
{
    struct box box = box_intersect((struct box){x, y, x + w, y + h}, canvas->clip);
    for (int row = box.y0; row < box.y1; row++) {
        const uint8_t *cover = mask + (size_t)(row - y) * (size_t)w;
        mask_row(row_of(canvas, row) + box.x0, cover + (box.x0 - x), box.x1 - box.x0,
                 color);
    }
}

void raster_glyphs(struct canvas *canvas, int x, int y, const uint32_t *pixels, int w,
                   int h, struct color color)
{
    struct box box = box_intersect((struct box){x, y, x + w, y + h}, canvas->clip);
    uint32_t packed = pack(color);
    for (int row = box.y0; row < box.y1; row++) {
        const uint32_t *from = pixels + (size_t)(row - y) * (size_t)w;
        uint32_t *to = row_of(canvas, row);
        for (int at = box.x0; at < box.x1; at++) {
            uint32_t pixel = from[at - x], alpha = div255((pixel >> 24) * color.a);
            bool ink = (pixel & 0xFFFFFF) == 0xFFFFFF;
            to[at] = blend(to[at], ink ? packed : pixel, alpha);
        }
    }
}

// What lies between two places of a line; the pixels with its ends are covered in part.
static void fill_span(uint32_t *row, struct box clip, float from, float to,
                      struct color color)
{
    float alpha = (float)color.a;
    from = fmaxf(from, (float)clip.x0);
    to = fminf(to, (float)clip.x1);
    if (!(to > from))
        return;
    int first = (int)from, last = (int)to;
    float left = fminf(to, (float)(first + 1)) - from, right = to - (float)last;
    row[first] = blend(row[first], pack(color), (uint32_t)(alpha * left + 0.5f));
    fill_row(row, first + 1, last, pack(color), color.a);
    if (last > first && last < clip.x1)
        row[last] = blend(row[last], pack(color), (uint32_t)(alpha * right + 0.5f));
}

void raster_ribbon(struct canvas *canvas, struct box box, float from, float to,
                   float width, struct color color)
{
    struct box visible = box_intersect(box, canvas->clip);
    visible.x0 = canvas->clip.x0; // a ribbon may leave the box at its sides
    visible.x1 = canvas->clip.x1;
    for (int y = visible.y0; y < visible.y1; y++) {
        float f = ((float)(y - box.y0) + 0.5f) / (float)(box.y1 - box.y0);
        float x = from + (to - from) * f * f * (3 - 2 * f);
        fill_span(row_of(canvas, y), visible, x, x + width, color);
    }
}

// How far a point is from a line; INFINITY beside its ends. A point is beside one of two
// lines that go on from each other, so that neither paints what the other has.
static float distance(float x, float y, const float from[2], const float to[2])
{
    float dx = to[0] - from[0], dy = to[1] - from[1], length = hypotf(dx, dy);
    float along = ((x - from[0]) * dx + (y - from[1]) * dy) / length;
    if (!(along >= 0 && along < length))
        return INFINITY;
    return fabsf((x - from[0]) * dy - (y - from[1]) * dx) / length;
}

// The pixels of a row that a line may reach: those near it, were it without ends.
static struct box near_line(struct box row, const float from[2], const float to[2],
                            float reach)
{
    float dx = to[0] - from[0], dy = to[1] - from[1];
    if (fabsf(dy) < 1e-3f)
        return row;
    float middle = from[0] + ((float)row.y0 + 0.5f - from[1]) * dx / dy;
    float half = reach * hypotf(dx, dy) / fabsf(dy) + 1;
    row.x0 = (int)fminf(fmaxf(middle - half, (float)row.x0), (float)row.x1);
    row.x1 = (int)fmaxf(fminf(middle + half, (float)row.x1), (float)row.x0);
    return row;
}

void raster_stroke(struct canvas *canvas, struct box box, const float from[2],
                   const float to[2], float width, struct color color)
{
    struct box visible = box_intersect(box, canvas->clip);
    float reach = width / 2 + 0.5f;
    for (int y = visible.y0; y < visible.y1; y++) {
        uint32_t *row = row_of(canvas, y);
        struct box part = {visible.x0, y, visible.x1, y + 1};
        part = near_line(part, from, to, reach);
        for (int x = part.x0; x < part.x1; x++) {
            float cover = reach - distance((float)x + 0.5f, (float)y + 0.5f, from, to);
            cover = fminf(fmaxf(cover, 0), fminf(1, width));
            row[x] =
                blend(row[x], pack(color), (uint32_t)((float)color.a * cover + 0.5f));
        }
    }
}

// Which of `count` samples pixel `at` of a side of `length` pixels shows.
static int nearest(int at, int length, int count)
{
    return (int)((2 * (int64_t)at + 1) * count / (2 * (int64_t)length));
}

// The first pixel after `at` that shows another sample than `sample`.
static int sample_end(int sample, int length, int count)
{
    int64_t end = (2 * (int64_t)(sample + 1) * length - count + 2 * (int64_t)count - 1) /
                  (2 * (int64_t)count);
    return (int)end;
}

// A pixel or more for each sample: from one to the next without a division.
static void wide_row(uint32_t *row, struct box visible, struct box box,
                     const uint8_t *samples, int w, uint8_t opacity)
{
    int length = box.x1 - box.x0, sample = nearest(visible.x0 - box.x0, length, w);
    int64_t unit = 2 * (int64_t)w, step = 2 * (int64_t)length;
    int64_t edge = (sample + 1) * step + w - 1; // sample_end, times unit
    int64_t end = edge / unit, rest = edge % unit;
    const int64_t whole = step / unit, part = step % unit;
    for (int x = visible.x0; x < visible.x1; sample++) {
        const uint8_t *p = samples + 4 * (size_t)sample;
        uint32_t packed = pack((struct color){p[0], p[1], p[2], 255});
        uint32_t alpha = opacity == 255 ? p[3] : div255((uint32_t)p[3] * opacity);
        for (int last = min_int(box.x0 + (int)end, visible.x1); x < last; x++)
            row[x] = alpha == 255 ? packed : blend(row[x], packed, alpha);
        end += whole;
        rest += part;
        end += rest >= unit;
        rest -= rest >= unit ? unit : 0;
    }
}

static void image_row(uint32_t *row, struct box visible, struct box box,
                      const uint8_t *samples, int w, uint8_t opacity)
{
    int length = box.x1 - box.x0;
    for (int x = visible.x0; x < visible.x1;) {
        int sample = nearest(x - box.x0, length, w);
        int end = box.x0 + sample_end(sample, length, w);
        end = min_int(max_int(end, x + 1), visible.x1);
        const uint8_t *p = samples + 4 * (size_t)sample;
        struct color color = {p[0], p[1], p[2], 255};
        uint32_t alpha = opacity == 255 ? p[3] : div255((uint32_t)p[3] * opacity);
        fill_row(row, x, end, pack(color), alpha);
        x = end;
    }
}

static bool is_opaque(const uint8_t *samples, int w)
{
    for (int i = 0; i < w; i++)
        if (samples[4 * i + 3] != 255)
            return false;
    return true;
}

static void repeat_row(struct canvas *canvas, int y, int x0, int x1)
{
    memcpy(row_of(canvas, y) + x0, row_of(canvas, y - 1) + x0,
           (size_t)(x1 - x0) * sizeof *canvas->pixels);
}

void raster_image(struct canvas *canvas, struct box box, const uint8_t *rgba, int w,
                  int h, uint8_t opacity)
{
    struct box visible = box_intersect(box, canvas->clip);
    int before = -1;
    if (w < 1 || h < 1)
        return;
    for (int y = visible.y0; y < visible.y1; y++) {
        int sample = nearest(y - box.y0, box.y1 - box.y0, h);
        const uint8_t *samples = rgba + 4 * (size_t)sample * (size_t)w;
        bool again = sample == before && opacity == 255 && is_opaque(samples, w);
        before = sample;
        if (again)
            repeat_row(canvas, y, visible.x0, visible.x1);
        else if (w <= box.x1 - box.x0)
            wide_row(row_of(canvas, y), visible, box, samples, w, opacity);
        else
            image_row(row_of(canvas, y), visible, box, samples, w, opacity);
    }
}
