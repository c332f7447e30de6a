// SPDX-License-Identifier: MIT
// The recurrent encoder: layers of cells in one direction or two,
//
//   h_i = [→cell(x)_i ; ←cell(x)_i]  (merge "concat"), their sum, or →cell(x)_i alone
//
// where x is the source embedding and, above it, what the layer below gives: both
// directions joined or added (PyTorch, OpenNMT; Keras), or each direction its own
// (stack "separate": Marian, TensorFlow 1). What a step needs of x is one product over
// all positions, before the recurrence begins.
#include "engine/recurrent.h"

#include "engine/bridge.h"
#include "engine/cells.h"
#include "engine/coverage.h"
#include "engine/score.h"

#include <string.h>

struct walk { // one sentence on its way up
    const struct kernels *kernels;
    const struct network *network;
    struct encoder_cache *cache; // NULL: none
    struct encoding *out;
    struct ends ends;
    float *below[2]; // (S, E or 2H) what each direction reads
    float *above[2]; // (S, H) what each direction gives
    float *in;       // (S, gates * H)
    float *scratch;  // of the cell, then of the bridge
};

static bool take(float **out, struct arena *arena, int rows, int cols)
{
    *out = arena_alloc(arena, (size_t)rows * (size_t)cols, sizeof(float));
    return *out != NULL;
}

static bool take_results(struct encoding *out, struct arena *arena,
                         const struct network *network, int n_src)
{
    const struct model_config *c = &network->config;
    int width = scorer_key_width(c), states = c->decoder_layers * c->decoder_hidden;
    if (!take(&out->memory, arena, n_src, model_memory_width(c)) ||
        !take(&out->summary, arena, 1, model_summary_width(c)) ||
        !take(&out->state0, arena, 1, states) ||
        (width && !take(&out->keys, arena, n_src, width)))
        return false;
    if (!width && c->score != SCORE_NONE)
        out->keys = out->memory;
    return (!cell_is_lstm(c->decoder_cell) || take(&out->memory0, arena, 1, states)) &&
           (!network->v.data || take(&out->v, arena, 1, c->attention_hidden)) &&
           (!network->coverage_w.data ||
            take(&out->cover, arena, 1, c->attention_hidden)) &&
           (!network->fertility_w.data || take(&out->fertility, arena, 1, n_src));
}

static bool take_walk(struct walk *walk, struct arena *arena)
{
    const struct model_config *c = &walk->network->config;
    int n = walk->out->n_src, h = c->encoder_hidden, layers = c->encoder_layers;
    int bridge = model_bridge_scratch(c), cell = cell_scratch(1, h);
    int e = c->source_embedding;
    int below = layers > 1 && 2 * h > e ? 2 * h : e;
    for (int d = 0; d < 2; d++)
        if (!take(&walk->below[d], arena, n, below) ||
            !take(&walk->above[d], arena, n, h))
            return false;
    return take(&walk->in, arena, n, cell_facts(c->encoder_cell)->gates * h) &&
           take(&walk->scratch, arena, 1, bridge > cell ? bridge : cell) &&
           take(&walk->ends.h, arena, layers, 2 * h) &&
           (!cell_is_lstm(c->encoder_cell) || take(&walk->ends.c, arena, layers, 2 * h));
}

// A direction's states after each step, kept from the last sentence and for the next.
struct kept {
    int steps;             // that need not be done again
    float *states, *cells; // (n, h); NULL: nothing is kept
};

static struct kept kept_of(const struct walk *walk, int layer, int direction)
{
    struct encoder_cache *cache = walk->cache;
    if (!cache || !cache->rows || !encoder_cache_keeps(&walk->network->config, layer))
        return (struct kept){0};
    return (struct kept){cache->reused[direction], cache->states[layer][direction],
                         cache->memories[layer][direction]};
}

static void copy_row(float *to, int at, const float *from, int from_at, int h)
{
    memcpy(to + (size_t)at * (size_t)h, from + (size_t)from_at * (size_t)h,
           (size_t)h * sizeof(float));
}

// One direction of one layer: below to above, and what it ends with. Step k reads the
// token k from the beginning or, backwards, from the end.
static void run_cell(struct walk *walk, int layer, int direction)
{
    const struct network *network = walk->network;
    const struct cell_weights *weights =
        direction ? &network->backward[layer] : &network->forward[layer];
    const struct cell cell =
        cell_make(walk->kernels, network, network->config.encoder_cell, weights);
    const struct kept kept = kept_of(walk, layer, direction);
    int n = walk->out->n_src, h = cell.h, width = weights->w_ih.cols;
    int first = direction ? 0 : kept.steps, count = n - kept.steps;
    float *state = walk->ends.h + (2 * layer + direction) * h;
    float *memory = walk->ends.c ? walk->ends.c + (2 * layer + direction) * h : NULL;
    float *above = walk->above[direction];
    for (int k = 0; k < kept.steps; k++)
        copy_row(above, direction ? n - 1 - k : k, kept.states, k, h);
    if (kept.steps)
        copy_row(state, 0, kept.states, kept.steps - 1, h);
    if (kept.steps && memory)
        copy_row(memory, 0, kept.cells, kept.steps - 1, h);
    if (count)
        cell_project(&cell, walk->below[direction] + (size_t)first * (size_t)width, count,
                     walk->in);
    for (int k = kept.steps; k < n; k++) {
        int i = direction ? n - 1 - k : k;
        cell_step(&cell, walk->in, count, i - first, 1, state, memory, walk->scratch);
        copy_row(above, i, state, 0, h);
        if (kept.states)
            copy_row(kept.states, k, state, 0, h);
        if (kept.cells)
            copy_row(kept.cells, k, memory, 0, h);
    }
}

