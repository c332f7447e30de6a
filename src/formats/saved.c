// SPDX-License-Identifier: MIT
// Sessions there and back. See saved.h. The version is looked for before anything else
// is believed: what a newer program means by a field is not ours to guess.
#include "formats/saved.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "formats/json_fields.h"
#include "formats/write.h"
#include "text/tokenizer.h"

enum { ARENA_BYTES = 16 << 20, NAME_BYTES = 128, PATH_BYTES = 4096 };

static const char format_name[] = "alphascope-session";
static const char ending[] = ".alphascope";

struct reader {
    struct json json;
    struct saved *session;
    const char *what;
    struct error *err;
    struct buf kept; // of the object that is being read
};

static bool nomem(struct reader *reader)
{
    return fail_nomem(reader->err, reader->what);
}

// A string of less than size bytes into *out.
static bool take_string(struct reader *reader, const char *field, size_t size,
                        const char **out)
{
    return json_take_text(&reader->json, field, size, &reader->session->arena, out);
}

static bool take_text(struct reader *reader)
{
    return take_string(reader, "text", TEXT_MAX_BYTES + 1, &reader->session->text);
}

static bool take_tau(struct reader *reader)
{
    double tau = 1;
    bool ok = json_take_tau(&reader->json, (double)FLT_MAX, &tau);
    reader->session->tau = (float)tau;
    return ok;
}

static bool take_mode(struct reader *reader)
{
    struct json_value value;
    if (!json_value(&reader->json, &value))
        return false;
    if (!json_is(&value, "re-read") && !json_is(&value, "re-decode"))
        return json_refuse(&reader->json, "mode", &value, "\"re-read\" or \"re-decode\"");
    reader->session->reread = json_is(&value, "re-read");
    return true;
}

static bool take_lines(struct reader *reader, const char *field, const char **lines,
                       int *count)
{
    struct json_value value;
    bool more = false;
    if (!json_at(&reader->json, '['))
        return json_value(&reader->json, &value) &&
               json_refuse(&reader->json, field, &value, "a list of commands");
    if (!json_open(&reader->json, '[') || !json_more(&reader->json, &more))
        return false;
    while (more) {
        if (*count == SAVED_MAX_LINES)
            return fail_with(reader->err, ERR_LIMIT,
                             "%s: field '%s' has more than %d "
                             "commands",
                             reader->what, field, SAVED_MAX_LINES);
        if (!take_string(reader, field, JSON_TEXT_BYTES, &lines[*count]))
            return false;
        (*count)++;
        if (!json_more(&reader->json, &more))
            return false;
    }
    return true;
}

static bool take_view(struct reader *reader)
{
    return take_lines(reader, "view", reader->session->view, &reader->session->n_view);
}

static bool take_edits(struct reader *reader)
{
    return take_lines(reader, "edits", reader->session->edits, &reader->session->n_edits);
}

static bool take_equation(struct reader *reader)
{
    return take_lines(reader, "equation", reader->session->equation,
                      &reader->session->n_equation);
}

static bool take_id(struct reader *reader)
{
    return take_string(reader, "model.id", NAME_BYTES, &reader->session->id);
}

static bool take_path(struct reader *reader)
{
    return take_string(reader, "model.path", PATH_BYTES, &reader->session->path);
}

static bool take_hash(struct reader *reader)
{
    return take_string(reader, "model.hash", NAME_BYTES, &reader->session->hash);
}

// Checked before; here it is only passed by.
static bool skip(struct reader *reader)
{
    struct json_value value;
    return json_value(&reader->json, &value);
}

struct field {
    const char *name;
    bool required;
    bool (*take)(struct reader *reader);
};

enum { FIELDS_MAX = 9 };

static bool keep(struct reader *reader, const struct json_value *key)
{
    struct json_value value;
    if (!json_value(&reader->json, &value))
        return false;
    buf_add(&reader->kept, reader->kept.length ? ", " : "");
    buf_append(&reader->kept, key->raw, key->length);
    buf_add(&reader->kept, ": ");
    buf_append(&reader->kept, value.raw, value.length);
    return !reader->kept.failed || nomem(reader);
}

static bool take_member(struct reader *reader, const char *of, const struct field *fields,
                        int count, bool *seen)
{
    struct json_value key;
    if (!json_key(&reader->json, &key))
        return false;
    for (int i = 0; i < count; i++) {
        if (!json_is(&key, fields[i].name))
            continue;
        if (seen[i])
            return fail_with(reader->err, ERR_FORMAT, "%s: field '%s%s' is there twice",
                             reader->what, of, fields[i].name);
        seen[i] = true;
        return fields[i].take(reader);
    }
    return keep(reader, &key);
}

// of: "" or "model.", for errors. *kept: the members that are not known.
static bool take_object(struct reader *reader, const char *of, const struct field *fields,
                        int count, const char **kept)
{
    bool seen[FIELDS_MAX] = {false}, more = false;
    struct buf outer = reader->kept;
    buf_init(&reader->kept, SAVED_MAX_BYTES + 1024);
    bool ok = json_open(&reader->json, '{');
    while (ok && (ok = json_more(&reader->json, &more)) && more)
        ok = take_member(reader, of, fields, count, seen);
    for (int i = 0; ok && i < count; i++)
        if (fields[i].required && !seen[i])
            ok = fail_with(reader->err, ERR_FORMAT, "%s: field '%s%s' is missing",
                           reader->what, of, fields[i].name);
    if (ok && reader->kept.length) {
        *kept =
            arena_copy(&reader->session->arena, reader->kept.data, reader->kept.length);
        ok = *kept || nomem(reader);
    }
    buf_finish(&reader->kept);
    reader->kept = outer;
    return ok;
}

