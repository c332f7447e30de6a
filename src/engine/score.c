// SPDX-License-Identifier: MIT
// The scoring functions, as tables: one row each, with the equation as its paper has it.
//
//   additive  e_i = vᵀ tanh(W_q s + W_k h_i + b_k)   Bahdanau, Cho, Bengio 2015, s =
//   s_{t-1} dot       e_i = sᵀ h_i                           Luong, Pham, Manning 2015, s
//   = s_t general   e_i = sᵀ (W_k h_i)                     the same concat    e_i = vᵀ
//   tanh(W [s ; h_i])             the same; W = [W_q ; W_k] none      no score: the
//   context is m             Cho et al. 2014
//
// W_k h_i does not depend on the step, so the encoder projects the keys once per sentence
// and a step only pays for its own query.
#include "engine/score.h"

#include "engine/encoder.h"

#include <string.h>

static int width_of_attention(const struct model_config *config)
{
    return config->attention_hidden;
}

static int width_of_state(const struct model_config *config)
{
    return config->decoder_hidden;
}

static int width_zero(const struct model_config *config)
{
    (void)config;
    return 0;
}

static void score_tanh(const struct kernels *kernels, const struct network *network,
                       const struct encoding *encoding, const float *state,
                       float *query_scratch, float *e)
{
    int width = network->config.attention_hidden;
    kernels->product(query_scratch, &network->query_w, state, 1, NULL);
    kernels->tanh_dots(e, encoding->v, query_scratch, encoding->keys, encoding->n_src,
                       width);
}

static void score_product(const struct kernels *kernels, const struct network *network,
                          const struct encoding *encoding, const float *state,
                          float *query_scratch, float *e)
{
    const struct tensor keys = {encoding->keys, DTYPE_F32, encoding->n_src,
                                network->config.decoder_hidden};
    (void)query_scratch;
    kernels->product(e, &keys, state, 1, NULL);
}

static const struct scorer scorers[SCORE_COUNT] = {
    [SCORE_ADDITIVE] = {SCORE_ADDITIVE, "additive", "Additive", "e = vᵀ tanh(W s + U h)",
                        "Bahdanau, Cho, Bengio 2015", "RNNsearch", width_of_attention,
                        score_tanh},
    [SCORE_DOT] = {SCORE_DOT, "dot", "Dot", "e = sᵀ h", "Luong, Pham, Manning 2015",
                   "Luong dot", width_zero, score_product},
    [SCORE_GENERAL] = {SCORE_GENERAL, "general", "General", "e = sᵀ W h",
                       "Luong, Pham, Manning 2015", "Luong general", width_of_state,
                       score_product},
    [SCORE_CONCAT] = {SCORE_CONCAT, "concat", "Concat", "e = vᵀ tanh(W [s ; h])",
                      "Luong, Pham, Manning 2015", "Luong concat", width_of_attention,
                      score_tanh},
    [SCORE_NONE] = {SCORE_NONE, "none", "None", "c = m, no attention", "Cho et al. 2014",
                    "RNNencdec", width_zero, NULL},
};

static const char *const queries[QUERY_COUNT] = {
    [QUERY_PREVIOUS] = "previous",
    [QUERY_CURRENT] = "current",
};

const struct scorer *scorer_of(enum score score)
{
    return &scorers[score];
}

const struct scorer *scorer_find(const char *id)
{
    for (int i = 0; i < SCORE_COUNT; i++)
        if (strcmp(scorers[i].id, id) == 0)
            return &scorers[i];
    return NULL;
}

const char *query_name(enum query query)
{
    return queries[query];
}

int query_find(const char *id)
{
    for (int i = 0; i < QUERY_COUNT; i++)
        if (strcmp(queries[i], id) == 0)
            return i;
    return -1;
}
