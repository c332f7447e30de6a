// SPDX-License-Identifier: MIT
// The recurrent family: its table, and the memory of its decoder by the widths of the
// network.
#include "engine/recurrent.h"

#include "engine/cells.h"
#include "engine/lookup.h"
#include "engine/readout.h"
#include "engine/score.h"

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void take_carried(struct taking *taking, const struct model_config *c, int n,
                         int n_src, struct carried *out)
{
    for (int l = 0; l < c->decoder_layers; l++) {
        out->state[l] = take_floats(taking, n, c->decoder_hidden);
        if (cell_is_lstm(c->decoder_cell))
            out->memory[l] = take_floats(taking, n, c->decoder_hidden);
    }
    out->context = take_floats(taking, n, model_context_width(c));
    out->feed = take_floats(taking, n, model_readout_width(c));
    if (c->coverage != COVERAGE_NONE && n_src)
        out->coverage = take_floats(taking, n, n_src);
}

bool recurrent_take_memory(struct decoder *decoder, struct arena *arena)
{
    const struct model_config *c = &decoder->network->config;
    int n_src = decoder->encoding->n_src;
    struct taking taking = {arena, true};
    take_carried(&taking, c, decoder->max, n_src, &decoder->now);
    take_carried(&taking, c, decoder->max, n_src, &decoder->spare);
    if (c->coverage != COVERAGE_NONE)
        decoder->moved = take_floats(&taking, 1, n_src * scorer_of(c->score)->width(c));
    return taking.ok;
}

bool recurrent_embeds(const struct model_config *c)
{
    return (model_reads(&c->decoder_input, PART_EMBEDDING) &&
            !lookup_columns(c, LOOKUP_DECODER).cols) ||
           (model_reads(&c->readout_input, PART_EMBEDDING) &&
            !lookup_columns(c, LOOKUP_READOUT).cols);
}

void recurrent_take_workspace(struct workspace *work, struct taking *taking,
                              const struct model_config *c, bool of_one)
{
    int d = c->decoder_hidden, n = work->max;
    work->tokens = take_ints(taking, n);
    if (!of_one)
        take_carried(taking, c, n, 0, &work->rows);
    if (model_reads(&c->readout_input, PART_PREVIOUS_STATE))
        work->before = take_floats(taking, n, d);
    if (recurrent_embeds(c))
        work->embedded = take_floats(taking, n, c->target_embedding);
    work->joined = take_floats(taking, n,
                               larger(model_parts_width(c, &c->decoder_input),
                                      model_parts_width(c, &c->readout_input)));
    work->in = take_floats(taking, n, 4 * d);
    work->scratch =
        take_floats(taking, 1, larger(cell_scratch(n, d), readout_scratch(n, c)));
    work->query = take_floats(taking, n, scorer_of(c->score)->width(c));
}

const struct family_table family_recurrent = {
    .encode = recurrent_encode,
    .reorder = recurrent_reorder,
    .encoding_finite = recurrent_encoding_finite,
    .take_memory = recurrent_take_memory,
    .take_workspace = recurrent_take_workspace,
    .restart = recurrent_restart,
    .step = recurrent_step,
    .adopt = recurrent_adopt,
    .state = recurrent_state,
    .attention_finite = recurrent_attention_finite,
};