static bool take_model(struct reader *reader)
{
    static const struct field fields[] = {
        {"id", true, take_id}, {"path", false, take_path}, {"hash", false, take_hash}};
    struct json_value value;
    if (!json_at(&reader->json, '{'))
        return json_value(&reader->json, &value) &&
               json_refuse(&reader->json, "model", &value, "an object");
    return take_object(reader, "model.", fields, 3, &reader->session->kept_in_model);
}

static const struct field fields[] = {
    {"format", true, skip},
    {"version", true, skip},
    {"text", true, take_text},
    {"model", true, take_model},
    {"tau", false, take_tau},
    {"mode", false, take_mode},
    {"view", false, take_view},
    {"edits", false, take_edits},
    {"equation", false, take_equation},
};

static bool check_version(struct reader *reader, const struct json_value *format,
                          const struct json_value *version)
{
    if (!json_is(format, format_name))
        return fail_with(reader->err, ERR_FORMAT, "%s: is not a session of alphascope",
                         reader->what);
    return json_version(&reader->json, version, SAVED_VERSION, &reader->session->version);
}

static bool begin(struct reader *reader, const char *bytes, size_t size)
{
    return json_init(&reader->json, bytes, size, reader->what, reader->err);
}

// The whole text is JSON, and of a version that is ours.
static bool read_version(struct reader *reader, const char *bytes, size_t size)
{
    static const char none[] = "null";
    struct json_value format = {JSON_NULL, none, 4}, version = format, key, value;
    bool more = false;
    if (!begin(reader, bytes, size) || !json_open(&reader->json, '{'))
        return false;
    for (;;) {
        if (!json_more(&reader->json, &more))
            return false;
        if (!more)
            break;
        if (!json_key(&reader->json, &key) || !json_value(&reader->json, &value))
            return false;
        if (json_is(&key, "format"))
            format = value;
        else if (json_is(&key, "version"))
            version = value;
    }
    return json_finish(&reader->json) && check_version(reader, &format, &version);
}

bool saved_parse(struct saved *session, const char *bytes, size_t size, const char *what,
                 struct error *err)
{
    struct reader reader = {.session = session, .what = what, .err = err};
    *session = (struct saved){.text = "",
                              .id = "",
                              .path = "",
                              .hash = "",
                              .tau = 1,
                              .reread = true,
                              .kept = "",
                              .kept_in_model = ""};
    arena_init(&session->arena, ARENA_BYTES);
    return read_version(&reader, bytes, size) && begin(&reader, bytes, size) &&
           take_object(&reader, "", fields, sizeof fields / sizeof *fields,
                       &session->kept);
}

bool saved_read(struct saved *session, const char *path, struct error *err)
{
    struct buf bytes;
    *session = (struct saved){0};
    buf_init(&bytes, SAVED_MAX_BYTES);
    bool ok = file_read(path, &bytes, err) &&
              saved_parse(session, buf_text(&bytes), bytes.length, path, err);
    buf_finish(&bytes);
    return ok;
}

void saved_finish(struct saved *session)
{
    arena_finish(&session->arena);
}

static void write_lines(struct buf *out, const char *field, const char *const *lines,
                        int count)
{
    buf_printf(out, ",\n  \"%s\": [", field);
    for (int i = 0; i < count; i++) {
        buf_add(out, i ? ",\n    " : "\n    ");
        write_string(out, lines[i]);
    }
    buf_add(out, count ? "\n  ]" : "]");
}

static void write_member(struct buf *out, const char *before, const char *name,
                         const char *value)
{
    buf_printf(out, "%s\"%s\": ", before, name);
    write_string(out, value);
}

bool saved_write(struct buf *out, const struct saved *session, struct error *err)
{
    buf_printf(out, "{\n  \"format\": \"%s\",\n  \"version\": %d", format_name,
               SAVED_VERSION);
    write_member(out, ",\n  ", "text", session->text);
    write_member(out, ",\n  \"model\": {", "id", session->id);
    if (*session->path)
        write_member(out, ", ", "path", session->path);
    if (*session->hash)
        write_member(out, ", ", "hash", session->hash);
    if (*session->kept_in_model)
        buf_printf(out, ", %s", session->kept_in_model);
    buf_add(out, "},\n  \"tau\": ");
    write_tau(out, session->tau);
    write_member(out, ",\n  ", "mode", session->reread ? "re-read" : "re-decode");
    write_lines(out, "view", session->view, session->n_view);
    write_lines(out, "edits", session->edits, session->n_edits);
    if (session->n_equation)
        write_lines(out, "equation", session->equation, session->n_equation);
    if (*session->kept)
        buf_printf(out, ",\n  %s", session->kept);
    buf_add(out, "\n}\n");
    return !out->failed || fail_nomem(err, "the session");
}

bool saved_is(const char *path)
{
    size_t length = strlen(path), end = sizeof ending - 1;
    bool named = length > end && !strcmp(path + length - end, ending);
    return named || json_file_is(path, format_name);
}