// (n, 2h) <- (n, h) and (n, h)
static void join_rows(float *out, const float *left, const float *right, int n, int h)
{
    size_t size = (size_t)h * sizeof(float);
    for (int i = 0; i < n; i++) {
        memcpy(out + 2 * i * h, left + i * h, size);
        memcpy(out + (2 * i + 1) * h, right + i * h, size);
    }
}

static void add_rows(float *out, const float *left, const float *right, int count)
{
    for (int k = 0; k < count; k++)
        out[k] = left[k] + right[k];
}

// What both directions of the next layer read.
static void climb(struct walk *walk)
{
    const struct model_config *c = &walk->network->config;
    int n = walk->out->n_src, h = c->encoder_hidden,
        directions = c->bidirectional ? 2 : 1;
    size_t size = (size_t)n * (size_t)h * sizeof(float);
    for (int d = 0; d < directions; d++) {
        if (c->encoder_stack == STACK_CONCAT)
            join_rows(walk->below[d], walk->above[0], walk->above[1], n, h);
        else if (c->encoder_stack == STACK_SUM)
            add_rows(walk->below[d], walk->above[0], walk->above[1], n * h);
        else
            memcpy(walk->below[d], walk->above[d], size);
    }
}

static void run_layers(struct walk *walk, const int *ids)
{
    const struct model_config *c = &walk->network->config;
    int e = c->source_embedding, directions = c->bidirectional ? 2 : 1;
    for (int d = 0; d < directions; d++)
        for (int i = 0; i < walk->out->n_src; i++)
            tensor_row(walk->below[d] + i * e, &walk->network->src_embed, ids[i]);
    for (int l = 0; l < c->encoder_layers; l++) {
        if (l)
            climb(walk);
        for (int d = 0; d < directions; d++)
            run_cell(walk, l, d);
    }
}

static void merge(struct walk *walk)
{
    const struct model_config *c = &walk->network->config;
    struct encoding *out = walk->out;
    int n = out->n_src, h = c->encoder_hidden;
    if (c->merge == MERGE_CONCAT)
        join_rows(out->memory, walk->above[0], walk->above[1], n, h);
    else if (c->merge == MERGE_SUM)
        add_rows(out->memory, walk->above[0], walk->above[1], n * h);
    else
        memcpy(out->memory, walk->above[0], (size_t)n * (size_t)h * sizeof(float));
}

static void prepare_score(const struct kernels *kernels, const struct network *network,
                          struct encoding *out)
{
    const struct scorer *scorer = scorer_of(network->config.score);
    if (scorer->keys)
        scorer->keys(kernels, network, out);
    if (out->v)
        tensor_floats(out->v, &network->v);
    if (network->v_b.data)
        tensor_floats(&out->energy_bias, &network->v_b);
    if (out->cover)
        tensor_floats(out->cover, &network->coverage_w);
    if (out->fertility)
        coverage_fertility(kernels, network, out);
}

bool recurrent_encode(const struct encode_job *job, struct encoding *out,
                      struct error *err)
{
    const struct network *network = job->network;
    struct walk walk = {
        .kernels = job->kernels, .network = network, .cache = job->cache, .out = out};
    if (!take_results(out, job->arena, network, job->n_src) ||
        !take_walk(&walk, job->arena))
        return fail_nomem(err, "the encoder's memory");
    if (job->cache)
        encoder_cache_begin(job->cache, network, job->ids, job->n_src);
    run_layers(&walk, job->ids);
    if (job->cache)
        encoder_cache_end(job->cache, job->n_src);
    merge(&walk);
    prepare_score(job->kernels, network, out);
    bridge_cross(job->kernels, network, &walk.ends, out, walk.scratch);
    return true;
}

// rows (n, width) in another order, by way of `spare`, as large.
static void reorder_rows(float *rows, float *spare, const int *order, int n, int width)
{
    size_t size = (size_t)width * sizeof(float);
    if (!rows)
        return;
    memcpy(spare, rows, (size_t)n * size);
    for (int i = 0; i < n; i++)
        memcpy(rows + i * width, spare + order[i] * width, size);
}

bool recurrent_reorder(struct encoding *encoding, struct arena *arena,
                       const struct model_config *config, const int *order)
{
    int n = encoding->n_src, memory = model_memory_width(config);
    int keys = scorer_key_width(config);
    float *spare = NULL;
    if (!take(&spare, arena, n, memory > keys ? memory : keys))
        return false;
    if (encoding->keys != encoding->memory)
        reorder_rows(encoding->keys, spare, order, n, keys);
    reorder_rows(encoding->memory, spare, order, n, memory);
    reorder_rows(encoding->fertility, spare, order, n, 1);
    return true;
}

// Finite weights may still be so large that their sums are not.
static bool finite(const float *values, int rows, int cols)
{
    return !values || floats_finite(values, rows * cols);
}

bool recurrent_encoding_finite(const struct encoding *encoding,
                               const struct model_config *config)
{
    int n = encoding->n_src, states = config->decoder_layers * config->decoder_hidden;
    return finite(encoding->memory, n, model_memory_width(config)) &&
           finite(encoding->keys, n, scorer_key_width(config)) &&
           finite(encoding->state0, 1, states) && finite(encoding->memory0, 1, states);
}
