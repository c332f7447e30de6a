// SPDX-License-Identifier: MIT
// What a step of the decoder is for every family: the network makes a vector of what it
// has read (engine/family.h), the output layer makes logits of it, and the caller chooses
// the token.
#include "engine/decoder.h"

#include "engine/dropout.h"
#include "engine/family.h"
#include "engine/readout.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// In the place of a logit that is masked: a probability of 0, and still a finite number.
#define NEVER -1e30f

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

static bool take_workspace(struct workspace *work, struct taking *taking,
                           const struct network *network, int max, bool of_one)
{
    const struct model_config *c = &network->config;
    *work = (struct workspace){.max = max};
    work->logits = take_floats(taking, max, c->target_vocab);
    work->best = take_ints(taking, max);
    work->finite = take_bools(taking, max);
    family_of(c)->take_workspace(work, taking, c, of_one);
    return taking->ok;
}

bool workspace_init(struct workspace *work, struct arena *arena,
                    const struct network *network, int max, struct error *err)
{
    struct taking taking = {arena, true};
    assert(max >= 1);
    return take_workspace(work, &taking, network, max, false) ||
           fail_nomem(err, "the state of several decoders");
}

static bool take_memory(struct decoder *decoder, struct arena *arena)
{
    const struct model_config *c = &decoder->network->config;
    int n = decoder->max, n_src = decoder->encoding->n_src;
    struct taking taking = {arena, true};
    decoder->previous = take_ints(&taking, n);
    decoder->e = take_floats(&taking, n, n_src);
    decoder->alpha = take_floats(&taking, n, n_src);
    decoder->query_norm = take_floats(&taking, n, 1);
    decoder->context_norm = take_floats(&taking, n, 1);
    decoder->best = take_ints(&taking, n);
    decoder->finite = take_bools(&taking, n);
    decoder->log_sum = take_floats(&taking, n, 1);
    return taking.ok && family_of(c)->take_memory(decoder, arena) &&
           take_workspace(&decoder->own, &taking, decoder->network, n, true);
}

bool decoder_init(struct decoder *decoder, struct arena *arena,
                  const struct network *network, const struct encoding *encoding, int max,
                  int steps, struct run_options options, struct error *err)
{
    int room = model_positions(&network->config);
    assert(max >= 1 && max <= DECODER_MAX_HYPOTHESES && steps >= 1);
    *decoder = (struct decoder){.network = network,
                                .encoding = encoding,
                                .kernels = kernels_best(),
                                .max = max,
                                .steps = room && room < steps ? room : steps};
    if (!run_options_check(&options, err))
        return false;
    if (!take_memory(decoder, arena))
        return fail_nomem(err, "the decoder's state");
    decoder_restart(decoder, options);
    return true;
}

static int first_token(const struct model_config *c)
{
    if (c->family == FAMILY_TRANSFORMER)
        return c->transformer.start;
    return c->first_input == FIRST_BOS   ? c->bos
           : c->first_input == FIRST_EOS ? c->eos
                                         : -1;
}

void decoder_restart(struct decoder *decoder, struct run_options options)
{
    const struct model_config *c = &decoder->network->config;
    assert(run_options_check(&options, NULL));
    decoder->options = options;
    decoder->n = 1;
    decoder->step = 0;
    decoder->previous[0] = first_token(c);
    family_of(c)->restart(decoder);
}

void decoder_weigh(const struct decoder *decoder, const float *e, float *alpha)
{
    const struct run_options *options = &decoder->options;
    int s = decoder->encoding->n_src;
    softmax_tau(decoder->kernels, alpha, e, NULL, s, options->tau);
    if (options->dropout > 0)
        dropout_apply(alpha, s, options->dropout, options->seed, decoder->step);
    if (options->alter)
        options->alter(options->alter_context, decoder->step, alpha, s);
}

static void mask(struct decoder *decoder, int hypothesis)
{
    const struct model_config *c = &decoder->network->config;
    float *logits = decoder->logits + (size_t)hypothesis * (size_t)c->target_vocab;
    int *best = &decoder->best[hypothesis];
    bool masked = false;
    for (int i = 0; i < c->n_masked; i++) {
        logits[c->masked[i]] = NEVER;
        masked = masked || *best == c->masked[i];
    }
    for (int id = masked ? 0 : c->target_vocab; id < c->target_vocab; id++)
        if (logits[id] > logits[*best])
            *best = id;
}

