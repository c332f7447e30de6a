// SPDX-License-Identifier: MIT
// config.json, read by the table in config_fields.c. A field that is missing, unknown,
// there twice, of another type or out of range is one sentence that names it, what was
// found and what was expected. Format and version decide which fields there are, so they
// are looked for first. Of Hugging Face's files what is unknown is passed over: they hold
// much that is not about the network.
#include "formats/config.h"

#include "formats/config_fields.h"
#include "formats/json.h"

#include "base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CONFIG_BYTES = 64 * 1024, MAX_FIELD = 64, MAX_WORDS = 320 };

struct told {                                      // what the file says it is
    struct json_value format, version, model_type; // raw NULL: not there
};

struct reader {
    struct json json;
    struct model_config *config;
    const char *path;
    struct error *err;
    struct told *told;
    enum layout layout;
    bool seen[CONFIG_MOST_FIELDS];
};

static bool refuse(struct reader *reader, const struct field *field,
                   const struct json_value *value, const char *expected)
{
    int shown = (int)(value->length < 60 ? value->length : 60);
    return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' is %.*s%s, expected %s",
                     reader->path, field->name, shown, value->raw,
                     value->length > 60 ? "..." : "", expected);
}

static void *place(struct reader *reader, const struct field *field)
{
    return (char *)reader->config + field->at;
}

static bool take_integer(struct reader *reader, const struct field *field,
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
        return refuse(reader, field, value, expected);
    }
    int as_int = (int)number;
    if (field->at != SIZE_MAX)
        memcpy(place(reader, field), &as_int, sizeof as_int);
    return true;
}

