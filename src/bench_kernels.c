// SPDX-License-Identifier: MIT
// The roof and the kernels below it, each the best of many runs. Of the matrices that
// read an embedding only the other columns count: what they make of a token is kept.
#include "bench_kernels.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "bench_clock.h"
#include "engine/cells.h"
#include "engine/lookup.h"

enum { TIMES = 300, SOURCE = 20, MATRICES = 8 * TRANSFORMER_MAX_LAYERS + 8 };
enum { MEMORY = 1 << 28 };

struct matrix { // what a target token multiplies with
    char name[32];
    struct tensor w;
    bool best; // with its first maximum: the output
};

struct work {
    const struct kernels *kernels;
    const struct network *network;
    struct matrix matrices[MATRICES];
    int count;
    const struct matrix *matrix;  // the one that is timed
    const struct tensor *several; // the encoder's with states, for n vectors
    int n;
    float *x, *out, *state;
    int width;     // of the attention's keys
    double roof;   // us to read all weights, the least so far
    unsigned bits; // of all weights, so that reading them has a purpose
};

static size_t bytes_of(const struct tensor *w)
{
    return (size_t)w->rows * (size_t)w->cols * dtype_size(w->type);
}

static void add(struct work *work, const struct tensor *w, const char *name, int layer)
{
    if (!w->data || work->count == MATRICES)
        return;
    struct matrix *matrix = &work->matrices[work->count++];
    *matrix = (struct matrix){.w = *w};
    snprintf(matrix->name, sizeof matrix->name, layer ? "%s, layer %d" : "%s", name,
             layer + 1);
}

// Without the columns that are looked up.
static void add_rest(struct work *work, enum lookup reader, bool candidate,
                     const char *name)
{
    const struct tensor rest = lookup_rest(work->network, reader, candidate);
    if (rest.cols)
        add(work, &rest, name, 0);
}

static void add_cell(struct work *work, const struct cell_weights *cell,
                     const char *input, const char *state, int layer)
{
    if (cell == &work->network->decoder[0]) {
        add_rest(work, LOOKUP_DECODER, false, input);
        add_rest(work, LOOKUP_DECODER, true, input);
    } else {
        add(work, &cell->w_ih, input, layer);
        add(work, &cell->candidate_ih, input, layer);
    }
    add(work, &cell->w_hh, state, layer);
    add(work, &cell->candidate_hh, state, layer);
}

// What a step reads: keys and values of the source are made once a sentence.
static void add_layer(struct work *work, const struct transformer_layer *layer, int l)
{
    add(work, &layer->self.q.w, "self: query", l);
    add(work, &layer->self.k.w, "self: key", l);
    add(work, &layer->self.v.w, "self: value", l);
    add(work, &layer->self.out.w, "self: heads joined", l);
    add(work, &layer->cross.q.w, "source: query", l);
    add(work, &layer->cross.out.w, "source: heads joined", l);
    add(work, &layer->fc1.w, "feed-forward: in", l);
    add(work, &layer->fc2.w, "feed-forward: out", l);
}

static bool is_transformer(const struct work *work)
{
    return work->network->config.family == FAMILY_TRANSFORMER;
}

static void list_matrices(struct work *work)
{
    const struct network *network = work->network;
    add(work, network->config.tied ? &network->tgt_embed : &network->output_w,
        "output and its maximum", 0);
    work->matrices[0].best = true;
    for (int l = 0;
         is_transformer(work) && l < network->config.transformer.decoder.layers; l++)
        add_layer(work, &network->transformer.decoder[l], l);
    for (int l = 0; l < network->config.decoder_layers; l++)
        add_cell(work, &network->decoder[l], "cell: input", "cell: state", l);
    add_cell(work, &network->second, "second cell: input", "second cell: state", 0);
    if (!is_transformer(work))
        add_rest(work, LOOKUP_READOUT, false, "readout");
    add(work, &network->query_w, "query", 0);
}

static size_t larger(size_t a, int b)
{
    return a > (size_t)b ? a : (size_t)b;
}

// Memory for the longest of what is multiplied, filled with small numbers of both signs.
static bool take_vectors(struct work *work, struct arena *arena, struct error *err)
{
    const struct model_config *config = &work->network->config;
    size_t longest = larger(8 * (size_t)config->decoder_hidden, work->several->rows);
    longest = larger(longest, model_memory_width(config));
    longest = larger(larger(longest, work->width), work->several->cols);
    for (int i = 0; i < work->count; i++)
        longest =
            larger(larger(longest, work->matrices[i].w.cols), work->matrices[i].w.rows);
    size_t count = (SOURCE + 1) * longest;
    work->x = arena_alloc(arena, count, sizeof *work->x);
    work->out = arena_alloc(arena, count, sizeof *work->out);
    work->state = arena_alloc(arena, longest, sizeof *work->state);
    if (!work->x || !work->out || !work->state)
        return fail_nomem(err, "the benchmark");
    for (size_t i = 0; i < count; i++)
        work->x[i] = (float)((int)(i * 7919 % 2000) - 1000) * 1e-3f;
    return true;
}

static void read_all(void *context)
{
    struct work *work = context;
    for (int i = 0; i < work->count; i++)
        work->bits |=
            work->kernels->read(work->matrices[i].w.data, bytes_of(&work->matrices[i].w));
}

static void multiply(const struct work *work, const struct matrix *matrix)
{
    if (matrix->best)
        work->kernels->product_best(work->out, &matrix->w, work->x,
                                    &work->network->out_bias);
    else
        work->kernels->product(work->out, &matrix->w, work->x, 1, NULL);
}

