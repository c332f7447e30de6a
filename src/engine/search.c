// SPDX-License-Identifier: MIT
// Beam search. See search.h.
#include "engine/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool beam_check(const struct beam *beam, struct error *err)
{
    if (beam->width < 1 || beam->width > SEARCH_MAX_WIDTH)
        return fail_with(err, ERR_USAGE, "the beam is %d wide, expected 1 to %d",
                         beam->width, SEARCH_MAX_WIDTH);
    return (beam->length >= 0 && beam->length <= 5) ||
           fail_with(err, ERR_USAGE,
                     "the length normalisation is %g, expected a number from 0 to 5",
                     (double)beam->length);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool take_memory(struct search *search, struct arena *arena)
{
    size_t rows = (size_t)search->max_length * (size_t)search->beam.width;
    size_t s = (size_t)search->decoder->encoding->n_src, top = (size_t)search->n_top;
    search->nodes = arena_alloc(arena, rows, sizeof *search->nodes);
    search->query_norm = arena_alloc(arena, rows, sizeof(float));
    search->context_norm = arena_alloc(arena, rows, sizeof(float));
    search->e = arena_alloc(arena, rows * s, sizeof *search->e);
    search->alpha = arena_alloc(arena, rows * s, sizeof *search->alpha);
    search->top = arena_alloc(arena, rows * top, sizeof *search->top);
    search->top_log_p = arena_alloc(arena, rows * top, sizeof *search->top_log_p);
    return search->nodes && search->query_norm && search->context_norm && search->e &&
           search->alpha && search->top && search->top_log_p;
}

bool search_init(struct search *search, struct arena *arena, struct decoder *decoder,
                 const struct beam *beam, int max_length, int n_top, struct error *err)
{
    int vocab = decoder->network->config.target_vocab, kept = larger(beam->width, n_top);
    assert(beam_check(beam, NULL) && beam->width <= decoder->max && max_length >= 1);
    assert(decoder->step == 0 && !decoder->options.words_only);
    *search = (struct search){.decoder = decoder,
                              .beam = *beam,
                              .max_length = max_length,
                              .n_top = kept < vocab ? kept : vocab,
                              .n = 1,
                              .growing = {-1}};
    return take_memory(search, arena) || fail_nomem(err, "the tree of a beam search");
}

// What the decoder gave for each hypothesis; false when a number of it is not finite.
static bool keep_rows(struct search *search)
{
    const struct decoder *decoder = search->decoder;
    size_t s = (size_t)decoder->encoding->n_src, top = (size_t)search->n_top;
    for (int i = 0; i < search->n; i++) {
        size_t row = (size_t)search->n_rows + (size_t)i;
        float *log_p = search->top_log_p + row * top;
        memcpy(search->e + row * s, decoder->e + (size_t)i * s, s * sizeof(float));
        memcpy(search->alpha + row * s, decoder->alpha + (size_t)i * s,
               s * sizeof(float));
        search->query_norm[row] = decoder->query_norm[i];
        search->context_norm[row] = decoder->context_norm[i];
        decoder_top(decoder, i, search->n_top, search->top + row * top, log_p);
        if (!decoder_finite(decoder, i) || !floats_finite(log_p, search->n_top))
            return false;
    }
    return true;
}

struct choice {
    int parent, token;
    float log_p;
    double sum;
};

static double sum_of(const struct search *search, int node)
{
    return node < 0 ? 0 : search->nodes[node].sum;
}

// Each hypothesis has its candidates in order: the best of all is the best of the heads.
static int choose(const struct search *search, int places, struct choice *out)
{
    int heads[SEARCH_MAX_WIDTH] = {0}, count = 0;
    for (; count < places; count++) {
        struct choice best = {.parent = -1};
        for (int i = 0; i < search->n; i++) {
            int at = (search->n_rows + i) * search->n_top + heads[i];
            if (heads[i] == search->n_top)
                continue;
            double sum =
                sum_of(search, search->growing[i]) + (double)search->top_log_p[at];
            if (best.parent < 0 || sum > best.sum)
                best = (struct choice){i, search->top[at], search->top_log_p[at], sum};
        }
        if (best.parent < 0)
            break;
        heads[best.parent]++;
        out[count] = best;
    }
    return count;
}

double search_score(const struct beam *beam, double log_p, int length)
{
    return log_p / pow((5 + length) / 6.0, (double)beam->length);
}

static void add_result(struct search *search, int node, bool complete)
{
    const struct search_node *last = &search->nodes[node];
    struct search_result result = {node, complete, last->sum,
                                   search_score(&search->beam, last->sum, last->length)};
    int at = search->n_results++;
    for (; at > 0; at--) {
        const struct search_result *before = &search->results[at - 1];
        if (before->complete > complete ||
            (before->complete == complete && before->score >= result.score))
            break;
        search->results[at] = *before;
    }
    search->results[at] = result;
}

// The chosen become nodes: complete, or what grows on.
static void extend(struct search *search, const struct choice *choices, int count)
{
    int parents[SEARCH_MAX_WIDTH], tokens[SEARCH_MAX_WIDTH], growing[SEARCH_MAX_WIDTH];
    int eos = search->decoder->network->config.eos, n = 0;
    for (int i = 0; i < count; i++) {
        const struct choice *choice = &choices[i];
        int node = search->n_nodes++;
        search->nodes[node] =
            (struct search_node){.parent = search->growing[choice->parent],
                                 .row = search->n_rows + choice->parent,
                                 .token = choice->token,
                                 .length = search->length,
                                 .log_p = choice->log_p,
                                 .sum = choice->sum};
        if (choice->token == eos) {
            add_result(search, node, true);
            continue;
        }
        growing[n] = node;
        parents[n] = choice->parent;
        tokens[n++] = choice->token;
    }
    search->n_rows += search->n;
    search->n = n;
    memcpy(search->growing, growing, (size_t)n * sizeof *growing);
    if (n)
        decoder_continue(search->decoder, parents, tokens, n);
}

static void cut_growing(struct search *search)
{
    for (int i = 0; i < search->n; i++)
        if (search->growing[i] >= 0)
            add_result(search, search->growing[i], false);
    search->n = 0;
}

bool search_take(struct search *search)
{
    struct choice choices[SEARCH_MAX_WIDTH];
    search->broken = !keep_rows(search);
    if (!search->broken) {
        search->length++;
        int places = search->beam.width - search->n_results;
        extend(search, choices, choose(search, places, choices));
    }
    if (search->broken || search->length == search->max_length)
        cut_growing(search);
    return search->n > 0;
}

bool search_step(struct search *search)
{
    if (!search->n)
        return false;
    decoder_step(search->decoder);
    return search_take(search);
}

int search_path(const struct search *search, const struct search_result *result,
                int *nodes)
{
    int count = result->node < 0 ? 0 : search->nodes[result->node].length;
    for (int i = count - 1, node = result->node; i >= 0; i--) {
        nodes[i] = node;
        node = search->nodes[node].parent;
    }
    return count;
}
