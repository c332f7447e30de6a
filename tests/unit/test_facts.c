// SPDX-License-Identifier: MIT
// formats/config, version 2: every fact that is missing, of another type, of another word
// or at odds with another is a sentence that names the file and the fields. And version 1
// is what it says it is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/naming.h"
#include "formats/config.h"
#include "spoilt_model.h"

static const char *const flags[] = {
    "bidirectional", "residual",     "bridge_bias", "query_bias",  "key_bias",
    "energy_bias",   "readout_bias", "tied",        "output_bias", "source_eos"};
static const char *const numbers[] = {"forget_bias", "fertility_max"};
static const char *const words[] = {
    "encoder_cell", "decoder_cell", "second_cell", "gate",        "encoder_stack",
    "merge",        "summary",      "bridge",      "first_input", "bridge_layers",
    "bridge_cell",  "query",        "score",       "coverage",    "readout",
};
static const char *const lists[] = {"decoder_input", "readout_input"};
static const char *const integers[] = {
    "source_embedding", "target_embedding", "encoder_layers", "encoder_hidden",
    "decoder_layers",   "decoder_hidden",   "readout_hidden", "attention_hidden",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void check_value(const char *field, const char *value)
{
    struct model model;
    char expected[64];
    model_read(&model, "family-conditional-coverage");
    set_value(&model, field, value);
    snprintf(expected, sizeof expected, "field '%s' is %.12s", field, value);
    model_must_say(&model, CONFIG, expected);
}

static void check_values(const char *const *fields, size_t count,
                         const char *const *values, size_t n_values)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < n_values; j++)
            check_value(fields[i], values[j]);
}

static void no_fact_takes_another_type_or_word(void **state)
{
    static const char *const no_flag[] = {"null", "0", "1", "\"true\"", "[true]", "{}"};
    static const char *const no_number[] = {"null", "true",  "\"1\"", "[1]",
                                            "1e9",  "-1000", "1e999"};
    static const char *const no_word[] = {"null",     "true",      "1",
                                          "\"\"",     "\"x\"",     "[\"none\"]",
                                          "\"Copy\"", "\"none \"", "{\"none\":1}"};
    static const char *const no_list[] = {
        "null",        "true",       "\"context\"",
        "[]",          "[1]",        "[\"context\", \"context\"]",
        "[\"\"]",      "[\"Feed\"]", "[[\"context\"]]",
        "{\"a\": 1}",  "[null]",     "[\"embedding\", \"context\", 1]",
        "[\"energy\"]"};
    static const char *const no_integer[] = {"null", "true", "\"1\"", "[1]",    "-1",
                                             "1.0",  "1e1",  "8193",  "1000000"};
    (void)state;
    check_values(flags, COUNT(flags), no_flag, COUNT(no_flag));
    check_values(numbers, COUNT(numbers), no_number, COUNT(no_number));
    check_values(words, COUNT(words), no_word, COUNT(no_word));
    check_values(lists, COUNT(lists), no_list, COUNT(no_list));
    check_values(integers, COUNT(integers), no_integer, COUNT(no_integer));
    check_value("encoder_layers", "9");
    check_value("encoder_layers", "0");
    check_value("decoder_layers", "0");
    check_value("source_embedding", "0");
    check_value("residual", "true");
    check_value("encoder_cell", "\"none\"");
    check_value("decoder_cell", "\"none\"");
    check_value("decoder_input", "[\"state\"]");
    check_value("readout_input", "[\"feed\"]");
    check_value("readout_input", "[\"previous-context\"]");
}

static void missing(const char *field)
{
    struct model model;
    char old[64], expected[64];
    snprintf(old, sizeof old, "\"%s\"", field);
    snprintf(expected, sizeof expected, "field '%s' is missing", field);
    model_read(&model, "family-conditional-coverage");
    set_value(&model, field, "\"gone\"");
    replace(&model, CONFIG, old, "\"comment\"");
    model_must_say(&model, CONFIG, expected);
}

