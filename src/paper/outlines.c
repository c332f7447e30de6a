// SPDX-License-Identifier: MIT
// The faces, the pieces and the runs are those of sdl/fonts, so a letter stands where the
// renderer would put it; HarfBuzz shapes each run, as it does below SDL_ttf, and cairo
// gets glyphs together with the characters they stand for, which is what makes the text
// of a PDF text. A run without outlines (colour bitmaps, the hollow boxes of characters
// that no font has) is a small image of what the renderer draws.
//
// cairo keeps faces for longer than anybody asks for, so a face owns all that it reads
// and goes when cairo lets go of it.
#include "paper/outlines.h"

#include <cairo-ft.h>
#include <hb.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdl/masks.h"
#include "sdl/runs.h"
#include "ui/pixels.h"

enum { FACES = 64, IMAGE_SCALE = 4, CACHE_BYTES = 4 << 20, UNITS = 64 };

struct face { // of cairo; released by it
    FT_Library library;
    FT_Face ft;
    unsigned char *bytes; // NULL: a file of the system's
};

struct known {
    int number; // of sdl/fonts
    cairo_font_face_t *cairo;
    hb_face_t *shaper;
};

struct outlines {
    struct fonts *fonts;
    struct masks *masks;
    struct known known[FACES];
    int count;
};

struct outlines *outlines_create(struct fonts *fonts, struct error *err)
{
    struct outlines *outlines = calloc(1, sizeof *outlines);
    if (!outlines) {
        fail_nomem(err, "the picture");
        return NULL;
    }
    outlines->fonts = fonts;
    outlines->masks = masks_create(fonts, CACHE_BYTES, err);
    if (!outlines->masks) {
        free(outlines);
        return NULL;
    }
    return outlines;
}

void outlines_destroy(struct outlines *outlines)
{
    if (!outlines)
        return;
    for (int i = 0; i < outlines->count; i++) {
        cairo_font_face_destroy(outlines->known[i].cairo);
        hb_face_destroy(outlines->known[i].shaper);
    }
    masks_destroy(outlines->masks);
    free(outlines);
}

static void release(void *context)
{
    struct face *face = context;
    if (face->ft)
        FT_Done_Face(face->ft);
    if (face->library)
        FT_Done_FreeType(face->library);
    free(face->bytes);
    free(face);
}

static struct face *face_open(const struct font_file *file)
{
    struct face *face = calloc(1, sizeof *face);
    if (!face)
        return NULL;
    bool ok = FT_Init_FreeType(&face->library) == 0;
    if (ok && file->bytes) {
        face->bytes = malloc(file->size);
        if (face->bytes)
            memcpy(face->bytes, file->bytes, file->size);
        ok = face->bytes && FT_New_Memory_Face(face->library, face->bytes,
                                               (FT_Long)file->size, 0, &face->ft) == 0;
    } else if (ok) {
        ok = FT_New_Face(face->library, file->path, file->index, &face->ft) == 0;
    }
    if (ok)
        return face;
    release(face);
    return NULL;
}

static cairo_font_face_t *cairo_face(const struct font_file *file)
{
    static const cairo_user_data_key_t key;
    struct face *face = face_open(file);
    if (!face)
        return NULL;
    cairo_font_face_t *cairo =
        cairo_ft_font_face_create_for_ft_face(face->ft, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(cairo, &key, face, release) !=
        CAIRO_STATUS_SUCCESS) {
        cairo_font_face_destroy(cairo);
        release(face);
        return NULL;
    }
    return cairo;
}

static hb_face_t *shaper_of(const struct font_file *file)
{
    hb_blob_t *blob =
        file->bytes ? hb_blob_create((const char *)file->bytes, (unsigned)file->size,
                                     HB_MEMORY_MODE_READONLY, NULL, NULL)
                    : hb_blob_create_from_file(file->path);
    hb_face_t *face = hb_face_create(blob, (unsigned)file->index);
    hb_blob_destroy(blob);
    return face;
}

