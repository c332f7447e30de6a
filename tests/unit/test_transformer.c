// SPDX-License-Identifier: MIT
// The readers of a Transformer: config.json of ours and of Hugging Face's MarianMT,
// vocab.json, and the tensors: what is missing, of another type, out of range or at odds
// is a sentence that names the file, the field, what was found and what was expected.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "spoilt_model.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define OURS "../transformers/paper"
#define LEARNED "../transformers/learned"
#define OPUS "../transformers/marian-opus"
#define SEPARATE "../transformers/marian-separate"

static const char *const our_fields[] = {"version",
                                         "languages",
                                         "width",
                                         "encoder_layers",
                                         "decoder_layers",
                                         "encoder_heads",
                                         "decoder_heads",
                                         "encoder_ffn",
                                         "decoder_ffn",
                                         "norm",
                                         "top_norm",
                                         "norm_epsilon",
                                         "activation",
                                         "embedding_scaled",
                                         "positions",
                                         "position_offset",
                                         "position_count",
                                         "shared_embedding",
                                         "tied",
                                         "output_bias",
                                         "source_eos",
                                         "source_vocab",
                                         "target_vocab",
                                         "masked",
                                         "dropout",
                                         "pad",
                                         "bos",
                                         "eos",
                                         "unk",
                                         "start"};
static const char *const their_fields[] = {"d_model",
                                           "encoder_layers",
                                           "decoder_layers",
                                           "encoder_attention_heads",
                                           "decoder_attention_heads",
                                           "encoder_ffn_dim",
                                           "decoder_ffn_dim",
                                           "activation_function",
                                           "scale_embedding",
                                           "max_position_embeddings",
                                           "vocab_size",
                                           "pad_token_id",
                                           "eos_token_id",
                                           "decoder_start_token_id"};

// Of a config with another value: what must be said of a part.
static void must_say_of(int part, const char *name, const char *field, const char *value,
                        const char *expected)
{
    struct model model;
    model_read(&model, name);
    set_value(&model, field, value);
    model_must_say(&model, part, expected);
}

static void must_say_with(const char *name, const char *field, const char *value,
                          const char *expected)
{
    must_say_of(CONFIG, name, field, value, expected);
}

static void check_types(const char *name, const char *const *fields, size_t count)
{
    static const char *const values[] = {"null", "{}", "\"x\"", "-1", "1e999", "[[-1]]"};
    char expected[64];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < COUNT(values); k++) {
            snprintf(expected, sizeof expected, "field '%s' is ", fields[i]);
            must_say_with(name, fields[i], values[k], expected);
        }
}

static void no_field_takes_another_type(void **state)
{
    static const char *const optional[] = {"normalize_before",
                                           "normalize_embedding",
                                           "add_final_layer_norm",
                                           "static_position_embeddings",
                                           "share_encoder_decoder_embeddings",
                                           "tie_word_embeddings",
                                           "decoder_vocab_size"};
    (void)state;
    check_types(OURS, our_fields, COUNT(our_fields));
    check_types(OPUS, their_fields, COUNT(their_fields));
    for (size_t i = 0; i < COUNT(optional); i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "field '%s' is \"x\"", optional[i]);
        must_say_with(OPUS, optional[i], "\"x\"", expected);
    }
}

static void check_missing(const char *name, const char *const *fields, size_t count)
{
    struct model model;
    char old[64], expected[64];
    for (size_t i = 0; i < count; i++) {
        snprintf(old, sizeof old, "\"%s\"", fields[i]);
        snprintf(expected, sizeof expected, "field '%s' is missing, ", fields[i]);
        model_read(&model, name);
        set_value(&model, fields[i], "\"gone\"");
        replace(&model, CONFIG, old, "\"comment\"");
        model_must_say(&model, CONFIG, expected);
    }
}

