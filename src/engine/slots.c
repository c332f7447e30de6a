// SPDX-License-Identifier: MIT
// Which tensors a recurrent network needs. The names are PyTorch's where PyTorch has
// such a tensor; models/README.md lists them all.
#include "engine/slots.h"

#include "engine/cells.h"

#include <assert.h>
#include <stdio.h>

static void add(struct slot_list *list, const char *name, const char *suffix, int rank,
                int rows, int cols, struct tensor *tensor)
{
    assert(list->count < MODEL_MAX_TENSORS);
    struct tensor_slot *slot = &list->slots[list->count++];
    *slot = (struct tensor_slot){"", rank, rows, cols, tensor, false};
    snprintf(slot->name, sizeof slot->name, "%s%s", name, suffix);
}

void slot_matrix(struct slot_list *list, const char *name, int rows, int cols,
                 struct tensor *tensor)
{
    add(list, name, "", 2, rows, cols, tensor);
}

void slot_vector(struct slot_list *list, const char *name, int rows,
                 struct tensor *tensor)
{
    add(list, name, "", 1, rows, 1, tensor);
}

void slot_row(struct slot_list *list, const char *name, int cols, struct tensor *tensor)
{
    add(list, name, "", 2, 1, cols, tensor);
    list->slots[list->count - 1].flat = true;
}

void slot_norm(struct slot_list *list, const char *name, int rows, struct linear *norm)
{
    add(list, name, ".weight", 1, rows, 1, &norm->w);
    add(list, name, ".bias", 1, rows, 1, &norm->b);
}

void slot_linear(struct slot_list *list, const char *name, int rows, int cols,
                 struct tensor *weight, struct tensor *bias)
{
    add(list, name, ".weight", 2, rows, cols, weight);
    if (bias)
        add(list, name, ".bias", 1, rows, 1, bias);
}

struct cell_names { // "encoder.", "_l0_reverse"
    const char *room, *suffix;
};

static void add_of_cell(struct slot_list *list, const struct cell_names *names,
                        const char *what, int rank, int rows, int cols,
                        struct tensor *tensor)
{
    char stem[32];
    snprintf(stem, sizeof stem, "%s%s", names->room, what);
    add(list, stem, names->suffix, rank, rows, cols, tensor);
}

static void add_cell(struct slot_list *list, const struct cell_names *names,
                     enum cell_kind kind, int in, int h, struct cell_weights *cell)
{
    bool candidate = cell_has_candidate(kind);
    int rows = (candidate ? 2 : cell_facts(kind)->gates) * h;
    add_of_cell(list, names, "weight_ih", 2, rows, in, &cell->w_ih);
    add_of_cell(list, names, "weight_hh", 2, rows, h, &cell->w_hh);
    add_of_cell(list, names, "bias_ih", 1, rows, 1, &cell->b_ih);
    if (cell_facts(kind)->bias == BIAS_BOTH)
        add_of_cell(list, names, "bias_hh", 1, rows, 1, &cell->b_hh);
    if (!candidate)
        return;
    add_of_cell(list, names, "candidate_ih", 2, h, in, &cell->candidate_ih);
    add_of_cell(list, names, "candidate_hh", 2, h, h, &cell->candidate_hh);
    add_of_cell(list, names, "candidate_bias", 1, h, 1, &cell->candidate_b);
}

static void add_encoder(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    int h = c->encoder_hidden, above = c->encoder_stack == STACK_CONCAT ? 2 * h : h;
    slot_matrix(list, "src_embed.weight", c->source_vocab, c->source_embedding,
                &network->src_embed);
    for (int l = 0; l < c->encoder_layers; l++) {
        char suffix[24];
        int in = l ? above : c->source_embedding;
        snprintf(suffix, sizeof suffix, "_l%d", l);
        add_cell(list, &(struct cell_names){"encoder.", suffix}, c->encoder_cell, in, h,
                 &network->forward[l]);
        snprintf(suffix, sizeof suffix, "_l%d_reverse", l);
        if (c->bidirectional)
            add_cell(list, &(struct cell_names){"encoder.", suffix}, c->encoder_cell, in,
                     h, &network->backward[l]);
    }
}

static void add_bridge(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    int layers = c->bridge_layers == BRIDGE_JOINT ? c->decoder_layers : 1;
    int rows = layers * c->decoder_hidden, cols = layers * model_summary_width(c);
    if (c->bridge == BRIDGE_COPY || c->bridge == BRIDGE_ZERO)
        return;
    slot_linear(list, "bridge", rows, cols, &network->bridge_w,
                c->bridge_bias ? &network->bridge_b : NULL);
    if (c->bridge_cell == BRIDGE_CELL_OWN)
        slot_linear(list, "bridge.cell", rows, cols, &network->bridge_cell_w,
                    c->bridge_bias ? &network->bridge_cell_b : NULL);
}

static void add_attention(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    int a = c->attention_hidden, d = c->decoder_hidden, m = model_memory_width(c);
    struct tensor *key_b = c->key_bias ? &network->key_b : NULL;
    if (c->score == SCORE_GENERAL)
        slot_linear(list, "attention.key", d, m, &network->key_w, key_b);
    if (c->score != SCORE_ADDITIVE && c->score != SCORE_CONCAT)
        return;
    slot_linear(list, "attention.query", a, d, &network->query_w,
                c->query_bias ? &network->query_b : NULL);
    slot_linear(list, "attention.key", a, m, &network->key_w, key_b);
    slot_linear(list, "attention.v", 1, a, &network->v,
                c->energy_bias ? &network->v_b : NULL);
    if (c->coverage != COVERAGE_NONE)
        slot_linear(list, "attention.coverage", a, 1, &network->coverage_w, NULL);
    if (c->coverage == COVERAGE_FERTILITY)
        slot_linear(list, "attention.fertility", 1, m, &network->fertility_w, NULL);
}

static void add_decoder(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    int d = c->decoder_hidden, in = model_parts_width(c, &c->decoder_input);
    slot_matrix(list, "tgt_embed.weight", c->target_vocab, c->target_embedding,
                &network->tgt_embed);
    for (int l = 0; l < c->decoder_layers; l++) {
        char suffix[16] = "";
        if (l)
            snprintf(suffix, sizeof suffix, "_l%d", l);
        add_cell(list, &(struct cell_names){"decoder.", suffix}, c->decoder_cell,
                 l ? d : in, d, &network->decoder[l]);
    }
    if (c->second_cell != CELL_NONE)
        add_cell(list, &(struct cell_names){"decoder.second.", ""}, c->second_cell,
                 model_context_width(c), d, &network->second);
}

static void add_output(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    int pairs = c->readout == READOUT_MAXOUT ? 2 : 1, r = model_readout_width(c);
    if (c->readout != READOUT_NONE)
        slot_linear(list, "readout", pairs * r, model_parts_width(c, &c->readout_input),
                    &network->readout_w, c->readout_bias ? &network->readout_b : NULL);
    if (!c->tied)
        slot_matrix(list, "output.weight", c->target_vocab, r, &network->output_w);
    if (c->output_bias)
        slot_vector(list, "out_bias", c->target_vocab, &network->out_bias);
}

int network_slots(struct network *network, struct tensor_slot *slots)
{
    struct slot_list list = {.slots = slots};
    if (network->config.family == FAMILY_TRANSFORMER) {
        transformer_slots(&list, network);
        return list.count;
    }
    add_encoder(&list, network);
    add_bridge(&list, network);
    add_attention(&list, network);
    add_decoder(&list, network);
    add_output(&list, network);
    return list.count;
}
