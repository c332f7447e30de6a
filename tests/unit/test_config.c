// SPDX-License-Identifier: MIT
// formats/config, version 1: each field of config.json of another type, out of range,
// missing, twice or unknown is a sentence that names the file and the field. The facts of
// version 2 are test_facts.c's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "spoilt_model.h"

static const char *const fields[] = {
    "format",
    "version",
    "languages",
    "cell",
    "bidirectional",
    "layers",
    "embedding",
    "encoder_hidden",
    "decoder_hidden",
    "attention_hidden",
    "score",
    "query",
    "source_vocab",
    "target_vocab",
    "dropout",
    "pad",
    "bos",
    "eos",
    "unk",
};
enum { FIELDS = sizeof fields / sizeof *fields };

static void check_value(const char *field, const char *value)
{
    struct model model;
    char expected[64];
    model_read(&model, "tiny-concat-f16");
    set_value(&model, field, value);
    snprintf(expected, sizeof expected, "field '%s' is ", field);
    model_must_say(&model, CONFIG, expected);
}

static void no_field_takes_another_type(void **state)
{
    static const char *const values[] = {"null",      "[]",
                                         "{}",        "[1]",
                                         "false",     "\"\"",
                                         "\"x\"",     "-1",
                                         "1.5",       "1e3",
                                         "{\"a\":1}", "\"\\ud83d\\ude00\"",
                                         "1e999",     "99999999999999999999"};
    (void)state;
    for (int i = 0; i < FIELDS; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            check_value(fields[i], values[j]);
}

static void every_field_must_be_there_once_and_no_other(void **state)
{
    struct model model;
    char old[64], new[64], expected[64];
    (void)state;
    for (int i = 0; i < FIELDS; i++) {
        // Renamed to a comment it is missing.
        snprintf(old, sizeof old, "\"%s\"", fields[i]);
        model_read(&model, "tiny-concat-f16");
        set_value(&model, fields[i], "\"gone\"");
        replace(&model, CONFIG, old, "\"comment\"");
        snprintf(expected, sizeof expected, "field '%s' is missing", fields[i]);
        model_must_say(&model, CONFIG, expected);
        // With another case it is unknown.
        snprintf(new, sizeof new, "\"%c%s\"", fields[i][0] - 32, fields[i] + 1);
        model_read(&model, "tiny-concat-f16");
        replace(&model, CONFIG, old, new);
        snprintf(expected, sizeof expected, "unknown field \"%c", fields[i][0] - 32);
        if (i < 2) // format and version are looked for before the others
            snprintf(expected, sizeof expected, "field '%s' is missing", fields[i]);
        model_must_say(&model, CONFIG, expected);
    }
    // What the other version has is known, and not wanted.
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "{", "{\"merge\": \"concat\",");
    model_must_say(&model, CONFIG,
                   "field 'merge' is of version 2, the field 'version' is 1");
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "{", "{\"embedding\": 24,");
    model_must_say(&model, CONFIG, "field 'embedding' appears twice");
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "\n}", ",\n}");
    model_must_say(&model, CONFIG, "expected a string");
    model_read(&model, "tiny-concat-f16");
    buf_add(&model.files[CONFIG], "x");
    model_must_say(&model, CONFIG, "something follows");
    model_read(&model, "tiny-concat-f16");
    set_text(&model.files[CONFIG], "[1]", 3);
    model_must_say(&model, CONFIG, "is not a JSON object");
}

static void values_out_of_range_are_refused(void **state)
{
    static const char *const rows[][2] = {
        {"format", "\"other\""},
        {"version", "3"},
        {"version", "0"},
        {"languages", "\"en\""},
        {"languages", "\"en-\""},
        {"languages", "\"EN-FR\""},
        {"languages", "\"en-fr-de\""},
        {"languages", "\"en\\n-fr\""},
        {"languages", "\"abcdefghijklmnopq-abcdefghijklmnopq\""},
        {"cell", "\"lstm\""},
        {"bidirectional", "1"},
        {"layers", "2"},
        {"embedding", "0"},
        {"embedding", "8193"},
        {"embedding", "24.0"},
        {"encoder_hidden", "0"},
        {"encoder_hidden", "8193"},
        {"decoder_hidden", "0"},
        {"decoder_hidden", "2147483648"},
        {"attention_hidden", "0"},
        {"attention_hidden", "8193"},
        {"score", "\"Additive\""},
        {"score", "\"mlp\""},
        {"query", "\"next\""},
        {"query", "\"previous\""},
        {"source_vocab", "7"},
        {"source_vocab", "1048577"},
        {"target_vocab", "0"},
        {"target_vocab", "4294967297"},
        {"dropout", "1"},
        {"dropout", "-0.1"},
        {"dropout", "1e9"},
        {"pad", "1048576"},
        {"pad", "101"},
        {"bos", "5000"},
        {"eos", "9999"},
        {"unk", "101"},
    };
    struct model model;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_value(rows[i][0], rows[i][1]);
    model_read(&model, "tiny-concat-f16");
    set_value(&model, "bos", "2");
    model_must_say(&model, CONFIG, "fields 'bos' and 'eos' are both 2");
    model_read(&model, "tiny-additive-f32");
    set_value(&model, "query", "\"current\"");
    model_must_say(&model, CONFIG,
                   "field 'query' is \"current\", expected \"previous\" with score "
                   "\"additive\"");
    model_read(&model, "tiny-dot-f32");
    set_value(&model, "decoder_hidden", "11");
    model_must_say(&model, CONFIG,
                   "field 'decoder_hidden' is 11, expected the width of the encoder's "
                   "memory, 10, with score \"dot\"");
}

static void a_comment_is_allowed(void **state)
{
    struct model model;
    (void)state;
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "{", "{\"comment\": \"for people\",");
    model_write(&model);
    check_opens(model.path, "spoilt");
    model_free(&model);
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "{", "{\"comment\": 1,");
    model_must_say(&model, CONFIG, "field 'comment' is 1, expected a text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_field_takes_another_type),
        cmocka_unit_test(every_field_must_be_there_once_and_no_other),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(a_comment_is_allowed),
    };
    return cmocka_run_group_tests_name("config", tests, make_root, remove_root);
}
