// SPDX-License-Identifier: MIT
// The fields of config.json. Version 2 says every fact of a recurrent network. Version 1
// has fewer fields: it is one family of networks, and config_define_version_1 is the
// definition of the facts that it does not spell out. A Transformer has fields of its
// own, and Hugging Face's MarianMT (config_marian.c) has others. models/README.md lists
// them all.
#include "formats/config_fields.h"

#include "engine/facts.h"

#include <stdint.h>

#define AT(name) offsetof(struct model_config, name)
#define AT_T(name) offsetof(struct model_config, transformer.name)
#define BIT(value) (1u << (value))

enum {
    V1 = LAYOUT_1,
    V2 = LAYOUT_2,
    BOTH = V1 | V2,
    T = LAYOUT_TRANSFORMER,
    OURS = BOTH | T,
    HF = LAYOUT_MARIAN,
    WIDTH = MODEL_MAX_WIDTH,
    LAYERS = TRANSFORMER_MAX_LAYERS,
    HEADS = TRANSFORMER_MAX_HEADS,
    FFN = TRANSFORMER_MAX_FFN,
    POSITIONS = TRANSFORMER_MAX_POSITIONS,
    LAST_ID = MODEL_MAX_VOCAB - 1,
};

#define CELLS (~BIT(CELL_NONE))
#define V1_SCORES                                                                        \
    (BIT(SCORE_ADDITIVE) | BIT(SCORE_DOT) | BIT(SCORE_GENERAL) | BIT(SCORE_CONCAT) |     \
     BIT(SCORE_NONE))
#define V1_QUERIES (BIT(QUERY_PREVIOUS) | BIT(QUERY_CURRENT))
#define READ_BY_CELL                                                                     \
    (BIT(PART_EMBEDDING) | BIT(PART_CONTEXT) | BIT(PART_FEED) |                          \
     BIT(PART_PREVIOUS_CONTEXT))
#define READ_OUT                                                                         \
    (BIT(PART_EMBEDDING) | BIT(PART_CONTEXT) | BIT(PART_STATE) | BIT(PART_PREVIOUS_STATE))

