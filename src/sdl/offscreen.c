// SPDX-License-Identifier: MIT
// The same renderer as the window's on a surface of our own: what the command line, the
// tests and the README's pictures use. SDL's video is never started.
#include "sdl/offscreen.h"

#include "sdl/png.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIPBOARD_BYTES = 65536 };

struct offscreen {
    struct fonts *fonts;
    struct render *render;
    SDL_Surface *surface;
    struct buf rgb;
    float scale;
    struct ui_host host;
    char clipboard[CLIPBOARD_BYTES];
};

static float host_text_width(void *context, enum font font, float size, const char *text,
                             size_t length)
{
    struct offscreen *offscreen = context;
    return fonts_width(offscreen->fonts, font, size, offscreen->scale, text, length);
}

static const char *host_clipboard_get(void *context)
{
    return ((struct offscreen *)context)->clipboard;
}

static void host_clipboard_set(void *context, const char *text)
{
    struct offscreen *offscreen = context;
    size_t length = strlen(text);
    length = length < CLIPBOARD_BYTES ? length : CLIPBOARD_BYTES - 1;
    memcpy(offscreen->clipboard, text, length);
    offscreen->clipboard[length] = '\0';
}

static void host_text_rect(void *context, struct rect caret)
{
    (void)context;
    (void)caret;
}

struct offscreen *offscreen_create(const char *fonts_directory, bool system_fallback,
                                   struct error *err)
{
    struct offscreen *offscreen = calloc(1, sizeof *offscreen);
    if (!offscreen) {
        fail_nomem(err, "the picture");
        return NULL;
    }
    offscreen->scale = 1;
    buf_init(&offscreen->rgb, (size_t)PNG_MAX_PIXELS * 3 + 1);
    offscreen->host = (struct ui_host){offscreen, host_text_width, host_clipboard_get,
                                       host_clipboard_set, host_text_rect};
    offscreen->fonts = fonts_create(fonts_directory, system_fallback, err);
    if (offscreen->fonts)
        offscreen->render = render_create(offscreen->fonts, err);
    if (!offscreen->render) {
        offscreen_destroy(offscreen);
        return NULL;
    }
    return offscreen;
}

void offscreen_destroy(struct offscreen *offscreen)
{
    if (!offscreen)
        return;
    buf_finish(&offscreen->rgb);
    SDL_FreeSurface(offscreen->surface);
    render_destroy(offscreen->render);
    fonts_destroy(offscreen->fonts);
    free(offscreen);
}

const struct ui_host *offscreen_host(struct offscreen *offscreen, float scale)
{
    offscreen->scale = scale > 0 && isfinite(scale) ? scale : 1;
    return &offscreen->host;
}

struct fonts *offscreen_fonts(struct offscreen *offscreen)
{
    return offscreen->fonts;
}

static bool set_size(struct offscreen *offscreen, int w, int h, struct error *err)
{
    SDL_Surface *old = offscreen->surface;
    if (old && old->w == w && old->h == h)
        return true;
    SDL_FreeSurface(old);
    offscreen->surface =
        SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
    return offscreen->surface || fail_nomem(err, "the picture");
}

bool offscreen_paint(struct offscreen *offscreen, const struct draw_list *list,
                     float width, float height, float scale, struct color ground,
                     struct error *err)
{
    float w = roundf(width * scale), h = roundf(height * scale);
    if (!(w >= 1) || !(h >= 1) || w * h > (float)PNG_MAX_PIXELS)
        return fail_with(err, ERR_LIMIT,
                         "a picture of %.0fx%.0f pixels: at least 1x1 and at most %d "
                         "megapixels are possible",
                         (double)w, (double)h, PNG_MAX_PIXELS >> 20);
    buf_clear(&offscreen->rgb);
    return set_size(offscreen, (int)w, (int)h, err) &&
           render_paint(offscreen->render, offscreen->surface, list, scale, ground, err);
}

const unsigned char *offscreen_pixels(struct offscreen *offscreen, int *w, int *h)
{
    if (!offscreen->surface)
        return NULL;
    *w = offscreen->surface->w;
    *h = offscreen->surface->h;
    if (offscreen->rgb.length == 0 && !png_rgb(offscreen->surface, &offscreen->rgb, NULL))
        return NULL;
    return (const unsigned char *)offscreen->rgb.data;
}

bool offscreen_png(struct offscreen *offscreen, struct buf *out, struct error *err)
{
    int w = 0, h = 0;
    const unsigned char *rgb = offscreen_pixels(offscreen, &w, &h);
    if (!rgb)
        return fail_with(err, ERR_NOMEM, "there is no picture, or no memory for it");
    return png_write(rgb, w, h, out, err);
}
