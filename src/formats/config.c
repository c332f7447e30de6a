// SPDX-License-Identifier: MIT
// config.json, read by the table in config_fields.c. A field that is missing, unknown,
// there twice, of another type or out of range is one sentence that names it, what was
// found and what was expected. Format and version decide which fields there are, so they
// are looked for first. Of Hugging Face's files what is unknown is passed over: they hold
// much that is not about the network.
#include "formats/config.h"

#include "formats/config_fields.h"

#include "base/file.h"

#include <string.h>

enum { MAX_CONFIG_BYTES = 64 * 1024 };

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
    char name[CONFIG_WORD_BYTES] = "";
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
    return none || config_take(reader->config, &reader->json, &config_fields[i], value);
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
            return config_take(reader->config, &reader->json, field, &none);
    }
    return true;
}

static bool note(struct reader *reader, const struct json_value *key,
                 const struct json_value *value)
{
    struct told *told = reader->told;
    char name[CONFIG_WORD_BYTES] = "";
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
    if (!config_take(reader->config, &reader->json, &version, &told->version))
        return false;
    reader->layout = reader->config->version == 1 ? LAYOUT_1 : LAYOUT_2;
    return true;
}

static bool tell_layout(struct reader *reader, const struct told *told)
{
    if (!told->format.raw && !told->model_type.raw)
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: field 'format' is missing, or Hugging Face's 'model_type'",
                         reader->path);
    if (!told->format.raw && !json_is(&told->model_type, "marian"))
        return json_refuse(&reader->json, "model_type", &told->model_type, "\"marian\"");
    if (!told->format.raw) {
        reader->layout = LAYOUT_MARIAN;
        return true;
    }
    if (json_is(&told->format, "alphascope-seq2seq"))
        return tell_seq2seq(reader, told);
    if (!json_is(&told->format, "alphascope-transformer"))
        return json_refuse(&reader->json, "format", &told->format,
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
