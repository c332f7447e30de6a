// SPDX-License-Identifier: MIT
// A text is drawn once and blended many times. Plain text keeps 8-bit coverage, text with
// colour glyphs its pixels; both are cut to their ink.
// Turned text is drawn at four times its size and sampled down: each pixel is the mean of
// 4 by 4 points of the large picture, so that turned letters keep the weight and the
// smooth edges of upright ones. (Turning the small picture blurs it twice.)
#include "sdl/masks.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASKS_MAX = 2048, BUCKETS = 4096, KEY_BYTES = 256 };
enum { LARGE = 4, LARGE_MAX_PX = 512 };

struct entry {
    uint64_t hash;
    char text[KEY_BYTES]; // the key's text
    size_t length;
    enum font font;
    int px;
    float angle;
    struct mask mask;
    void *data; // SDL_malloc
    size_t bytes;
    int next;         // in the bucket; -1: last
    int older, newer; // in order of use; -1: none
};

struct masks {
    struct fonts *fonts;
    struct entry entries[MASKS_MAX];
    int buckets[BUCKETS]; // first entry, -1: none
    int count, spare;     // spare: first freed entry, -1: none
    int oldest, newest;
    size_t bytes, max_bytes;
    long drawn;
};

struct masks *masks_create(struct fonts *fonts, size_t max_bytes, struct error *err)
{
    struct masks *masks = calloc(1, sizeof *masks);
    if (!masks) {
        fail_nomem(err, "the text cache");
        return NULL;
    }
    masks->fonts = fonts;
    masks->max_bytes = max_bytes;
    masks->oldest = masks->newest = masks->spare = -1;
    for (int i = 0; i < BUCKETS; i++)
        masks->buckets[i] = -1;
    return masks;
}

void masks_destroy(struct masks *masks)
{
    if (!masks)
        return;
    for (int i = 0; i < masks->count; i++)
        SDL_free(masks->entries[i].data);
    free(masks);
}

size_t masks_bytes(const struct masks *masks)
{
    return masks->bytes;
}

long masks_drawn(const struct masks *masks)
{
    return masks->drawn;
}

static uint64_t hash_key(const struct text_key *key)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < key->length; i++)
        hash = (hash ^ (unsigned char)key->text[i]) * 1099511628211u;
    hash = (hash ^ (uint64_t)key->px) * 1099511628211u;
    hash = (hash ^ (uint64_t)key->font) * 1099511628211u;
    hash = (hash ^ (uint64_t)(int64_t)(key->angle * 64)) * 1099511628211u;
    return hash ^ hash >> 31;
}

static bool same(const struct entry *entry, uint64_t hash, const struct text_key *key)
{
    return entry->hash == hash && entry->px == key->px && entry->font == key->font &&
           !(entry->angle < key->angle || entry->angle > key->angle) &&
           entry->length == key->length &&
           memcmp(entry->text, key->text, key->length) == 0;
}

static void unlink_use(struct masks *masks, int at)
{
    struct entry *entry = &masks->entries[at];
    *(entry->older < 0 ? &masks->oldest : &masks->entries[entry->older].newer) =
        entry->newer;
    *(entry->newer < 0 ? &masks->newest : &masks->entries[entry->newer].older) =
        entry->older;
}

static void link_newest(struct masks *masks, int at)
{
    struct entry *entry = &masks->entries[at];
    entry->older = masks->newest;
    entry->newer = -1;
    *(masks->newest < 0 ? &masks->oldest : &masks->entries[masks->newest].newer) = at;
    masks->newest = at;
}

// Empties the least recently used entry.
static void evict(struct masks *masks)
{
    int at = masks->oldest;
    struct entry *entry = &masks->entries[at];
    int *link = &masks->buckets[entry->hash % BUCKETS];
    while (*link != at)
        link = &masks->entries[*link].next;
    *link = entry->next;
    unlink_use(masks, at);
    SDL_free(entry->data);
    masks->bytes -= entry->bytes;
    entry->data = NULL;
    entry->bytes = 0;
    entry->next = masks->spare;
    masks->spare = at;
}

