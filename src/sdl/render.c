// SPDX-License-Identifier: MIT
// Walks a draw list. Logical units become pixels as ui/pixels says; text stands on a
// whole pixel.
// Surfaces in another layout than 0xRRGGBB are painted through a shadow.
// A list is walked once to find what every command covers and so where the picture
// differs from the one that stands there (sdl/damage.h); only that is painted. A
// surface's userdata says whose picture it holds: a new one at the place of an old one
// holds none.
#include "sdl/render.h"

#include "sdl/damage.h"
#include "sdl/masks.h"
#include "sdl/raster.h"
#include "text/utf8.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t text_cache_bytes = 12u << 20;
static const float ribbon_far = 1e5f; // pixels; beyond it a ribbon covers what it likes
enum { COVERED_MAX_BYTES = 64 << 20 };

struct render {
    struct fonts *fonts;
    struct masks *masks;
    SDL_Surface *shadow; // NULL until a surface needs it
    float scale;         // of the paint in progress
    bool short_of_memory;
    const SDL_Surface *painted; // last, to be compared only: it may be gone
    struct damage damage;       // of its picture
    int changed;                // boxes of it that the last paint was about
    struct box clip;            // of the list, whatever part is painted
    struct arena arena;         // of what follows
    struct box *covered;        // (max_covered) what each command of the list covers
    int max_covered;
};

struct render *render_create(struct fonts *fonts, struct error *err)
{
    struct render *render = calloc(1, sizeof *render);
    if (!render) {
        fail_nomem(err, "the renderer");
        return NULL;
    }
    render->fonts = fonts;
    render->masks = masks_create(fonts, text_cache_bytes, err);
    if (!render->masks) {
        free(render);
        return NULL;
    }
    return render;
}

void render_destroy(struct render *render)
{
    if (!render)
        return;
    masks_destroy(render->masks);
    damage_finish(&render->damage);
    arena_finish(&render->arena);
    SDL_FreeSurface(render->shadow);
    free(render);
}

static struct box clip_of(const struct draw_cmd *cmd, struct box all, float scale)
{
    return cmd->rect.w < 0 ? all : box_intersect(pixels_box(cmd->rect, scale), all);
}

static void paint_image(const struct render *render, struct canvas *canvas,
                        const struct draw_list *list, const struct draw_cmd *cmd)
{
    if (cmd->image_w < 1 || cmd->image_h < 1)
        return;
    size_t pixels = (size_t)cmd->image_w * (size_t)cmd->image_h;
    if (cmd->offset > list->used || pixels > (list->used - cmd->offset) / 4)
        return;
    raster_image(canvas, pixels_box(cmd->rect, render->scale), list->bytes + cmd->offset,
                 cmd->image_w, cmd->image_h, cmd->color.a);
}

static void paint_ribbon(struct canvas *canvas, const struct draw_cmd *cmd, float scale)
{
    struct box box = pixels_box(cmd->rect, scale);
    float left = cmd->rect.x - cmd->width / 2;
    raster_ribbon(canvas, box, (left + cmd->from) * scale, (left + cmd->to) * scale,
                  cmd->width * scale, cmd->color);
}

static void paint_stroke(struct canvas *canvas, const struct draw_cmd *cmd, float scale)
{
    float margin = DRAW_STROKE_MARGIN + cmd->width / 2;
    const float from[2] = {(cmd->rect.x + margin) * scale,
                           (cmd->rect.y + cmd->from) * scale};
    const float to[2] = {(cmd->rect.x + cmd->rect.w - margin) * scale,
                         (cmd->rect.y + cmd->to) * scale};
    raster_stroke(canvas, pixels_box(cmd->rect, scale), from, to, cmd->width * scale,
                  cmd->color);
}

static void paint_mask(struct canvas *canvas, int x, int y, const struct mask *mask,
                       struct color color)
{
    if (mask->w == 0)
        return;
    x += mask->left;
    y += mask->top;
    if (mask->cover)
        raster_mask(canvas, x, y, mask->cover, mask->w, mask->h, color);
    else
        raster_glyphs(canvas, x, y, mask->pixels, mask->w, mask->h, color);
}

