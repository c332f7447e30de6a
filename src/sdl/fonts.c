// SPDX-License-Identifier: MIT
// Measuring and drawing text of any language on top of SDL_ttf.
// Widths are pen advances, not ink: SDL_ttf measures ink and would give "1" and "7"
// different widths at some sizes. It has no call for the advance of a run, but with a
// space appended the ink ends inside the space's advance, and the space is known.
// Long text is cut into pieces at white space, so that a surface stays small and that
// typing at the end of a long sentence measures its last piece only.
#include "sdl/fonts.h"

#include "sdl/faces.h"
#include "sdl/runs.h"
#include "sdl/surfaces.h"
#include "text/utf8.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum {
    WIDTH_SETS = 2048,
    WIDTHS_A_SET = 4,
    SPACES = 64,
    MAX_TEXT = 65536,
    CLEAN_BYTES = 8192
};
enum { MAX_SURFACE_W = 1 << 18 };
// A colour bitmap stands on the line like a letter: its height, and its part above the
// baseline, as parts of the font size.
static const float emoji_height = 1.17f, emoji_above = 0.93f;

struct width_entry {
    uint64_t key; // 0: free
    int width;
};

struct fonts {
    struct faces *faces;
    struct width_entry widths[WIDTH_SETS][WIDTHS_A_SET]; // the newest of a set first
    long measured;
    int space[FACE_MAX][FACES_MAX_PX + 1]; // advance of a space + 1; 0: not yet known
    struct run runs[RUNS_MAX_BYTES];
    SDL_Surface *drawn[RUNS_MAX_BYTES];
    char clean[CLEAN_BYTES];
};

struct fonts *fonts_create(const char *directory, bool system_fallback, struct error *err)
{
    struct fonts *fonts = calloc(1, sizeof *fonts);
    if (!fonts) {
        fail_nomem(err, "the fonts");
        return NULL;
    }
    fonts->faces = faces_create(directory, system_fallback, err);
    if (!fonts->faces) {
        free(fonts);
        return NULL;
    }
    return fonts;
}

void fonts_destroy(struct fonts *fonts)
{
    if (!fonts)
        return;
    faces_destroy(fonts->faces);
    free(fonts);
}

int fonts_px(float size, float scale)
{
    float px = roundf(size * scale);
    if (!(px >= 1)) // NaN too
        return 1;
    return px > FACES_MAX_PX ? FACES_MAX_PX : (int)px;
}

bool fonts_right_to_left(const char *text, size_t length)
{
    return runs_right_to_left(text, length);
}