static void no_fact_is_guessed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(flags); i++)
        missing(flags[i]);
    for (size_t i = 0; i < COUNT(numbers); i++)
        missing(numbers[i]);
    for (size_t i = 0; i < COUNT(words); i++)
        missing(words[i]);
    for (size_t i = 0; i < COUNT(lists); i++)
        missing(lists[i]);
    for (size_t i = 0; i < COUNT(integers); i++)
        missing(integers[i]);
    missing("version");
    missing("dropout");
}

static void what_belongs_to_version_1_is_named(void **state)
{
    static const char *const fields[] = {"cell", "layers", "embedding"};
    char added[64], expected[96];
    struct model model;
    (void)state;
    for (size_t i = 0; i < COUNT(fields); i++) {
        snprintf(added, sizeof added, "{\"%s\": 1,", fields[i]);
        snprintf(expected, sizeof expected,
                 "field '%s' is of version 1, the field 'version' is 2", fields[i]);
        model_read(&model, "family-conditional-coverage");
        replace(&model, CONFIG, "{", added);
        model_must_say(&model, CONFIG, expected);
    }
}

struct change {
    const char *field, *value;
};

static const struct {
    const char *model;
    struct change changes[3];
    const char *expected;
} clashes[] = {
    {"conditional-gru",
     {{"second_cell", "\"none\""}},
     "field 'second_cell' is \"none\", expected a cell with query \"between\""},
    {"conditional-gru",
     {{"query", "\"current\""}},
     "field 'second_cell' is \"gru-pytorch\", expected \"none\" with query "
     "\"current\""},
    {"conditional-gru",
     {{"second_cell", "\"lstm-keras\""}},
     "field 'second_cell' is \"lstm-keras\", expected a GRU with decoder_cell "
     "\"gru-pytorch\""},
    {"conditional-lstm",
     {{"second_cell", "\"gru-cho\""}},
     "field 'second_cell' is \"gru-cho\", expected an LSTM with decoder_cell "
     "\"lstm-pytorch\""},
    {"lstm-marian",
     {{"bridge", "\"zero\""}, {"bridge_bias", "false"}},
     "field 'bridge_cell' is \"own\", expected \"same\" or \"zero\" with bridge "
     "\"zero\""},
    {"lstm-marian",
     {{"forget_bias", "1"}},
     "field 'forget_bias' is 1, expected 0 with decoder_cell \"lstm-marian\""},
    {"coverage-sum",
     {{"merge", "\"none\""}},
     "field 'merge' is \"none\", expected \"concat\" or \"sum\" with bidirectional "
     "true"},
    {"d2l",
     {{"merge", "\"sum\""}},
     "field 'merge' is \"sum\", expected \"none\" with bidirectional false"},
    {"coverage-sum",
     {{"encoder_layers", "2"}},
     "field 'encoder_stack' is \"none\", expected \"concat\", \"sum\" or "
     "\"separate\" "
     "with bidirectional true and encoder_layers 2"},
    {"d2l",
     {{"encoder_stack", "\"sum\""}},
     "field 'encoder_stack' is \"sum\", expected \"none\" with bidirectional false "
     "and encoder_layers 2"},
    {"d2l",
     {{"summary", "\"both\""}},
     "field 'summary' is \"both\", expected \"forward\" or \"mean\" with "
     "bidirectional false"},
    {"d2l",
     {{"decoder_hidden", "6"}},
     "field 'decoder_hidden' is 6, expected the summary's width, 5, with bridge "
     "\"copy\""},
    {"bridge-zero",
     {{"bridge_bias", "true"}},
     "field 'bridge_bias' is true, expected false with bridge \"zero\""},
    {"bridge-zero",
     {{"bridge_layers", "\"joint\""}},
     "field 'bridge_layers' is \"joint\", expected \"same\" or \"own\" with bridge "
     "\"zero\""},
    {"d2l",
     {{"decoder_layers", "3"}},
     "field 'decoder_layers' is 3, expected encoder_layers, 2, with bridge_layers "
     "\"own\""},
    {"nematus",
     {{"bridge_layers", "\"own\""}},
     "field 'summary' is \"mean\", expected one of the last states with "
     "bridge_layers \"own\""},
    {"lstm-keras",
     {{"bridge_cell", "\"none\""}},
     "field 'bridge_cell' is \"none\", expected \"same\", \"own\" or \"zero\" with "
     "decoder_cell \"lstm-keras\""},
    {"gru-cho",
     {{"bridge_cell", "\"same\""}},
     "field 'bridge_cell' is \"same\", expected \"none\" with decoder_cell "
     "\"gru-cho\""},
    {"lstm-keras",
     {{"encoder_cell", "\"gru-cho\""}, {"bridge_cell", "\"own\""}},
     "field 'bridge_cell' is \"own\", expected \"same\" or \"zero\" with "
     "encoder_cell "
     "\"gru-cho\""},
    {"marian-lstm",
     {{"bridge_cell", "\"own\""}},
     "field 'bridge_cell' is \"own\", expected \"same\" or \"zero\" with summary "
     "\"mean\""},
    {"sutskever",
     {{"query", "\"current\""}},
     "field 'query' is \"current\", expected \"none\" with score \"none\""},
    {"cosine",
     {{"query", "\"none\""}},
     "field 'query' is \"none\", expected \"previous\", \"between\" or \"current\" "
     "with score \"cosine\""},
    {"cosine",
     {{"decoder_input", "[\"context\"]"}},
     "field 'decoder_input' is an array with \"context\", expected one without "
     "(\"previous-context\" there is) with query \"current\""},
    {"coverage-sum",
     {{"decoder_input", "[\"embedding\", \"previous-context\"]"}},
     "field 'decoder_input' is an array with \"previous-context\", expected one "
     "without (\"context\" there is) with query \"previous\""},
    {"coverage-sum",
     {{"attention_hidden", "0"}},
     "field 'attention_hidden' is 0, expected at least 1 with score \"additive\""},
    {"cosine",
     {{"attention_hidden", "3"}},
     "field 'attention_hidden' is 3, expected 0 with score \"cosine\""},
    {"cosine",
     {{"query_bias", "true"}},
     "field 'query_bias' is true, expected false with score \"cosine\""},
    {"cosine",
     {{"energy_bias", "true"}},
     "field 'energy_bias' is true, expected false with score \"cosine\""},
    {"cosine",
     {{"key_bias", "true"}},
     "field 'key_bias' is true, expected false with score \"cosine\""},
    {"scaled-dot",
     {{"decoder_hidden", "9"}},
     "field 'decoder_hidden' is 9, expected the width of the encoder's memory, 10, "
     "with score \"scaled-dot\""},
    {"cosine",
     {{"coverage", "\"sum\""}},
     "field 'coverage' is \"sum\", expected \"none\" with score \"cosine\""},
    {"coverage-sum",
     {{"fertility_max", "2"}},
     "field 'fertility_max' is 2, expected 0 with coverage \"sum\""},
    {"coverage-fertility",
     {{"fertility_max", "0"}},
     "field 'fertility_max' is 0, expected more than 0 with coverage \"fertility\""},
    {"d2l",
     {{"readout_hidden", "5"}},
     "field 'readout_hidden' is 5, expected 0 with readout \"none\""},
    {"coverage-sum",
     {{"readout_hidden", "0"}},
     "field 'readout_hidden' is 0, expected at least 1 with readout \"tanh\""},
    {"d2l",
     {{"readout_bias", "true"}},
     "field 'readout_bias' is true, expected false with readout \"none\""},
    {"coverage-sum",
     {{"readout_hidden", "8"}},
     "field 'readout_hidden' is 8, expected target_embedding, 7, with tied true"},
    {"d2l",
     {{"tied", "true"}},
     "field 'target_embedding' is 7, expected the width of what readout_input joins, "
     "5, with tied true"},
    {"d2l", {{"unk", "2"}}, "fields 'eos' and 'unk' are both 2"},
};