const struct field config_fields[] = {
    {"format", BOTH, TEXT, SIZE_MAX, .text = "alphascope-seq2seq"},
    {"version", BOTH, INTEGER, AT(version), .min = 1, .max = CONFIG_NEWEST},
    {"languages", OURS, LANGUAGES, .at = AT(languages)},
    {"cell", V1, TEXT, SIZE_MAX, .text = "gru"},
    {"encoder_cell", V2, CHOICE, AT(encoder_cell), .fact = FACT_CELL, .allowed = CELLS},
    {"decoder_cell", V2, CHOICE, AT(decoder_cell), .fact = FACT_CELL, .allowed = CELLS},
    {"second_cell", V2, CHOICE, AT(second_cell), .fact = FACT_CELL, .allowed = ~0u},
    {"gate", V2, CHOICE, AT(gate), .fact = FACT_GATE, .allowed = ~0u},
    {"forget_bias", V2, NUMBER, AT(forget_bias), .min = -100, .max = 100},
    {"bidirectional", V1, FIXED, SIZE_MAX, .min = true},
    {"bidirectional", V2, FLAG, .at = AT(bidirectional)},
    {"layers", V1, INTEGER, SIZE_MAX, .min = 1, .max = 1},
    {"encoder_layers", V2, INTEGER, AT(encoder_layers), .min = 1,
     .max = MODEL_MAX_LAYERS},
    {"encoder_stack", V2, CHOICE, AT(encoder_stack), .fact = FACT_STACK, .allowed = ~0u},
    {"merge", V2, CHOICE, AT(merge), .fact = FACT_MERGE, .allowed = ~0u},
    {"decoder_layers", V2, INTEGER, AT(decoder_layers), .min = 1,
     .max = MODEL_MAX_LAYERS},
    {"residual", V2, FIXED, SIZE_MAX, .min = false},
    {"embedding", V1, INTEGER, AT(source_embedding), .min = 1, .max = WIDTH},
    {"source_embedding", V2, INTEGER, AT(source_embedding), .min = 1, .max = WIDTH},
    {"target_embedding", V2, INTEGER, AT(target_embedding), .min = 1, .max = WIDTH},
    {"encoder_hidden", BOTH, INTEGER, AT(encoder_hidden), .min = 1, .max = WIDTH},
    {"decoder_hidden", BOTH, INTEGER, AT(decoder_hidden), .min = 1, .max = WIDTH},
    {"attention_hidden", V1, INTEGER, AT(attention_hidden), .min = 1, .max = WIDTH},
    {"attention_hidden", V2, INTEGER, AT(attention_hidden), .min = 0, .max = WIDTH},
    {"summary", V2, CHOICE, AT(summary), .fact = FACT_SUMMARY, .allowed = ~0u},
    {"bridge", V2, CHOICE, AT(bridge), .fact = FACT_BRIDGE, .allowed = ~0u},
    {"bridge_bias", V2, FLAG, .at = AT(bridge_bias)},
    {"bridge_layers", V2, CHOICE, AT(bridge_layers), .fact = FACT_BRIDGE_LAYERS,
     .allowed = ~0u},
    {"bridge_cell", V2, CHOICE, AT(bridge_cell), .fact = FACT_BRIDGE_CELL,
     .allowed = ~0u},
    {"first_input", V2, CHOICE, AT(first_input), .fact = FACT_FIRST_INPUT,
     .allowed = ~0u},
    {"decoder_input", V2, PARTS, AT(decoder_input), .fact = FACT_PART,
     .allowed = READ_BY_CELL},
    {"score", V1, CHOICE, AT(score), .fact = FACT_SCORE, .allowed = V1_SCORES},
    {"score", V2, CHOICE, AT(score), .fact = FACT_SCORE, .allowed = ~0u},
    {"query", V1, CHOICE, AT(query), .fact = FACT_QUERY, .allowed = V1_QUERIES},
    {"query", V2, CHOICE, AT(query), .fact = FACT_QUERY, .allowed = ~0u},
    {"query_bias", V2, FLAG, .at = AT(query_bias)},
    {"key_bias", V2, FLAG, .at = AT(key_bias)},
    {"energy_bias", V2, FLAG, .at = AT(energy_bias)},
    {"coverage", V2, CHOICE, AT(coverage), .fact = FACT_COVERAGE, .allowed = ~0u},
    {"fertility_max", V2, NUMBER, AT(fertility_max), .min = 0, .max = 1000},
    {"readout", V2, CHOICE, AT(readout), .fact = FACT_READOUT, .allowed = ~0u},
    {"readout_input", V2, PARTS, AT(readout_input), .fact = FACT_PART,
     .allowed = READ_OUT},
    {"readout_hidden", V2, INTEGER, AT(readout_hidden), .min = 0, .max = WIDTH},
    {"readout_bias", V2, FLAG, .at = AT(readout_bias)},
    {"tied", V2 | T, FLAG, .at = AT(tied)},
    {"output_bias", V2 | T, FLAG, .at = AT(output_bias)},
    {"source_eos", V2 | T, FLAG, .at = AT(source_eos)},
    {"source_vocab", OURS, INTEGER, AT(source_vocab), .min = MODEL_MIN_VOCAB,
     .max = MODEL_MAX_VOCAB},
    {"target_vocab", OURS, INTEGER, AT(target_vocab), .min = MODEL_MIN_VOCAB,
     .max = MODEL_MAX_VOCAB},
    {"dropout", OURS, SHARE, .at = SIZE_MAX},
    {"pad", OURS, INTEGER, AT(pad), .min = 0, .max = MODEL_MAX_VOCAB - 1},
    {"bos", OURS, INTEGER, AT(bos), .min = 0, .max = MODEL_MAX_VOCAB - 1},
    {"eos", OURS, INTEGER, AT(eos), .min = 0, .max = MODEL_MAX_VOCAB - 1},
    {"unk", OURS, INTEGER, AT(unk), .min = 0, .max = MODEL_MAX_VOCAB - 1},
    {"comment", OURS, NOTE, .at = SIZE_MAX, .optional = true},

    {"format", T, TEXT, SIZE_MAX, .text = "alphascope-transformer"},
    {"version", T, INTEGER, AT(version), .min = 1, .max = 1},
    {"width", T, INTEGER, AT_T(width), .min = 2, .max = WIDTH},
    {"encoder_layers", T | HF, INTEGER, AT_T(encoder.layers), .min = 1, .max = LAYERS},
    {"decoder_layers", T | HF, INTEGER, AT_T(decoder.layers), .min = 1, .max = LAYERS},
    {"encoder_heads", T, INTEGER, AT_T(encoder.heads), .min = 1, .max = HEADS},
    {"decoder_heads", T, INTEGER, AT_T(decoder.heads), .min = 1, .max = HEADS},
    {"encoder_ffn", T, INTEGER, AT_T(encoder.ffn), .min = 1, .max = FFN},
    {"decoder_ffn", T, INTEGER, AT_T(decoder.ffn), .min = 1, .max = FFN},
    {"norm", T, CHOICE, AT_T(norm), .fact = FACT_NORM, .allowed = ~0u},
    {"top_norm", T, FLAG, .at = AT_T(top_norm)},
    {"norm_epsilon", T, EPSILON, .at = AT_T(norm_epsilon)},
    {"activation", T, CHOICE, AT_T(activation), .fact = FACT_ACTIVATION, .allowed = ~0u},
    {"embedding_scaled", T, FLAG, .at = AT_T(embedding_scaled)},
    {"positions", T, CHOICE, AT_T(positions), .fact = FACT_POSITIONS, .allowed = ~0u},
    {"position_offset", T, INTEGER, AT_T(position_offset), .min = 0,
     .max = TRANSFORMER_MAX_OFFSET},
    {"position_count", T, INTEGER, AT_T(position_count), .min = 0, .max = POSITIONS},
    {"shared_embedding", T, FLAG, .at = AT_T(shared_embedding)},
    {"masked", T, IDS, .at = SIZE_MAX},
    {"start", T, INTEGER, AT_T(start), .min = 0, .max = LAST_ID},

    {"model_type", HF, TEXT, SIZE_MAX, .text = "marian"},
    {"d_model", HF, INTEGER, AT_T(width), .min = 2, .max = WIDTH},
    {"encoder_attention_heads", HF, INTEGER, AT_T(encoder.heads), .min = 1, .max = HEADS},
    {"decoder_attention_heads", HF, INTEGER, AT_T(decoder.heads), .min = 1, .max = HEADS},
    {"encoder_ffn_dim", HF, INTEGER, AT_T(encoder.ffn), .min = 1, .max = FFN},
    {"decoder_ffn_dim", HF, INTEGER, AT_T(decoder.ffn), .min = 1, .max = FFN},
    {"activation_function", HF, ACTIVATION, .at = SIZE_MAX},
    {"scale_embedding", HF, FLAG, .at = AT_T(embedding_scaled)},
    {"static_position_embeddings", HF, FIXED, SIZE_MAX, .min = true, .optional = true},
    {"normalize_before", HF, FIXED, SIZE_MAX, .min = false, .optional = true},
    {"normalize_embedding", HF, FIXED, SIZE_MAX, .min = false, .optional = true},
    {"add_final_layer_norm", HF, FIXED, SIZE_MAX, .min = false, .optional = true},
    {"max_position_embeddings", HF, INTEGER, AT_T(position_count), .min = 1,
     .max = POSITIONS},
    {"vocab_size", HF, INTEGER, AT(source_vocab), .min = MODEL_MIN_VOCAB,
     .max = MODEL_MAX_VOCAB},
    {"decoder_vocab_size", HF, INTEGER, AT(target_vocab), .min = MODEL_MIN_VOCAB,
     .max = MODEL_MAX_VOCAB, .optional = true},
    {"share_encoder_decoder_embeddings", HF, FLAG, .at = AT_T(shared_embedding),
     .optional = true},
    {"tie_word_embeddings", HF, FLAG, .at = AT(tied), .optional = true},
    {"bad_words_ids", HF, WORDS, .at = SIZE_MAX, .optional = true},
    {"pad_token_id", HF, INTEGER, AT(pad), .min = 0, .max = LAST_ID},
    {"eos_token_id", HF, INTEGER, AT(eos), .min = 0, .max = LAST_ID},
    {"decoder_start_token_id", HF, INTEGER, AT_T(start), .min = 0, .max = LAST_ID},
};

