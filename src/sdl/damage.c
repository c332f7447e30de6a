// SPDX-License-Identifier: MIT
// Tiles and their hashes. See damage.h.
#include "sdl/damage.h"

#include "ui/draw.h"

enum { TILE = 32, TILES_MAX_BYTES = 64 << 20 };

void damage_finish(struct damage *damage)
{
    arena_finish(&damage->arena);
    *damage = (struct damage){0};
}

void damage_forget(struct damage *damage)
{
    damage->known = false;
}

static bool set_size(struct damage *damage, int w, int h)
{
    if (damage->w == w && damage->h == h)
        return true;
    damage_finish(damage);
    damage->columns = (w + TILE - 1) / TILE;
    damage->rows = (h + TILE - 1) / TILE;
    size_t tiles = (size_t)damage->columns * (size_t)damage->rows;
    struct arena *arena = &damage->arena;
    arena_init(arena, TILES_MAX_BYTES);
    damage->was = arena_alloc(arena, tiles, sizeof *damage->was);
    damage->is = arena_alloc(arena, tiles, sizeof *damage->is);
    damage->boxes = arena_alloc(arena, (size_t)damage->rows, sizeof *damage->boxes);
    if (!damage->was || !damage->is || !damage->boxes) {
        damage_finish(damage);
        return false;
    }
    damage->w = w;
    damage->h = h;
    return true;
}

bool damage_begin(struct damage *damage, int w, int h, uint64_t ground)
{
    if (!set_size(damage, w, h))
        return false;
    for (int i = 0; i < damage->columns * damage->rows; i++)
        damage->is[i] = ground;
    return true;
}

void damage_add(struct damage *damage, struct box box, uint64_t hash)
{
    if (box.x1 <= box.x0 || box.y1 <= box.y0)
        return;
    for (int y = box.y0 / TILE; y <= (box.y1 - 1) / TILE; y++)
        for (int x = box.x0 / TILE; x <= (box.x1 - 1) / TILE; x++) {
            uint64_t *tile = &damage->is[(size_t)y * (size_t)damage->columns + (size_t)x];
            *tile = draw_mix(*tile, hash);
        }
}

// From the first changed tile of a row to the last; empty when there is none.
static struct box changed_in(const struct damage *damage, int row)
{
    size_t at = (size_t)row * (size_t)damage->columns;
    const uint64_t *is = damage->is + at, *was = damage->was + at;
    int first = 0, end = damage->columns;
    while (damage->known && first < end && is[first] == was[first])
        first++;
    while (damage->known && end > first && is[end - 1] == was[end - 1])
        end--;
    int right = end * TILE < damage->w ? end * TILE : damage->w;
    int below = (row + 1) * TILE < damage->h ? (row + 1) * TILE : damage->h;
    return (struct box){first * TILE, row * TILE, first < end ? right : first * TILE,
                        below};
}

int damage_end(struct damage *damage)
{
    int count = 0;
    for (int row = 0; row < damage->rows; row++) {
        struct box box = changed_in(damage, row);
        struct box *above = count ? &damage->boxes[count - 1] : NULL;
        if (box.x1 <= box.x0)
            continue;
        if (above && above->y1 == box.y0 && above->x0 == box.x0 && above->x1 == box.x1)
            above->y1 = box.y1;
        else
            damage->boxes[count++] = box;
    }
    uint64_t *spare = damage->was;
    damage->was = damage->is;
    damage->is = spare;
    damage->known = true;
    return count;
}
