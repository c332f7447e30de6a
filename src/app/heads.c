// SPDX-License-Identifier: MIT
// See heads.h. A small map is the view of its choice, read and then made small: what it
// says is what the large one says.
#include "app/heads.h"

#include <math.h>

#include "align/readings.h"
#include "app/state.h"

enum {
    TILES_MAX_BYTES = 64 << 20,
    LIVE_CELLS = 1 << 16, // of all maps together: up to so many follow every row
};

void heads_init(struct heading *heading)
{
    *heading =
        (struct heading){.choice = {MAP_CROSS, MAP_MEAN, MAP_MEAN}, .pool = MAP_MEAN};
}

void heads_finish(struct heading *heading)
{
    arena_finish(&heading->arena);
    heading->tiles = heading->sorted = NULL;
    heading->count = 0;
}

bool heads_there(const struct app *app)
{
    return app->model >= 0 &&
           app->library.entries[app->model].listing.config.family == FAMILY_TRANSFORMER;
}

struct map_shape heads_shape(const struct app *app)
{
    const struct transformer_config *t =
        &app->library.entries[app->model].listing.config.transformer;
    return (struct map_shape){
        .layers = {t->decoder.layers, t->encoder.layers, t->decoder.layers},
        .heads = {t->decoder.heads, t->encoder.heads, t->decoder.heads}};
}

void heads_choose(const struct app *app, struct show *show)
{
    show->choice = app->heading.choice;
}

void heads_say(const struct alignment *alignment, char *out, size_t size)
{
    out[0] = '\0';
    if (alignment && alignment->maps)
        map_say(alignment->maps, alignment->attention, out, size);
}

static float tau_of(const struct app *app)
{
    return app->show.uses_reread ? app->show.reread_tau : -1;
}

static struct heads_key key_of(const struct app *app, const struct alignment *of)
{
    const struct heading *heading = &app->heading;
    const struct alignment *now = app->show.now;
    return (struct heads_key){.begun = app->show.begun,
                              .rows = alignment_rows(of),
                              .ended = alignment_ended(of),
                              .kind = now->attention.kind,
                              .pool = heading->pool,
                              .tau = now->attention.kind == MAP_CROSS ? tau_of(app) : -1};
}

static bool same_key(const struct heads_key *a, const struct heads_key *b)
{
    return a->begun == b->begun && a->rows == b->rows && a->ended == b->ended &&
           a->kind == b->kind && a->pool == b->pool && !(a->tau < b->tau) &&
           !(a->tau > b->tau);
}

// α of a view as it is on the screen: (rows, n_src), or NULL when memory is short.
static const float *shown_alpha(const struct app *app, const struct alignment *view,
                                struct arena *arena)
{
    float tau = app->heading.key.tau;
    int rows = alignment_rows(view);
    if (tau < 0)
        return view->alpha;
    float *alpha = arena_alloc(arena, (size_t)rows * (size_t)view->n_src, sizeof *alpha);
    if (alpha)
        translate_reread(view, app->show.edits, tau, 0, rows, alpha);
    return alpha;
}

