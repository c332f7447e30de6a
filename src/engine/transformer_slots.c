// SPDX-License-Identifier: MIT
// Which tensors a Transformer needs. The names are those of Hugging Face's MarianMT;
// models/README.md lists them all.
#include "engine/slots.h"

#include <stdio.h>

struct naming_layer { // "model.decoder.layers.0."
    struct slot_list *list;
    char prefix[40];
    int width;
};

static void add_of_layer(const struct naming_layer *at, const char *what, int rows,
                         int cols, struct linear *linear)
{
    char name[72];
    snprintf(name, sizeof name, "%s%s", at->prefix, what);
    if (cols)
        slot_linear(at->list, name, rows, cols, &linear->w, &linear->b);
    else
        slot_norm(at->list, name, rows, linear);
}

static void add_heads(const struct naming_layer *at, const char *which,
                      struct heads_weights *heads)
{
    static const char *const names[] = {"q_proj", "k_proj", "v_proj", "out_proj"};
    struct linear *const maps[] = {&heads->q, &heads->k, &heads->v, &heads->out};
    char what[28];
    for (int i = 0; i < 4; i++) {
        snprintf(what, sizeof what, "%s.%s", which, names[i]);
        add_of_layer(at, what, at->width, at->width, maps[i]);
    }
}

static void add_layer(const struct naming_layer *at, int ffn, bool cross,
                      struct transformer_layer *layer)
{
    int d = at->width;
    add_heads(at, "self_attn", &layer->self);
    add_of_layer(at, "self_attn_layer_norm", d, 0, &layer->self_norm);
    if (cross) {
        add_heads(at, "encoder_attn", &layer->cross);
        add_of_layer(at, "encoder_attn_layer_norm", d, 0, &layer->cross_norm);
    }
    add_of_layer(at, "fc1", ffn, d, &layer->fc1);
    add_of_layer(at, "fc2", d, ffn, &layer->fc2);
    add_of_layer(at, "final_layer_norm", d, 0, &layer->final_norm);
}

static void add_stack(struct slot_list *list, const struct transformer_config *t,
                      const struct stack_config *side, bool decoder,
                      struct transformer_layer *layers)
{
    struct naming_layer at = {list, "", t->width};
    for (int l = 0; l < side->layers; l++) {
        snprintf(at.prefix, sizeof at.prefix, "model.%s.layers.%d.",
                 decoder ? "decoder" : "encoder", l);
        add_layer(&at, side->ffn, decoder, &layers[l]);
    }
}

static void add_embeddings(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    const struct transformer_config *t = &c->transformer;
    int d = t->width, positions = t->position_count;
    slot_matrix(list,
                t->shared_embedding ? "model.shared.weight"
                                    : "model.encoder.embed_tokens.weight",
                c->source_vocab, d, &network->src_embed);
    if (!t->shared_embedding)
        slot_matrix(list, "model.decoder.embed_tokens.weight", c->target_vocab, d,
                    &network->tgt_embed);
    if (t->positions != POSITIONS_LEARNED)
        return;
    slot_matrix(list, "model.encoder.embed_positions.weight", positions, d,
                &network->transformer.encoder_positions);
    slot_matrix(list, "model.decoder.embed_positions.weight", positions, d,
                &network->transformer.decoder_positions);
}

void transformer_slots(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    const struct transformer_config *t = &c->transformer;
    struct transformer_weights *weights = &network->transformer;
    add_embeddings(list, network);
    add_stack(list, t, &t->encoder, false, weights->encoder);
    add_stack(list, t, &t->decoder, true, weights->decoder);
    if (t->top_norm) {
        slot_norm(list, "model.encoder.layer_norm", t->width, &weights->encoder_top);
        slot_norm(list, "model.decoder.layer_norm", t->width, &weights->decoder_top);
    }
    if (!c->tied)
        slot_matrix(list, "lm_head.weight", c->target_vocab, t->width,
                    &network->output_w);
    if (c->output_bias)
        slot_row(list, "final_logits_bias", c->target_vocab, &network->out_bias);
}
