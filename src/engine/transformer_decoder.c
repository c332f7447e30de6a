// SPDX-License-Identifier: MIT
// The Transformer's decoder, one token a step: what it was given before is in a cache of
// keys and values, so that a step asks and never makes them again.
//
// The cache has a slot for each hypothesis, (L, H, steps, d_k) of keys and of values.
// When a beam goes on, the first hypothesis that follows another takes over its slot, and
// only the others copy what was made so far.
#include "engine/transformer_parts.h"

#include <math.h>
#include <string.h>

struct transformer_decoder {
    struct tower tower;
    float *keys, *values;         // (max, L, H, steps, d_k)
    int *slot;                    // (n) of each hypothesis
    int *adopted;                 // (n) of each of the next
    float *split;                 // (H, n, d_k) queries
    float *self_e, *self_alpha;   // (L, H, max, steps)
    float *cross_e, *cross_alpha; // (L, H, max, S)
    float *layer_alpha;           // (S)
};

static const struct transformer_config *config_of(const struct decoder *decoder)
{
    return &decoder->network->config.transformer;
}

static size_t head_at(const struct decoder *decoder, int layer, int head)
{
    return (size_t)layer * (size_t)config_of(decoder)->decoder.heads + (size_t)head;
}

// Where the cache of a head begins.
static size_t cache_at(const struct decoder *decoder, int slot, int layer, int head)
{
    const struct transformer_config *t = config_of(decoder);
    size_t heads = (size_t)t->decoder.layers * (size_t)t->decoder.heads;
    size_t of_head = (size_t)(t->width / t->decoder.heads);
    return ((size_t)slot * heads + head_at(decoder, layer, head)) *
           (size_t)decoder->steps * of_head;
}

static size_t self_at(const struct decoder *decoder, int layer, int head, int hypothesis)
{
    return (head_at(decoder, layer, head) * (size_t)decoder->max + (size_t)hypothesis) *
           (size_t)decoder->steps;
}

static size_t cross_at(const struct decoder *decoder, int layer, int head, int hypothesis)
{
    return (head_at(decoder, layer, head) * (size_t)decoder->max + (size_t)hypothesis) *
           (size_t)decoder->encoding->n_src;
}

static bool take_memory(struct decoder *decoder, struct arena *arena)
{
    const struct transformer_config *t = config_of(decoder);
    int max = decoder->max, steps = decoder->steps, s = decoder->encoding->n_src;
    int layers = t->decoder.layers, heads = layers * t->decoder.heads;
    struct taking taking = {arena, true};
    struct transformer_decoder *own = arena_alloc(arena, 1, sizeof *own);
    if (!own)
        return false;
    decoder->transformer = own;
    own->keys = take_floats(&taking, max * layers * steps, t->width);
    own->values = take_floats(&taking, max * layers * steps, t->width);
    own->slot = take_ints(&taking, max);
    own->adopted = take_ints(&taking, max);
    own->split = take_floats(&taking, max, t->width);
    own->self_e = take_floats(&taking, heads * max, steps);
    own->self_alpha = take_floats(&taking, heads * max, steps);
    own->cross_e = take_floats(&taking, heads * max, s);
    own->cross_alpha = take_floats(&taking, heads * max, s);
    own->layer_alpha = take_floats(&taking, 1, s);
    for (int i = 0; taking.ok && i < max * s; i++)
        decoder->e[i] = NAN;
    return tower_take(&own->tower, &taking, decoder->kernels, t, &t->decoder, max);
}

static void restart(struct decoder *decoder)
{
    decoder->transformer->slot[0] = 0;
}

// Key and value of this step, of every head, into the slot of a hypothesis.
static void remember(struct decoder *decoder, int layer, int hypothesis)
{
    const struct transformer_config *t = config_of(decoder);
    struct transformer_decoder *own = decoder->transformer;
    size_t of_head = (size_t)(t->width / t->decoder.heads);
    const float *k = own->tower.k + (size_t)hypothesis * (size_t)t->width;
    const float *v = own->tower.v + (size_t)hypothesis * (size_t)t->width;
    for (int h = 0; h < t->decoder.heads; h++, k += of_head, v += of_head) {
        size_t at = cache_at(decoder, own->slot[hypothesis], layer, h) +
                    (size_t)decoder->step * of_head;
        memcpy(own->keys + at, k, of_head * sizeof *k);
        memcpy(own->values + at, v, of_head * sizeof *v);
    }
}

