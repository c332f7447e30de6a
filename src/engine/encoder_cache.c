// SPDX-License-Identifier: MIT
// The encoder's states of the last sentence. See encoder_cache.h.
#include "engine/encoder_cache.h"

#include <string.h>

#include "engine/cells.h"
#include "engine/score.h"

enum { FIRST_ROWS = 64 };

bool encoder_cache_keeps(const struct model_config *config, int layer)
{
    return layer == 0 || !config->bidirectional ||
           config->encoder_stack == STACK_SEPARATE;
}

static bool take_states(struct encoder_cache *cache, int rows)
{
    const struct model_config *c = &cache->network->config;
    size_t count = (size_t)rows * (size_t)c->encoder_hidden;
    cache->ids = arena_alloc(&cache->arena, (size_t)rows, sizeof *cache->ids);
    bool ok = cache->ids != NULL;
    size_t keys = c->bidirectional ? 0 : (size_t)rows * (size_t)scorer_key_width(c);
    if (keys) {
        cache->keys = arena_alloc(&cache->arena, keys, sizeof *cache->keys);
        ok = ok && cache->keys;
    }
    for (int l = 0; l < c->encoder_layers; l++)
        for (int d = 0; d < 1 + c->bidirectional; d++) {
            if (!encoder_cache_keeps(c, l))
                continue;
            cache->states[l][d] = arena_alloc(&cache->arena, count, sizeof(float));
            ok = ok && cache->states[l][d];
            if (!cell_is_lstm(c->encoder_cell))
                continue;
            cache->memories[l][d] = arena_alloc(&cache->arena, count, sizeof(float));
            ok = ok && cache->memories[l][d];
        }
    return ok;
}

static void make_room(struct encoder_cache *cache, const struct network *network, int n)
{
    int rows = FIRST_ROWS;
    while (rows < n)
        rows *= 2;
    encoder_cache_finish(cache);
    arena_init(&cache->arena, ENCODER_CACHE_MAX_BYTES);
    cache->network = network;
    if (take_states(cache, rows))
        cache->rows = rows;
    else
        encoder_cache_finish(cache);
}

static int shared(const int *a, const int *b, int n, int step)
{
    int count = 0;
    while (count < n && a[step * count] == b[step * count])
        count++;
    return count;
}

void encoder_cache_begin(struct encoder_cache *cache, const struct network *network,
                         const int *ids, int n)
{
    if (cache->network != network || cache->rows < n)
        make_room(cache, network, n);
    cache->reused[0] = cache->reused[1] = 0;
    if (!cache->rows)
        return;
    int least = cache->n < n ? cache->n : n;
    if (least) {
        cache->reused[0] = shared(ids, cache->ids, least, 1);
        cache->reused[1] = shared(ids + n - 1, cache->ids + cache->n - 1, least, -1);
    }
    cache->n = 0;
    memcpy(cache->ids, ids, (size_t)n * sizeof *ids);
}

void encoder_cache_end(struct encoder_cache *cache, int n)
{
    cache->n = cache->rows ? n : 0;
}

void encoder_cache_finish(struct encoder_cache *cache)
{
    arena_finish(&cache->arena);
    *cache = (struct encoder_cache){0};
}