static const struct known *face_of(struct outlines *outlines, int number)
{
    for (int i = 0; i < outlines->count; i++)
        if (outlines->known[i].number == number)
            return &outlines->known[i];
    struct font_file file = fonts_file(outlines->fonts, number);
    if (outlines->count == FACES)
        return NULL;
    struct known *known = &outlines->known[outlines->count];
    *known = (struct known){number, cairo_face(&file), NULL};
    if (!known->cairo)
        return NULL;
    known->shaper = shaper_of(&file);
    outlines->count++;
    return known;
}

struct shaped { // a run
    int count, clusters;
    cairo_glyph_t glyphs[2 * RUNS_MAX_BYTES];
    cairo_text_cluster_t parts[RUNS_MAX_BYTES];
};

// Which bytes which glyphs stand for, in the order of the text.
static void find_clusters(struct shaped *shaped, const hb_glyph_info_t *info, int length,
                          bool rtl)
{
    for (int i = 0; i < shaped->count;) {
        int at = rtl ? shaped->count - 1 - i : i, glyphs = 0;
        unsigned cluster = info[at].cluster;
        while (i < shaped->count &&
               info[rtl ? shaped->count - 1 - i : i].cluster == cluster) {
            glyphs++;
            i++;
        }
        int next = length;
        if (i < shaped->count)
            next = (int)info[rtl ? shaped->count - 1 - i : i].cluster;
        shaped->parts[shaped->clusters++] =
            (cairo_text_cluster_t){next - (int)cluster, glyphs};
    }
}

static hb_buffer_t *buffer_of(const char *text, const struct run *run)
{
    char clean[RUNS_MAX_BYTES];
    int length = run->end - run->begin;
    for (int i = 0; i < length; i++) { // as the renderer: control characters are spaces
        unsigned char byte = (unsigned char)text[run->begin + i];
        clean[i] = byte < 0x20 || byte == 0x7F ? ' ' : text[run->begin + i];
    }
    hb_buffer_t *buffer = hb_buffer_create();
    hb_buffer_add_utf8(buffer, clean, length, 0, length);
    hb_buffer_set_direction(buffer, run->rtl ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer,
                         hb_script_from_iso15924_tag(hb_tag_from_string(run->script, 4)));
    hb_buffer_set_language(buffer, hb_language_from_string("en", 2));
    return buffer;
}

static void shape(struct shaped *shaped, hb_face_t *face, int px, const char *text,
                  const struct run *run, double pen)
{
    hb_font_t *font = hb_font_create(face);
    hb_buffer_t *buffer = buffer_of(text, run);
    unsigned count = 0;
    hb_font_set_scale(font, px * UNITS, px * UNITS);
    hb_shape(font, buffer, NULL, 0);
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, &count);
    *shaped = (struct shaped){
        .count = (int)count < 2 * RUNS_MAX_BYTES ? (int)count : 2 * RUNS_MAX_BYTES};
    double y = 0;
    for (int i = 0; i < shaped->count; i++) {
        shaped->glyphs[i] =
            (cairo_glyph_t){info[i].codepoint, pen + (double)at[i].x_offset / UNITS,
                            y - (double)at[i].y_offset / UNITS};
        pen += (double)at[i].x_advance / UNITS;
        y -= (double)at[i].y_advance / UNITS;
    }
    find_clusters(shaped, info, run->end - run->begin, run->rtl);
    hb_buffer_destroy(buffer);
    hb_font_destroy(font);
}