static void multiply_all(void *context)
{
    const struct work *work = context;
    for (int i = 0; i < work->count; i++)
        multiply(work, &work->matrices[i]);
}

static void multiply_one(void *context)
{
    const struct work *work = context;
    multiply(work, work->matrix);
}

// us (count): of each product, with the others read before it, so that it is no nearer
// than in the loop. That reading is the roof. All take turns, so that a moment in which
// the machine is busy elsewhere is nobody's. Returns the time of all products together.
static double time_products(struct work *work, double *us)
{
    double all = HUGE_VAL;
    work->roof = HUGE_VAL;
    for (int i = 0; i < TIMES; i++) {
        for (int k = 0; k < work->count; k++) {
            work->matrix = &work->matrices[k];
            work->roof = fmin(work->roof, best_us(read_all, work, 1, 1));
            us[k] = fmin(i ? us[k] : HUGE_VAL, best_us(multiply_one, work, 1, 1));
        }
        all = fmin(all, best_us(multiply_all, work, 1, 1));
    }
    return all;
}

static void multiply_several(void *context)
{
    const struct work *work = context;
    work->kernels->product(work->out, work->several, work->x, work->n, NULL);
}

static void score(void *context)
{
    const struct work *work = context;
    work->kernels->tanh_dots(work->out, work->x, work->x + 1, work->x + 2, SOURCE,
                             work->width);
}

static void normalise(void *context)
{
    const struct work *work = context;
    softmax_tau(work->kernels, work->out, work->x, NULL, SOURCE, 1);
}

static void blend(void *context)
{
    const struct work *work = context;
    work->kernels->blend(work->out, work->x, work->x + SOURCE, SOURCE,
                         model_memory_width(&work->network->config));
}

static void mix_gates(void *context)
{
    const struct work *work = context;
    const struct model_config *c = &work->network->config;
    const int h = c->decoder_hidden;
    const float *x = work->x, *u = x + 4 * h;
    const struct gates in = {{x, x + h, x + 2 * h, x + 3 * h}};
    const struct gates rec = {{u, u + h, u + 2 * h, u + 3 * h}};
    if (cell_is_lstm(c->decoder_cell))
        work->kernels->lstm(work->state, work->state + h, &in, &rec, h, c->gate, 0);
    else
        work->kernels->gru(work->state, &in, &rec, h, c->gate, false);
}

static void sum_exponentials(void *context)
{
    const struct work *work = context;
    work->out[0] = work->kernels->sum_exp(work->x, 1, work->network->config.target_vocab);
}

static void print_line(const char *name, const struct tensor *w, double bytes, double us,
                       double roof_rate)
{
    char shape[32] = "";
    if (w)
        snprintf(shape, sizeof shape, "%d x %d", w->rows, w->cols);
    printf("  %-24s %12s %9.2f MB %9.1f us %7.1f GB/s %5.0f %%\n", name, shape,
           bytes / 1e6, us, bytes / us / 1e3, 100 * bytes / us / roof_rate);
}

static void print_products(struct work *work)
{
    double bytes = 0, us[MATRICES];
    for (int i = 0; i < work->count; i++)
        bytes += (double)bytes_of(&work->matrices[i].w);
    double all = time_products(work, us), rate = bytes / work->roof;
    printf("\nweights of one target token, %s, on one core; the roof is reading them\n",
           dtype_name(work->matrices[0].w.type));
    print_line("read, nothing else", NULL, bytes, work->roof, rate);
    for (int i = 0; i < work->count; i++) {
        const struct matrix *matrix = &work->matrices[i];
        print_line(matrix->name, &matrix->w, (double)bytes_of(&matrix->w), us[i], rate);
    }
    print_line("all products", NULL, bytes, all, rate);
}

static void print_small(struct work *work, const char *name, void (*run)(void *context))
{
    printf("  %-50s %9.2f us\n", name, best_us(run, work, TIMES, 50));
}

static void print_others(struct work *work)
{
    const struct model_config *config = &work->network->config;
    printf("\nbeside the weights, %d source tokens\n", SOURCE);
    if (work->width && work->network->v.data)
        print_small(work, "scores, v tanh(q + k)", score);
    if (config->score != SCORE_NONE) {
        print_small(work, "softmax", normalise);
        print_small(work, "context", blend);
    }
    if (!is_transformer(work))
        print_small(work,
                    cell_is_lstm(config->decoder_cell) ? "gates of an LSTM"
                                                       : "gates of a GRU",
                    mix_gates);
    print_small(work, "sum of exp over the vocabulary, for p", sum_exponentials);
    double one = (double)work->several->rows * work->several->cols / 1e3; // per us: G/s
    for (work->n = 1; work->n <= SOURCE; work->n *= SOURCE)
        printf("  encoder's product, %2d vector%-22s %13.1f GMAC/s\n", work->n,
               work->n == 1 ? "" : "s at once",
               one * work->n / best_us(multiply_several, work, TIMES, 1));
}

bool bench_kernels(const struct kernels *kernels, const struct network *network,
                   double *roof_us, struct error *err)
{
    struct work work = {.kernels = kernels,
                        .network = network,
                        .several = &network->forward[0].w_hh,
                        .width = network->config.attention_hidden};
    struct arena arena;
    if (is_transformer(&work))
        work.several = &network->transformer.encoder[0].fc1.w;
    arena_init(&arena, MEMORY);
    list_matrices(&work);
    bool ok = take_vectors(&work, &arena, err);
    if (ok) {
        print_products(&work);
        *roof_us = work.roof;
        print_others(&work);
    }
    arena_finish(&arena);
    return ok;
}