const int config_field_count = sizeof config_fields / sizeof *config_fields;

// Additive and none read s_{t-1}, the others s_t with input feeding.
static bool check_query(const struct model_config *c, const char *path, struct error *err)
{
    bool previous = c->score == SCORE_ADDITIVE || c->score == SCORE_NONE;
    enum query expected = previous ? QUERY_PREVIOUS : QUERY_CURRENT;
    return c->query == expected ||
           fail_with(err, ERR_FORMAT,
                     "%s: field 'query' is \"%s\", expected \"%s\" with score \"%s\"",
                     path, fact_word(FACT_QUERY, (int)c->query),
                     fact_word(FACT_QUERY, (int)expected),
                     fact_word(FACT_SCORE, (int)c->score));
}

bool config_define_version_1(struct model_config *config, const char *path,
                             struct error *err)
{
    struct model_config *c = config;
    bool hidden = c->score == SCORE_ADDITIVE || c->score == SCORE_CONCAT;
    if (!check_query(c, path, err))
        return false;
    bool previous = c->query == QUERY_PREVIOUS;
    c->encoder_cell = c->decoder_cell = CELL_GRU_PYTORCH;
    c->second_cell = CELL_NONE;
    c->gate = GATE_SIGMOID;
    c->target_embedding = c->source_embedding;
    c->encoder_layers = c->decoder_layers = 1;
    c->bidirectional = true;
    c->encoder_stack = STACK_NONE;
    c->merge = MERGE_CONCAT;
    c->summary = SUMMARY_BOTH;
    c->bridge = BRIDGE_TANH;
    c->bridge_bias = true;
    c->bridge_layers = BRIDGE_SAME;
    c->bridge_cell = BRIDGE_CELL_NONE;
    c->first_input = FIRST_BOS;
    c->decoder_input =
        (struct parts){2, {PART_EMBEDDING, previous ? PART_CONTEXT : PART_FEED}};
    c->key_bias = hidden;
    c->coverage = COVERAGE_NONE;
    c->readout = READOUT_TANH;
    c->readout_input =
        (struct parts){previous ? 3 : 2, {PART_STATE, PART_CONTEXT, PART_EMBEDDING}};
    c->readout_hidden = c->target_embedding;
    c->readout_bias = c->tied = c->output_bias = c->source_eos = true;
    if (!hidden)
        c->attention_hidden = 0;
    if (c->score == SCORE_NONE)
        c->query = QUERY_NONE;
    return true;
}