static bool take_number(struct reader *reader, const struct field *field,
                        const struct json_value *value)
{
    char expected[64];
    double number;
    if (!json_number(value, &number) || !(number >= field->min && number <= field->max)) {
        snprintf(expected, sizeof expected, "a number from %d to %d", field->min,
                 field->max);
        return refuse(reader, field, value, expected);
    }
    float as_float = (float)number;
    memcpy(place(reader, field), &as_float, sizeof as_float);
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

static bool take_languages(struct reader *reader, const struct field *field,
                           const struct json_value *value)
{
    char text[sizeof reader->config->languages];
    if (!json_text(value, text, sizeof text, NULL) || !languages_valid(text))
        return refuse(reader, field, value, "two language codes such as \"en-fr\"");
    memcpy(reader->config->languages, text, sizeof text);
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
    char text[MAX_FIELD];
    int choice =
        json_text(value, text, sizeof text, NULL) ? fact_find(field->fact, text) : -1;
    return allows(field, choice) ? choice : -1;
}

static bool take_choice(struct reader *reader, const struct field *field,
                        const struct json_value *value)
{
    char expected[MAX_WORDS];
    int choice = choice_of(field, value);
    if (choice < 0) {
        list_words(field, expected, sizeof expected);
        return refuse(reader, field, value, expected);
    }
    memcpy(place(reader, field), &choice, sizeof choice);
    return true;
}

static bool read_parts(struct reader *reader, const struct field *field,
                       const struct json_value *value, struct parts *parts)
{
    struct json json;
    struct json_value word;
    bool more;
    if (value->kind != JSON_ARRAY ||
        !json_init(&json, value->raw, value->length, reader->path, NULL) ||
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

static bool take_parts(struct reader *reader, const struct field *field,
                       const struct json_value *value)
{
    struct parts parts = {0};
    char words[MAX_WORDS], expected[MAX_WORDS + 64];
    if (!read_parts(reader, field, value, &parts)) {
        list_words(field, words, sizeof words);
        snprintf(expected, sizeof expected, "an array of %s, each at most once", words);
        return refuse(reader, field, value, expected);
    }
    memcpy(place(reader, field), &parts, sizeof parts);
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
static bool read_ids(struct reader *reader, const struct json_value *value, bool words)
{
    struct model_config single, *config = words ? &single : reader->config;
    struct json json;
    struct json_value item;
    uint64_t id;
    bool more;
    if (value->kind != JSON_ARRAY ||
        !json_init(&json, value->raw, value->length, reader->path, NULL) ||
        !json_open(&json, '[') || !json_more(&json, &more))
        return false;
    for (bool ok = true; more; ok = json_more(&json, &more)) {
        struct reader inner = {.config = &single, .path = reader->path};
        single.n_masked = 0;
        if (!ok || !json_value(&json, &item))
            return false;
        if (!words &&
            (!json_integer(&item, MODEL_MAX_VOCAB - 1, &id) || !add_masked(config, id)))
            return false;
        if (words && !read_ids(&inner, &item, false))
            return false;
        if (words && single.n_masked == 1 &&
            !add_masked(reader->config, (uint64_t)single.masked[0]))
            return false;
    }
    return true;
}

static bool take_ids(struct reader *reader, const struct field *field,
                     const struct json_value *value)
{
    char expected[64];
    snprintf(expected, sizeof expected, "an array of at most %d %s", MODEL_MAX_MASKED,
             field->kind == IDS ? "ids" : "arrays of ids");
    return read_ids(reader, value, field->kind == WORDS) ||
           refuse(reader, field, value, expected);
}

static bool take_epsilon(struct reader *reader, const struct field *field,
                         const struct json_value *value)
{
    double number;
    if (!json_number(value, &number) || !(number > 0 && number <= 0.1))
        return refuse(reader, field, value, "a number above 0, to 0.1");
    float as_float = (float)number;
    if (!(as_float > 0))
        return refuse(reader, field, value, "a number above 0, to 0.1");
    memcpy(place(reader, field), &as_float, sizeof as_float);
    return true;
}

static bool take_activation(struct reader *reader, const struct field *field,
                            const struct json_value *value)
{
    char text[MAX_FIELD];
    int found = json_text(value, text, sizeof text, NULL) ? config_activation(text) : -1;
    if (found < 0)
        return refuse(reader, field, value,
                      "\"relu\", \"gelu\", \"gelu_new\", \"gelu_pytorch_tanh\", "
                      "\"swish\" or \"silu\"");
    reader->config->transformer.activation = (enum activation)found;
    return true;
}

static bool take_flag(struct reader *reader, const struct field *field,
                      const struct json_value *value)
{
    bool flag = value->raw[0] == 't';
    if (value->kind != JSON_BOOL || (field->kind == FIXED && flag != (field->min != 0)))
        return refuse(reader, field, value,
                      field->kind == FLAG ? "true or false"
                      : field->min        ? "true"
                                          : "false");
    if (field->kind == FLAG)
        memcpy(place(reader, field), &flag, sizeof flag);
    return true;
}

static bool take_text(struct reader *reader, const struct field *field,
                      const struct json_value *value)
{
    char text[MAX_FIELD], expected[64];
    if (json_text(value, text, sizeof text, NULL) && strcmp(text, field->text) == 0)
        return true;
    snprintf(expected, sizeof expected, "\"%s\"", field->text);
    return refuse(reader, field, value, expected);
}

static bool take_value(struct reader *reader, const struct field *field,
                       const struct json_value *value)
{
    double share;
    switch (field->kind) {
    case TEXT:
        return take_text(reader, field, value);
    case LANGUAGES:
        return take_languages(reader, field, value);
    case CHOICE:
        return take_choice(reader, field, value);
    case PARTS:
        return take_parts(reader, field, value);
    case FLAG:
    case FIXED:
        return take_flag(reader, field, value);
    case INTEGER:
        return take_integer(reader, field, value);
    case NUMBER:
        return take_number(reader, field, value);
    case SHARE:
        return (json_number(value, &share) && share >= 0 && share < 1) ||
               refuse(reader, field, value, "a number from 0 to below 1");
    case EPSILON:
        return take_epsilon(reader, field, value);
    case IDS:
    case WORDS:
        return take_ids(reader, field, value);
    case ACTIVATION:
        return take_activation(reader, field, value);
    case NOTE:
        return value->kind == JSON_STRING || refuse(reader, field, value, "a text");
    }
    return false;
}

// The row of a field; -1: it has none here. *other is the version of the same format that
// has it.
static int find_field(const char *name, enum layout layout, int *other)
{
    *other = 0;
    for (int i = 0; i < config_field_count; i++) {
        const struct field *field = &config_fields[i];
        if (strcmp(field->name, name) != 0)
            continue;
        if (field->layouts & layout)
            return i;
        if (layout <= LAYOUT_2 && field->layouts & (LAYOUT_1 | LAYOUT_2))
            *other = field->layouts & LAYOUT_1 ? 1 : CONFIG_NEWEST;
    }
    return -1;
}

static bool unknown(struct reader *reader, const struct json_value *key, const char *name,
                    int other)
{
    if (other)
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: field '%s' is of version %d, the field 'version' is %d",
                         reader->path, name, other, reader->config->version);
    return reader->layout == LAYOUT_MARIAN ||
           fail_with(reader->err, ERR_FORMAT, "%s: unknown field %.*s", reader->path,
                     (int)(key->length < 60 ? key->length : 60), key->raw);
}

static bool take_field(struct reader *reader, const struct json_value *key,
                       const struct json_value *value)
{
    char name[MAX_FIELD] = "";
    int other;
    json_text(key, name, sizeof name, NULL);
    int i = find_field(name, reader->layout, &other);
    if (i < 0)
        return unknown(reader, key, name, other);
    if (reader->seen[i])
        return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' appears twice",
                         reader->path, name);
    reader->seen[i] = true;
    bool none = value->kind == JSON_NULL && config_fields[i].optional &&
                reader->layout == LAYOUT_MARIAN;
    return none || take_value(reader, &config_fields[i], value);
}

typedef bool take_function(struct reader *reader, const struct json_value *key,
                           const struct json_value *value);

static bool read_fields(struct reader *reader, const char *text, size_t size,
                        take_function *take)
{
    struct json_value key, value;
    bool more;
    if (!json_init(&reader->json, text, size, reader->path, reader->err))
        return false;
    if (!json_at(&reader->json, '{'))
        return fail_with(reader->err, ERR_FORMAT, "%s: is not a JSON object",
                         reader->path);
    if (!json_open(&reader->json, '{') || !json_more(&reader->json, &more))
        return false;
    while (more)
        if (!json_key(&reader->json, &key) || !json_value(&reader->json, &value) ||
            !take(reader, &key, &value) || !json_more(&reader->json, &more))
            return false;
    return json_finish(&reader->json);
}

// A missing field is refused like a wrong one, so that the sentence says what was
// expected.
static bool all_seen(struct reader *reader)
{
    static const char word[] = "missing";
    const struct json_value none = {JSON_NULL, word, sizeof word - 1};
    for (int i = 0; i < config_field_count; i++) {
        const struct field *field = &config_fields[i];
        if (field->layouts & reader->layout && !field->optional && !reader->seen[i])
            return take_value(reader, field, &none);
    }
    return true;
}

static bool note(struct reader *reader, const struct json_value *key,
                 const struct json_value *value)
{
    struct told *told = reader->told;
    char name[MAX_FIELD] = "";
    json_text(key, name, sizeof name, NULL);
    struct json_value *at = strcmp(name, "format") == 0       ? &told->format
                            : strcmp(name, "version") == 0    ? &told->version
                            : strcmp(name, "model_type") == 0 ? &told->model_type
                                                              : NULL;
    if (at && at->raw)
        return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' appears twice",
                         reader->path, name);
    if (at)
        *at = *value;
    return true;
}

static bool is_text(const struct json_value *value, const char *text)
{
    char found[MAX_FIELD];
    return json_text(value, found, sizeof found, NULL) && strcmp(found, text) == 0;
}

static bool missing(struct reader *reader, const char *name)
{
    return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' is missing", reader->path,
                     name);
}

