// SPDX-License-Identifier: MIT
// The decoder loop's body, as the papers write it (engine/model.h has the equations):
//
//   query "previous": score, blend, GRU, readout    Bahdanau, Cho, Bengio 2015
//   query "current":  GRU, score, blend, readout    Luong, Pham, Manning 2015
//
// The temperature stands inside: alpha = softmax(e / tau), and the context that the rest
// of the step reads is the blend under that alpha. Row t explains the token of step t.
#include "engine/decoder.h"

#include "engine/cells.h"
#include "engine/score.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static float *floats(struct arena *arena, int n)
{
    return arena_alloc(arena, (size_t)n, sizeof(float));
}

static bool take_memory(struct decoder *decoder, struct arena *arena)
{
    const struct model_config *c = &decoder->network->config;
    int e = c->embedding, d = c->decoder_hidden, m = 2 * c->encoder_hidden;
    decoder->state = floats(arena, d);
    decoder->feed = floats(arena, e);
    decoder->scratch = floats(arena, 6 * d);
    decoder->input = floats(arena, e + (e > m ? e : m));
    decoder->joined = floats(arena, d + m + e);
    decoder->query = floats(arena, c->attention_hidden);
    decoder->context = floats(arena, m);
    decoder->e = floats(arena, decoder->encoding->n_src);
    decoder->alpha = floats(arena, decoder->encoding->n_src);
    decoder->logits = floats(arena, c->target_vocab);
    return decoder->state && decoder->feed && decoder->scratch && decoder->input &&
           decoder->joined && decoder->query && decoder->context && decoder->e &&
           decoder->alpha && decoder->logits;
}

bool decoder_init(struct decoder *decoder, struct arena *arena,
                  const struct network *network, const struct encoding *encoding,
                  float tau, struct error *err)
{
    *decoder = (struct decoder){
        .network = network, .encoding = encoding, .kernels = kernels_best()};
    if (!tau_valid(tau))
        return fail_with(err, ERR_USAGE,
                         "the temperature is %g, expected a number from 0 to infinity",
                         (double)tau);
    if (!take_memory(decoder, arena))
        return fail_nomem(err, "the decoder's state");
    decoder_restart(decoder, tau);
    return true;
}

void decoder_restart(struct decoder *decoder, float tau)
{
    const struct model_config *c = &decoder->network->config;
    assert(tau_valid(tau));
    decoder->tau = tau;
    decoder->previous = c->bos;
    memcpy(decoder->state, decoder->encoding->state0,
           (size_t)c->decoder_hidden * sizeof(float));
    memset(decoder->feed, 0, (size_t)c->embedding * sizeof(float));
}

// e and alpha from the state as it is now, and the context that alpha blends.
static void attend(struct decoder *decoder)
{
    const struct encoding *encoding = decoder->encoding;
    const struct scorer *scorer = scorer_of(decoder->network->config.score);
    int m = 2 * decoder->network->config.encoder_hidden;
    if (!scorer->score_all) {
        memcpy(decoder->context, encoding->summary, (size_t)m * sizeof(float));
        return;
    }
    scorer->score_all(decoder->kernels, decoder->network, encoding, decoder->state,
                      decoder->query, decoder->e);
    softmax_tau(decoder->alpha, decoder->e, NULL, encoding->n_src, decoder->tau);
    decoder->kernels->blend(decoder->context, decoder->alpha, encoding->memory,
                            encoding->n_src, m);
}

// Copies n floats behind what *end points to and moves it on.
static void join(float **end, const float *part, int n)
{
    memcpy(*end, part, (size_t)n * sizeof(float));
    *end += n;
}

// s_t = GRU([E_tgt y_{t-1} ; part], s_{t-1})
static void advance(struct decoder *decoder, const float *part, int n)
{
    float *end = decoder->input + decoder->network->config.embedding;
    join(&end, part, n);
    gru_step(decoder->kernels, &decoder->network->decoder, decoder->input, decoder->state,
             decoder->scratch);
}

// r_t into feed, then the logits.
static void read_out(struct decoder *decoder)
{
    const struct network *network = decoder->network;
    const struct model_config *c = &network->config;
    float *end = decoder->joined;
    join(&end, decoder->state, c->decoder_hidden);
    join(&end, decoder->context, 2 * c->encoder_hidden);
    if (c->query == QUERY_PREVIOUS)
        join(&end, decoder->input, c->embedding);
    decoder->kernels->product(decoder->feed, &network->readout_w, decoder->joined, 1,
                              &network->readout_b);
    decoder->kernels->tanh(decoder->feed, c->embedding);
    struct best best = decoder->kernels->product_best(
        decoder->logits, &network->tgt_embed, decoder->feed, &network->out_bias);
    decoder->best = best.at;
}

void decoder_step(struct decoder *decoder)
{
    const struct model_config *c = &decoder->network->config;
    tensor_row(decoder->input, &decoder->network->tgt_embed, decoder->previous);
    if (c->query == QUERY_PREVIOUS) {
        attend(decoder);
        advance(decoder, decoder->context, 2 * c->encoder_hidden);
    } else {
        advance(decoder, decoder->feed, c->embedding);
        attend(decoder);
    }
    read_out(decoder);
    float max = decoder->logits[decoder->best];
    decoder->log_sum =
        max + logf(decoder->kernels->sum_exp(decoder->logits, max, c->target_vocab));
}

void decoder_feed(struct decoder *decoder, int token)
{
    assert(token >= 0 && token < decoder->network->config.target_vocab);
    decoder->previous = token;
}

int decoder_best(const struct decoder *decoder)
{
    return decoder->best;
}

void decoder_top(const struct decoder *decoder, int k, int *ids, float *log_p)
{
    int vocab = decoder->network->config.target_vocab, filled = 0;
    assert(k >= 1 && k <= vocab);
    for (int id = 0; id < vocab; id++) {
        float value = decoder->logits[id];
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
        log_p[i] -= decoder->log_sum;
}