static size_t piece_limit(int px)
{
    int bytes = 16384 / px;
    return (size_t)(bytes < 32 ? 32 : bytes > RUNS_MAX_BYTES ? RUNS_MAX_BYTES : bytes);
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t fonts_piece(int px, const char *text, size_t length, size_t at)
{
    size_t limit = piece_limit(px);
    if (length - at <= limit)
        return length;
    for (size_t end = at + limit; end > at + limit / 2; end--)
        if (text[end - 1] == ' ')
            return end;
    size_t end = at;
    for (size_t next = utf8_next(text, length, at); next <= at + limit && next > end;
         next = utf8_next(text, length, end))
        end = next;
    if (end > at)
        return end;
    for (end = at + limit; end > at && is_continuation(text[end]);) // an endless cluster
        end--;
    return end > at ? end : at + limit;
}

// A run as a C string, control characters as spaces, with `tail` appended.
static const char *run_text(char *out, const char *text, const struct run *run,
                            const char *tail)
{
    int n = 0;
    for (int i = run->begin; i < run->end && n < RUNS_MAX_BYTES; i++) {
        unsigned char byte = (unsigned char)text[i];
        out[n++] = byte < 0x20 || byte == 0x7F ? ' ' : text[i];
    }
    memcpy(out + n, tail, strlen(tail) + 1);
    return out;
}

static TTF_Font *open_run(struct fonts *fonts, const struct run *run, int px)
{
    TTF_Font *font = faces_open(fonts->faces, run->face, px);
    if (!font)
        return NULL;
    TTF_SetFontDirection(font, run->rtl ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    TTF_SetFontScriptName(font, run->script);
    return font;
}

// How far the first letter reaches to the left of the pen.
static int hang_left(TTF_Font *font, const char *text, const struct run *run)
{
    size_t at = (size_t)run->begin;
    int32_t point = utf8_decode(text, (size_t)run->end, &at);
    int left = 0;
    if (run->rtl || point < 0x20 ||
        TTF_GlyphMetrics32(font, (Uint32)point, &left, NULL, NULL, NULL, NULL) != 0)
        return 0;
    return left < 0 ? -left : 0;
}

static int space_width(struct fonts *fonts, TTF_Font *font, int face, int px)
{
    int *known = &fonts->space[face][px];
    if (*known == 0) {
        char spaces[SPACES + 1];
        memset(spaces, ' ', SPACES);
        spaces[SPACES] = '\0';
        int width = 0;
        if (TTF_SizeUTF8(font, spaces, &width, NULL) != 0)
            width = 0;
        *known = width / SPACES + 1;
    }
    return *known - 1;
}

static int box_width(int px)
{
    return (px * 5 + 7) / 8;
}

static float bitmap_scale(int px, TTF_Font *font)
{
    int height = TTF_FontHeight(font);
    return (float)px * emoji_height / (float)(height > 0 ? height : 1);
}

static int run_advance(struct fonts *fonts, int px, const char *text,
                       const struct run *run)
{
    if (run->face == FACE_BOX)
        return run->clusters * box_width(px);
    TTF_Font *font = open_run(fonts, run, px);
    if (!font)
        return 0;
    char buffer[RUNS_MAX_BYTES + 2];
    int width = 0;
    if (faces_is_bitmap(fonts->faces, run->face)) {
        if (TTF_SizeUTF8(font, run_text(buffer, text, run, ""), &width, NULL) != 0)
            return 0;
        return (int)lroundf((float)width * bitmap_scale(px, font));
    }
    int space = space_width(fonts, font, run->face, px);
    if (TTF_SizeUTF8(font, run_text(buffer, text, run, " "), &width, NULL) != 0)
        return 0;
    width -= space + hang_left(font, text, run);
    return width < 0 ? 0 : width;
}

static uint64_t hash_text(enum font font, int px, const char *text, size_t length)
{
    uint64_t hash = 1469598103934665603u ^ ((uint64_t)px << 8 | (uint64_t)font);
    hash *= 1099511628211u; // or the font would cancel in the first letter
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    hash ^= hash >> 29;
    return hash ? hash : 1;
}

static int measure_piece(struct fonts *fonts, enum font font, int px, const char *text,
                         size_t length)
{
    uint64_t key = hash_text(font, px, text, length);
    struct width_entry *set = fonts->widths[key % WIDTH_SETS];
    for (int i = 0; i < WIDTHS_A_SET; i++)
        if (set[i].key == key)
            return set[i].width;
    int count = runs_split(fonts->faces, font, px, text, length, fonts->runs);
    int width = 0;
    fonts->measured++;
    for (int i = 0; i < count; i++)
        width += run_advance(fonts, px, text, &fonts->runs[i]);
    memmove(set + 1, set, (WIDTHS_A_SET - 1) * sizeof *set);
    set[0] = (struct width_entry){key, width};
    return width;
}

long fonts_measured(const struct fonts *fonts)
{
    return fonts->measured;
}

int fonts_runs(struct fonts *fonts, enum font font, int px, const char *text,
               size_t length, struct run *runs, int *widths)
{
    int count = runs_split(fonts->faces, font, px, text, length, runs);
    for (int i = 0; i < count; i++)
        widths[i] = run_advance(fonts, px, text, &runs[i]);
    return count;
}

struct font_file fonts_file(const struct fonts *fonts, int face)
{
    return faces_file(fonts->faces, face);
}

// Text that can be walked: as it is, or a cleaned copy.
static const char *valid_text(struct fonts *fonts, const char *text, size_t *length)
{
    *length = *length > MAX_TEXT ? MAX_TEXT : *length;
    if (utf8_valid(text, *length))
        return text;
    *length = utf8_clean(fonts->clean, sizeof fonts->clean, text, *length, NULL);
    return fonts->clean;
}

int fonts_width_px(struct fonts *fonts, enum font font, int px, const char *text,
                   size_t length)
{
    text = valid_text(fonts, text, &length);
    int width = 0;
    for (size_t at = 0; at < length;) {
        size_t end = fonts_piece(px, text, length, at);
        width += measure_piece(fonts, font, px, text + at, end - at);
        at = end;
    }
    return width;
}

float fonts_width(struct fonts *fonts, enum font font, float size, float scale,
                  const char *text, size_t length)
{
    if (!(scale > 0) || !isfinite(scale))
        scale = 1;
    return (float)fonts_width_px(fonts, font, fonts_px(size, scale), text, length) /
           scale;
}

// Rows that SDL_ttf has added above the font's ascent for tall letters and stacked marks.
static int rows_above(TTF_Font *font, const char *text, const struct run *run, int height)
{
    int extra = height - TTF_FontHeight(font), top = 0;
    bool marks_above = false;
    if (extra <= 0)
        return 0;
    for (size_t at = (size_t)run->begin; at < (size_t)run->end;) {
        int32_t point = utf8_decode(text, (size_t)run->end, &at);
        int max_y = 0;
        if (point < 0)
            break;
        marks_above = marks_above || utf8proc_get_property(point)->combining_class == 230;
        if (TTF_GlyphMetrics32(font, (Uint32)point, NULL, NULL, NULL, &max_y, NULL) == 0)
            top = max_y > top ? max_y : top;
    }
    int above = marks_above ? extra : top - TTF_FontAscent(font);
    return above < 0 ? 0 : above > extra ? extra : above;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " ")] == '\0';
}