static void shrink(struct head_tile *tile, float *out, const float *alpha, int rows,
                   int n)
{
    for (int t = 0; t < rows; t++)
        for (int s = 0; s < n; s++) {
            int y = t * tile->rows / rows, x = s * tile->columns / n;
            float *cell = out + y * tile->columns + x;
            *cell = fmaxf(*cell, alpha[(size_t)t * (size_t)n + (size_t)s]);
        }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool fill_tile(struct app *app, const struct alignment *view,
                      struct head_tile *tile)
{
    struct arena scratch;
    struct heading *heading = &app->heading;
    int rows = alignment_rows(view), n = view->n_src;
    arena_init(&scratch, TILES_MAX_BYTES);
    const float *alpha = shown_alpha(app, view, &scratch);
    tile->rows = least(rows, HEADS_TILE);
    tile->columns = least(n, HEADS_TILE);
    tile->masked = view->blocked != NULL;
    size_t cells = (size_t)tile->rows * (size_t)tile->columns;
    float *small = arena_alloc(&heading->arena, cells, sizeof *small);
    if (small && alpha) {
        struct attention of = {alpha, rows, n, view->source};
        struct matrix_reading reading = readings_matrix(&of);
        bool sums = map_keeps_sums(view->maps, view->attention);
        tile->entropy_bits = sums ? reading.entropy_bits : NAN;
        tile->diagonal = sums ? reading.diagonal : NAN;
        tile->special = sums ? reading.share_special : NAN;
        shrink(tile, small, alpha, rows, n);
    }
    tile->alpha = small;
    arena_finish(&scratch);
    return small && alpha;
}

static bool add_tile(struct app *app, const struct alignment *of,
                     struct map_choice choice)
{
    struct heading *heading = &app->heading;
    struct error err;
    struct alignment *view = map_view(of, choice, &err);
    struct head_tile *tile = &heading->tiles[heading->count];
    tile->choice = choice;
    bool ok = view && fill_tile(app, view, tile);
    heading->count += ok;
    alignment_destroy(view);
    return ok;
}

// The place behind the last of several is all of them, pooled.
static int place_at(int at, int count, int pool)
{
    return at < count ? at : pool;
}

int heads_with_pooled(int count)
{
    return count > 1 ? count + 1 : count;
}

static bool add_tiles(struct app *app, const struct alignment *of)
{
    const struct map_shape *shape = &of->maps->shape;
    struct heading *heading = &app->heading;
    enum map_kind kind = heading->key.kind;
    int layers = shape->layers[kind], heads = shape->heads[kind];
    size_t most = (size_t)heads_with_pooled(layers) * (size_t)heads_with_pooled(heads);
    heading->tiles = arena_alloc(&heading->arena, most, sizeof *heading->tiles);
    heading->sorted = arena_alloc(&heading->arena, most, sizeof *heading->sorted);
    bool ok = heading->tiles && heading->sorted;
    for (int l = 0; ok && l < heads_with_pooled(layers); l++)
        for (int h = 0; ok && h < heads_with_pooled(heads); h++)
            ok = add_tile(app, of,
                          (struct map_choice){kind, place_at(l, layers, heading->pool),
                                              place_at(h, heads, heading->pool)});
    return ok;
}

bool heads_have_rows(const struct alignment *of, enum map_kind kind)
{
    return of && of->maps && maps_kept(of->maps, kind) && of->n_src > 0 &&
           (kind == MAP_ENCODER || alignment_rows(of) > 0);
}

// While rows are coming the small maps of a long sentence stand until it has ended.
static bool follows(const struct alignment *of, const struct heads_key *old,
                    const struct heads_key *key)
{
    const struct map_shape *shape = &of->maps->shape;
    long heads = (long)shape->layers[key->kind] * shape->heads[key->kind];
    return key->ended != ENDED_NOT || old->kind != key->kind ||
           heads * of->n_src * key->rows <= LIVE_CELLS;
}

static int compare_tiles(const struct head_tile *a, const struct head_tile *b,
                         enum heads_sort sort)
{
    float x = sort == HEADS_ENTROPY    ? a->entropy_bits
              : sort == HEADS_DIAGONAL ? a->diagonal
                                       : -a->special;
    float y = sort == HEADS_ENTROPY    ? b->entropy_bits
              : sort == HEADS_DIAGONAL ? b->diagonal
                                       : -b->special;
    return x < y ? -1 : x > y;
}

int heads_sort_tiles(const struct heading *heading)
{
    struct head_tile *out = heading->sorted;
    int count = 0;
    for (int i = 0; i < heading->count; i++) {
        struct head_tile tile = heading->tiles[i];
        if (heading->sort != HEADS_GRID && !map_single(tile.choice))
            continue;
        int place = count++;
        while (heading->sort != HEADS_GRID && place > 0 &&
               compare_tiles(&tile, &out[place - 1], heading->sort) < 0) {
            out[place] = out[place - 1];
            place--;
        }
        out[place] = tile;
    }
    return count;
}

void heads_make_tiles(struct app *app, const struct alignment *of)
{
    struct heading *heading = &app->heading;
    struct heads_key key = key_of(app, of);
    if (heading->tiles &&
        (same_key(&key, &heading->key) || !follows(of, &heading->key, &key)))
        return;
    heads_finish(heading);
    arena_init(&heading->arena, TILES_MAX_BYTES);
    heading->key = key;
    if (!add_tiles(app, of))
        heads_finish(heading);
}
