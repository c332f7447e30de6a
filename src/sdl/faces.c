// SPDX-License-Identifier: MIT
// SDL_ttf has no fallback and throws its glyphs away when a font changes size, so this
// keeps one TTF_Font per (face, size), the least recently used going first, and asks for
// every cluster who has all of it: the face that was asked for, DejaVu Sans, then the
// system. Emoji ask the system's colour fonts first. The bundled files are read once
// and shared by all their sizes. Answers about the system are remembered.
#include "sdl/faces.h"

#include "base/file.h"
#include "sdl/fallback.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum { OPEN_MAX_FONTS = 64, ANSWERS = 512, MAX_POINTS = 8, BITMAP_PX = 109 };

struct face {
    struct file_snapshot bytes; // the bundled ones
    char path[1024];            // the system's
    int index;
    bool bitmap;
};

struct open_font {
    TTF_Font *font; // NULL: free
    int face, px;
    uint64_t used;
};

struct answer {
    uint64_t key; // 0: free
    int face;
};

struct faces {
    struct face faces[FACE_MAX];
    int count;
    struct open_font open[OPEN_MAX_FONTS];
    struct answer answers[ANSWERS];
    uint64_t clock;
    struct fallback *fallback; // NULL: bundled faces only
};

static bool read_bundled(struct faces *faces, const char *directory, struct error *err)
{
    static const char *const names[] = {"Inter-Regular.otf", "Inter-Medium.otf",
                                        "Inter-SemiBold.otf", "DejaVuSans.ttf"};
    for (int i = 0; i < FACE_SYSTEM; i++) {
        char path[4096];
        if (!file_join(path, sizeof path, directory, names[i]))
            return fail_with(err, ERR_LIMIT, "the path of the fonts is too long");
        if (!file_snapshot(&faces->faces[i].bytes, path, 64u << 20, err))
            return false;
        faces->count = i + 1;
    }
    return true;
}

struct faces *faces_create(const char *directory, bool system_fallback, struct error *err)
{
    struct faces *faces = calloc(1, sizeof *faces);
    if (!faces) {
        fail_nomem(err, "the fonts");
        return NULL;
    }
    if (TTF_Init() != 0) {
        fail_with(err, ERR_IO, "SDL_ttf does not start: %s", TTF_GetError());
        free(faces);
        return NULL;
    }
    if (system_fallback)
        faces->fallback = fallback_create();
    bool ok = read_bundled(faces, directory, err);
    for (int i = 0; ok && i < FACE_SYSTEM; i++)
        if (!faces_open(faces, i, 16))
            ok = fail_with(err, ERR_FORMAT, "a font in %s cannot be used: %s", directory,
                           TTF_GetError());
    if (!ok) {
        faces_destroy(faces);
        return NULL;
    }
    return faces;
}

void faces_destroy(struct faces *faces)
{
    if (!faces)
        return;
    for (int i = 0; i < OPEN_MAX_FONTS; i++)
        if (faces->open[i].font)
            TTF_CloseFont(faces->open[i].font);
    for (int i = 0; i < FACE_MAX; i++)
        file_release(&faces->faces[i].bytes);
    fallback_destroy(faces->fallback);
    TTF_Quit();
    free(faces);
}

static TTF_Font *load(const struct face *face, int px)
{
    if (face->bitmap)
        px = BITMAP_PX;
    TTF_Font *font = NULL;
    if (face->bytes.data) {
        SDL_RWops *stream = SDL_RWFromConstMem(face->bytes.data, (int)face->bytes.size);
        font = stream ? TTF_OpenFontRW(stream, 1, px) : NULL;
    } else {
        font = TTF_OpenFontIndex(face->path, px, face->index);
    }
    if (font)
        TTF_SetFontHinting(font, TTF_HINTING_LIGHT_SUBPIXEL);
    return font;
}

TTF_Font *faces_open(struct faces *faces, int face, int px)
{
    struct open_font *oldest = &faces->open[0];
    for (int i = 0; i < OPEN_MAX_FONTS; i++) {
        struct open_font *open = &faces->open[i];
        if (open->font && open->face == face && open->px == px) {
            open->used = ++faces->clock;
            return open->font;
        }
        if (open->used < oldest->used)
            oldest = open;
    }
    TTF_Font *font = load(&faces->faces[face], px);
    if (!font)
        return NULL;
    if (oldest->font)
        TTF_CloseFont(oldest->font);
    *oldest = (struct open_font){font, face, px, ++faces->clock};
    return font;
}

