// SPDX-License-Identifier: MIT
// The Transformer's encoder: every product is one over all positions. It ends with the
// keys and values that each layer of the decoder will ask for, made once a sentence.
//
// Every position reads every other one, so nothing of the sentence before can be kept.
#include "engine/transformer_parts.h"

#include <string.h>

struct climb { // one sentence on its way up
    struct tower tower;
    const struct network *network;
    struct encoding *out;
    float *q, *k, *v; // (H, S, d_k)
    float *e, *alpha; // (S, S) of the head in hand, where they are not kept
};

static size_t self_size(const struct stack_config *side, int n)
{
    return (size_t)side->layers * (size_t)side->heads * (size_t)n * (size_t)n;
}

static bool take_memory(struct climb *climb, const struct kernels *kernels,
                        const struct encode_item *item)
{
    const struct model_config *c = &climb->network->config;
    const struct transformer_config *t = &c->transformer;
    int n = item->n_src, d = t->width;
    struct taking taking = {item->arena, true};
    struct transformer_encoding *own = arena_alloc(item->arena, 1, sizeof *own);
    if (!own)
        return false;
    climb->out->transformer = own;
    climb->out->memory = take_floats(&taking, n, d);
    own->keys = take_floats(&taking, t->decoder.layers * n, d);
    own->values = take_floats(&taking, t->decoder.layers * n, d);
    size_t kept = self_size(&t->encoder, n);
    if (kept <= ENCODING_MAX_BYTES / (2 * sizeof(float))) {
        own->e = take_floats(&taking, (int)kept, 1);
        own->alpha = take_floats(&taking, (int)kept, 1);
    } else {
        climb->e = take_floats(&taking, n, n);
        climb->alpha = take_floats(&taking, n, n);
    }
    climb->q = take_floats(&taking, n, d);
    climb->k = take_floats(&taking, n, d);
    climb->v = take_floats(&taking, n, d);
    return tower_take(&climb->tower, &taking, kernels, t, &t->encoder, n);
}

static void run_head(struct climb *climb, int layer, int head)
{
    const struct transformer_encoding *own = climb->out->transformer;
    struct tower *tower = &climb->tower;
    int n = climb->out->n_src, d = tower->config->width, heads = tower->side->heads;
    size_t of_head = (size_t)(d / heads), nn = (size_t)n * (size_t)n;
    size_t at = (size_t)head * (size_t)n * of_head;
    size_t kept = ((size_t)layer * (size_t)heads + (size_t)head) * nn;
    float *e = own->e ? own->e + kept : climb->e;
    float *alpha = own->alpha ? own->alpha + kept : climb->alpha;
    const struct tensor keys = {climb->k + at, DTYPE_F32, n, (int)of_head, 0};
    tower->kernels->product(e, &keys, climb->q + at, n, NULL);
    for (int i = 0; i < n; i++) {
        size_t row = (size_t)i * (size_t)n;
        softmax_tau(tower->kernels, alpha + row, e + row, NULL, n, 1);
        tower->kernels->blend(tower->joined + (size_t)i * (size_t)d +
                                  (size_t)head * of_head,
                              alpha + row, climb->v + at, n, (int)of_head);
    }
}

static void run_layer(struct climb *climb, int l)
{
    const struct transformer_layer *layer = &climb->network->transformer.encoder[l];
    struct tower *tower = &climb->tower;
    int n = climb->out->n_src, d = tower->config->width, heads = tower->side->heads;
    const float *in = tower_before(tower, &layer->self_norm, n);
    tower_query(tower, &layer->self.q, in, n);
    tower_project(tower, &layer->self.k, in, n, tower->k);
    tower_project(tower, &layer->self.v, in, n, tower->v);
    split_heads(climb->q, tower->q, n, heads, d);
    split_heads(climb->k, tower->k, n, heads, d);
    split_heads(climb->v, tower->v, n, heads, d);
    for (int h = 0; h < heads; h++)
        run_head(climb, l, h);
    tower_project(tower, &layer->self.out, tower->joined, n, tower->y);
    tower_after(tower, &layer->self_norm, n);
    tower_feed_forward(tower, layer, n);
}

// What the decoder's layer l will ask of the memory.
static void prepare_layer(struct climb *climb, int l)
{
    const struct transformer_layer *layer = &climb->network->transformer.decoder[l];
    const struct transformer_encoding *own = climb->out->transformer;
    struct tower *tower = &climb->tower;
    int n = climb->out->n_src, d = tower->config->width;
    int heads = tower->config->decoder.heads;
    size_t at = (size_t)l * (size_t)n * (size_t)d;
    tower_project(tower, &layer->cross.k, climb->out->memory, n, tower->k);
    tower_project(tower, &layer->cross.v, climb->out->memory, n, tower->v);
    split_heads(own->keys + at, tower->k, n, heads, d);
    split_heads(own->values + at, tower->v, n, heads, d);
}