static bool tell_seq2seq(struct reader *reader, const struct told *told)
{
    const struct field version = {"version", 0,
                                  INTEGER,   offsetof(struct model_config, version),
                                  .min = 1,  .max = CONFIG_NEWEST};
    if (!told->version.raw)
        return missing(reader, "version");
    if (!take_integer(reader, &version, &told->version))
        return false;
    reader->layout = reader->config->version == 1 ? LAYOUT_1 : LAYOUT_2;
    return true;
}

static bool tell_layout(struct reader *reader, const struct told *told)
{
    const struct field format = {.name = "format"}, type = {.name = "model_type"};
    if (!told->format.raw && !told->model_type.raw)
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: field 'format' is missing, or Hugging Face's 'model_type'",
                         reader->path);
    if (!told->format.raw && !is_text(&told->model_type, "marian"))
        return refuse(reader, &type, &told->model_type, "\"marian\"");
    if (!told->format.raw) {
        reader->layout = LAYOUT_MARIAN;
        return true;
    }
    if (is_text(&told->format, "alphascope-seq2seq"))
        return tell_seq2seq(reader, told);
    if (!is_text(&told->format, "alphascope-transformer"))
        return refuse(reader, &format, &told->format,
                      "\"alphascope-seq2seq\" or \"alphascope-transformer\"");
    reader->layout = LAYOUT_TRANSFORMER;
    return true;
}

static void begin_transformer(struct model_config *config)
{
    config->family = FAMILY_TRANSFORMER;
    config->score = SCORE_SCALED_DOT;
    config->query = QUERY_CURRENT;
}

// The facts that the fields leave open, and the rules between them.
static bool define(const struct reader *reader)
{
    struct model_config *config = reader->config;
    if (reader->layout == LAYOUT_1 &&
        !config_define_version_1(config, reader->path, reader->err))
        return false;
    if (reader->layout == LAYOUT_MARIAN)
        return config_define_marian(config, reader->path, reader->err);
    config->source_eos_id = config->eos;
    return model_config_check(config, reader->path, reader->err);
}

bool config_parse(struct model_config *config, const char *text, size_t size,
                  const char *path, struct error *err)
{
    struct told told = {0};
    struct reader reader = {.config = config, .path = path, .err = err, .told = &told};
    *config = (struct model_config){0};
    if (size == 0)
        return fail_with(err, ERR_FORMAT, "%s: is empty", path);
    if (!read_fields(&reader, text, size, note) || !tell_layout(&reader, &told))
        return false;
    if (reader.layout > LAYOUT_2)
        begin_transformer(config);
    if (reader.layout == LAYOUT_MARIAN)
        config_begin_marian(config);
    return read_fields(&reader, text, size, take_field) && all_seen(&reader) &&
           define(&reader);
}

bool config_read(struct model_config *config, const char *path, struct error *err)
{
    struct buf text;
    buf_init(&text, MAX_CONFIG_BYTES);
    bool ok = file_read(path, &text, err) &&
              config_parse(config, buf_text(&text), text.length, path, err);
    buf_finish(&text);
    return ok;
}
