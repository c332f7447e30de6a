// SPDX-License-Identifier: MIT
// config.json, read by a table: a row says how a field is called, what may stand there
// and where it goes. A field that is missing, unknown, there twice, of another type or
// out of range is one sentence that names it, what was found and what was expected.
#include "formats/config.h"

#include "engine/score.h"
#include "formats/json.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CONFIG_BYTES = 64 * 1024, MAX_FIELD = 32 };

enum kind {
    TEXT,      // exactly `text`
    LANGUAGES, // two codes and a hyphen
    SCORER,
    QUERY,
    YES,     // true
    INTEGER, // from min to max
    SHARE,   // a number from 0 up to 1: known to the training only
    NOTE,    // optional: any text, for people
};

struct field {
    const char *name;
    enum kind kind;
    const char *text;
    int min, max;
    size_t at; // of the int in struct model_config
};

#define INT(name, min, max)                                                              \
    {                                                                                    \
#name, INTEGER, NULL, min, max, offsetof(struct model_config, name)              \
    }
#define FIXED_INT(name, value)                                                           \
    {                                                                                    \
        name, INTEGER, NULL, value, value, SIZE_MAX                                      \
    }

static const struct field fields[] = {
    {"format", TEXT, "alphascope-seq2seq", 0, 0, 0},
    FIXED_INT("version", 1),
    {"languages", LANGUAGES, NULL, 0, 0, 0},
    {"cell", TEXT, "gru", 0, 0, 0},
    {"bidirectional", YES, NULL, 0, 0, 0},
    FIXED_INT("layers", 1),
    INT(embedding, 1, MODEL_MAX_WIDTH),
    INT(encoder_hidden, 1, MODEL_MAX_WIDTH),
    INT(decoder_hidden, 1, MODEL_MAX_WIDTH),
    INT(attention_hidden, 1, MODEL_MAX_WIDTH),
    {"score", SCORER, NULL, 0, 0, 0},
    {"query", QUERY, NULL, 0, 0, 0},
    INT(source_vocab, MODEL_MIN_VOCAB, MODEL_MAX_VOCAB),
    INT(target_vocab, MODEL_MIN_VOCAB, MODEL_MAX_VOCAB),
    {"dropout", SHARE, NULL, 0, 0, 0},
    INT(pad, 0, MODEL_MAX_VOCAB - 1),
    INT(bos, 0, MODEL_MAX_VOCAB - 1),
    INT(eos, 0, MODEL_MAX_VOCAB - 1),
    INT(unk, 0, MODEL_MAX_VOCAB - 1),
    {"comment", NOTE, NULL, 0, 0, 0},
};
#undef INT
#undef FIXED_INT

enum { FIELD_COUNT = sizeof fields / sizeof *fields };

struct reader {
    struct json json;
    struct model_config *config;
    const char *path;
    struct error *err;
    bool seen[FIELD_COUNT];
};

static bool refuse(struct reader *reader, const struct field *field,
                   const struct json_value *value, const char *expected)
{
    int shown = (int)(value->length < 60 ? value->length : 60);
    return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' is %.*s%s, expected %s",
                     reader->path, field->name, shown, value->raw,
                     value->length > 60 ? "..." : "", expected);
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
        memcpy((char *)reader->config + field->at, &as_int, sizeof as_int);
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

static bool take_scorer(struct reader *reader, const struct field *field,
                        const struct json_value *value)
{
    char text[MAX_FIELD];
    const struct scorer *scorer =
        json_text(value, text, sizeof text, NULL) ? scorer_find(text) : NULL;
    if (!scorer)
        return refuse(reader, field, value,
                      "\"additive\", \"dot\", \"general\", \"concat\" or \"none\"");
    reader->config->score = scorer->score;
    return true;
}

static bool take_query(struct reader *reader, const struct field *field,
                       const struct json_value *value)
{
    char text[MAX_FIELD];
    int query = json_text(value, text, sizeof text, NULL) ? query_find(text) : -1;
    if (query < 0)
        return refuse(reader, field, value, "\"previous\" or \"current\"");
    reader->config->query = query == QUERY_PREVIOUS ? QUERY_PREVIOUS : QUERY_CURRENT;
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
    case SCORER:
        return take_scorer(reader, field, value);
    case QUERY:
        return take_query(reader, field, value);
    case INTEGER:
        return take_integer(reader, field, value);
    case YES:
        return (value->kind == JSON_BOOL && value->raw[0] == 't') ||
               refuse(reader, field, value, "true");
    case SHARE:
        return (json_number(value, &share) && share >= 0 && share < 1) ||
               refuse(reader, field, value, "a number from 0 to below 1");
    case NOTE:
        return value->kind == JSON_STRING || refuse(reader, field, value, "a text");
    }
    return false;
}

static bool read_field(struct reader *reader)
{
    struct json_value key, value;
    char name[MAX_FIELD] = "";
    int i = 0;
    if (!json_key(&reader->json, &key) || !json_value(&reader->json, &value))
        return false;
    json_text(&key, name, sizeof name, NULL);
    while (i < FIELD_COUNT && strcmp(fields[i].name, name) != 0)
        i++;
    if (i == FIELD_COUNT)
        return fail_with(reader->err, ERR_FORMAT, "%s: unknown field %.*s", reader->path,
                         (int)(key.length < 60 ? key.length : 60), key.raw);
    if (reader->seen[i])
        return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' appears twice",
                         reader->path, name);
    reader->seen[i] = true;
    return take_value(reader, &fields[i], &value);
}

static bool read_fields(struct reader *reader)
{
    bool more;
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

bool config_parse(struct model_config *config, const char *text, size_t size,
                  const char *path, struct error *err)
{
    struct reader reader = {.config = config, .path = path, .err = err};
    *config = (struct model_config){0};
    if (size == 0)
        return fail_with(err, ERR_FORMAT, "%s: is empty", path);
    if (!json_init(&reader.json, text, size, path, err) || !read_fields(&reader))
        return false;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!reader.seen[i] && fields[i].kind != NOTE)
            return fail_with(err, ERR_FORMAT, "%s: field '%s' is missing", path,
                             fields[i].name);
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