// The first layers. False: the arena is full.
static bool climb_layers(struct climb *climb, const struct kernels *kernels,
                         const struct encode_item *item, int layers)
{
    const struct network *network = climb->network;
    if (!take_memory(climb, kernels, item))
        return false;
    tower_embed(&climb->tower, &network->src_embed,
                &network->transformer.encoder_positions, item->ids, item->n_src, 0, true);
    for (int l = 0; l < layers; l++)
        run_layer(climb, l);
    return true;
}

bool transformer_climb(const struct encode_job *job, int layers, float *x)
{
    const struct encode_item *item = job->items;
    struct encoding out = {.n_src = item->n_src};
    struct climb climb = {.network = job->network, .out = &out};
    size_t d = (size_t)job->network->config.transformer.width;
    if (!climb_layers(&climb, job->kernels, item, layers))
        return false;
    memcpy(x, climb.tower.x, (size_t)item->n_src * d * sizeof *x);
    return true;
}

static bool encode(const struct encode_job *job, const struct encode_item *item,
                   struct error *err)
{
    const struct network *network = job->network;
    const struct transformer_config *t = &network->config.transformer;
    struct climb climb = {.network = network, .out = item->out};
    int n = item->n_src;
    if (!climb_layers(&climb, job->kernels, item, t->encoder.layers))
        return fail_nomem(err, "the encoder's memory");
    tower_finish(&climb.tower, &network->transformer.encoder_top, n);
    memcpy(item->out->memory, climb.tower.x,
           (size_t)n * (size_t)t->width * sizeof(float));
    for (int l = 0; l < t->decoder.layers; l++)
        prepare_layer(&climb, l);
    return true;
}

// One sentence after the other: each is one product over its positions already.
bool transformer_encode(const struct encode_job *job, struct error *err)
{
    bool ok = true;
    for (int i = 0; i < job->count && ok; i++)
        ok = encode(job, &job->items[i], err);
    return ok;
}

// rows (n, width) in another order, by way of `spare`, as large.
static void reorder_rows(float *rows, float *spare, const int *order, int n, int width)
{
    size_t size = (size_t)width * sizeof(float);
    memcpy(spare, rows, (size_t)n * size);
    for (int i = 0; i < n; i++)
        memcpy(rows + (size_t)i * (size_t)width, spare + (size_t)order[i] * (size_t)width,
               size);
}

// square (n, n): rows and columns
static void reorder_square(float *square, float *spare, const int *order, int n)
{
    size_t width = (size_t)n;
    memcpy(spare, square, width * width * sizeof(float));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            square[(size_t)i * width + (size_t)k] =
                spare[(size_t)order[i] * width + (size_t)order[k]];
}

// What the encoder's heads read stays with its tokens.
static void reorder_self(const struct transformer_encoding *own,
                         const struct stack_config *side, float *spare, const int *order,
                         int n)
{
    size_t size = (size_t)n * (size_t)n;
    for (int i = 0; own->e && i < side->layers * side->heads; i++) {
        reorder_square(own->e + (size_t)i * size, spare, order, n);
        reorder_square(own->alpha + (size_t)i * size, spare, order, n);
    }
}

bool transformer_reorder(struct encoding *encoding, struct arena *arena,
                         const struct model_config *config, const int *order)
{
    const struct transformer_config *t = &config->transformer;
    const struct transformer_encoding *own = encoding->transformer;
    int n = encoding->n_src, of_head = model_head_width(config, &t->decoder);
    struct taking taking = {arena, true};
    float *spare = take_floats(&taking, n, t->width > n ? t->width : n);
    if (!taking.ok)
        return false;
    reorder_rows(encoding->memory, spare, order, n, t->width);
    reorder_self(own, &t->encoder, spare, order, n);
    for (int i = 0; i < t->decoder.layers * t->decoder.heads; i++) {
        size_t at = (size_t)i * (size_t)n * (size_t)of_head;
        reorder_rows(own->keys + at, spare, order, n, of_head);
        reorder_rows(own->values + at, spare, order, n, of_head);
    }
    return true;
}

bool transformer_encoding_finite(const struct encoding *encoding,
                                 const struct model_config *config)
{
    const struct transformer_config *t = &config->transformer;
    const struct transformer_encoding *own = encoding->transformer;
    int count = encoding->n_src * t->width;
    for (int l = 0; l < t->decoder.layers; l++)
        if (!floats_finite(own->keys + (size_t)l * (size_t)count, count) ||
            !floats_finite(own->values + (size_t)l * (size_t)count, count))
            return false;
    size_t kept = own->e ? self_size(&t->encoder, encoding->n_src) : 0;
    return floats_finite(encoding->memory, count) &&
           (!kept || floats_finite(own->e, (int)kept));
}

struct head_row encoding_self_row(const struct encoding *encoding,
                                  const struct model_config *config, int layer, int head,
                                  int row)
{
    const struct transformer_encoding *own = encoding->transformer;
    size_t n = (size_t)encoding->n_src, heads = (size_t)config->transformer.encoder.heads;
    size_t at = (((size_t)layer * heads + (size_t)head) * n + (size_t)row) * n;
    if (!own->e)
        return (struct head_row){0};
    return (struct head_row){(int)n, own->e + at, own->alpha + at};
}