static void read_given(struct decoder *decoder, int layer, int hypothesis)
{
    const struct transformer_config *t = config_of(decoder);
    struct transformer_decoder *own = decoder->transformer;
    int of_head = t->width / t->decoder.heads, given = decoder->step + 1;
    for (int h = 0; h < t->decoder.heads; h++) {
        size_t at = self_at(decoder, layer, h, hypothesis);
        size_t cache = cache_at(decoder, own->slot[hypothesis], layer, h);
        size_t out = (size_t)hypothesis * (size_t)t->width + (size_t)(h * of_head);
        const struct tensor keys = {own->keys + cache, DTYPE_F32, given, of_head, 0};
        decoder->kernels->product(own->self_e + at, &keys, own->tower.q + out, 1, NULL);
        softmax_tau(decoder->kernels, own->self_alpha + at, own->self_e + at, NULL, given,
                    1);
        decoder->kernels->blend(own->tower.joined + out, own->self_alpha + at,
                                own->values + cache, given, of_head);
    }
}

static void attend_self(struct decoder *decoder, const struct transformer_layer *layer,
                        int l)
{
    struct tower *tower = &decoder->transformer->tower;
    int n = decoder->n;
    const float *in = tower_before(tower, &layer->self_norm, n);
    tower_query(tower, &layer->self.q, in, n);
    tower_project(tower, &layer->self.k, in, n, tower->k);
    tower_project(tower, &layer->self.v, in, n, tower->v);
    for (int i = 0; i < n; i++) {
        remember(decoder, l, i);
        read_given(decoder, l, i);
    }
    tower_project(tower, &layer->self.out, tower->joined, n, tower->y);
    tower_after(tower, &layer->self_norm, n);
}

// One head for all hypotheses.
static void read_source(struct decoder *decoder, int layer, int h)
{
    const struct transformer_config *t = config_of(decoder);
    const struct transformer_encoding *source = decoder->encoding->transformer;
    struct transformer_decoder *own = decoder->transformer;
    int n = decoder->n, s = decoder->encoding->n_src;
    int of_head = t->width / t->decoder.heads;
    size_t at = cross_at(decoder, layer, h, 0);
    size_t kept = head_at(decoder, layer, h) * (size_t)s * (size_t)of_head;
    const struct tensor keys = {source->keys + kept, DTYPE_F32, s, of_head, 0};
    decoder->kernels->product(own->cross_e + at, &keys, own->split + n * h * of_head, n,
                              NULL);
    for (int i = 0; i < n; i++) {
        float *alpha = own->cross_alpha + at + (size_t)i * (size_t)s;
        decoder_weigh(decoder, own->cross_e + at + (size_t)i * (size_t)s, alpha);
        decoder->kernels->blend(own->tower.joined + i * t->width + h * of_head, alpha,
                                source->values + kept, s, of_head);
    }
}

static void attend_source(struct decoder *decoder, const struct transformer_layer *layer,
                          int l)
{
    const struct transformer_config *t = config_of(decoder);
    struct transformer_decoder *own = decoder->transformer;
    struct tower *tower = &own->tower;
    int n = decoder->n;
    const float *in = tower_before(tower, &layer->cross_norm, n);
    tower_query(tower, &layer->cross.q, in, n);
    split_heads(own->split, tower->q, n, t->decoder.heads, t->width);
    for (int h = 0; h < t->decoder.heads; h++)
        read_source(decoder, l, h);
    tower_project(tower, &layer->cross.out, tower->joined, n, tower->y);
    tower_after(tower, &layer->cross_norm, n);
}

// alpha (S) of a hypothesis += the mean of a layer's heads.
static void pool_layer(struct decoder *decoder, int layer, int hypothesis, float *alpha)
{
    struct transformer_decoder *own = decoder->transformer;
    int heads = config_of(decoder)->decoder.heads, s = decoder->encoding->n_src;
    memset(own->layer_alpha, 0, (size_t)s * sizeof(float));
    for (int h = 0; h < heads; h++) {
        const float *of_head = own->cross_alpha + cross_at(decoder, layer, h, hypothesis);
        for (int i = 0; i < s; i++)
            own->layer_alpha[i] += of_head[i];
    }
    for (int i = 0; i < s; i++)
        alpha[i] += own->layer_alpha[i] / (float)heads;
}

static void pool(struct decoder *decoder)
{
    int layers = config_of(decoder)->decoder.layers, s = decoder->encoding->n_src;
    memset(decoder->alpha, 0, (size_t)decoder->n * (size_t)s * sizeof(float));
    for (int i = 0; i < decoder->n; i++) {
        float *alpha = decoder->alpha + i * s;
        for (int l = 0; l < layers; l++)
            pool_layer(decoder, l, i, alpha);
        for (int k = 0; k < s; k++)
            alpha[k] /= (float)layers;
    }
}