static void every_field_must_be_there(void **state)
{
    struct model model;
    (void)state;
    check_missing(OURS, our_fields, COUNT(our_fields));
    check_missing(OPUS, their_fields, COUNT(their_fields));
    model_read(&model, OURS);
    replace(&model, CONFIG, "\"tied\"", "\"merge\": \"sum\", \"tied\"");
    model_must_say(&model, CONFIG, "unknown field \"merge\"");
    model_read(&model, OURS);
    replace(&model, CONFIG, "\"tied\"", "\"top_norm\": true, \"tied\"");
    model_must_say(&model, CONFIG, "field 'top_norm' appears twice");
    model_read(&model, OPUS);
    replace(&model, CONFIG, "\"d_model\"", "\"d_model\": 16, \"d_model\"");
    model_must_say(&model, CONFIG, "field 'd_model' appears twice");
    must_say_with(OPUS, "model_type", "\"bart\"",
                  "field 'model_type' is \"bart\", expected \"marian\"");
    must_say_with(OURS, "format", "\"alphascope\"",
                  "field 'format' is \"alphascope\", expected \"alphascope-seq2seq\" or "
                  "\"alphascope-transformer\"");
}

static const struct {
    const char *model, *field, *value, *expected;
} clashes[] = {
    {OURS, "width", "31", "field 'width' is 31, expected an even number"},
    {OURS, "encoder_heads", "3",
     "field 'encoder_heads' is 3, expected a number that divides the width, 32"},
    {OURS, "decoder_heads", "5",
     "field 'decoder_heads' is 5, expected a number that divides the width, 32"},
    {OURS, "target_vocab", "30",
     "field 'target_vocab' is 30, expected source_vocab, 31, with shared_embedding true"},
    {OURS, "encoder_layers", "25",
     "field 'encoder_layers' is 25, expected an integer "
     "from 1 to 24"},
    {OURS, "eos", "0", "fields 'pad' and 'eos' are both 0, expected different ids"},
    {OURS, "start", "31",
     "field 'start' has the id 31, expected one below the vocabulary, 31"},
    {OURS, "masked", "[31]",
     "field 'masked' has the id 31, expected one below the vocabulary, 31"},
    {OURS, "masked", "[2]", "field 'masked' has the id of eos, 2"},
    {OURS, "masked", "[0,1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]",
     "expected an array of at most 16 ids"},
    {OURS, "norm_epsilon", "0", "field 'norm_epsilon' is 0, expected a number above 0"},
    {OURS, "position_offset", "17", "field 'position_offset' is 17, expected an integer"},
    {LEARNED, "position_count", "2",
     "field 'position_count' is 2, expected more than position_offset, 2"},
    {OPUS, "d_model", "15", "field 'd_model' is 15, expected an even number"},
    {OPUS, "encoder_attention_heads", "3",
     "field 'encoder_attention_heads' is 3, expected a number that divides d_model, 16"},
    {OPUS, "decoder_vocab_size", "31",
     "field 'decoder_vocab_size' is 31, expected vocab_size, 30, with "
     "share_encoder_decoder_embeddings true"},
    {OPUS, "pad_token_id", "30",
     "field 'pad_token_id' is 30, expected an id below the decoder's vocabulary, 30"},
    {OPUS, "pad_token_id", "0",
     "field 'eos_token_id' is 0, which is masked: no translation would end"},
    {OPUS, "normalize_before", "true",
     "field 'normalize_before' is true, expected false"},
    {OPUS, "normalize_embedding", "true",
     "field 'normalize_embedding' is true, expected false"},
    {OPUS, "static_position_embeddings", "false",
     "field 'static_position_embeddings' is false, expected true"},
    {OPUS, "activation_function", "\"tanh\"",
     "field 'activation_function' is \"tanh\", expected \"relu\", \"gelu\""},
};

static void facts_that_do_not_go_together_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(clashes); i++)
        must_say_with(clashes[i].model, clashes[i].field, clashes[i].value,
                      clashes[i].expected);
}

static void what_hugging_face_leaves_out_is_defined(void **state)
{
    static const char *const optional[] = {"decoder_vocab_size", "normalize_before",
                                           "tie_word_embeddings"};
    (void)state;
    for (size_t i = 0; i < COUNT(optional); i++) {
        struct model model;
        model_read(&model, OPUS);
        set_value(&model, optional[i], "null");
        model_write(&model);
        check_opens(model.path, "spoilt");
        model_free(&model);
    }
}

