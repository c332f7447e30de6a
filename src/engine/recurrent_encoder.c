// SPDX-License-Identifier: MIT
// The recurrent encoder: layers of cells in one direction or two,
//
//   h_i = [→cell(x)_i ; ←cell(x)_i]  (merge "concat"), their sum, or →cell(x)_i alone
//
// where x is the source embedding and, above it, what the layer below gives: both
// directions joined or added (PyTorch, OpenNMT; Keras), or each direction its own
// (stack "separate": Marian, TensorFlow 1). What a step needs of x is there before the
// recurrence begins: of an embedding the row of its token (engine/lookup.h), above it one
// product over all positions.
//
// Several sentences go up together. Step k of a direction reads the token k of each, from
// its beginning or, backwards, from its end. Rows lie in that order: step by step, and in
// a step the sentences that still have a token, the longest first. So the sentences of a
// step are always the first so many, and their states one array.
#include "engine/recurrent.h"

#include "engine/bridge.h"
#include "engine/cells.h"
#include "engine/coverage.h"
#include "engine/lookup.h"
#include "engine/score.h"

#include <string.h>

struct walk { // sentences on their way up
    const struct kernels *kernels;
    const struct network *network;
    struct encoder_cache *cache;     // of one sentence; NULL: none
    const struct encode_item *items; // (count) the longest first
    int count, steps, total;         // sentences, tokens of the longest and of all
    int *begin;                      // (steps + 1) the rows of a step
    float *below[2];       // (total, 2H) what each direction reads, from layer 2
    float *above[2];       // (total, H) what each direction gives
    float *in;             // (total, gates * H)
    float *state, *memory; // (count, H)
    struct ends ends;      // of each sentence one behind the other
    float *scratch;        // of the cell, then of the bridge
};

// Where position i of a sentence is.
static int row_of(const struct walk *walk, int direction, int sentence, int i)
{
    int step = direction ? walk->items[sentence].n_src - 1 - i : i;
    return walk->begin[step] + sentence;
}

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

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool take_walk(struct walk *walk, struct arena *arena)
{
    const struct model_config *c = &walk->network->config;
    int n = walk->total, h = c->encoder_hidden, layers = c->encoder_layers;
    int count = walk->count, below = layers > 1 ? 2 * h : 0;
    bool lstm = cell_is_lstm(c->encoder_cell);
    struct taking taking = {arena, true};
    walk->begin = take_ints(&taking, walk->steps + 1);
    for (int d = 0; d < 2; d++) {
        walk->below[d] = take_floats(&taking, n, below);
        walk->above[d] = take_floats(&taking, n, h);
    }
    walk->in = take_floats(&taking, n, cell_facts(c->encoder_cell)->gates * h);
    walk->state = take_floats(&taking, count, h);
    walk->ends.h = take_floats(&taking, count * layers, 2 * h);
    if (lstm) {
        walk->memory = take_floats(&taking, count, h);
        walk->ends.c = take_floats(&taking, count * layers, 2 * h);
    }
    walk->scratch =
        take_floats(&taking, 1, larger(model_bridge_scratch(c), cell_scratch(count, h)));
    return taking.ok;
}