static void facts_that_do_not_go_together_are_both_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(clashes); i++) {
        struct model model;
        char name[64];
        snprintf(name, sizeof name, "family-%s", clashes[i].model);
        model_read(&model, name);
        for (int k = 0; k < 3 && clashes[i].changes[k].field; k++)
            set_value(&model, clashes[i].changes[k].field, clashes[i].changes[k].value);
        model_must_say(&model, CONFIG, clashes[i].expected);
    }
}

// A fact that says too little: the tensor is told, and which fact it is, the first of the
// changes.
static void a_fact_without_use_for_a_tensor_is_named(void **state)
{
    static const struct {
        const char *model, *tensor;
        struct change changes[4];
    } rows[] = {
        {"gru-keras-after", "encoder.bias_hh_l0", {{"encoder_cell", "\"gru-keras\""}}},
        {"gru-keras-after", "decoder.bias_hh", {{"decoder_cell", "\"gru-keras\""}}},
        {"conditional-lstm",
         "decoder.second.bias_hh",
         {{"second_cell", "\"lstm-tf1\""}, {"forget_bias", "1"}}},
        {"coverage-sum", "attention.coverage.weight", {{"coverage", "\"none\""}}},
        {"coverage-sum", "attention.key.bias", {{"key_bias", "false"}}},
        {"general-biased", "attention.key.bias", {{"key_bias", "false"}}},
        {"pytorch-tutorial", "attention.query.bias", {{"query_bias", "false"}}},
        {"pytorch-tutorial", "attention.v.bias", {{"energy_bias", "false"}}},
        {"d2l",
         "encoder.bias_hh_l1",
         {{"encoder_layers", "1"}, {"bridge_layers", "\"same\""}}},
        {"d2l",
         "decoder.bias_hh_l1",
         {{"decoder_layers", "1"}, {"bridge_layers", "\"same\""}}},
        {"keras-stack",
         "encoder.bias_ih_l0_reverse",
         {{"bidirectional", "false"},
          {"merge", "\"none\""},
          {"encoder_stack", "\"none\""},
          {"summary", "\"forward\""}}},
        {"coverage-sum", "bridge.bias", {{"bridge_bias", "false"}}},
        {"lstm-marian", "bridge.cell.bias", {{"bridge_cell", "\"zero\""}}},
        {"coverage-sum", "readout.bias", {{"readout_bias", "false"}}},
        {"coverage-sum", "out_bias", {{"output_bias", "false"}}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct model model;
        char text[160];
        snprintf(text, sizeof text, "family-%s", rows[i].model);
        model_read(&model, text);
        for (int k = 0; k < 4 && rows[i].changes[k].field; k++)
            set_value(&model, rows[i].changes[k].field, rows[i].changes[k].value);
        snprintf(text, sizeof text,
                 "tensor '%s' is left over, config.json's field '%s' has no use for it",
                 rows[i].tensor, rows[i].changes[0].field);
        model_must_say(&model, WEIGHTS, text);
    }
}

static struct model_config config_of(const char *name)
{
    struct model_config config;
    struct error err = {0};
    char path[4200];
    snprintf(path, sizeof path, "%s/golden/models/%s/config.json", ALPHASCOPE_TESTS,
             name);
    if (!config_read(&config, path, &err))
        fail_msg("%s", err.text);
    return config;
}

static void version_1_defines_what_it_does_not_say(void **state)
{
    (void)state;
    struct model_config c = config_of("tiny-additive-f32");
    assert_int_equal(c.version, 1);
    assert_int_equal(c.encoder_cell, CELL_GRU_PYTORCH);
    assert_int_equal(c.decoder_cell, CELL_GRU_PYTORCH);
    assert_int_equal(c.second_cell, CELL_NONE);
    assert_int_equal(c.source_embedding, 17);
    assert_int_equal(c.target_embedding, 17);
    assert_int_equal(c.readout_hidden, 17);
    assert_int_equal(c.decoder_input.count, 2);
    assert_int_equal(c.decoder_input.at[1], PART_CONTEXT);
    assert_int_equal(c.readout_input.count, 3);
    assert_true(c.bidirectional && c.tied && c.output_bias && c.key_bias);
    assert_true(c.source_eos && !c.query_bias && !c.energy_bias);
    c = config_of("tiny-general-bf16");
    assert_int_equal(c.query, QUERY_CURRENT);
    assert_int_equal(c.decoder_input.at[1], PART_FEED);
    assert_int_equal(c.readout_input.count, 2);
    assert_false(c.key_bias);
    assert_int_equal(c.attention_hidden, 0);
    c = config_of("tiny-none-bf16");
    assert_int_equal(c.query, QUERY_NONE);
    assert_int_equal(c.decoder_input.at[1], PART_CONTEXT);
}

static void networks_are_called_what_they_are(void **state)
{
    static const struct {
        const char *model, *name, *paper, *formula;
    } rows[] = {
        {"tiny-additive-f32", "RNNsearch", "Bahdanau, Cho, Bengio 2015",
         "e = vᵀ tanh(W s + U h)"},
        {"tiny-general-bf16", "Luong general", "Luong, Pham, Manning 2015", "e = sᵀ W h"},
        {"tiny-none-bf16", "RNNencdec", "Cho et al. 2014", "c = m, no attention"},
        {"family-nematus", "RNNsearch, conditional GRU", "Sennrich et al. 2017",
         "e = vᵀ tanh(W s′ + U h)"},
        {"family-marian-lstm", "RNNsearch, conditional LSTM", "Sennrich et al. 2017",
         "e = vᵀ tanh(W s′ + U h)"},
        {"family-coverage-sum", "RNNsearch, coverage", "Tu et al. 2016",
         "e = vᵀ tanh(W s + U h + w C)"},
        {"family-conditional-coverage", "RNNsearch, conditional GRU, coverage",
         "Tu et al. 2016", "e = vᵀ tanh(W s′ + U h + w C)"},
        {"family-coverage-concat", "Concat, coverage", "Tu et al. 2016",
         "e = vᵀ tanh(W [s ; h ; C])"},
        {"family-joeynmt", "Additive, query s_t", "Bahdanau, Cho, Bengio 2015",
         "e = vᵀ tanh(W s + U h)"},
        {"family-scaled-dot", "Scaled dot, query s_{t-1}", "Vaswani et al. 2017",
         "e = sᵀ h / √d"},
        {"family-cosine", "Cosine", "Graves, Wayne, Danihelka 2014",
         "e = sᵀ h / (|s| |h|)"},
        {"family-dot-between", "Dot, conditional GRU", "Luong, Pham, Manning 2015",
         "e = s′ᵀ h"},
        {"family-sutskever", "Encoder-decoder", "Sutskever, Vinyals, Le 2014",
         "s_0 from m, no attention"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct model_config config = config_of(rows[i].model);
        const struct naming naming = model_naming(&config);
        assert_string_equal(naming.name, rows[i].name);
        assert_string_equal(naming.paper, rows[i].paper);
        assert_string_equal(naming.formula, rows[i].formula);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_fact_takes_another_type_or_word),
        cmocka_unit_test(no_fact_is_guessed),
        cmocka_unit_test(what_belongs_to_version_1_is_named),
        cmocka_unit_test(facts_that_do_not_go_together_are_both_named),
        cmocka_unit_test(a_fact_without_use_for_a_tensor_is_named),
        cmocka_unit_test(version_1_defines_what_it_does_not_say),
        cmocka_unit_test(networks_are_called_what_they_are),
    };
    return cmocka_run_group_tests_name("facts", tests, make_root, remove_root);
}