static const float *step_one(struct decoder *decoder)
{
    const struct network *network = decoder->network;
    struct tower *tower = &decoder->transformer->tower;
    int n = decoder->n;
    tower->kernels = decoder->kernels;
    tower_embed(tower, &network->tgt_embed, &network->transformer.decoder_positions,
                decoder->previous, n, decoder->step, false);
    for (int l = 0; l < config_of(decoder)->decoder.layers; l++) {
        const struct transformer_layer *layer = &network->transformer.decoder[l];
        attend_self(decoder, layer, l);
        attend_source(decoder, layer, l);
        tower_feed_forward(tower, layer, n);
    }
    tower_finish(tower, &network->transformer.decoder_top, n);
    pool(decoder);
    return tower->x;
}

// Each by itself: only the output layer reads its weights once for all.
static const float *step(struct decoder *const *decoders, int count,
                         struct workspace *work)
{
    size_t width = (size_t)config_of(decoders[0])->width;
    float *row = work->vectors;
    if (count == 1)
        return step_one(decoders[0]);
    for (int d = 0; d < count; d++) {
        size_t floats = (size_t)decoders[d]->n * width;
        memcpy(row, step_one(decoders[d]), floats * sizeof *row);
        row += floats;
    }
    return work->vectors;
}

static void take_workspace(struct workspace *work, struct taking *taking,
                           const struct model_config *config, bool of_one)
{
    if (!of_one)
        work->vectors = take_floats(taking, work->max, config->transformer.width);
}

// All that slot `from` has so far, into slot `to`.
static void copy_slot(struct decoder *decoder, int from, int to)
{
    const struct transformer_config *t = config_of(decoder);
    struct transformer_decoder *own = decoder->transformer;
    size_t of_head = (size_t)(t->width / t->decoder.heads);
    size_t size = (size_t)decoder->step * of_head * sizeof(float);
    for (int l = 0; l < t->decoder.layers; l++)
        for (int h = 0; h < t->decoder.heads; h++) {
            size_t at = cache_at(decoder, from, l, h), end = cache_at(decoder, to, l, h);
            memcpy(own->keys + end, own->keys + at, size);
            memcpy(own->values + end, own->values + at, size);
        }
}

static int free_slot(const bool *used)
{
    int slot = 0;
    while (used[slot])
        slot++;
    return slot;
}

static void adopt(struct decoder *decoder, const int *parents, int n)
{
    struct transformer_decoder *own = decoder->transformer;
    bool used[DECODER_MAX_HYPOTHESES] = {false};
    for (int i = 0; i < n; i++) {
        int slot = own->slot[parents[i]];
        own->adopted[i] = used[slot] ? -1 : slot;
        used[slot] = true;
    }
    for (int i = 0; i < n; i++) {
        if (own->adopted[i] >= 0)
            continue;
        own->adopted[i] = free_slot(used);
        used[own->adopted[i]] = true;
        copy_slot(decoder, own->slot[parents[i]], own->adopted[i]);
    }
    int *swap = own->slot;
    own->slot = own->adopted;
    own->adopted = swap;
}

static const float *state(const struct decoder *decoder, int hypothesis)
{
    return decoder->transformer->tower.x + hypothesis * config_of(decoder)->width;
}

struct head_row decoder_cross_row(const struct decoder *decoder, int hypothesis,
                                  int layer, int head)
{
    const struct transformer_decoder *own = decoder->transformer;
    size_t at = cross_at(decoder, layer, head, hypothesis);
    return (struct head_row){decoder->encoding->n_src, own->cross_e + at,
                             own->cross_alpha + at};
}

struct head_row decoder_self_row(const struct decoder *decoder, int hypothesis, int layer,
                                 int head)
{
    const struct transformer_decoder *own = decoder->transformer;
    size_t at = self_at(decoder, layer, head, hypothesis);
    return (struct head_row){decoder->step, own->self_e + at, own->self_alpha + at};
}

static bool attention_finite(const struct decoder *decoder, int hypothesis)
{
    const struct stack_config *side = &config_of(decoder)->decoder;
    for (int l = 0; l < side->layers; l++)
        for (int h = 0; h < side->heads; h++) {
            struct head_row cross = decoder_cross_row(decoder, hypothesis, l, h);
            struct head_row self = decoder_self_row(decoder, hypothesis, l, h);
            if (!floats_finite(cross.e, cross.n) ||
                !floats_finite(cross.alpha, cross.n) || !floats_finite(self.e, self.n))
                return false;
        }
    return true;
}

const struct family_table family_transformer = {
    .encode = transformer_encode,
    .reorder = transformer_reorder,
    .encoding_finite = transformer_encoding_finite,
    .take_memory = take_memory,
    .take_workspace = take_workspace,
    .restart = restart,
    .step = step,
    .adopt = adopt,
    .state = state,
    .attention_finite = attention_finite,
};
