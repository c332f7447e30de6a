// SPDX-License-Identifier: MIT
// Hugging Face's MarianMT (transformers, models/marian): what its config.json leaves to
// the class, and the rules between what it says. The class knows post-norm only,
// sinusoids in halves from position 0 and an ε of PyTorch's default.
#include "formats/config_fields.h"

#include <string.h>

int config_activation(const char *word)
{
    static const struct {
        const char *word;
        enum activation activation;
    } words[] = {
        {"relu", ACTIVATION_RELU},          {"gelu", ACTIVATION_GELU},
        {"gelu_new", ACTIVATION_GELU_TANH}, {"gelu_pytorch_tanh", ACTIVATION_GELU_TANH},
        {"swish", ACTIVATION_SILU},         {"silu", ACTIVATION_SILU},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, word) == 0)
            return (int)words[i].activation;
    return -1;
}

void config_begin_marian(struct model_config *config)
{
    struct transformer_config *t = &config->transformer;
    config->version = 1;
    config->marian = true;
    config->source_eos = config->output_bias = config->tied = true;
    config->bos = config->unk = -1;
    t->norm = NORM_POST;
    t->norm_epsilon = 1e-5f;
    t->positions = POSITIONS_HALVES;
    t->shared_embedding = true;
}

static bool check_widths(const struct model_config *c, const char *path,
                         struct error *err)
{
    const struct transformer_config *t = &c->transformer;
    const int heads[] = {t->encoder.heads, t->decoder.heads};
    static const char *const fields[] = {"encoder_attention_heads",
                                         "decoder_attention_heads"};
    if (t->width % 2)
        return fail_with(err, ERR_FORMAT,
                         "%s: field 'd_model' is %d, expected an even number", path,
                         t->width);
    for (int i = 0; i < 2; i++)
        if (t->width % heads[i])
            return fail_with(err, ERR_FORMAT,
                             "%s: field '%s' is %d, expected a number that divides "
                             "d_model, %d",
                             path, fields[i], heads[i], t->width);
    return c->source_vocab == c->target_vocab || !t->shared_embedding ||
           fail_with(err, ERR_FORMAT,
                     "%s: field 'decoder_vocab_size' is %d, expected vocab_size, %d, "
                     "with share_encoder_decoder_embeddings true",
                     path, c->target_vocab, c->source_vocab);
}

static bool check_ids(const struct model_config *c, const char *path, struct error *err)
{
    static const char *const fields[] = {"pad_token_id", "eos_token_id",
                                         "decoder_start_token_id"};
    const int ids[] = {c->pad, c->eos, c->transformer.start};
    for (int i = 0; i < 3; i++)
        if (ids[i] >= c->target_vocab)
            return fail_with(err, ERR_FORMAT,
                             "%s: field '%s' is %d, expected an id below the decoder's "
                             "vocabulary, %d",
                             path, fields[i], ids[i], c->target_vocab);
    for (int i = 0; i < c->n_masked; i++) {
        if (c->masked[i] >= c->target_vocab)
            return fail_with(err, ERR_FORMAT,
                             "%s: field 'bad_words_ids' has %d, expected an id below the "
                             "decoder's vocabulary, %d",
                             path, c->masked[i], c->target_vocab);
        if (c->masked[i] == c->eos)
            return fail_with(err, ERR_FORMAT,
                             "%s: field 'eos_token_id' is %d, which is masked: no "
                             "translation would end",
                             path, c->eos);
    }
    return true;
}

// The padding is never said.
static bool mask_padding(struct model_config *c, const char *path, struct error *err)
{
    for (int i = 0; i < c->n_masked; i++)
        if (c->masked[i] == c->pad)
            return true;
    if (c->n_masked == MODEL_MAX_MASKED)
        return fail_with(err, ERR_FORMAT,
                         "%s: field 'bad_words_ids' has %d ids, expected fewer", path,
                         c->n_masked);
    c->masked[c->n_masked++] = c->pad;
    return true;
}

bool config_define_marian(struct model_config *config, const char *path,
                          struct error *err)
{
    struct model_config *c = config;
    if (!c->target_vocab)
        c->target_vocab = c->source_vocab;
    c->source_eos_id = c->eos;
    return mask_padding(c, path, err) && check_widths(c, path, err) &&
           check_ids(c, path, err);
}
