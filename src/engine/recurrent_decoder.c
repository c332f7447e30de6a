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

// e and alpha from the states (n, D), the context that alpha blends, the coverage after.
static void attend(struct decoder *decoder, const float *states)
{
    const struct model_config *c = &decoder->network->config;
    const struct encoding *encoding = decoder->encoding;
    const struct scorer *scorer = scorer_of(c->score);
    int s = encoding->n_src, m = model_memory_width(c), width = scorer->width(c);
    const float *queries = scorer->queries ? decoder->query : states;
    if (scorer->queries)
        scorer->queries(decoder->kernels, decoder->network, states, decoder->n,
                        decoder->query);
    scorer->fill(decoder->kernels, encoding, queries, decoder->n, width,
                 decoder->now.coverage, decoder->moved, decoder->e);
    for (int i = 0; i < decoder->n; i++) {
        float *alpha = decoder->alpha + i * s, *context = decoder->now.context + i * m;
        decoder_weigh(decoder, decoder->e + i * s, alpha);
        decoder->kernels->blend(context, alpha, encoding->memory, s, m);
        decoder->query_norm[i] =
            floats_length(states + i * c->decoder_hidden, c->decoder_hidden);
        decoder->context_norm[i] = floats_length(context, m);
        if (decoder->now.coverage)
            coverage_add(encoding, alpha, decoder->now.coverage + i * s);
    }
}

static void embed(struct decoder *decoder)
{
    int e = decoder->network->config.target_embedding;
    for (int i = 0; i < decoder->n; i++) {
        float *row = decoder->embedded + i * e;
        if (decoder->previous[i] < 0)
            clear(row, e);
        else
            tensor_row(row, &decoder->network->tgt_embed, decoder->previous[i]);
    }
}

static const float *top_state(const struct decoder *decoder)
{
    return decoder->now.state[decoder->network->config.decoder_layers - 1];
}

static const float *part_of(const struct decoder *decoder, enum part part)
{
    switch (part) {
    case PART_EMBEDDING:
        return decoder->embedded;
    case PART_CONTEXT:
    case PART_PREVIOUS_CONTEXT: // read before this step's is made
        return decoder->now.context;
    case PART_FEED:
        return decoder->now.feed;
    case PART_PREVIOUS_STATE:
        return decoder->before;
    case PART_STATE:
    case PART_COUNT:
        break;
    }
    return top_state(decoder);
}

// joined (n, ·) = the parts of each hypothesis, one behind the other.
static void join(struct decoder *decoder, const struct parts *parts)
{
    const struct model_config *c = &decoder->network->config;
    float *end = decoder->joined;
    for (int i = 0; i < decoder->n; i++)
        for (int k = 0; k < parts->count; k++) {
            int width = model_part_width(c, parts->at[k]);
            copy(end, part_of(decoder, parts->at[k]) + i * width, width);
            end += width;
        }
}

// One layer's new state from x (n, in).
static void advance(struct decoder *decoder, enum cell_kind kind,
                    const struct cell_weights *weights, const float *x, int layer)
{
    const struct cell cell = cell_make(decoder->kernels, decoder->network, kind, weights);
    int n = decoder->n;
    cell_project(&cell, x, n, decoder->in);
    cell_step(&cell, decoder->in, n, 0, n, decoder->now.state[layer],
              decoder->now.memory[layer], decoder->scratch);
}

static void advance_layers(struct decoder *decoder)
{
    const struct network *network = decoder->network;
    const struct model_config *c = &network->config;
    join(decoder, &c->decoder_input);
    advance(decoder, c->decoder_cell, &network->decoder[0], decoder->joined, 0);
    if (c->query == QUERY_BETWEEN) {
        attend(decoder, decoder->now.state[0]);
        advance(decoder, c->second_cell, &network->second, decoder->now.context, 0);
    }
    for (int l = 1; l < c->decoder_layers; l++)
        advance(decoder, c->decoder_cell, &network->decoder[l], decoder->now.state[l - 1],
                l);
}

const float *recurrent_step(struct decoder *decoder)
{
    const struct network *network = decoder->network;
    const struct model_config *c = &network->config;
    embed(decoder);
    if (decoder->before)
        copy(decoder->before, top_state(decoder), decoder->n * c->decoder_hidden);
    if (c->query == QUERY_PREVIOUS)
        attend(decoder, top_state(decoder));
    advance_layers(decoder);
    if (c->query == QUERY_CURRENT)
        attend(decoder, top_state(decoder));
    join(decoder, &c->readout_input);
    readout_run(decoder->kernels, network, decoder->joined, decoder->n, decoder->now.feed,
                decoder->scratch);
    return decoder->now.feed;
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
    return top_state(decoder) + hypothesis * decoder->network->config.decoder_hidden;
}

bool recurrent_attention_finite(const struct decoder *decoder, int hypothesis)
{
    int s = decoder->encoding->n_src;
    return decoder->network->config.score == SCORE_NONE ||
           (floats_finite(decoder->e + hypothesis * s, s) &&
            floats_finite(decoder->alpha + hypothesis * s, s));
}
