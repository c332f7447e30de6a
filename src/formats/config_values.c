// SPDX-License-Identifier: MIT
// The value of one field of config.json, by its kind, into the config. See
// config_fields.h.
#include "formats/config_fields.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 320 };

struct taking {
    const struct json *json; // what it is from, for errors
    struct model_config *config;
};

static bool refuse(const struct taking *to, const struct field *field,
                   const struct json_value *value, const char *expected)
{
    return json_refuse(to->json, field->name, value, expected);
}

static void *place(struct taking *to, const struct field *field)
{
    return (char *)to->config + field->at;
}

static bool take_integer(struct taking *to, const struct field *field,
                         const struct json_value *value)
{
    char expected[64];
    uint64_t number;
    if (!json_integer(value, (uint64_t)field->max, &number) ||
        number < (uint64_t)field->min) {
        snprintf(expected, sizeof expected, "an integer from %d to %d", field->min,
                 field->max);
        if (field->min == field->max)
            snprintf(expected, sizeof expected, "%d", field->min);
        return refuse(to, field, value, expected);
    }
    int as_int = (int)number;
    if (field->at != SIZE_MAX)
        memcpy(place(to, field), &as_int, sizeof as_int);
    return true;
}

static bool take_number(struct taking *to, const struct field *field,
                        const struct json_value *value)
{
    char expected[64];
    double number;
    if (!json_number(value, &number) || !(number >= field->min && number <= field->max)) {
        snprintf(expected, sizeof expected, "a number from %d to %d", field->min,
                 field->max);
        return refuse(to, field, value, expected);
    }
    float as_float = (float)number;
    memcpy(place(to, field), &as_float, sizeof as_float);
    return true;
}

// "en-fr": lower-case letters, one hyphen between.
static bool languages_valid(const char *text)
{
    size_t first = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    if (first == 0 || text[first] != '-')
        return false;
    const char *second = text + first + 1;
    size_t length = strspn(second, "abcdefghijklmnopqrstuvwxyz");
    return length > 0 && second[length] == '\0';
}

static bool take_languages(struct taking *to, const struct field *field,
                           const struct json_value *value)
{
    char text[sizeof to->config->languages];
    if (!json_text(value, text, sizeof text, NULL) || !languages_valid(text))
        return refuse(to, field, value, "two language codes such as \"en-fr\"");
    memcpy(to->config->languages, text, sizeof text);
    return true;
}

static bool allows(const struct field *field, int value)
{
    return value >= 0 && (field->allowed >> value & 1);
}

// "\"copy\", \"linear\" or \"tanh\"": the words that may stand there.
static void list_words(const struct field *field, char *out, size_t size)
{
    size_t at = 0;
    int left = 0;
    for (int i = 0; fact_word(field->fact, i); i++)
        left += allows(field, i);
    for (int i = 0; fact_word(field->fact, i) && at < size; i++) {
        if (!allows(field, i))
            continue;
        left--;
        at += (size_t)snprintf(out + at, size - at, "\"%s\"%s", fact_word(field->fact, i),
                               left > 1 ? ", "
                               : left   ? " or "
                                        : "");
    }
}

// The allowed value that a word stands for; -1 without one.
static int choice_of(const struct field *field, const struct json_value *value)
{
    char text[CONFIG_WORD_BYTES];
    int choice =
        json_text(value, text, sizeof text, NULL) ? fact_find(field->fact, text) : -1;
    return allows(field, choice) ? choice : -1;
}

static bool take_choice(struct taking *to, const struct field *field,
                        const struct json_value *value)
{
    char expected[MAX_WORDS];
    int choice = choice_of(field, value);
    if (choice < 0) {
        list_words(field, expected, sizeof expected);
        return refuse(to, field, value, expected);
    }
    memcpy(place(to, field), &choice, sizeof choice);
    return true;
}

static bool read_parts(struct taking *to, const struct field *field,
                       const struct json_value *value, struct parts *parts)
{
    struct json json;
    struct json_value word;
    bool more;
    if (value->kind != JSON_ARRAY ||
        !json_init(&json, value->raw, value->length, to->json->what, NULL) ||
        !json_open(&json, '[') || !json_more(&json, &more))
        return false;
    while (more) {
        int part = json_value(&json, &word) ? choice_of(field, &word) : -1;
        if (part < 0 || parts->count == MODEL_MAX_PARTS ||
            model_reads(parts, (enum part)part))
            return false;
        parts->at[parts->count++] = (enum part)part;
        if (!json_more(&json, &more))
            return false;
    }
    return parts->count > 0;
}

static bool take_parts(struct taking *to, const struct field *field,
                       const struct json_value *value)
{
    struct parts parts = {0};
    char words[MAX_WORDS], expected[MAX_WORDS + 64];
    if (!read_parts(to, field, value, &parts)) {
        list_words(field, words, sizeof words);
        snprintf(expected, sizeof expected, "an array of %s, each at most once", words);
        return refuse(to, field, value, expected);
    }
    memcpy(place(to, field), &parts, sizeof parts);
    return true;
}

