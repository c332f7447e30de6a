// SPDX-License-Identifier: MIT
// See trail.h. A run that is cut short leaves the rows that it completed.
// The memory is kept from sentence to sentence: taking it anew for each key costs the
// system's zeroing of every page of it, half as long as encoding the sentence.
#include "translate/trail.h"

#include <string.h>

#include "translate/session.h"

enum { TRAIL_MAX_BYTES = 256 << 20, ROOM_LEAST = 32, ROOM_MOST = 16 };

void trail_forget(struct trail *trail)
{
    trail->rows = trail->n_src = 0;
    edits_destroy(trail->edits);
    trail->edits = NULL;
}

static void give_back(struct trail *trail)
{
    trail_forget(trail);
    arena_finish(&trail->arena);
    trail->max = 0;
}

void trail_finish(struct trail *trail)
{
    give_back(trail);
    *trail = (struct trail){.wanted = false};
}

static bool same_options(const struct run_options *a, const struct run_options *b)
{
    return !(a->tau < b->tau) && !(a->tau > b->tau) && a->words_only == b->words_only &&
           !(a->dropout < b->dropout) && !(a->dropout > b->dropout) && a->seed == b->seed;
}

// Fits, and is not many times what is needed.
static bool fits(int need, int room)
{
    return need <= room && room <= ROOM_MOST * need;
}

static bool has_room(const struct trail *trail, const struct trail *need)
{
    return trail->max && fits(need->max, trail->max) && fits(need->wide, trail->wide) &&
           need->floats == trail->floats && need->query_width == trail->query_width;
}

static int with_room_to_grow(int n)
{
    int room = ROOM_LEAST;
    while (room < n)
        room *= 2;
    return room;
}

static bool take_memory(struct trail *trail, const struct trail *need, struct error *err)
{
    give_back(trail);
    int rows = with_room_to_grow(need->max);
    trail->wide = with_room_to_grow(need->wide);
    trail->floats = need->floats;
    trail->query_width = need->query_width;
    trail->n_top = need->n_top;
    size_t n = (size_t)rows, s = (size_t)trail->wide, top = (size_t)trail->n_top;
    struct arena *arena = &trail->arena;
    arena_init(arena, TRAIL_MAX_BYTES);
    trail->e = arena_alloc(arena, n * s, sizeof(float));
    trail->alpha = arena_alloc(arena, n * s, sizeof(float));
    trail->state = arena_alloc(arena, n * (size_t)trail->floats, sizeof(float));
    trail->query = arena_alloc(arena, n * (size_t)trail->query_width, sizeof(float));
    trail->p = arena_alloc(arena, n, sizeof(float));
    trail->query_norm = arena_alloc(arena, n, sizeof(float));
    trail->context_norm = arena_alloc(arena, n, sizeof(float));
    trail->previous = arena_alloc(arena, n, sizeof(int));
    trail->token = arena_alloc(arena, n, sizeof(int));
    trail->spread = arena_alloc(arena, n, sizeof(bool));
    trail->top = arena_alloc(arena, n * top, sizeof(int));
    trail->top_log_p = arena_alloc(arena, n * top, sizeof(float));
    bool ok = trail->e && trail->alpha && trail->state && trail->p && trail->query_norm &&
              trail->context_norm && trail->previous && trail->token && trail->spread &&
              trail->query && trail->top && trail->top_log_p;
    trail->max = ok ? rows : 0;
    return ok || fail_nomem(err, "the rows of a decoding");
}

static bool take_edits(struct trail *trail, const struct edits *edits, struct error *err)
{
    struct edits *copy = edits ? edits_create(edits, err) : NULL;
    if (edits && !copy)
        return false;
    edits_destroy(trail->edits);
    trail->edits = copy;
    return true;
}

// The last row of the run before is made again: it says whether the sentence ends.
static int rows_of_before(const struct trail *trail, const struct run_options *options,
                          const struct edits *edits)
{
    if (!trail->rows || !same_options(&trail->options, options))
        return 0;
    int same = edits_same_rows(trail->edits, edits);
    return same < trail->rows - 1 ? same : trail->rows - 1;
}

int trail_begin(struct trail *trail, const struct decoder *decoder,
                const struct run_options *options, const struct edits *edits, int rows,
                int query_width, struct error *err)
{
    int vocab = decoder->network->config.target_vocab;
    const struct trail need = {.max = rows,
                               .wide = decoder->encoding->n_src,
                               .floats = decoder_kept_floats(decoder),
                               .query_width = query_width,
                               .n_top = vocab < ALIGNMENT_TOP ? vocab : ALIGNMENT_TOP};
    int kept = rows_of_before(trail, options, edits);
    if (!trail->wanted || !need.floats) {
        give_back(trail);
        return 0;
    }
    if (!has_room(trail, &need)) {
        kept = 0;
        if (!take_memory(trail, &need, err))
            return -1;
    }
    trail->n_src = need.wide;
    trail->rows = 0;
    if (!take_edits(trail, edits, err))
        return -1;
    trail->options = *options;
    trail->rows = kept;
    return kept;
}

void trail_before(struct trail *trail, const struct decoder *decoder, int t)
{
    if (!trail->n_src || t >= trail->max)
        return;
    trail->previous[t] = decoder->previous[0];
    decoder_keep(decoder, trail->state + (size_t)t * (size_t)trail->floats);
}

void trail_add(struct trail *trail, int t, const struct row *row, bool spread)
{
    size_t s = (size_t)trail->n_src, top = (size_t)trail->n_top, at = (size_t)t;
    if (!trail->n_src || t >= trail->max)
        return;
    memcpy(trail->e + at * s, row->e, s * sizeof(float));
    memcpy(trail->alpha + at * s, row->alpha, s * sizeof(float));
    size_t width = row->query ? (size_t)trail->query_width : 0;
    if (width)
        memcpy(trail->query + at * width, row->query, width * sizeof(float));
    trail->p[t] = row->p;
    trail->query_norm[t] = row->query_norm;
    trail->context_norm[t] = row->context_norm;
    trail->token[t] = row->token;
    trail->spread[t] = spread;
    size_t n = (size_t)row->n_top < top ? (size_t)row->n_top : top;
    memcpy(trail->top + at * top, row->top, n * sizeof(int));
    memcpy(trail->top_log_p + at * top, row->top_log_p, n * sizeof(float));
    trail->rows = t + 1;
}

void trail_row(const struct trail *trail, int t, struct row *row)
{
    size_t s = (size_t)trail->n_src, top = (size_t)trail->n_top, at = (size_t)t;
    *row = (struct row){.e = trail->e + at * s,
                        .alpha = trail->alpha + at * s,
                        .query = trail->query + at * (size_t)trail->query_width,
                        .query_norm = trail->query_norm[t],
                        .context_norm = trail->context_norm[t],
                        .token = trail->token[t],
                        .p = trail->p[t],
                        .n_top = trail->options.words_only ? 1 : trail->n_top,
                        .top = trail->top + at * top,
                        .top_log_p = trail->top_log_p + at * top};
}