static struct box box_join(struct box a, struct box b)
{
    if (a.x1 <= a.x0 || a.y1 <= a.y0)
        return b;
    if (b.x1 <= b.x0 || b.y1 <= b.y0)
        return a;
    return (struct box){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                        a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

// Certainly not visible: the piece's circle of reach does not touch the clip.
static bool is_outside(const struct box *clip, float x, float y, float reach)
{
    return x + reach < (float)clip->x0 || x - reach > (float)clip->x1 ||
           y + reach < (float)clip->y0 || y - reach > (float)clip->y1;
}

struct writing { // a text that is walked
    struct box clip;
    struct canvas *canvas; // to paint on; NULL: only to see what it covers
    struct box covers;
};

// One piece of text, whose pen starts `along` pixels down the baseline.
static void walk_piece(struct render *render, struct writing *writing,
                       const struct draw_cmd *cmd, const struct text_key *key, int along,
                       int width)
{
    float radians = key->angle * 0.017453293f;
    float x = cmd->rect.x * render->scale + (float)along * cosf(radians);
    float y = cmd->rect.y * render->scale - (float)along * sinf(radians);
    if (!isfinite(x) || !isfinite(y) ||
        is_outside(&writing->clip, x, y, (float)width + 3 * (float)key->px))
        return;
    const struct mask *mask = masks_get(render->masks, key);
    if (!mask) {
        render->short_of_memory = true;
        return;
    }
    int left = pixels_at(x) + mask->left, top = pixels_at(y) + mask->top;
    struct box box = {left, top, left + mask->w, top + mask->h};
    writing->covers = box_join(writing->covers, box);
    if (writing->canvas)
        paint_mask(writing->canvas, pixels_at(x), pixels_at(y), mask, cmd->color);
}

static void walk_text(struct render *render, struct writing *writing,
                      const struct draw_list *list, const struct draw_cmd *cmd)
{
    if (cmd->offset > list->used || cmd->length > list->used - cmd->offset ||
        cmd->length == 0 || cmd->color.a == 0 || (unsigned)cmd->font >= FONT_COUNT)
        return;
    const char *text = (const char *)list->bytes + cmd->offset;
    size_t length = cmd->length;
    int px = fonts_px(cmd->size, render->scale);
    if (fonts_piece(px, text, length, 0) < length && !utf8_valid(text, length))
        return; // not from draw_text's callers: they give valid text
    bool rtl = fonts_right_to_left(text, length);
    int pen = rtl ? fonts_width_px(render->fonts, cmd->font, px, text, length) : 0;
    for (size_t at = 0; at < length;) {
        size_t end = fonts_piece(px, text, length, at);
        struct text_key key = {cmd->font, px, pixels_angle(cmd->angle), text + at,
                               end - at};
        int width = fonts_width_px(render->fonts, cmd->font, px, key.text, key.length);
        pen -= rtl ? width : 0;
        walk_piece(render, writing, cmd, &key, pen, width);
        pen += rtl ? 0 : width;
        at = end;
    }
}

static void paint_text(struct render *render, struct canvas *canvas,
                       const struct draw_list *list, const struct draw_cmd *cmd)
{
    struct writing writing = {.clip = render->clip, .canvas = canvas};
    walk_text(render, &writing, list, cmd);
}

static void paint_cmd(struct render *render, struct canvas *canvas,
                      const struct draw_list *list, const struct draw_cmd *cmd)
{
    float scale = render->scale;
    switch (cmd->kind) {
    case DRAW_FILL:
        raster_fill(canvas, pixels_box(cmd->rect, scale),
                    pixels_radius(cmd->radius, scale), cmd->color);
        break;
    case DRAW_FRAME:
        raster_frame(canvas, pixels_box(cmd->rect, scale),
                     pixels_radius(cmd->radius, scale), pixels_stroke(cmd->width, scale),
                     cmd->color);
        break;
    case DRAW_TEXT:
        paint_text(render, canvas, list, cmd);
        break;
    case DRAW_IMAGE:
        paint_image(render, canvas, list, cmd);
        break;
    case DRAW_RIBBON:
        paint_ribbon(canvas, cmd, scale);
        break;
    case DRAW_STROKE:
        paint_stroke(canvas, cmd, scale);
        break;
    case DRAW_CLIP:
        break;
    }
}

// A ribbon may leave its box at the sides, but only as far as its ends stand.
static void widen_ribbon(struct box *box, const struct draw_cmd *cmd, float scale,
                         struct box clip)
{
    float left = cmd->rect.x - cmd->width / 2;
    float first = (left + fminf(cmd->from, cmd->to)) * scale;
    float end = (left + fmaxf(cmd->from, cmd->to) + cmd->width) * scale;
    bool bounded = fabsf(cmd->from) < ribbon_far && fabsf(cmd->to) < ribbon_far &&
                   first > -ribbon_far && end < ribbon_far;
    box->x0 = bounded ? pixels_at(first) - 1 : clip.x0;
    box->x1 = bounded ? pixels_at(end) + 2 : clip.x1;
}

static struct box covered_by(struct render *render, const struct draw_list *list,
                             const struct draw_cmd *cmd, struct box clip)
{
    struct writing writing = {.clip = clip};
    writing.covers = pixels_box(cmd->rect, render->scale);
    if (cmd->kind == DRAW_TEXT) {
        writing.covers = (struct box){0, 0, 0, 0};
        walk_text(render, &writing, list, cmd);
    }
    if (cmd->kind == DRAW_RIBBON)
        widen_ribbon(&writing.covers, cmd, render->scale, clip);
    return box_intersect(writing.covers, clip);
}

static bool is_direct(const SDL_Surface *surface)
{
    const SDL_PixelFormat *format = surface->format;
    return format->BytesPerPixel == 4 && format->Rmask == 0xFF0000 &&
           format->Gmask == 0xFF00 && format->Bmask == 0xFF && surface->pitch % 4 == 0;
}

static SDL_Surface *shadow_of(struct render *render, const SDL_Surface *surface)
{
    SDL_Surface *shadow = render->shadow;
    if (!shadow || shadow->w != surface->w || shadow->h != surface->h) {
        SDL_FreeSurface(shadow);
        render->shadow = SDL_CreateRGBSurfaceWithFormat(0, surface->w, surface->h, 32,
                                                        SDL_PIXELFORMAT_ARGB8888);
        if (render->shadow)
            SDL_SetSurfaceBlendMode(render->shadow, SDL_BLENDMODE_NONE);
    }
    return render->shadow;
}

static bool make_room(struct render *render, int count)
{
    if (count <= render->max_covered)
        return true;
    arena_finish(&render->arena);
    arena_init(&render->arena, COVERED_MAX_BYTES);
    render->max_covered = 0;
    size_t room = 2 * (size_t)count;
    render->covered = arena_alloc(&render->arena, room, sizeof *render->covered);
    if (render->covered)
        render->max_covered = 2 * count;
    return render->covered != NULL;
}

// What the commands cover, and so what is to be painted. False: memory is short.
static bool find_damage(struct render *render, const struct draw_list *list,
                        struct box all, struct color ground)
{
    uint64_t below = (uint64_t)ground.r << 16 | (uint64_t)ground.g << 8 | ground.b;
    uint32_t scale;
    memcpy(&scale, &render->scale, sizeof scale);
    if (!make_room(render, list->count) ||
        !damage_begin(&render->damage, all.x1, all.y1, draw_mix(below, scale)))
        return false;
    struct box clip = all;
    uint64_t clipped = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind == DRAW_CLIP) {
            clip = clip_of(cmd, all, render->scale);
            clipped = draw_cmd_hash(list, cmd);
            continue;
        }
        render->covered[i] = covered_by(render, list, cmd, clip);
        damage_add(&render->damage, render->covered[i],
                   draw_mix(clipped, draw_cmd_hash(list, cmd)));
    }
    render->changed = damage_end(&render->damage);
    return true;
}

