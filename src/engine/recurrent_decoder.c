// SPDX-License-Identifier: MIT
// The body of a recurrent decoder's loop, as the papers write it (engine/model.h has the
// equations):
//
//   query "previous": score, blend, cell, readout          Bahdanau, Cho, Bengio 2015
//   query "between":  cell, score, blend, second cell, readout    Sennrich et al. 2017
//   query "current":  cell, score, blend, readout          Luong, Pham, Manning 2015
//
// The temperature stands inside: alpha = softmax(e / tau), and the context that the rest
// of the step reads is the blend under that alpha. Row t explains the token of step t.
#include "engine/recurrent.h"

#include "engine/cells.h"
#include "engine/coverage.h"
#include "engine/lookup.h"
#include "engine/readout.h"
#include "engine/score.h"

#include <string.h>

static void copy(float *to, const float *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof(float));
}

static void clear(float *to, int n)
{
    memset(to, 0, (size_t)n * sizeof(float));
}

void recurrent_restart(struct decoder *decoder)
{
    const struct model_config *c = &decoder->network->config;
    const struct encoding *encoding = decoder->encoding;
    struct carried *now = &decoder->now;
    int d = c->decoder_hidden;
    for (int l = 0; l < c->decoder_layers; l++) {
        copy(now->state[l], encoding->state0 + l * d, d);
        if (now->memory[l])
            copy(now->memory[l], encoding->memory0 + l * d, d);
    }
    clear(now->feed, model_readout_width(c));
    clear(now->context, model_context_width(c));
    if (c->score == SCORE_NONE)
        copy(now->context, encoding->summary, model_context_width(c));
    if (now->coverage)
        clear(now->coverage, encoding->n_src);
}

struct step { // of decoders that make it together
    struct decoder *const *decoders;
    int count;
    struct workspace *work;
    const struct kernels *kernels;
    const struct network *network;
};

// e and alpha of one decoder's hypotheses, whose rows begin at `first`, the context that
// alpha blends, the coverage after.
static void attend_one(const struct step *step, struct decoder *decoder, int first,
                       const float *states, const float *queries)
{
    const struct model_config *c = &step->network->config;
    const struct encoding *encoding = decoder->encoding;
    const struct scorer *scorer = scorer_of(c->score);
    int s = encoding->n_src, m = model_memory_width(c), width = scorer->width(c);
    scorer->fill(step->kernels, encoding, queries + first * width, decoder->n, width,
                 decoder->now.coverage, decoder->moved, decoder->e);
    for (int i = 0; i < decoder->n; i++) {
        float *alpha = decoder->alpha + i * s;
        float *context = step->work->rows.context + (first + i) * m;
        decoder_weigh(decoder, decoder->e + i * s, alpha);
        step->kernels->blend(context, alpha, encoding->memory, s, m);
        decoder->query_norm[i] =
            floats_length(states + (first + i) * c->decoder_hidden, c->decoder_hidden);
        decoder->context_norm[i] = floats_length(context, m);
        if (decoder->now.coverage)
            coverage_add(encoding, alpha, decoder->now.coverage + i * s);
    }
}

// With the states (n, D) of all.
static void attend(const struct step *step, const float *states)
{
    const struct scorer *scorer = scorer_of(step->network->config.score);
    struct workspace *work = step->work;
    const float *queries = scorer->queries ? work->query : states;
    if (scorer->queries)
        scorer->queries(step->kernels, step->network, states, work->n, work->query);
    for (int d = 0, first = 0; d < step->count; first += step->decoders[d++]->n)
        attend_one(step, step->decoders[d], first, states, queries);
}

static void take_tokens(const struct step *step)
{
    int e = step->network->config.target_embedding, *token = step->work->tokens;
    for (int d = 0; d < step->count; d++)
        for (int i = 0; i < step->decoders[d]->n; i++)
            *token++ = step->decoders[d]->previous[i];
    for (int i = 0; step->work->embedded && i < step->work->n; i++) {
        float *row = step->work->embedded + i * e;
        if (step->work->tokens[i] < 0)
            clear(row, e);
        else
            tensor_row(row, &step->network->tgt_embed, step->work->tokens[i]);
    }
}

static float *top_state(const struct carried *carried, const struct network *network)
{
    return carried->state[network->config.decoder_layers - 1];
}

static const float *part_of(const struct step *step, enum part part)
{
    const struct workspace *work = step->work;
    switch (part) {
    case PART_EMBEDDING:
        return work->embedded;
    case PART_CONTEXT:
    case PART_PREVIOUS_CONTEXT: // read before this step's is made
        return work->rows.context;
    case PART_FEED:
        return work->rows.feed;
    case PART_PREVIOUS_STATE:
        return work->before;
    case PART_STATE:
    case PART_COUNT:
        break;
    }
    return top_state(&work->rows, step->network);
}

// joined (n, ·) = the parts of each hypothesis, one behind the other, but for an
// embedding that the reader looks up.
static void join(const struct step *step, const struct parts *parts, enum lookup reader)
{
    const struct model_config *c = &step->network->config;
    bool looks_up = lookup_columns(c, reader).cols > 0;
    float *end = step->work->joined;
    for (int i = 0; i < step->work->n; i++)
        for (int k = 0; k < parts->count; k++) {
            if (looks_up && parts->at[k] == PART_EMBEDDING)
                continue;
            int width = model_part_width(c, parts->at[k]);
            copy(end, part_of(step, parts->at[k]) + i * width, width);
            end += width;
        }
}

// A layer's new state from `in`.
static void update(const struct step *step, const struct cell *cell, int layer)
{
    struct workspace *work = step->work;
    cell_step(cell, work->in, work->n, 0, work->n, work->rows.state[layer],
              work->rows.memory[layer], work->scratch);
}

