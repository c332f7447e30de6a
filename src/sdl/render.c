// SPDX-License-Identifier: MIT
// Walks a draw list. Logical units become pixels as ui/pixels says; text stands on a
// whole pixel.
// Surfaces in another layout than 0xRRGGBB are painted through a shadow.
#include "sdl/render.h"

#include "sdl/masks.h"
#include "sdl/raster.h"
#include "text/utf8.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>

static const size_t text_cache_bytes = 12u << 20;

struct render {
    struct fonts *fonts;
    struct masks *masks;
    SDL_Surface *shadow; // NULL until a surface needs it
    float scale;         // of the paint in progress
    bool short_of_memory;
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
    SDL_FreeSurface(render->shadow);
    free(render);
}

static void set_clip(struct canvas *canvas, struct rect rect, float scale)
{
    struct box all = {0, 0, canvas->w, canvas->h};
    if (rect.w < 0)
        canvas->clip = all;
    else
        canvas->clip = box_intersect(pixels_box(rect, scale), all);
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

// Certainly not visible: the piece's circle of reach does not touch the clip.
static bool is_outside(const struct canvas *canvas, float x, float y, float reach)
{
    const struct box *clip = &canvas->clip;
    return x + reach < (float)clip->x0 || x - reach > (float)clip->x1 ||
           y + reach < (float)clip->y0 || y - reach > (float)clip->y1;
}

// One piece of text, whose pen starts `along` pixels down the baseline.
static void paint_piece(struct render *render, struct canvas *canvas,
                        const struct draw_cmd *cmd, const struct text_key *key, int along,
                        int width)
{
    float radians = key->angle * 0.017453293f;
    float x = cmd->rect.x * render->scale + (float)along * cosf(radians);
    float y = cmd->rect.y * render->scale - (float)along * sinf(radians);
    if (!isfinite(x) || !isfinite(y) ||
        is_outside(canvas, x, y, (float)width + 3 * (float)key->px))
        return;
    const struct mask *mask = masks_get(render->masks, key);
    if (mask)
        paint_mask(canvas, pixels_at(x), pixels_at(y), mask, cmd->color);
    else
        render->short_of_memory = true;
}

static void paint_text(struct render *render, struct canvas *canvas,
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
        paint_piece(render, canvas, cmd, &key, pen, width);
        pen += rtl ? 0 : width;
        at = end;
    }
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
    case DRAW_CLIP:
        set_clip(canvas, cmd->rect, scale);
        break;
    }
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

static void paint_all(struct render *render, SDL_Surface *target,
                      const struct draw_list *list, struct color ground)
{
    struct canvas canvas = {.pixels = target->pixels,
                            .stride = (size_t)target->pitch / 4,
                            .w = target->w,
                            .h = target->h,
                            .clip = {0, 0, target->w, target->h}};
    raster_clear(&canvas, ground);
    for (int i = 0; i < list->count; i++)
        paint_cmd(render, &canvas, list, &list->cmds[i]);
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
    if (SDL_LockSurface(target) != 0)
        return fail_with(err, ERR_IO, "the picture cannot be painted: %s",
                         SDL_GetError());
    paint_all(render, target, list, ground);
    SDL_UnlockSurface(target);
    if (target != surface && SDL_BlitSurface(target, NULL, surface, NULL) != 0)
        return fail_with(err, ERR_IO, "the picture cannot be copied: %s", SDL_GetError());
    return !render->short_of_memory || fail_nomem(err, "some of the text");
}
