// SPDX-License-Identifier: MIT
// What encoding a sentence is for every family: the ids are checked, the family does it.
#include "engine/encoder.h"

#include "engine/family.h"

#include <stdio.h>
#include <stdlib.h>

// Positions that the tokens would take, and the table's.
static bool fits(const struct network *network, int n_src, struct error *err)
{
    const struct model_config *c = &network->config;
    int room = model_positions(c), offset = c->transformer.position_offset;
    char unused[48] = "";
    if (offset)
        snprintf(unused, sizeof unused, ", of which the first %d are not used", offset);
    return !room || n_src <= room ||
           fail_with(err, ERR_LIMIT,
                     "the sentence has %d tokens, config.json's field '%s' is %d%s",
                     n_src, c->marian ? "max_position_embeddings" : "position_count",
                     c->transformer.position_count, unused);
}

bool encoder_ids_valid(const struct network *network, const int *ids, int n_src,
                       struct error *err)
{
    int vocab = network->config.source_vocab;
    if (n_src < 1)
        return fail_with(err, ERR_FORMAT, "a sentence of %d tokens cannot be encoded",
                         n_src);
    for (int i = 0; i < n_src; i++)
        if (ids[i] < 0 || ids[i] >= vocab)
            return fail_with(err, ERR_FORMAT,
                             "token %d has the id %d, expected one from 0 to %d", i,
                             ids[i], vocab - 1);
    return fits(network, n_src, err);
}

static bool run(const struct kernels *kernels, struct encoder_cache *cache,
                struct encoding *out, struct arena *arena, const struct network *network,
                const int *ids, int n_src, struct error *err)
{
    const struct encode_item item = {ids, n_src, arena, out};
    const struct encode_job job = {kernels, cache, arena, network, &item, 1};
    *out = (struct encoding){.n_src = n_src};
    return encoder_ids_valid(network, ids, n_src, err) &&
           family_of(&network->config)->encode(&job, err);
}

static int longest_first(const void *a, const void *b)
{
    const struct encode_item *left = a, *right = b;
    return (left->n_src < right->n_src) - (left->n_src > right->n_src);
}

bool encoder_run_together(struct encode_item *items, int count, struct arena *scratch,
                          const struct network *network, struct error *err)
{
    const struct encode_job job = {kernels_best(), NULL, scratch, network, items, count};
    for (int i = 0; i < count; i++) {
        *items[i].out = (struct encoding){.n_src = items[i].n_src};
        if (!encoder_ids_valid(network, items[i].ids, items[i].n_src, err))
            return false;
    }
    qsort(items, (size_t)count, sizeof *items, longest_first);
    return family_of(&network->config)->encode(&job, err);
}

bool encoder_run_with(const struct kernels *kernels, struct encoding *out,
                      struct arena *arena, const struct network *network, const int *ids,
                      int n_src, struct error *err)
{
    return run(kernels, NULL, out, arena, network, ids, n_src, err);
}

bool encoder_run(struct encoding *out, struct arena *arena, const struct network *network,
                 const int *ids, int n_src, struct error *err)
{
    return run(kernels_best(), NULL, out, arena, network, ids, n_src, err);
}

bool encoder_run_again(struct encoder_cache *cache, struct encoding *out,
                       struct arena *arena, const struct network *network, const int *ids,
                       int n_src, struct error *err)
{
    return run(kernels_best(), cache, out, arena, network, ids, n_src, err);
}

bool encoder_reorder(struct encoding *encoding, struct arena *arena,
                     const struct model_config *config, const int *order,
                     struct error *err)
{
    return family_of(config)->reorder(encoding, arena, config, order) ||
           fail_nomem(err, "a memory in another order");
}

bool encoding_finite(const struct encoding *encoding, const struct model_config *config)
{
    return family_of(config)->encoding_finite(encoding, config);
}