static int take_entry(struct masks *masks)
{
    if (masks->spare < 0 && masks->count < MASKS_MAX)
        return masks->count++;
    if (masks->spare < 0)
        evict(masks);
    int at = masks->spare;
    masks->spare = masks->entries[at].next;
    return at;
}

// The smallest rectangle with ink; w 0 when there is none. colored: some ink is not
// white.
static SDL_Rect find_ink(const SDL_Surface *surface, bool *colored)
{
    int x0 = surface->w, y0 = surface->h, x1 = 0, y1 = 0;
    for (int y = 0; y < surface->h; y++) {
        const Uint32 *row =
            (const Uint32 *)surface->pixels + (size_t)y * ((size_t)surface->pitch / 4);
        for (int x = 0; x < surface->w; x++) {
            if (row[x] >> 24 == 0)
                continue;
            *colored = *colored || (row[x] & 0xFFFFFF) != 0xFFFFFF;
            x0 = x < x0 ? x : x0;
            x1 = x >= x1 ? x + 1 : x1;
            y0 = y < y0 ? y : y0;
            y1 = y + 1;
        }
    }
    return x1 > x0 ? (SDL_Rect){x0, y0, x1 - x0, y1 - y0} : (SDL_Rect){0, 0, 0, 0};
}

static bool make_room(struct entry *entry, int w, int h, bool colored)
{
    entry->bytes = (size_t)w * (size_t)h * (colored ? 4 : 1);
    entry->data = SDL_malloc(entry->bytes ? entry->bytes : 1);
    entry->mask.w = w;
    entry->mask.h = h;
    entry->mask.cover = colored ? NULL : entry->data;
    entry->mask.pixels = colored ? entry->data : NULL;
    return entry->data != NULL;
}

static void put(struct entry *entry, int x, int y, uint32_t pixel)
{
    size_t at = (size_t)y * (size_t)entry->mask.w + (size_t)x;
    if (entry->mask.cover)
        ((uint8_t *)entry->data)[at] = (uint8_t)(pixel >> 24);
    else
        ((uint32_t *)entry->data)[at] = pixel;
}

static bool keep_upright(struct entry *entry, const SDL_Surface *surface, int baseline)
{
    bool colored = false;
    SDL_Rect ink = find_ink(surface, &colored);
    if (!make_room(entry, ink.w, ink.h, colored))
        return false;
    entry->mask.left = ink.x;
    entry->mask.top = ink.y - baseline;
    for (int y = 0; y < ink.h; y++) {
        const Uint32 *row = (const Uint32 *)surface->pixels +
                            (size_t)(y + ink.y) * ((size_t)surface->pitch / 4) + ink.x;
        for (int x = 0; x < ink.w; x++)
            put(entry, x, y, row[x]);
    }
    return true;
}

// How the large upright picture lies in the small turned one.
struct turn {
    const SDL_Surface *surface;
    SDL_Rect ink;
    int baseline;
    float cosine, sine, scale; // large pixels per small pixel
};

// The mean of 4 by 4 points of the small pixel at x, y (from the start of the baseline).
static uint32_t sample_turned(const struct turn *turn, int x, int y)
{
    uint32_t alpha = 0, r = 0, g = 0, b = 0;
    for (int i = 0; i < LARGE * LARGE; i++) {
        float px = (float)x + ((float)(i % LARGE) + 0.5f) / LARGE;
        float py = (float)y + ((float)(i / LARGE) + 0.5f) / LARGE;
        float u = (px * turn->cosine - py * turn->sine) * turn->scale;
        float v = (px * turn->sine + py * turn->cosine) * turn->scale;
        int column = (int)floorf(u), row = (int)floorf(v) + turn->baseline;
        if (column < 0 || row < 0 || column >= turn->surface->w ||
            row >= turn->surface->h)
            continue;
        uint32_t pixel =
            ((const Uint32 *)
                 turn->surface->pixels)[(size_t)row * ((size_t)turn->surface->pitch / 4) +
                                        (size_t)column];
        uint32_t a = pixel >> 24;
        alpha += a;
        r += a * (pixel >> 16 & 255);
        g += a * (pixel >> 8 & 255);
        b += a * (pixel & 255);
    }
    if (alpha == 0)
        return 0;
    uint32_t mean = (alpha + LARGE * LARGE / 2) / (LARGE * LARGE);
    return mean << 24 | r / alpha << 16 | g / alpha << 8 | b / alpha;
}