struct font_file faces_file(const struct faces *faces, int face)
{
    const struct face *from = &faces->faces[face];
    return (struct font_file){from->bytes.data, from->bytes.size, from->path, from->index,
                              from->bitmap};
}

bool faces_is_bitmap(const struct faces *faces, int face)
{
    return face >= FACE_SYSTEM && faces->faces[face].bitmap;
}

// What a face need not have: joiners, variation selectors, skin tones, tags.
static bool is_silent(int32_t point)
{
    return point == 0x200C || point == 0x200D || (point >= 0xFE00 && point <= 0xFE0F) ||
           (point >= 0x1F3FB && point <= 0x1F3FF) ||
           (point >= 0xE0000 && point <= 0xE0FFF) ||
           utf8proc_get_property(point)->ignorable;
}

static bool is_emoji(int32_t point)
{
    if (point >= 0x1F1E6 && point <= 0x1F1FF) // regional indicators
        return true;
    return point >= 0x1F000 && utf8proc_get_property(point)->boundclass ==
                                   UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

// The code points of a cluster that a face must have, and how it wants to be shown.
struct need {
    int32_t points[MAX_POINTS];
    int count;
    bool emoji;
    uint64_t key;
};

static struct need need_of(const char *cluster, size_t length)
{
    struct need need = {.key = 1469598103934665603u};
    bool text_style = false;
    for (size_t at = 0; at < length;) {
        int32_t point = utf8_decode(cluster, length, &at);
        if (point < 0)
            break;
        need.emoji = need.emoji || point == 0xFE0F || is_emoji(point);
        text_style = text_style || point == 0xFE0E;
        if (is_silent(point) || need.count == MAX_POINTS)
            continue;
        need.points[need.count++] = point;
        need.key = (need.key ^ (uint64_t)point) * 1099511628211u;
    }
    need.emoji = need.emoji && !text_style;
    return need;
}

static bool has_all(struct faces *faces, int face, int px, const struct need *need)
{
    TTF_Font *font = faces_open(faces, face, px);
    for (int i = 0; i < need->count; i++) {
        // A control character is drawn as a space.
        if (need->points[i] >= 0x20 && need->points[i] != 0x7F &&
            (!font || !TTF_GlyphIsProvided32(font, (Uint32)need->points[i])))
            return false;
    }
    return true;
}

// The number of a system face, new or known; FACE_BOX when there is no room for more.
static int add_system(struct faces *faces, const struct fallback_font *found)
{
    for (int i = FACE_SYSTEM; i < faces->count; i++)
        if (faces->faces[i].index == found->index &&
            strcmp(faces->faces[i].path, found->path) == 0)
            return i;
    size_t length = strlen(found->path);
    if (faces->count == FACE_MAX || length >= sizeof faces->faces[0].path)
        return FACE_BOX;
    struct face *face = &faces->faces[faces->count];
    memcpy(face->path, found->path, length + 1);
    face->index = found->index;
    face->bitmap = found->bitmap;
    return faces->count++;
}

static int ask_system(struct faces *faces, int px, const struct need *need, bool emoji)
{
    struct fallback_font found;
    if (!faces->fallback ||
        !fallback_find(faces->fallback, need->points, need->count, emoji, &found))
        return FACE_BOX;
    int face = add_system(faces, &found);
    return face != FACE_BOX && faces_open(faces, face, px) ? face : FACE_BOX;
}

static int system_face(struct faces *faces, int px, const struct need *need, bool emoji)
{
    uint64_t key = need->key << 1 | emoji;
    key = key ? key : 2;
    struct answer *answer = &faces->answers[(key ^ key >> 32) % ANSWERS];
    if (answer->key != key)
        *answer = (struct answer){key, ask_system(faces, px, need, emoji)};
    return answer->face;
}

int faces_choose(struct faces *faces, enum font font, int px, const char *cluster,
                 size_t length)
{
    struct need need = need_of(cluster, length);
    if (need.count == 0)
        return (int)font;
    if (need.emoji) {
        int face = system_face(faces, px, &need, true);
        if (face != FACE_BOX)
            return face;
    }
    if (has_all(faces, (int)font, px, &need))
        return (int)font;
    if (has_all(faces, FACE_SYMBOLS, px, &need))
        return FACE_SYMBOLS;
    return system_face(faces, px, &need, false);
}
