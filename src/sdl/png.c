// SPDX-License-Identifier: MIT
// PNG through libpng. Reading uses its simplified interface, which keeps longjmp to
// itself; writing needs setjmp, so everything it touches lives in one struct outside the
// frame that is jumped to. No times or names are written: equal pixels, equal bytes.
#include "sdl/png.h"

#include "base/file.h"
#include "sdl/offscreen.h"

#include <SDL.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

enum { ROW_CHUNK = 256, FILE_MAX_BYTES = 256 << 20 };

struct writer {
    png_structp png;
    png_infop info;
    struct buf *out;
    const unsigned char *rgb;
    int w, h;
};

static void on_write(png_structp png, png_bytep bytes, size_t length)
{
    struct buf *out = png_get_io_ptr(png);
    if (!buf_append(out, (const char *)bytes, length))
        png_error(png, "no room");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static void on_error(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static bool write_all(struct writer *writer)
{
    if (setjmp(png_jmpbuf(writer->png)))
        return false;
    png_set_write_fn(writer->png, writer->out, on_write, on_flush);
    png_set_IHDR(writer->png, writer->info, (png_uint_32)writer->w,
                 (png_uint_32)writer->h, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(writer->png, 6);
    png_set_filter(writer->png, 0, PNG_FILTER_NONE | PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(writer->png, writer->info);
    for (int y = 0; y < writer->h; y++)
        png_write_row(writer->png, writer->rgb + (size_t)y * (size_t)writer->w * 3);
    png_write_end(writer->png, NULL);
    return true;
}

static bool check_size(long w, long h, struct error *err)
{
    if (w >= 1 && h >= 1 && w <= PNG_MAX_PIXELS / h)
        return true;
    return fail_with(
        err, ERR_LIMIT,
        "a picture of %ldx%ld pixels: at least 1x1 and at most %d megapixels "
        "are possible",
        w, h, PNG_MAX_PIXELS >> 20);
}

bool png_write(const unsigned char *rgb, int w, int h, struct buf *out, struct error *err)
{
    if (!check_size(w, h, err))
        return false;
    struct writer writer = {.out = out, .rgb = rgb, .w = w, .h = h};
    writer.png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    if (writer.png)
        writer.info = png_create_info_struct(writer.png);
    bool ok = writer.info && write_all(&writer);
    if (writer.png)
        png_destroy_write_struct(&writer.png, &writer.info);
    return ok || fail_with(err, ERR_NOMEM, "not enough memory for a PNG of %dx%d", w, h);
}

// The decoded picture into memory of its own; libpng blends alpha onto black.
static bool decode(png_image *image, unsigned char **rgb, const char *path,
                   struct error *err)
{
    static const png_color black = {0, 0, 0};
    image->format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(*image));
    if (!pixels)
        return fail_nomem(err, "the PNG");
    if (!png_image_finish_read(image, &black, pixels, 0, NULL)) {
        free(pixels);
        return fail_with(err, ERR_FORMAT, "%s: not a whole PNG (%s)", path,
                         image->message);
    }
    *rgb = pixels;
    return true;
}

bool png_read(const char *path, unsigned char **rgb, int *w, int *h, struct error *err)
{
    struct buf file;
    buf_init(&file, FILE_MAX_BYTES);
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool ok = file_read(path, &file, err);
    if (ok && !png_image_begin_read_from_memory(&image, buf_text(&file), file.length))
        ok = fail_with(err, ERR_FORMAT, "%s: not a PNG (%s)", path, image.message);
    ok = ok && check_size((long)image.width, (long)image.height, err) &&
         decode(&image, rgb, path, err);
    if (ok) {
        *w = (int)image.width;
        *h = (int)image.height;
    }
    png_image_free(&image);
    buf_finish(&file);
    return ok;
}

static bool append_row(const SDL_Surface *surface, int y, struct buf *out)
{
    const Uint8 *row =
        (const Uint8 *)surface->pixels + (size_t)y * (size_t)surface->pitch;
    unsigned char chunk[ROW_CHUNK * 3];
    int count = 0;
    for (int x = 0; x < surface->w; x++) {
        const Uint32 *pixel = (const Uint32 *)(const void *)(row + 4 * (size_t)x);
        SDL_GetRGB(*pixel, surface->format, &chunk[3 * count], &chunk[3 * count + 1],
                   &chunk[3 * count + 2]);
        if (++count == ROW_CHUNK || x == surface->w - 1) {
            if (!buf_append(out, (const char *)chunk, (size_t)count * 3))
                return false;
            count = 0;
        }
    }
    return true;
}

bool png_rgb(const SDL_Surface *surface, struct buf *out, struct error *err)
{
    if (surface->format->BytesPerPixel != 4)
        return fail_with(err, ERR_FORMAT, "the surface has %d bytes a pixel, not 4",
                         surface->format->BytesPerPixel);
    for (int y = 0; y < surface->h; y++)
        if (!append_row(surface, y, out))
            return fail_nomem(err, "the picture's colours");
    return true;
}