// What the logits of a step say.
static void read_logits(struct decoder *decoder)
{
    int n = decoder->n, vocab = decoder->network->config.target_vocab;
    for (int i = 0; i < n; i++)
        mask(decoder, i);
    for (int i = 0; i < n && !decoder->options.words_only; i++) {
        const float *logits = decoder->logits + (size_t)i * (size_t)vocab;
        float max = logits[decoder->best[i]];
        decoder->log_sum[i] = max + logf(decoder->kernels->sum_exp(logits, max, vocab));
    }
}

// The output layer for all, and what it says of each.
static void read_out(struct decoder *const *decoders, int count, struct workspace *work,
                     const float *vectors)
{
    const struct decoder *first = decoders[0];
    const struct model_config *c = &first->network->config;
    bool lasting = !first->options.words_only || c->n_masked;
    if (lasting)
        readout_logits(first->kernels, first->network, vectors, work->n, work->logits,
                       work->best);
    else
        readout_best(first->kernels, first->network, vectors, work->n, work->logits,
                     work->best, work->finite);
    for (int d = 0, row = 0; d < count; row += decoders[d++]->n) {
        struct decoder *decoder = decoders[d];
        size_t n = (size_t)decoder->n, vocab = (size_t)c->target_vocab;
        decoder->logits = lasting ? work->logits + (size_t)row * vocab : NULL;
        memcpy(decoder->best, work->best + row, n * sizeof *work->best);
        if (lasting)
            read_logits(decoder);
        else
            memcpy(decoder->finite, work->finite + row, n * sizeof *work->finite);
    }
}

void decoders_step(struct decoder *const *decoders, int count, struct workspace *work)
{
    const struct decoder *first = decoders[0];
    work->n = 0;
    for (int d = 0; d < count; d++) {
        const struct decoder *decoder = decoders[d];
        assert(decoder->step < decoder->steps && decoder->network == first->network);
        assert(decoder->options.words_only == first->options.words_only);
        work->n += decoder->n;
    }
    assert(work->n <= work->max);
    read_out(decoders, count, work,
             family_of(&first->network->config)->step(decoders, count, work));
    for (int d = 0; d < count; d++)
        decoders[d]->step++;
}

void decoder_step(struct decoder *decoder)
{
    decoders_step(&decoder, 1, &decoder->own);
}

void decoder_continue(struct decoder *decoder, const int *parents, const int *tokens,
                      int n)
{
    const struct model_config *c = &decoder->network->config;
    assert(n >= 1 && n <= decoder->max);
    for (int i = 0; i < n; i++) {
        assert(parents[i] >= 0 && parents[i] < decoder->n);
        assert(tokens[i] >= 0 && tokens[i] < c->target_vocab);
        decoder->previous[i] = tokens[i];
    }
    family_of(c)->adopt(decoder, parents, n);
    decoder->n = n;
}

void decoder_feed(struct decoder *decoder, int token)
{
    assert(decoder->n == 1 && token >= 0 &&
           token < decoder->network->config.target_vocab);
    decoder->previous[0] = token;
}

int decoder_best(const struct decoder *decoder, int hypothesis)
{
    assert(hypothesis >= 0 && hypothesis < decoder->n);
    return decoder->best[hypothesis];
}

const float *decoder_state(const struct decoder *decoder, int hypothesis)
{
    assert(hypothesis >= 0 && hypothesis < decoder->n);
    return family_of(&decoder->network->config)->state(decoder, hypothesis);
}

bool decoder_finite(const struct decoder *decoder, int hypothesis)
{
    const struct model_config *c = &decoder->network->config;
    int vocab = c->target_vocab;
    assert(hypothesis >= 0 && hypothesis < decoder->n);
    const float *logits = decoder->logits;
    if (logits ? !floats_finite(logits + (size_t)hypothesis * (size_t)vocab, vocab)
               : !decoder->finite[hypothesis])
        return false;
    return (decoder->options.words_only || isfinite(decoder->log_sum[hypothesis])) &&
           family_of(c)->attention_finite(decoder, hypothesis);
}

void decoder_top(const struct decoder *decoder, int hypothesis, int k, int *ids,
                 float *log_p)
{
    int vocab = decoder->network->config.target_vocab, filled = 0;
    const float *logits = decoder->logits + (size_t)hypothesis * (size_t)vocab;
    assert(k >= 1 && k <= vocab && hypothesis >= 0 && hypothesis < decoder->n);
    for (int id = 0; id < vocab; id++) {
        if (filled == k)
            id = floats_above(logits, id, vocab, log_p[k - 1]);
        if (id == vocab)
            break;
        float value = logits[id];
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
