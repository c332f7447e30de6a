// SPDX-License-Identifier: MIT
// The decoder's memory: all arrays of every hypothesis, taken once.
#include "engine/decoder_memory.h"

#include "engine/cells.h"
#include "engine/score.h"

struct taking { // from one arena; stays false after the first that did not fit
    struct arena *arena;
    int n;
    bool ok;
};

static float *take_all(struct taking *taking, int count)
{
    float *floats =
        taking->ok ? arena_alloc(taking->arena, (size_t)count, sizeof(float)) : NULL;
    taking->ok = floats != NULL;
    return floats;
}

static float *take(struct taking *taking, int width) // for each hypothesis
{
    return take_all(taking, taking->n * width);
}

static int *take_ints(struct taking *taking)
{
    int *ints =
        taking->ok ? arena_alloc(taking->arena, (size_t)taking->n, sizeof(int)) : NULL;
    taking->ok = ints != NULL;
    return ints;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void take_carried(struct taking *taking, const struct model_config *c, int n_src,
                         struct carried *out)
{
    out->previous = take_ints(taking);
    for (int l = 0; l < c->decoder_layers; l++) {
        out->state[l] = take(taking, c->decoder_hidden);
        if (cell_is_lstm(c->decoder_cell))
            out->memory[l] = take(taking, c->decoder_hidden);
    }
    out->context = take(taking, model_context_width(c));
    out->feed = take(taking, model_readout_width(c));
    if (c->coverage != COVERAGE_NONE)
        out->coverage = take(taking, n_src);
}

bool decoder_take_memory(struct decoder *decoder, struct arena *arena)
{
    const struct model_config *c = &decoder->network->config;
    int d = c->decoder_hidden, n_src = decoder->encoding->n_src;
    int width = scorer_of(c->score)->width(c);
    struct taking taking = {arena, decoder->max, true};
    take_carried(&taking, c, n_src, &decoder->now);
    take_carried(&taking, c, n_src, &decoder->spare);
    if (model_reads(&c->readout_input, PART_PREVIOUS_STATE))
        decoder->before = take(&taking, d);
    decoder->embedded = take(&taking, c->target_embedding);
    decoder->joined = take(&taking, larger(model_parts_width(c, &c->decoder_input),
                                           model_parts_width(c, &c->readout_input)));
    decoder->in = take(&taking, 4 * d);
    decoder->scratch =
        take_all(&taking, larger(cell_scratch(decoder->max, d),
                                 decoder->max * 2 * model_readout_width(c)));
    decoder->query = take(&taking, width);
    if (c->coverage != COVERAGE_NONE)
        decoder->moved = take_all(&taking, n_src * width);
    decoder->e = take(&taking, n_src);
    decoder->alpha = take(&taking, n_src);
    decoder->query_norm = take(&taking, 1);
    decoder->context_norm = take(&taking, 1);
    decoder->logits = take(&taking, c->target_vocab);
    decoder->best = take_ints(&taking);
    decoder->log_sum = take(&taking, 1);
    return taking.ok;
}