// And from x (n, in).
static void advance(const struct step *step, enum cell_kind kind,
                    const struct cell_weights *weights, const float *x, int layer)
{
    const struct cell cell = cell_make(step->kernels, step->network, kind, weights);
    cell_project(&cell, x, step->work->n, step->work->in);
    update(step, &cell, layer);
}

// The first layer's, from its parts.
static void advance_first(const struct step *step)
{
    const struct network *network = step->network;
    const struct model_config *c = &network->config;
    const struct lookup_columns of = lookup_columns(c, LOOKUP_DECODER);
    const struct cell_weights *weights = &network->decoder[0];
    struct workspace *work = step->work;
    join(step, &c->decoder_input, LOOKUP_DECODER);
    if (!of.cols) {
        advance(step, c->decoder_cell, weights, work->joined, 0);
        return;
    }
    struct cell_weights rest = cell_unbiased(weights, cell_facts(c->decoder_cell));
    rest.w_ih = lookup_rest(network, LOOKUP_DECODER, false);
    rest.candidate_ih = lookup_rest(network, LOOKUP_DECODER, true);
    const struct cell cell = cell_make(step->kernels, network, c->decoder_cell, &rest);
    cell_project(&cell, work->joined, work->n, work->in);
    for (int i = 0; i < work->n; i++)
        cell_put(&cell, work->in, work->n, i,
                 lookup_row(network, step->kernels, LOOKUP_DECODER, work->tokens[i],
                            work->scratch),
                 true);
    update(step, &cell, 0);
}

static void advance_layers(const struct step *step)
{
    const struct network *network = step->network;
    const struct model_config *c = &network->config;
    struct carried *rows = &step->work->rows;
    advance_first(step);
    if (c->query == QUERY_BETWEEN) {
        attend(step, rows->state[0]);
        advance(step, c->second_cell, &network->second, rows->context, 0);
    }
    for (int l = 1; l < c->decoder_layers; l++)
        advance(step, c->decoder_cell, &network->decoder[l], rows->state[l - 1], l);
}

static void move(float *rows, float *own, int n, bool gather)
{
    copy(gather ? rows : own, gather ? own : rows, n);
}

// What the decoders carry, but for the coverage, to the rows of the workspace or back. A
// decoder in its own workspace has it there.
static void move_carried(const struct step *step, bool gather)
{
    const struct model_config *c = &step->network->config;
    struct carried *rows = &step->work->rows;
    int d = c->decoder_hidden, m = model_context_width(c), r = model_readout_width(c);
    if (step->work == &step->decoders[0]->own) {
        *rows = step->decoders[0]->now;
        return;
    }
    for (int k = 0, first = 0; k < step->count; first += step->decoders[k++]->n) {
        struct carried *own = &step->decoders[k]->now;
        int n = step->decoders[k]->n;
        for (int l = 0; l < c->decoder_layers; l++) {
            move(rows->state[l] + first * d, own->state[l], n * d, gather);
            if (own->memory[l])
                move(rows->memory[l] + first * d, own->memory[l], n * d, gather);
        }
        move(rows->context + first * m, own->context, n * m, gather);
        move(rows->feed + first * r, own->feed, n * r, gather);
    }
}

const float *recurrent_step(struct decoder *const *decoders, int count,
                            struct workspace *work)
{
    const struct network *network = decoders[0]->network;
    const struct model_config *c = &network->config;
    const struct step step = {decoders, count, work, decoders[0]->kernels, network};
    const float *top;
    move_carried(&step, true);
    top = top_state(&work->rows, network);
    take_tokens(&step);
    if (work->before)
        copy(work->before, top, work->n * c->decoder_hidden);
    if (c->query == QUERY_PREVIOUS)
        attend(&step, top);
    advance_layers(&step);
    if (c->query == QUERY_CURRENT)
        attend(&step, top);
    join(&step, &c->readout_input, LOOKUP_READOUT);
    readout_run(step.kernels, network, work->joined, work->tokens, work->n,
                work->rows.feed, work->scratch);
    move_carried(&step, false);
    return work->rows.feed;
}

static void adopt(float *to, const float *from, const int *parents, int n, int width)
{
    for (int i = 0; to && i < n; i++)
        copy(to + i * width, from + parents[i] * width, width);
}

void recurrent_adopt(struct decoder *decoder, const int *parents, int n)
{
    const struct model_config *c = &decoder->network->config;
    struct carried *to = &decoder->spare, *from = &decoder->now;
    for (int l = 0; l < c->decoder_layers; l++) {
        adopt(to->state[l], from->state[l], parents, n, c->decoder_hidden);
        adopt(to->memory[l], from->memory[l], parents, n, c->decoder_hidden);
    }
    adopt(to->context, from->context, parents, n, model_context_width(c));
    adopt(to->feed, from->feed, parents, n, model_readout_width(c));
    adopt(to->coverage, from->coverage, parents, n, decoder->encoding->n_src);
    const struct carried swap = decoder->now;
    decoder->now = decoder->spare;
    decoder->spare = swap;
}

const float *recurrent_state(const struct decoder *decoder, int hypothesis)
{
    return top_state(&decoder->now, decoder->network) +
           hypothesis * decoder->network->config.decoder_hidden;
}

bool recurrent_attention_finite(const struct decoder *decoder, int hypothesis)
{
    int s = decoder->encoding->n_src;
    return decoder->network->config.score == SCORE_NONE ||
           (floats_finite(decoder->e + hypothesis * s, s) &&
            floats_finite(decoder->alpha + hypothesis * s, s));
}