static void find_rows(struct walk *walk)
{
    int n = walk->count;
    for (int k = 0; k < walk->steps; k++) {
        while (walk->items[n - 1].n_src <= k)
            n--;
        walk->begin[k + 1] = walk->begin[k] + n;
    }
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

static void copy_rows(float *to, int at, const float *from, int from_at, int n, int h)
{
    memcpy(to + (size_t)at * (size_t)h, from + (size_t)from_at * (size_t)h,
           (size_t)n * (size_t)h * sizeof(float));
}

// What was kept is as good as done.
static void take_over(struct walk *walk, const struct kept *kept, int direction, int h)
{
    memset(walk->state, 0, (size_t)(walk->count * h) * sizeof(float));
    if (walk->memory)
        memset(walk->memory, 0, (size_t)(walk->count * h) * sizeof(float));
    if (!kept->steps)
        return;
    copy_rows(walk->above[direction], 0, kept->states, 0, kept->steps, h);
    copy_rows(walk->state, 0, kept->states, kept->steps - 1, 1, h);
    if (walk->memory)
        copy_rows(walk->memory, 0, kept->cells, kept->steps - 1, 1, h);
}

// What the first layer reads, from a step on.
static void look_up(const struct walk *walk, const struct cell *cell, int direction,
                    int from)
{
    int first = walk->begin[from], left = walk->total - first;
    for (int k = from; k < walk->steps; k++)
        for (int row = walk->begin[k]; row < walk->begin[k + 1]; row++) {
            const struct encode_item *item = &walk->items[row - walk->begin[k]];
            int token = item->ids[direction ? item->n_src - 1 - k : k];
            cell_put(cell, walk->in, left, row - first,
                     lookup_row(walk->network, walk->kernels,
                                direction ? LOOKUP_BACKWARD : LOOKUP_FORWARD, token,
                                walk->scratch),
                     false);
        }
}

// One direction of one layer: below to above, and what it ends with.
static void run_cell(struct walk *walk, int layer, int direction)
{
    const struct network *network = walk->network;
    const struct cell_weights *weights =
        direction ? &network->backward[layer] : &network->forward[layer];
    const struct cell cell =
        cell_make(walk->kernels, network, network->config.encoder_cell, weights);
    const struct kept kept = kept_of(walk, layer, direction);
    int h = cell.h, first = walk->begin[kept.steps], left = walk->total - first;
    size_t width = (size_t)weights->w_ih.cols;
    take_over(walk, &kept, direction, h);
    if (layer == 0)
        look_up(walk, &cell, direction, kept.steps);
    else if (left)
        cell_project(&cell, walk->below[direction] + (size_t)first * width, left,
                     walk->in);
    for (int k = kept.steps; k < walk->steps; k++) {
        int at = walk->begin[k], n = walk->begin[k + 1] - at;
        cell_step(&cell, walk->in, left, at - first, n, walk->state, walk->memory,
                  walk->scratch);
        copy_rows(walk->above[direction], at, walk->state, 0, n, h);
        if (kept.states)
            copy_rows(kept.states, k, walk->state, 0, 1, h);
        if (kept.cells)
            copy_rows(kept.cells, k, walk->memory, 0, 1, h);
    }
    for (int i = 0; i < walk->count; i++) {
        int end = 2 * (i * network->config.encoder_layers + layer) + direction;
        copy_rows(walk->ends.h, end, walk->state, i, 1, h);
        if (walk->memory)
            copy_rows(walk->ends.c, end, walk->memory, i, 1, h);
    }
}

static void join_row(float *out, const float *left, const float *right, int h)
{
    size_t size = (size_t)h * sizeof(float);
    memcpy(out, left, size);
    memcpy(out + h, right, size);
}

static void add_row(float *out, const float *left, const float *right, int h)
{
    for (int k = 0; k < h; k++)
        out[k] = left[k] + right[k];
}

// What both directions of the next layer read.
static void climb(struct walk *walk)
{
    const struct model_config *c = &walk->network->config;
    int h = c->encoder_hidden, directions = c->bidirectional ? 2 : 1;
    for (int d = 0; d < directions; d++) {
        if (c->encoder_stack == STACK_SEPARATE || !c->bidirectional) {
            copy_rows(walk->below[d], 0, walk->above[d], 0, walk->total, h);
            continue;
        }
        for (int s = 0; s < walk->count; s++)
            for (int i = 0; i < walk->items[s].n_src; i++) {
                const float *left = walk->above[0] + row_of(walk, 0, s, i) * h;
                const float *right = walk->above[1] + row_of(walk, 1, s, i) * h;
                int row = row_of(walk, d, s, i);
                if (c->encoder_stack == STACK_CONCAT)
                    join_row(walk->below[d] + row * 2 * h, left, right, h);
                else
                    add_row(walk->below[d] + row * h, left, right, h);
            }
    }
}

static void run_layers(struct walk *walk)
{
    const struct model_config *c = &walk->network->config;
    int directions = c->bidirectional ? 2 : 1;
    for (int l = 0; l < c->encoder_layers; l++) {
        if (l)
            climb(walk);
        for (int d = 0; d < directions; d++)
            run_cell(walk, l, d);
    }
}

static void merge(const struct walk *walk, int sentence)
{
    const struct model_config *c = &walk->network->config;
    int h = c->encoder_hidden, m = model_memory_width(c);
    float *out = walk->items[sentence].out->memory;
    for (int i = 0; i < walk->items[sentence].n_src; i++, out += m) {
        const float *left = walk->above[0] + row_of(walk, 0, sentence, i) * h;
        const float *right = walk->above[1] + row_of(walk, 1, sentence, i) * h;
        if (c->merge == MERGE_CONCAT)
            join_row(out, left, right, h);
        else if (c->merge == MERGE_SUM)
            add_row(out, left, right, h);
        else
            memcpy(out, left, (size_t)h * sizeof *out);
    }
}

// Those of an unchanged beginning are taken over where they are kept.
static void make_keys(const struct walk *walk, struct encoding *out)
{
    const struct model_config *c = &walk->network->config;
    const struct scorer *scorer = scorer_of(c->score);
    float *kept = walk->cache ? walk->cache->keys : NULL;
    int width = scorer_key_width(c), from = kept ? walk->cache->reused[0] : 0;
    if (!scorer->keys)
        return;
    if (from)
        copy_rows(out->keys, 0, kept, 0, from, width);
    if (from < out->n_src)
        scorer->keys(walk->kernels, walk->network, out, from);
    if (kept)
        copy_rows(kept, from, out->keys, from, out->n_src - from, width);
}

static void prepare_score(const struct walk *walk, struct encoding *out)
{
    const struct kernels *kernels = walk->kernels;
    const struct network *network = walk->network;
    make_keys(walk, out);
    if (out->v)
        tensor_floats(out->v, &network->v);
    if (network->v_b.data)
        tensor_floats(&out->energy_bias, &network->v_b);
    if (out->cover)
        tensor_floats(out->cover, &network->coverage_w);
    if (out->fertility)
        coverage_fertility(kernels, network, out);
}

// From the last states of a sentence to all that the decoder asks for.
static void settle(const struct walk *walk, int sentence)
{
    const struct model_config *c = &walk->network->config;
    struct encoding *out = walk->items[sentence].out;
    size_t at = (size_t)sentence * 2 * (size_t)(c->encoder_layers * c->encoder_hidden);
    const struct ends ends = {walk->ends.h + at, walk->ends.c ? walk->ends.c + at : NULL};
    merge(walk, sentence);
    prepare_score(walk, out);
    bridge_cross(walk->kernels, walk->network, &ends, out, walk->scratch);
}

bool recurrent_encode(const struct encode_job *job, struct error *err)
{
    const struct encode_item *items = job->items;
    struct walk walk = {.kernels = job->kernels,
                        .network = job->network,
                        .cache = job->cache,
                        .items = items,
                        .count = job->count,
                        .steps = items[0].n_src};
    bool ok = true;
    for (int i = 0; i < job->count && ok; i++) {
        walk.total += items[i].n_src;
        ok = take_results(items[i].out, items[i].arena, job->network, items[i].n_src);
    }
    if (!ok || !take_walk(&walk, job->arena))
        return fail_nomem(err, "the encoder's memory");
    find_rows(&walk);
    if (job->cache)
        encoder_cache_begin(job->cache, job->network, items->ids, items->n_src);
    run_layers(&walk);
    if (job->cache)
        encoder_cache_end(job->cache, items->n_src);
    for (int i = 0; i < job->count; i++)
        settle(&walk, i);
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