// An id that is masked, once.
static bool add_masked(struct model_config *config, uint64_t id)
{
    for (int i = 0; i < config->n_masked; i++)
        if (config->masked[i] == (int)id)
            return true;
    if (config->n_masked == MODEL_MAX_MASKED)
        return false;
    config->masked[config->n_masked++] = (int)id;
    return true;
}

// An array of ids. words: of arrays, where only those of one id count.
static bool read_ids(struct taking *to, const struct json_value *value, bool words)
{
    struct model_config single, *config = words ? &single : to->config;
    struct json json;
    struct json_value item;
    uint64_t id;
    bool more;
    if (value->kind != JSON_ARRAY ||
        !json_init(&json, value->raw, value->length, to->json->what, NULL) ||
        !json_open(&json, '[') || !json_more(&json, &more))
        return false;
    for (bool ok = true; more; ok = json_more(&json, &more)) {
        struct taking inner = {to->json, &single};
        single.n_masked = 0;
        if (!ok || !json_value(&json, &item))
            return false;
        if (!words &&
            (!json_integer(&item, MODEL_MAX_VOCAB - 1, &id) || !add_masked(config, id)))
            return false;
        if (words && !read_ids(&inner, &item, false))
            return false;
        if (words && single.n_masked == 1 &&
            !add_masked(to->config, (uint64_t)single.masked[0]))
            return false;
    }
    return true;
}

static bool take_ids(struct taking *to, const struct field *field,
                     const struct json_value *value)
{
    char expected[64];
    snprintf(expected, sizeof expected, "an array of at most %d %s", MODEL_MAX_MASKED,
             field->kind == IDS ? "ids" : "arrays of ids");
    return read_ids(to, value, field->kind == WORDS) ||
           refuse(to, field, value, expected);
}

static bool take_epsilon(struct taking *to, const struct field *field,
                         const struct json_value *value)
{
    double number;
    if (!json_number(value, &number) || !(number > 0 && number <= 0.1))
        return refuse(to, field, value, "a number above 0, to 0.1");
    float as_float = (float)number;
    if (!(as_float > 0))
        return refuse(to, field, value, "a number above 0, to 0.1");
    memcpy(place(to, field), &as_float, sizeof as_float);
    return true;
}

static bool take_activation(struct taking *to, const struct field *field,
                            const struct json_value *value)
{
    char text[CONFIG_WORD_BYTES];
    int found = json_text(value, text, sizeof text, NULL) ? config_activation(text) : -1;
    if (found < 0)
        return refuse(to, field, value,
                      "\"relu\", \"gelu\", \"gelu_new\", \"gelu_pytorch_tanh\", "
                      "\"swish\" or \"silu\"");
    to->config->transformer.activation = (enum activation)found;
    return true;
}

static bool take_flag(struct taking *to, const struct field *field,
                      const struct json_value *value)
{
    bool flag = value->raw[0] == 't';
    if (value->kind != JSON_BOOL || (field->kind == FIXED && flag != (field->min != 0)))
        return refuse(to, field, value,
                      field->kind == FLAG ? "true or false"
                      : field->min        ? "true"
                                          : "false");
    if (field->kind == FLAG)
        memcpy(place(to, field), &flag, sizeof flag);
    return true;
}

static bool take_text(struct taking *to, const struct field *field,
                      const struct json_value *value)
{
    char expected[64];
    if (json_is(value, field->text))
        return true;
    snprintf(expected, sizeof expected, "\"%s\"", field->text);
    return refuse(to, field, value, expected);
}

bool config_take(struct model_config *config, const struct json *json,
                 const struct field *field, const struct json_value *value)
{
    struct taking *to = &(struct taking){json, config};
    double share;
    switch (field->kind) {
    case TEXT:
        return take_text(to, field, value);
    case LANGUAGES:
        return take_languages(to, field, value);
    case CHOICE:
        return take_choice(to, field, value);
    case PARTS:
        return take_parts(to, field, value);
    case FLAG:
    case FIXED:
        return take_flag(to, field, value);
    case INTEGER:
        return take_integer(to, field, value);
    case NUMBER:
        return take_number(to, field, value);
    case SHARE:
        return (json_number(value, &share) && share >= 0 && share < 1) ||
               refuse(to, field, value, "a number from 0 to below 1");
    case EPSILON:
        return take_epsilon(to, field, value);
    case IDS:
    case WORDS:
        return take_ids(to, field, value);
    case ACTIVATION:
        return take_activation(to, field, value);
    case NOTE:
        return value->kind == JSON_STRING || refuse(to, field, value, "a text");
    }
    return false;
}