// A run's pixels; *ascent rows of them above the baseline, *hang columns before the pen.
static SDL_Surface *draw_run(struct fonts *fonts, int px, const char *text,
                             const struct run *run, int *ascent, int *hang)
{
    *ascent = *hang = 0;
    if (run->face == FACE_BOX) {
        SDL_Surface *boxes = surface_boxes(run->clusters, box_width(px), px);
        *ascent = boxes ? boxes->h : 0;
        return boxes;
    }
    TTF_Font *font = open_run(fonts, run, px);
    char buffer[RUNS_MAX_BYTES + 2];
    if (!font || is_blank(run_text(buffer, text, run, "")))
        return NULL;
    SDL_Surface *surface =
        TTF_RenderUTF8_Blended(font, buffer, (SDL_Color){255, 255, 255, 255});
    if (!surface || surface->format->format != SDL_PIXELFORMAT_ARGB8888) {
        SDL_FreeSurface(surface);
        return NULL;
    }
    if (faces_is_bitmap(fonts->faces, run->face)) {
        *ascent = (int)lroundf((float)px * emoji_above);
        return surface_shrink(surface, bitmap_scale(px, font));
    }
    *hang = hang_left(font, text, run);
    *ascent = TTF_FontAscent(font) + rows_above(font, text, run, surface->h);
    return surface;
}

struct placed {
    int pen, ascent, hang;
};

// Draws every run of a piece and says how much room they take together.
static struct placed place_runs(struct fonts *fonts, int px, const char *text, int count,
                                struct placed *places, int *right, int *below)
{
    struct placed all = {0};
    for (int i = 0; i < count; i++) {
        struct placed *at = &places[i];
        SDL_Surface *surface =
            draw_run(fonts, px, text, &fonts->runs[i], &at->ascent, &at->hang);
        fonts->drawn[i] = surface;
        at->pen = all.pen;
        all.pen += run_advance(fonts, px, text, &fonts->runs[i]);
        if (!surface)
            continue;
        int end = at->pen - at->hang + surface->w;
        *right = end > *right ? end : *right;
        all.ascent = at->ascent > all.ascent ? at->ascent : all.ascent;
        *below = surface->h - at->ascent > *below ? surface->h - at->ascent : *below;
    }
    return all;
}

static SDL_Surface *render_piece(struct fonts *fonts, enum font font, int px,
                                 const char *text, size_t length, int *baseline)
{
    struct placed places[RUNS_MAX_BYTES];
    int count = runs_split(fonts->faces, font, px, text, length, fonts->runs);
    int right = 0, below = 0;
    struct placed all = place_runs(fonts, px, text, count, places, &right, &below);
    int width = right > all.pen ? right : all.pen;
    SDL_Surface *surface = NULL;
    *baseline = all.ascent;
    if (width > 0 && width < MAX_SURFACE_W)
        surface = surface_make(width, all.ascent + below);
    for (int i = 0; i < count; i++) {
        if (surface && fonts->drawn[i])
            surface_copy(surface, fonts->drawn[i], places[i].pen - places[i].hang,
                         all.ascent - places[i].ascent);
        SDL_FreeSurface(fonts->drawn[i]);
        fonts->drawn[i] = NULL;
    }
    return surface;
}

// Puts `more` beside `so_far` (which may be NULL) on a common baseline; frees both.
static SDL_Surface *append(SDL_Surface *so_far, int *baseline, int pen, SDL_Surface *more,
                           int more_baseline)
{
    int below = so_far ? so_far->h - *baseline : 0;
    int below_more = more->h - more_baseline;
    int above = so_far && *baseline > more_baseline ? *baseline : more_baseline;
    below = below > below_more ? below : below_more;
    SDL_Surface *both = NULL;
    if (pen < MAX_SURFACE_W - more->w)
        both = surface_make(pen + more->w, above + below);
    if (both && so_far)
        surface_copy(both, so_far, 0, above - *baseline);
    if (both)
        surface_copy(both, more, pen, above - more_baseline);
    SDL_FreeSurface(so_far);
    SDL_FreeSurface(more);
    *baseline = above;
    return both;
}

SDL_Surface *fonts_render(struct fonts *fonts, enum font font, int px, const char *text,
                          size_t length, int *baseline)
{
    *baseline = 0;
    text = valid_text(fonts, text, &length);
    if (length == 0)
        return NULL;
    px = fonts_px((float)px, 1);
    if (fonts_piece(px, text, length, 0) == length)
        return render_piece(fonts, font, px, text, length, baseline);
    bool rtl = fonts_right_to_left(text, length);
    int pen = 0, total = fonts_width_px(fonts, font, px, text, length);
    SDL_Surface *surface = NULL;
    for (size_t at = 0; at < length;) {
        size_t end = fonts_piece(px, text, length, at);
        int above = 0, width = measure_piece(fonts, font, px, text + at, end - at);
        SDL_Surface *piece = render_piece(fonts, font, px, text + at, end - at, &above);
        int x = rtl ? total - pen - width : pen;
        if (piece)
            surface = append(surface, baseline, x, piece, above);
        if (piece && !surface)
            return NULL;
        pen += width;
        at = end;
    }
    return surface;
}
