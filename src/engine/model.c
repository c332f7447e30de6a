// SPDX-License-Identifier: MIT
// Which tensors a network of the family needs, and which facts go together. The names are
// PyTorch's, as the training recipe exports them.
#include "engine/model.h"

#include "engine/score.h"

struct slot_list {
    struct tensor_slot *slots;
    int count;
};

static void add_matrix(struct slot_list *list, const char *name, int rows, int cols,
                       struct tensor *tensor)
{
    list->slots[list->count++] = (struct tensor_slot){name, 2, rows, cols, tensor};
}

static void add_vector(struct slot_list *list, const char *name, int rows,
                       struct tensor *tensor)
{
    list->slots[list->count++] = (struct tensor_slot){name, 1, rows, 1, tensor};
}

static void add_gru(struct slot_list *list, const char *const *names, int in, int h,
                    struct gru_weights *gru)
{
    add_matrix(list, names[0], 3 * h, in, &gru->w_ih);
    add_matrix(list, names[1], 3 * h, h, &gru->w_hh);
    add_vector(list, names[2], 3 * h, &gru->b_ih);
    add_vector(list, names[3], 3 * h, &gru->b_hh);
}

static void add_encoder(struct slot_list *list, struct network *network)
{
    static const char *const forward[] = {"encoder.weight_ih_l0", "encoder.weight_hh_l0",
                                          "encoder.bias_ih_l0", "encoder.bias_hh_l0"};
    static const char *const backward[] = {
        "encoder.weight_ih_l0_reverse", "encoder.weight_hh_l0_reverse",
        "encoder.bias_ih_l0_reverse", "encoder.bias_hh_l0_reverse"};
    const struct model_config *c = &network->config;
    add_matrix(list, "src_embed.weight", c->source_vocab, c->embedding,
               &network->src_embed);
    add_gru(list, forward, c->embedding, c->encoder_hidden, &network->forward);
    add_gru(list, backward, c->embedding, c->encoder_hidden, &network->backward);
    add_matrix(list, "bridge.weight", c->decoder_hidden, 2 * c->encoder_hidden,
               &network->bridge_w);
    add_vector(list, "bridge.bias", c->decoder_hidden, &network->bridge_b);
}

static void add_attention(struct slot_list *list, struct network *network)
{
    const struct model_config *c = &network->config;
    int a = c->attention_hidden, d = c->decoder_hidden, m = 2 * c->encoder_hidden;
    if (c->score == SCORE_GENERAL)
        add_matrix(list, "attention.key.weight", d, m, &network->key_w);
    if (c->score != SCORE_ADDITIVE && c->score != SCORE_CONCAT)
        return;
    add_matrix(list, "attention.query.weight", a, d, &network->query_w);
    add_matrix(list, "attention.key.weight", a, m, &network->key_w);
    add_vector(list, "attention.key.bias", a, &network->key_b);
    add_matrix(list, "attention.v.weight", 1, a, &network->v);
}

static void add_decoder(struct slot_list *list, struct network *network)
{
    static const char *const names[] = {"decoder.weight_ih", "decoder.weight_hh",
                                        "decoder.bias_ih", "decoder.bias_hh"};
    const struct model_config *c = &network->config;
    int e = c->embedding, d = c->decoder_hidden, m = 2 * c->encoder_hidden;
    bool current = c->query == QUERY_CURRENT;
    add_matrix(list, "tgt_embed.weight", c->target_vocab, e, &network->tgt_embed);
    add_gru(list, names, e + (current ? e : m), d, &network->decoder);
    add_matrix(list, "readout.weight", e, d + m + (current ? 0 : e), &network->readout_w);
    add_vector(list, "readout.bias", e, &network->readout_b);
    add_vector(list, "out_bias", c->target_vocab, &network->out_bias);
}

int network_slots(struct network *network, struct tensor_slot *slots)
{
    struct slot_list list = {.slots = slots};
    add_encoder(&list, network);
    add_attention(&list, network);
    add_decoder(&list, network);
    return list.count;
}

static bool check_sizes(const struct model_config *c, const char *path, struct error *err)
{
    const struct {
        const char *field;
        int value, min, max;
    } sizes[] = {
        {"embedding", c->embedding, 1, MODEL_MAX_WIDTH},
        {"encoder_hidden", c->encoder_hidden, 1, MODEL_MAX_WIDTH},
        {"decoder_hidden", c->decoder_hidden, 1, MODEL_MAX_WIDTH},
        {"attention_hidden", c->attention_hidden, 1, MODEL_MAX_WIDTH},
        {"source_vocab", c->source_vocab, MODEL_MIN_VOCAB, MODEL_MAX_VOCAB},
        {"target_vocab", c->target_vocab, MODEL_MIN_VOCAB, MODEL_MAX_VOCAB},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].value < sizes[i].min || sizes[i].value > sizes[i].max)
            return fail_with(err, ERR_FORMAT,
                             "%s: field '%s' is %d, expected an integer from %d to %d",
                             path, sizes[i].field, sizes[i].value, sizes[i].min,
                             sizes[i].max);
    return true;
}

static bool check_ids(const struct model_config *c, const char *path, struct error *err)
{
    const char *const fields[] = {"pad", "bos", "eos", "unk"};
    const int ids[] = {c->pad, c->bos, c->eos, c->unk};
    int vocab = c->source_vocab < c->target_vocab ? c->source_vocab : c->target_vocab;
    for (int i = 0; i < 4; i++) {
        if (ids[i] < 0 || ids[i] >= vocab)
            return fail_with(err, ERR_FORMAT,
                             "%s: field '%s' is %d, expected an id below the smaller "
                             "vocabulary, %d",
                             path, fields[i], ids[i], vocab);
        for (int j = 0; j < i; j++)
            if (ids[i] == ids[j])
                return fail_with(err, ERR_FORMAT,
                                 "%s: fields '%s' and '%s' are both %d, expected "
                                 "different ids",
                                 path, fields[j], fields[i], ids[i]);
    }
    return true;
}

bool model_config_check(const struct model_config *config, const char *path,
                        struct error *err)
{
    const struct model_config *c = config;
    const struct scorer *scorer = scorer_of(c->score);
    bool previous = c->score == SCORE_ADDITIVE || c->score == SCORE_NONE;
    enum query expected = previous ? QUERY_PREVIOUS : QUERY_CURRENT;
    if (!check_sizes(c, path, err) || !check_ids(c, path, err))
        return false;
    if (c->query != expected)
        return fail_with(err, ERR_FORMAT,
                         "%s: field 'query' is \"%s\", expected \"%s\" with score \"%s\"",
                         path, query_name(c->query), query_name(expected), scorer->id);
    if (c->score == SCORE_DOT && c->decoder_hidden != 2 * c->encoder_hidden)
        return fail_with(err, ERR_FORMAT,
                         "%s: field 'decoder_hidden' is %d, expected 2 * encoder_hidden "
                         "= %d with score \"dot\"",
                         path, c->decoder_hidden, 2 * c->encoder_hidden);
    return true;
}
