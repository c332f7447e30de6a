// SPDX-License-Identifier: MIT
// config.json, read by the table in config_fields.c. A field that is missing, unknown,
// there twice, of another type or out of range is one sentence that names it, what was
// found and what was expected. Format and version decide which fields there are, so they
// are looked for first.
#include "formats/config.h"

#include "formats/config_fields.h"
#include "formats/json.h"

#include "base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CONFIG_BYTES = 64 * 1024, MAX_FIELD = 32, MAX_WORDS = 320 };

struct reader {
    struct json json;
    struct model_config *config;
    const char *path;
    struct error *err;
    bool first; // only what tells the version; every other field is passed over
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
    case NOTE:
        return value->kind == JSON_STRING || refuse(reader, field, value, "a text");
    }
    return false;
}

static bool tells_version(const char *name)
{
    return strcmp(name, "format") == 0 || strcmp(name, "version") == 0;
}

static bool stands_in(const struct field *field, int version)
{
    return field->versions >> version & 1;
}

// The row of a field in the version that is being read; -1 without one. *other is a
// version that has it.
static int find_field(const char *name, int version, int *other)
{
    *other = 0;
    for (int i = 0; i < config_field_count; i++) {
        const struct field *field = &config_fields[i];
        if (strcmp(field->name, name) != 0)
            continue;
        if (stands_in(field, version))
            return i;
        *other = stands_in(field, 1) ? 1 : CONFIG_NEWEST;
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
    return fail_with(reader->err, ERR_FORMAT, "%s: unknown field %.*s", reader->path,
                     (int)(key->length < 60 ? key->length : 60), key->raw);
}

static bool read_field(struct reader *reader)
{
    struct json_value key, value;
    char name[MAX_FIELD] = "";
    int other;
    if (!json_key(&reader->json, &key) || !json_value(&reader->json, &value))
        return false;
    json_text(&key, name, sizeof name, NULL);
    if (reader->first && !tells_version(name))
        return true;
    int version = reader->first ? CONFIG_NEWEST : reader->config->version;
    int i = find_field(name, version, &other);
    if (i < 0)
        return unknown(reader, &key, name, other);
    if (reader->seen[i])
        return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' appears twice",
                         reader->path, name);
    reader->seen[i] = true;
    return take_value(reader, &config_fields[i], &value);
}

static bool read_fields(struct reader *reader, const char *text, size_t size)
{
    bool more;
    if (!json_init(&reader->json, text, size, reader->path, reader->err))
        return false;
    if (!json_at(&reader->json, '{'))
        return fail_with(reader->err, ERR_FORMAT, "%s: is not a JSON object",
                         reader->path);
    if (!json_open(&reader->json, '{') || !json_more(&reader->json, &more))
        return false;
    while (more)
        if (!read_field(reader) || !json_more(&reader->json, &more))
            return false;
    return json_finish(&reader->json);
}

static bool all_seen(const struct reader *reader)
{
    for (int i = 0; i < config_field_count; i++) {
        const struct field *field = &config_fields[i];
        bool wanted = reader->first ? tells_version(field->name)
                                    : stands_in(field, reader->config->version);
        if (wanted && !reader->seen[i] && field->kind != NOTE)
            return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' is missing",
                             reader->path, field->name);
    }
    return true;
}

bool config_parse(struct model_config *config, const char *text, size_t size,
                  const char *path, struct error *err)
{
    struct reader first = {.config = config, .path = path, .err = err, .first = true};
    struct reader reader = {.config = config, .path = path, .err = err};
    *config = (struct model_config){0};
    if (size == 0)
        return fail_with(err, ERR_FORMAT, "%s: is empty", path);
    if (!read_fields(&first, text, size) || !all_seen(&first) ||
        !read_fields(&reader, text, size) || !all_seen(&reader))
        return false;
    if (config->version == 1 && !config_define_version_1(config, path, err))
        return false;
    return model_config_check(config, path, err);
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