static bool draw_outlines(struct outlines *outlines, cairo_t *cairo, int px,
                          const char *text, const struct run *run, int pen,
                          struct error *err)
{
    const struct known *face = face_of(outlines, run->face);
    struct shaped shaped;
    if (!face)
        return fail_with(err, ERR_IO, "a font cannot be used in a picture");
    shape(&shaped, face->shaper, px, text, run, pen);
    cairo_set_font_face(cairo, face->cairo);
    cairo_set_font_size(cairo, px);
    cairo_show_text_glyphs(cairo, text + run->begin, run->end - run->begin, shaped.glyphs,
                           shaped.count, shaped.parts, shaped.clusters,
                           run->rtl ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
    return true;
}

// cairo's pixels carry their alpha in the colours.
static void fill_pixels(cairo_surface_t *surface, const struct mask *mask,
                        struct color ink)
{
    unsigned char *row = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (int i = 0; i < mask->w * mask->h; i++) {
        uint32_t pixel = (uint32_t)ink.r << 16 | (uint32_t)ink.g << 8 | ink.b;
        uint32_t alpha = mask->cover ? mask->cover[i] : mask->pixels[i] >> 24;
        if (mask->pixels && (mask->pixels[i] & 0xFFFFFF) != 0xFFFFFF)
            pixel = mask->pixels[i];
        alpha = alpha * ink.a / 255;
        uint32_t out = alpha << 24 | (pixel >> 16 & 255) * alpha / 255 << 16 |
                       (pixel >> 8 & 255) * alpha / 255 << 8 |
                       (pixel & 255) * alpha / 255;
        memcpy(row + (size_t)(i / mask->w) * stride + 4 * (size_t)(i % mask->w), &out, 4);
    }
    cairo_surface_mark_dirty(surface);
}

static bool draw_pixels(struct outlines *outlines, cairo_t *cairo, enum font font, int px,
                        struct color ink, const char *text, const struct run *run,
                        int pen, struct error *err)
{
    int large = fonts_px((float)(px * IMAGE_SCALE), 1);
    struct text_key key = {font, large, 0, text + run->begin,
                           (size_t)(run->end - run->begin)};
    const struct mask *mask = masks_get(outlines->masks, &key);
    if (!mask)
        return fail_nomem(err, "some of the text");
    if (mask->w == 0)
        return true;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, mask->w, mask->h);
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        fill_pixels(surface, mask, ink);
    double scale = (double)px / large;
    cairo_save(cairo);
    cairo_translate(cairo, pen, 0);
    cairo_scale(cairo, scale, scale);
    cairo_set_source_surface(cairo, surface, mask->left, mask->top);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(surface);
    return true;
}

// A piece of fonts_piece; the pen starts `along` pixels down the baseline.
static bool draw_piece(struct outlines *outlines, cairo_t *cairo,
                       const struct draw_cmd *cmd, int px, const char *text,
                       size_t length, int along, struct error *err)
{
    struct run runs[RUNS_MAX_BYTES];
    int widths[RUNS_MAX_BYTES];
    int count = fonts_runs(outlines->fonts, cmd->font, px, text, length, runs, widths);
    bool ok = true;
    for (int i = 0; ok && i < count; along += widths[i++]) {
        bool bare =
            runs[i].face == FACE_BOX || fonts_file(outlines->fonts, runs[i].face).bitmap;
        struct color c = cmd->color;
        cairo_set_source_rgba(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
        ok = bare ? draw_pixels(outlines, cairo, cmd->font, px, c, text, &runs[i], along,
                                err)
                  : draw_outlines(outlines, cairo, px, text, &runs[i], along, err);
    }
    return ok;
}

bool outlines_draw(struct outlines *outlines, cairo_t *cairo, float scale,
                   const struct draw_cmd *cmd, const char *text, struct error *err)
{
    size_t length = cmd->length;
    int px = fonts_px(cmd->size, scale);
    bool rtl = fonts_right_to_left(text, length), ok = true;
    int pen = rtl ? fonts_width_px(outlines->fonts, cmd->font, px, text, length) : 0;
    if (!isfinite(cmd->rect.x) || !isfinite(cmd->rect.y))
        return true;
    cairo_save(cairo);
    cairo_translate(cairo, pixels_at(cmd->rect.x * scale),
                    pixels_at(cmd->rect.y * scale));
    cairo_rotate(cairo, (double)-pixels_angle(cmd->angle) * M_PI / 180);
    for (size_t at = 0; ok && at < length;) {
        size_t end = fonts_piece(px, text, length, at);
        int width = fonts_width_px(outlines->fonts, cmd->font, px, text + at, end - at);
        pen -= rtl ? width : 0;
        ok = draw_piece(outlines, cairo, cmd, px, text + at, end - at, pen, err);
        pen += rtl ? 0 : width;
        at = end;
    }
    cairo_restore(cairo);
    return ok;
}
