// SPDX-License-Identifier: MIT
// The draw list: what a frame looks like, as data. Views append to it; sdl/render paints
// it; tests read it and hash it. Coordinates are logical units, y down; the renderer
// multiplies by the scale and snaps rectangle edges to whole pixels. Fixed memory: when
// it is full, further commands are dropped and counted.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rect {
    float x, y, w, h;
};
struct color {
    uint8_t r, g, b, a;
};

enum font { FONT_TEXT, FONT_MEDIUM, FONT_BOLD, FONT_COUNT }; // all with one-width digits

enum draw_kind {
    DRAW_FILL,
    DRAW_FRAME,
    DRAW_TEXT,
    DRAW_IMAGE,
    DRAW_RIBBON,
    DRAW_STROKE,
    DRAW_CLIP
};

struct draw_cmd {
    enum draw_kind kind;
    struct rect rect;   // all; TEXT: x, y = baseline start
    struct color color; // all but CLIP; IMAGE: a = opacity
    float radius;       // FILL, FRAME: corner radius
    float width;        // FRAME: stroke, inside the rectangle; STROKE: its thickness;
                        // RIBBON: from left to right
    float from, to;     // RIBBON: its middle above and below, from rect.x on;
                        // STROKE: its left and its right end, from rect.y on
    float size;         // TEXT: font size
    float angle;        // TEXT: degrees, counter-clockwise, about the baseline start
    enum font font;     // TEXT
    uint32_t offset; // TEXT: into bytes; IMAGE: into bytes (RGBA, 4 * image_w * image_h)
    uint32_t length; // TEXT
    int image_w, image_h;
};

struct draw_list {
    struct draw_cmd *cmds;
    int count, max, dropped;
    unsigned char *bytes;
    size_t used, bytes_max;
};

// Fixed sizes, allocated once. False when memory is short.
bool draw_init(struct draw_list *list, int max_cmds, size_t max_bytes);
void draw_finish(struct draw_list *list);
void draw_reset(struct draw_list *list);

void draw_fill(struct draw_list *list, struct rect rect, float radius,
               struct color color);
void draw_frame(struct draw_list *list, struct rect rect, float radius, float width,
                struct color color);
// text: valid UTF-8, any language; the renderer finds glyphs. length -1: NUL-terminated.
void draw_text(struct draw_list *list, enum font font, float size, float x, float y,
               float angle, struct color color, const char *text, int length);
// Pixels (RGBA, w * h) are copied and scaled without smoothing into rect.
void draw_image(struct draw_list *list, struct rect rect, int w, int h,
                const uint8_t *rgba, uint8_t opacity);
// A band from the upper edge of rect to its lower one: its middle goes from `from` to
// `to` (3 f^2 - 2 f^3 of the way at the height f), its width along the line stays. It may
// leave rect at the sides.
void draw_ribbon(struct draw_list *list, struct rect rect, float from, float to,
                 float width, struct color color);
// A straight line with flat ends; several go on from each other without a seam. Of the
// command, rect holds all its ink, so that an end is DRAW_STROKE_MARGIN + width / 2
// inside it.
#define DRAW_STROKE_MARGIN 2.0f
void draw_stroke(struct draw_list *list, float x0, float y0, float x1, float y1,
                 float width, struct color color);
// Everything after it is clipped to rect, until the next clip. w < 0: no clip.
void draw_clip(struct draw_list *list, struct rect rect);

// Moves everything drawn so far.
void draw_move(struct draw_list *list, float x, float y);

// Of everything drawn: equal hashes mean an equal frame. Of one command: equal hashes
// mean that it draws the same under the same clip.
uint64_t draw_hash(const struct draw_list *list);
uint64_t draw_cmd_hash(const struct draw_list *list, const struct draw_cmd *cmd);
uint64_t draw_mix(uint64_t hash, uint64_t word); // the order counts
// For tests: the first text command that contains `text`; NULL when none.
const struct draw_cmd *draw_find_text(const struct draw_list *list, const char *text);

static inline struct rect rect_make(float x, float y, float w, float h)
{
    return (struct rect){x, y, w, h};
}
static inline bool rect_contains(struct rect r, float x, float y)
{
    return x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h;
}
static inline struct rect rect_inset(struct rect r, float by)
{
    return (struct rect){r.x + by, r.y + by, r.w - 2 * by, r.h - 2 * by};
}