// The part of the picture inside a box.
static void paint_part(struct render *render, struct canvas *canvas,
                       const struct draw_list *list, struct box part, struct color ground)
{
    struct box all = {0, 0, canvas->w, canvas->h};
    canvas->clip = part;
    render->clip = all;
    raster_clear(canvas, ground);
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        struct box seen = box_intersect(render->covered[i], part);
        if (cmd->kind == DRAW_CLIP) {
            canvas->clip = clip_of(cmd, part, render->scale);
            render->clip = clip_of(cmd, all, render->scale);
        } else if (seen.x1 > seen.x0 && seen.y1 > seen.y0)
            paint_cmd(render, canvas, list, cmd);
    }
}

static bool paint_all(struct render *render, SDL_Surface *target,
                      const struct draw_list *list, struct color ground)
{
    struct canvas canvas = {.pixels = target->pixels,
                            .stride = (size_t)target->pitch / 4,
                            .w = target->w,
                            .h = target->h};
    struct box all = {0, 0, target->w, target->h};
    if (!find_damage(render, list, all, ground))
        return false;
    for (int i = 0; i < render->changed; i++)
        paint_part(render, &canvas, list, render->damage.boxes[i], ground);
    return true;
}

bool render_paint(struct render *render, SDL_Surface *surface,
                  const struct draw_list *list, float scale, struct color ground,
                  struct error *err)
{
    if (!surface)
        return fail_with(err, ERR_IO, "there is nothing to paint on");
    SDL_Surface *target = is_direct(surface) ? surface : shadow_of(render, surface);
    if (!target)
        return fail_nomem(err, "the picture");
    render->scale = scale > 0 && isfinite(scale) ? scale : 1;
    render->short_of_memory = false;
    if (target != render->painted || target->userdata != render)
        damage_forget(&render->damage);
    render->painted = NULL;
    if (SDL_LockSurface(target) != 0)
        return fail_with(err, ERR_IO, "the picture cannot be painted: %s",
                         SDL_GetError());
    bool painted = paint_all(render, target, list, ground);
    SDL_UnlockSurface(target);
    if (!painted || render->short_of_memory)
        return fail_nomem(err, painted ? "some of the text" : "the picture");
    if (target != surface && SDL_BlitSurface(target, NULL, surface, NULL) != 0)
        return fail_with(err, ERR_IO, "the picture cannot be copied: %s", SDL_GetError());
    render->painted = target;
    target->userdata = render;
    return true;
}

int render_changed(const struct render *render, const struct box **boxes)
{
    *boxes = render->damage.boxes;
    return render->changed;
}
