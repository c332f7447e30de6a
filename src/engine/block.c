// SPDX-License-Identifier: MIT
// See block.h. The layers below run as they always do; in this one every position makes
// its key and value, and the one that is asked about alone goes on.
#include "engine/block.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "engine/transformer_parts.h"

struct making {
    struct block *out;
    struct taking taking;
    const struct network *network;
    const struct transformer_layer *layer;
    struct tower tower; // first of all positions, then row 0 is the one
    float *x;           // (n, d) what the layer reads
};

static const float *keep(struct making *m, const float *x, int count)
{
    float *kept = take_floats(&m->taking, count, 1);
    if (kept)
        memcpy(kept, x, (size_t)count * sizeof *x);
    return kept;
}

static const float *keep_sum(struct making *m, const float *a, const float *b)
{
    int d = m->out->d;
    float *sum = take_floats(&m->taking, d, 1);
    for (int i = 0; sum && i < d; i++)
        sum[i] = a[i] + b[i];
    return sum;
}

// Embedding and position, one by one and together.
static bool begin(struct making *m, int id)
{
    struct block *out = m->out;
    int d = out->d;
    float *row = take_floats(&m->taking, d, 1), *scaled = take_floats(&m->taking, d, 1);
    float *place = take_floats(&m->taking, d, 1);
    if (!m->taking.ok)
        return false;
    tensor_row(row, &m->network->src_embed, id);
    float scale = m->tower.config->embedding_scaled ? sqrtf((float)d) : 1;
    for (int i = 0; i < d; i++)
        scaled[i] = row[i] * scale;
    out->embedding = row;
    out->scaled = scaled;
    memset(place, 0, (size_t)d * sizeof *place);
    tower_position(&m->tower, &m->network->transformer.encoder_positions, place,
                   out->position);
    out->place = place;
    out->bottom = keep_sum(m, scaled, place);
    return m->taking.ok;
}

// Keys and values of all positions; then the one stands in row 0.
static bool project(struct making *m)
{
    struct block *out = m->out;
    struct tower *tower = &m->tower;
    int n = out->n, d = out->d;
    size_t at = (size_t)out->position * (size_t)d;
    memcpy(tower->x, m->x, (size_t)n * (size_t)d * sizeof(float));
    const float *in = tower_before(tower, &m->layer->self_norm, n);
    tower_project(tower, &m->layer->self.k, in, n, tower->k);
    tower_project(tower, &m->layer->self.v, in, n, tower->v);
    out->k = keep(m, tower->k, n * d);
    out->v = keep(m, tower->v, n * d);
    out->x = keep(m, m->x + at, d);
    out->read = keep(m, in + at, d);
    if (!m->taking.ok)
        return false;
    tower_project(tower, &m->layer->self.q, out->read, 1, tower->q);
    out->q = keep(m, tower->q, d);
    tower_query(tower, &m->layer->self.q, out->read, 1); // and / √d_k
    memcpy(tower->x, out->x, (size_t)d * sizeof(float));
    return m->taking.ok;
}

// rows: (n, d_k), scratch. The head's part of every position's key or value.
static void part(const struct block *out, const float *of, int head, float *rows)
{
    size_t d_k = (size_t)out->d_k, d = (size_t)out->d;
    for (size_t j = 0; j < (size_t)out->n; j++)
        memcpy(rows + j * d_k, of + j * d + (size_t)head * d_k, d_k * sizeof *of);
}

static bool attend(struct making *m)
{
    struct block *out = m->out;
    struct tower *tower = &m->tower;
    int n = out->n, d_k = out->d_k;
    float *rows = take_floats(&m->taking, n, d_k);
    float *dots = take_floats(&m->taking, out->heads, n);
    float *e = take_floats(&m->taking, out->heads, n);
    float *alpha = take_floats(&m->taking, out->heads, n);
    for (int h = 0; m->taking.ok && h < out->heads; h++) {
        const struct tensor keys = {rows, DTYPE_F32, n, d_k, 0};
        part(out, out->k, h, rows);
        tower->kernels->product(dots + h * n, &keys, out->q + h * d_k, 1, NULL);
        tower->kernels->product(e + h * n, &keys, tower->q + h * d_k, 1, NULL);
        softmax_tau(tower->kernels, alpha + h * n, e + h * n, NULL, n, 1);
        part(out, out->v, h, rows);
        tower->kernels->blend(tower->joined + h * d_k, alpha + h * n, rows, n, d_k);
    }
    out->dots = dots;
    out->e = e;
    out->alpha = alpha;
    return m->taking.ok;
}

// What the heads give, and the two halves that take it up.
static bool finish(struct making *m)
{
    struct block *out = m->out;
    struct tower *tower = &m->tower;
    int d = out->d;
    out->joined = keep(m, tower->joined, d);
    tower_project(tower, &m->layer->self.out, tower->joined, 1, tower->y);
    out->attended = keep(m, tower->y, d);
    out->sum = keep_sum(m, tower->x, tower->y);
    tower_after(tower, &m->layer->self_norm, 1);
    out->middle = keep(m, tower->x, d);
    out->fed_with = keep(m, tower_before(tower, &m->layer->final_norm, 1), d);
    tower_feed_forward(tower, m->layer, 1);
    out->hidden = keep(m, tower->hidden, out->ffn);
    out->fed = keep(m, tower->y, d);
    out->out = keep(m, tower->x, d);
    out->second = m->taking.ok ? keep_sum(m, out->middle, out->fed) : NULL;
    return m->taking.ok;
}

bool block_make(struct block *out, struct arena *arena, const struct network *network,
                const int *ids, int n, int layer, int position, struct error *err)
{
    const struct transformer_config *t = &network->config.transformer;
    const struct encode_item item = {ids, n, arena, NULL};
    const struct encode_job job = {kernels_best(), NULL, arena, network, &item, 1};
    struct making m = {.out = out,
                       .taking = {arena, true},
                       .network = network,
                       .layer = &network->transformer.encoder[layer]};
    assert(layer >= 0 && layer < t->encoder.layers && position >= 0 && position < n);
    *out = (struct block){.n = n,
                          .d = t->width,
                          .ffn = t->encoder.ffn,
                          .heads = t->encoder.heads,
                          .d_k = t->width / t->encoder.heads,
                          .layer = layer,
                          .position = position};
    if (!encoder_ids_valid(network, ids, n, err))
        return false;
    m.x = take_floats(&m.taking, n, t->width);
    bool ok = m.x && transformer_climb(&job, layer, m.x) &&
              tower_take(&m.tower, &m.taking, job.kernels, t, &t->encoder, n) &&
              begin(&m, ids[position]) && project(&m) && attend(&m) && finish(&m);
    return ok || fail_nomem(err, "a layer of the encoder");
}