// The bounds of the turned ink, in small pixels from the start of the baseline.
static SDL_Rect turned_bounds(const struct turn *turn)
{
    float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
    for (int i = 0; i < 4; i++) {
        float u = (float)(turn->ink.x + (i & 1 ? turn->ink.w : 0)) / turn->scale;
        float v = (float)(turn->ink.y + (i & 2 ? turn->ink.h : 0) - turn->baseline) /
                  turn->scale;
        float x = u * turn->cosine + v * turn->sine;
        float y = v * turn->cosine - u * turn->sine;
        x0 = fminf(x0, x);
        x1 = fmaxf(x1, x);
        y0 = fminf(y0, y);
        y1 = fmaxf(y1, y);
    }
    int left = (int)floorf(x0), top = (int)floorf(y0);
    return (SDL_Rect){left, top, (int)ceilf(x1) - left, (int)ceilf(y1) - top};
}

static bool keep_turned(struct entry *entry, const SDL_Surface *surface, int baseline,
                        float angle, float scale)
{
    bool colored = false;
    float radians = angle * 0.017453293f;
    struct turn turn = {surface,       find_ink(surface, &colored),
                        baseline,      cosf(radians),
                        sinf(radians), scale};
    if (turn.ink.w == 0)
        return make_room(entry, 0, 0, false);
    SDL_Rect bounds = turned_bounds(&turn);
    if (!make_room(entry, bounds.w, bounds.h, colored))
        return false;
    entry->mask.left = bounds.x;
    entry->mask.top = bounds.y;
    for (int y = 0; y < bounds.h; y++)
        for (int x = 0; x < bounds.w; x++)
            put(entry, x, y, sample_turned(&turn, x + bounds.x, y + bounds.y));
    return true;
}

static bool draw(struct masks *masks, struct entry *entry, const struct text_key *key)
{
    bool upright = fabsf(key->angle) < 0.01f;
    int large = key->px * LARGE > LARGE_MAX_PX ? LARGE_MAX_PX : key->px * LARGE;
    int px = upright ? key->px : large, baseline = 0;
    SDL_Surface *surface =
        fonts_render(masks->fonts, key->font, px, key->text, key->length, &baseline);
    masks->drawn++;
    if (!surface)
        return make_room(entry, 0, 0, false);
    bool ok = upright ? keep_upright(entry, surface, baseline)
                      : keep_turned(entry, surface, baseline, key->angle,
                                    (float)px / (float)key->px);
    SDL_FreeSurface(surface);
    return ok;
}

static const struct mask *add(struct masks *masks, const struct text_key *key,
                              uint64_t hash)
{
    struct entry made = {.hash = hash,
                         .length = key->length,
                         .font = key->font,
                         .px = key->px,
                         .angle = key->angle};
    memcpy(made.text, key->text, key->length);
    if (!draw(masks, &made, key))
        return NULL;
    int at = take_entry(masks);
    struct entry *entry = &masks->entries[at];
    *entry = made;
    masks->bytes += made.bytes;
    entry->next = masks->buckets[hash % BUCKETS];
    masks->buckets[hash % BUCKETS] = at;
    link_newest(masks, at);
    while (masks->bytes > masks->max_bytes && masks->oldest != masks->newest)
        evict(masks);
    return &entry->mask;
}

const struct mask *masks_get(struct masks *masks, const struct text_key *key)
{
    if (key->length > KEY_BYTES)
        return NULL;
    uint64_t hash = hash_key(key);
    for (int at = masks->buckets[hash % BUCKETS]; at >= 0; at = masks->entries[at].next) {
        if (same(&masks->entries[at], hash, key)) {
            unlink_use(masks, at);
            link_newest(masks, at);
            return &masks->entries[at].mask;
        }
    }
    return add(masks, key, hash);
}
