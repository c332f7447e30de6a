// SPDX-License-Identifier: MIT
// The decoder loop's body, as the papers write it (engine/model.h has the equations):
//
//   query "previous": score, blend, cell, readout          Bahdanau, Cho, Bengio 2015
//   query "between":  cell, score, blend, second cell, readout    Sennrich et al. 2017
//   query "current":  cell, score, blend, readout          Luong, Pham, Manning 2015
//
// The temperature stands inside: alpha = softmax(e / tau), and the context that the rest
// of the step reads is the blend under that alpha. Row t explains the token of step t.
#include "engine/decoder.h"

#include "engine/cells.h"
#include "engine/coverage.h"
#include "engine/decoder_memory.h"
#include "engine/dropout.h"
#include "engine/readout.h"
#include "engine/score.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void copy(float *to, const float *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof(float));
}

static void clear(float *to, int n)
{
    memset(to, 0, (size_t)n * sizeof(float));
}

bool run_options_check(const struct run_options *options, struct error *err)
{
    if (!tau_valid(options->tau))
        return fail_with(err, ERR_USAGE,
                         "the temperature is %g, expected a number from 0 to infinity",
                         (double)options->tau);
    return dropout_valid(options->dropout) ||
           fail_with(err, ERR_USAGE,
                     "the dropout of α is %g, expected a number from 0 to below 1",
                     (double)options->dropout);
}

bool decoder_init(struct decoder *decoder, struct arena *arena,
                  const struct network *network, const struct encoding *encoding, int max,
                  struct run_options options, struct error *err)
{
    assert(max >= 1 && max <= DECODER_MAX_HYPOTHESES);
    *decoder = (struct decoder){
        .network = network, .encoding = encoding, .kernels = kernels_best(), .max = max};
    if (!run_options_check(&options, err))
        return false;
    if (!decoder_take_memory(decoder, arena))
        return fail_nomem(err, "the decoder's state");
    decoder_restart(decoder, options);
    return true;
}

static int first_token(const struct model_config *c)
{
    return c->first_input == FIRST_BOS   ? c->bos
           : c->first_input == FIRST_EOS ? c->eos
                                         : -1;
}

void decoder_restart(struct decoder *decoder, struct run_options options)
{
    const struct model_config *c = &decoder->network->config;
    const struct encoding *encoding = decoder->encoding;
    struct carried *now = &decoder->now;
    int d = c->decoder_hidden;
    assert(run_options_check(&options, NULL));
    decoder->options = options;
    decoder->n = 1;
    decoder->step = 0;
    now->previous[0] = first_token(c);
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

// α of a hypothesis as the rest of the step reads it.
static void weigh(const struct decoder *decoder, const float *e, float *alpha)
{
    const struct run_options *options = &decoder->options;
    int s = decoder->encoding->n_src;
    softmax_tau(alpha, e, NULL, s, options->tau);
    if (options->dropout > 0)
        dropout_apply(alpha, s, options->dropout, options->seed, decoder->step);
    if (options->alter)
        options->alter(options->alter_context, decoder->step, alpha, s);
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
        weigh(decoder, decoder->e + i * s, alpha);
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
        if (decoder->now.previous[i] < 0)
            clear(row, e);
        else
            tensor_row(row, &decoder->network->tgt_embed, decoder->now.previous[i]);
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

// r_t into feed, then the logits.
static void read_out(struct decoder *decoder)
{
    const struct network *network = decoder->network;
    int n = decoder->n, vocab = network->config.target_vocab;
    join(decoder, &network->config.readout_input);
    readout_run(decoder->kernels, network, decoder->joined, n, decoder->now.feed,
                decoder->scratch);
    readout_logits(decoder->kernels, network, decoder->now.feed, n, decoder->logits,
                   decoder->best);
    for (int i = 0; i < n && !decoder->options.words_only; i++) {
        const float *logits = decoder->logits + (size_t)i * (size_t)vocab;
        float max = logits[decoder->best[i]];
        decoder->log_sum[i] = max + logf(decoder->kernels->sum_exp(logits, max, vocab));
    }
}

void decoder_step(struct decoder *decoder)
{
    const struct model_config *c = &decoder->network->config;
    embed(decoder);
    if (decoder->before)
        copy(decoder->before, top_state(decoder), decoder->n * c->decoder_hidden);
    if (c->query == QUERY_PREVIOUS)
        attend(decoder, top_state(decoder));
    advance_layers(decoder);
    if (c->query == QUERY_CURRENT)
        attend(decoder, top_state(decoder));
    read_out(decoder);
    decoder->step++;
}

static void adopt(float *to, const float *from, const int *parents, int n, int width)
{
    for (int i = 0; to && i < n; i++)
        copy(to + i * width, from + parents[i] * width, width);
}

void decoder_continue(struct decoder *decoder, const int *parents, const int *tokens,
                      int n)
{
    const struct model_config *c = &decoder->network->config;
    struct carried *to = &decoder->spare, *from = &decoder->now;
    assert(n >= 1 && n <= decoder->max);
    for (int i = 0; i < n; i++) {
        assert(parents[i] >= 0 && parents[i] < decoder->n);
        assert(tokens[i] >= 0 && tokens[i] < c->target_vocab);
        to->previous[i] = tokens[i];
    }
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
    decoder->n = n;
}

void decoder_feed(struct decoder *decoder, int token)
{
    assert(decoder->n == 1 && token >= 0 &&
           token < decoder->network->config.target_vocab);
    decoder->now.previous[0] = token;
}

int decoder_best(const struct decoder *decoder, int hypothesis)
{
    assert(hypothesis >= 0 && hypothesis < decoder->n);
    return decoder->best[hypothesis];
}

const float *decoder_state(const struct decoder *decoder, int hypothesis)
{
    assert(hypothesis >= 0 && hypothesis < decoder->n);
    return top_state(decoder) + hypothesis * decoder->network->config.decoder_hidden;
}

bool decoder_finite(const struct decoder *decoder, int hypothesis)
{
    const struct model_config *c = &decoder->network->config;
    int s = decoder->encoding->n_src, vocab = c->target_vocab;
    assert(hypothesis >= 0 && hypothesis < decoder->n);
    return (decoder->options.words_only || isfinite(decoder->log_sum[hypothesis])) &&
           floats_finite(decoder->logits + (size_t)hypothesis * (size_t)vocab, vocab) &&
           (c->score == SCORE_NONE ||
            (floats_finite(decoder->e + hypothesis * s, s) &&
             floats_finite(decoder->alpha + hypothesis * s, s)));
}

void decoder_top(const struct decoder *decoder, int hypothesis, int k, int *ids,
                 float *log_p)
{
    int vocab = decoder->network->config.target_vocab, filled = 0;
    const float *logits = decoder->logits + (size_t)hypothesis * (size_t)vocab;
    assert(k >= 1 && k <= vocab && hypothesis >= 0 && hypothesis < decoder->n);
    for (int id = 0; id < vocab; id++) {
        float value = logits[id];
        if (filled == k && !(value > log_p[k - 1]))
            continue;
        int at = filled < k ? filled++ : k - 1;
        for (; at > 0 && value > log_p[at - 1]; at--) {
            log_p[at] = log_p[at - 1];
            ids[at] = ids[at - 1];
        }
        log_p[at] = value;
        ids[at] = id;
    }
    for (int i = 0; i < k; i++)
        log_p[i] -= decoder->log_sum[hypothesis];
}