static const struct {
    const char *model;
    int part;
    const char *old, *new, *expected;
} spoilt[] = {
    {OPUS, VOCAB, "\"v\": 2, ", "",
     "has 29 pieces, config.json's field 'vocab_size' is 30"},
    {OPUS, VOCAB, "\"v\": 2", "\"v\": 2, \"new\": 30",
     "has 31 pieces, config.json's field 'vocab_size' is 30"},
    {OPUS, VOCAB, "\"v\": 2", "\"v\": 3", "the pieces 'v' and 'j' both have the id 3"},
    {OPUS, VOCAB, "\"v\": 2", "\"v\": 30",
     "the piece 'v' has the id 30, expected one from 0 to 29"},
    {OPUS, VOCAB, "\"v\": 2", "\"v\": \"2\"", "the piece 'v' has the id \"2\""},
    {OPUS, VOCAB, "\"v\": 2", "\"v\": -2", "the piece 'v' has the id -2"},
    {OPUS, VOCAB, "\"v\": 2", "\"j\": 2", "the piece 'j' comes twice"},
    {OPUS, VOCAB, "\"v\": 2", "\"\": 2", "a piece is empty or longer than 512 bytes"},
    {OPUS, VOCAB, "\"</s>\"", "\"</t>\"", "the piece '</s>' is missing"},
    {OPUS, VOCAB, "\"<unk>\"", "\"<u>\"", "the piece '<unk>' is missing"},
    {OPUS, VOCAB, "\"v\": 2", "\"v\" 2", "byte"},
    {OPUS, VOCAB, "{\"</s>\"", "[\"</s>\"", "is not a JSON object"},
    {SEPARATE, TARGET_VOCAB, "\"</s>\": 0", "\"</q>\": 0", "the piece '</s>' is missing"},
    {OPUS, WEIGHTS, "model.encoder.layers.1.fc1.bias", "model.encoder.layers.1.fc9.bias",
     "tensor 'model.encoder.layers.1.fc1.bias' is missing, config.json expects it as 24"},
    {OPUS, WEIGHTS, "model.shared.weight", "model.scared.weight",
     "tensor 'model.shared.weight' is missing, config.json expects it as 30x16"},
    {OURS, WEIGHTS, "model.shared.weight", "model.scared.weight",
     "tensor 'model.shared.weight' is missing, config.json expects it as 31x32"},
};

static void vocabularies_and_tensors_must_fit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(spoilt); i++) {
        struct model model;
        model_read(&model, spoilt[i].model);
        replace(&model, spoilt[i].part, spoilt[i].old, spoilt[i].new);
        model_must_say(&model, spoilt[i].part, spoilt[i].expected);
    }
    must_say_of(TARGET_VOCAB, SEPARATE, "decoder_vocab_size", "26",
                "has 25 pieces, config.json's field 'decoder_vocab_size' is 26");
    must_say_of(TARGET_VOCAB, SEPARATE, "eos_token_id", "3",
                "the id of '</s>' is 0, config.json's field 'eos_token_id' is 3");
    must_say_of(WEIGHTS, OPUS, "decoder_layers", "3", "tensor 'model.decoder.layers.2.");
    must_say_of(WEIGHTS, OPUS, "decoder_layers", "1",
                "tensor 'model.decoder.layers.1.encoder_attn.k_proj.bias' is left over, "
                "config.json's field 'decoder_layers' is 1, expected 2 or more");
    must_say_of(WEIGHTS, LEARNED, "position_count", "69",
                "tensor 'model.encoder.embed_positions.weight' is 70x16, config.json "
                "expects 69x16");
}

static void two_vocabularies_need_two_files(void **state)
{
    struct model model;
    (void)state;
    model_read(&model, SEPARATE);
    buf_finish(&model.files[TARGET_VOCAB]);
    model_must_say(&model, TARGET_VOCAB,
                   "is missing, config.json's field 'decoder_vocab_size' is 25 and "
                   "'vocab_size' 29");
    model_read(&model, OPUS);
    replace(&model, TOKENIZERS, "\"separate_vocabs\": false",
            "\"separate_vocabs\": true");
    model_must_say(&model, TARGET_VOCAB,
                   "is missing, tokenizer_config.json's field 'separate_vocabs' is true");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_field_takes_another_type),
        cmocka_unit_test(every_field_must_be_there),
        cmocka_unit_test(facts_that_do_not_go_together_are_named),
        cmocka_unit_test(what_hugging_face_leaves_out_is_defined),
        cmocka_unit_test(vocabularies_and_tensors_must_fit),
        cmocka_unit_test(two_vocabularies_need_two_files),
    };
    return cmocka_run_group_tests_name("transformer", tests, make_root, remove_root);
}
