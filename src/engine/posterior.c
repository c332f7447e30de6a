// SPDX-License-Identifier: MIT
// See posterior.h. The step is the decoder's own, with an α that is altered to one
// position for each hypothesis, so that every cell, query and readout is right as it is.
#include "engine/posterior.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool posterior_known(const struct model_config *config)
{
    return config->family != FAMILY_TRANSFORMER && config->score != SCORE_NONE;
}

// The hypotheses of a step are altered in their order.
static void look_at_one(void *context, int step, float *alpha, int n)
{
    struct posterior *posterior = context;
    (void)step;
    memset(alpha, 0, (size_t)n * sizeof *alpha);
    alpha[posterior->first++] = 1;
}

bool posterior_init(struct posterior *posterior, struct arena *arena,
                    const struct network *network, const struct encoding *encoding,
                    int steps, struct run_options options, struct error *err)
{
    int n = encoding->n_src;
    assert(posterior_known(&network->config));
    if (!decoder_init(&posterior->decoder, arena, network, encoding,
                      n < DECODER_MAX_HYPOTHESES ? n : DECODER_MAX_HYPOTHESES, steps,
                      options, err))
        return false;
    int floats = decoder_kept_floats(&posterior->decoder);
    posterior->kept = arena_alloc(arena, (size_t)floats, sizeof *posterior->kept);
    posterior->log_p = arena_alloc(arena, (size_t)n, sizeof *posterior->log_p);
    posterior_restart(posterior, options);
    return (posterior->kept && posterior->log_p) || fail_nomem(err, "the posterior");
}

void posterior_restart(struct posterior *posterior, struct run_options options)
{
    options.words_only = false;
    options.alter = look_at_one;
    options.alter_context = posterior;
    decoder_restart(&posterior->decoder, options);
}

void posterior_before(struct posterior *posterior, const struct decoder *decoder)
{
    decoder_keep(decoder, posterior->kept);
    posterior->step = decoder->step;
    posterior->previous = decoder->previous[0];
}

// log p(token | c = h_i) of n positions from `first`.
static bool read_some(struct posterior *posterior, int first, int n, int token)
{
    struct decoder *decoder = &posterior->decoder;
    size_t vocab = (size_t)decoder->network->config.target_vocab;
    decoder_restart(decoder, decoder->options);
    decoder_go_on(decoder, posterior->step, posterior->previous, posterior->kept);
    decoder_spread(decoder, n);
    posterior->first = first;
    decoder_step(decoder);
    for (int i = 0; i < n; i++) {
        if (!decoder_finite(decoder, i))
            return false;
        posterior->log_p[first + i] =
            decoder->logits[(size_t)i * vocab + (size_t)token] - decoder->log_sum[i];
    }
    return true;
}

// out = α exp(log_p) / Σ
static void weigh(const float *log_p, const float *alpha, int n, float *out)
{
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        most = alpha[i] > 0 && log_p[i] > most ? log_p[i] : most;
    for (int i = 0; i < n; i++)
        sum += out[i] = alpha[i] > 0 ? alpha[i] * expf(log_p[i] - most) : 0;
    for (int i = 0; i < n; i++)
        out[i] = sum > 0 ? out[i] / sum : alpha[i];
}

bool posterior_of(struct posterior *posterior, const float *alpha, int token, float *out)
{
    int n = posterior->decoder.encoding->n_src, max = posterior->decoder.max;
    for (int first = 0; first < n; first += max)
        if (!read_some(posterior, first, n - first < max ? n - first : max, token))
            return false;
    weigh(posterior->log_p, alpha, n, out);
    return true;
}
