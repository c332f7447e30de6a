// SPDX-License-Identifier: MIT
// The scoring functions, as tables: one row each, with the equation as its paper has it.
// q is the query: s_{t-1}, s'_t or s_t.
//
//   additive    e_i = vᵀ tanh(W q + U h_i)         Bahdanau, Cho, Bengio 2015
//   concat      e_i = vᵀ tanh(W' [q ; h_i])        Luong, Pham, Manning 2015; W' = [W ;
//   U] dot         e_i = qᵀ h_i                       the same general     e_i = qᵀ (W
//   h_i)                   the same scaled-dot  e_i = qᵀ h_i / √D Vaswani et al. 2017
//   cosine      e_i = qᵀ h_i / (|q| |h_i|)         Graves, Wayne, Danihelka 2014
//   none        no score: the context is m         Cho et al. 2014
//
// What of a score depends on h_i alone is a key: the encoder makes the keys once per
// sentence and a step only pays for its own query.
#include "engine/score.h"

#include <math.h>
#include <stddef.h>

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

static void keys_projected(const struct kernels *kernels, const struct network *network,
                           struct encoding *encoding, int from)
{
    const struct tensor *w = &network->key_w;
    kernels->product(encoding->keys + from * w->rows, w,
                     encoding->memory + from * w->cols, encoding->n_src - from,
                     &network->key_b);
}

// Rows (n, width) to length 1; a row of length below 1e-8 is divided by that.
static void unit_rows(const float *from, int n, int width, float *to)
{
    for (int i = 0; i < n; i++) {
        const float *row = from + i * width;
        float squares = 0;
        for (int k = 0; k < width; k++)
            squares += row[k] * row[k];
        float length = fmaxf(sqrtf(squares), 1e-8f);
        for (int k = 0; k < width; k++)
            to[i * width + k] = row[k] / length;
    }
}

static void keys_unit(const struct kernels *kernels, const struct network *network,
                      struct encoding *encoding, int from)
{
    int width = network->config.decoder_hidden;
    (void)kernels;
    unit_rows(encoding->memory + from * width, encoding->n_src - from, width,
              encoding->keys + from * width);
}

static void queries_projected(const struct kernels *kernels,
                              const struct network *network, const float *states, int n,
                              float *queries)
{
    kernels->product(queries, &network->query_w, states, n, &network->query_b);
}

static void queries_scaled(const struct kernels *kernels, const struct network *network,
                           const float *states, int n, float *queries)
{
    int d = network->config.decoder_hidden;
    float scale = 1.0f / sqrtf((float)d);
    (void)kernels;
    for (int k = 0; k < n * d; k++)
        queries[k] = states[k] * scale;
}

static void queries_unit(const struct kernels *kernels, const struct network *network,
                         const float *states, int n, float *queries)
{
    (void)kernels;
    unit_rows(states, n, network->config.decoder_hidden, queries);
}

static void fill_product(const struct kernels *kernels, const struct encoding *encoding,
                         const float *queries, int n, int width, const float *coverage,
                         float *scratch, float *e)
{
    const struct tensor keys = {encoding->keys, DTYPE_F32, encoding->n_src, width, 0};
    (void)coverage;
    (void)scratch;
    kernels->product(e, &keys, queries, n, NULL);
}

// keys (S, width) with what a hypothesis has covered: W_k h_i + w C_i.
static void cover_keys(const struct encoding *encoding, const float *coverage, int width,
                       float *keys)
{
    for (int i = 0; i < encoding->n_src; i++)
        for (int k = 0; k < width; k++)
            keys[i * width + k] =
                encoding->keys[i * width + k] + encoding->cover[k] * coverage[i];
}

static void fill_tanh(const struct kernels *kernels, const struct encoding *encoding,
                      const float *queries, int n, int width, const float *coverage,
                      float *scratch, float *e)
{
    int s = encoding->n_src;
    for (int i = 0; i < n; i++) {
        float *own = e + i * s;
        if (coverage)
            cover_keys(encoding, coverage + i * s, width, scratch);
        kernels->tanh_dots(own, encoding->v, queries + i * width,
                           coverage ? scratch : encoding->keys, s, width);
        for (int k = 0; k < s; k++)
            own[k] += encoding->energy_bias;
    }
}

static const struct scorer scorers[SCORE_COUNT] = {
    [SCORE_ADDITIVE] = {width_of_attention, keys_projected, queries_projected, fill_tanh},
    [SCORE_CONCAT] = {width_of_attention, keys_projected, queries_projected, fill_tanh},
    [SCORE_DOT] = {width_of_state, NULL, NULL, fill_product},
    [SCORE_SCALED_DOT] = {width_of_state, NULL, queries_scaled, fill_product},
    [SCORE_GENERAL] = {width_of_state, keys_projected, NULL, fill_product},
    [SCORE_COSINE] = {width_of_state, keys_unit, queries_unit, fill_product},
    [SCORE_NONE] = {width_zero, NULL, NULL, NULL},
};

const struct scorer *scorer_of(enum score score)
{
    return &scorers[score];
}

int scorer_key_width(const struct model_config *config)
{
    const struct scorer *scorer = scorer_of(config->score);
    return scorer->keys ? scorer->width(config) : 0;
}
