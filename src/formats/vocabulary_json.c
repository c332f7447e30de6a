// SPDX-License-Identifier: MIT
// Reading vocab.json. See vocabulary_json.h. Ids are counted before they are used: each
// of 0 to one below their number must come once.
#include "formats/vocabulary_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/json.h"
#include "text/tokenizer.h"

enum { MAX_BYTES = 64 << 20, MAX_ARENA = 512 << 20 };

struct reader {
    struct json json;
    struct vocabulary_json *out;
    int expected; // ids are below it
    bool counts;  // the pieces and does no more
    int seen;
    const char *path;
    struct error *err;
};

static bool add(struct reader *reader, const char *piece, size_t length,
                const struct json_value *value)
{
    struct vocabulary_json *out = reader->out;
    uint64_t id;
    if (!json_integer(value, (uint64_t)reader->expected - 1, &id))
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: the piece '%s' has the id %.*s, expected one from 0 to %d",
                         reader->path, piece,
                         (int)(value->length < 40 ? value->length : 40), value->raw,
                         reader->expected - 1);
    if (out->pieces[id])
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: the pieces '%s' and '%s' both have the id %d", reader->path,
                         out->pieces[id], piece, (int)id);
    out->pieces[id] = arena_copy(&out->arena, piece, length);
    out->count++;
    return out->pieces[id] || fail_nomem(reader->err, "a vocabulary");
}

static bool read_piece(struct reader *reader)
{
    char piece[TOKEN_MAX_BYTES + 1];
    struct json_value key, value;
    size_t length;
    if (!json_key(&reader->json, &key) || !json_value(&reader->json, &value))
        return false;
    reader->seen++;
    if (reader->counts)
        return true;
    if (!json_text(&key, piece, sizeof piece, &length) || length == 0)
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: a piece is empty or longer than %d bytes", reader->path,
                         TOKEN_MAX_BYTES);
    return add(reader, piece, length, &value);
}

static bool read_pieces(struct reader *reader, const char *text, size_t size, bool counts)
{
    struct json *json = &reader->json;
    bool more;
    reader->counts = counts;
    reader->seen = 0;
    if (!json_init(json, text, size, reader->path, reader->err))
        return false;
    if (!json_at(json, '{'))
        return fail_with(reader->err, ERR_FORMAT, "%s: is not a JSON object",
                         reader->path);
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more)
        if (!read_piece(reader) || !json_more(json, &more))
            return false;
    return json_finish(json);
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// The same piece with two ids.
static bool check_different(const struct reader *reader)
{
    struct vocabulary_json *out = reader->out;
    size_t count = (size_t)out->count;
    const char **sorted = arena_alloc(&out->arena, count, sizeof *sorted);
    if (!sorted)
        return fail_nomem(reader->err, "a vocabulary");
    memcpy(sorted, out->pieces, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_text);
    const char *twice = NULL;
    for (size_t i = 1; i < count && !twice; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            twice = sorted[i];
    return !twice || fail_with(reader->err, ERR_FORMAT, "%s: the piece '%s' comes twice",
                               reader->path, twice);
}

static int find(const struct vocabulary_json *out, const char *piece)
{
    int id = 0;
    while (id < out->count && strcmp(out->pieces[id], piece) != 0)
        id++;
    return id < out->count ? id : -1;
}

static bool find_specials(const struct reader *reader)
{
    struct vocabulary_json *out = reader->out;
    out->eos = find(out, "</s>");
    out->unk = find(out, "<unk>");
    out->pad = find(out, "<pad>");
    return (out->eos >= 0 && out->unk >= 0) ||
           fail_with(reader->err, ERR_FORMAT, "%s: the piece '%s' is missing",
                     reader->path, out->eos < 0 ? "</s>" : "<unk>");
}

bool vocabulary_json_parse(struct vocabulary_json *out, const char *text, size_t size,
                           const char *path, const char *field, int expected,
                           struct error *err)
{
    struct reader reader = {.out = out, .expected = expected, .path = path, .err = err};
    *out = (struct vocabulary_json){0};
    arena_init(&out->arena, MAX_ARENA);
    bool ok = size > 0 || fail_with(err, ERR_FORMAT, "%s: is empty", path);
    ok = ok && read_pieces(&reader, text, size, true);
    if (ok && reader.seen != expected)
        ok = fail_with(err, ERR_FORMAT,
                       "%s: has %d pieces, config.json's field '%s' is %d", path,
                       reader.seen, field, expected);
    if (ok) {
        out->pieces = arena_alloc(&out->arena, (size_t)expected, sizeof *out->pieces);
        ok = out->pieces || fail_nomem(err, "a vocabulary");
    }
    ok = ok && read_pieces(&reader, text, size, false) && check_different(&reader) &&
         find_specials(&reader);
    if (!ok)
        vocabulary_json_finish(out);
    return ok;
}

bool vocabulary_json_read(struct vocabulary_json *out, const char *path,
                          const char *field, int expected, struct error *err)
{
    struct buf text;
    buf_init(&text, MAX_BYTES);
    *out = (struct vocabulary_json){0};
    bool ok = file_read(path, &text, err) &&
              vocabulary_json_parse(out, buf_text(&text), text.length, path, field,
                                    expected, err);
    buf_finish(&text);
    return ok;
}

void vocabulary_json_finish(struct vocabulary_json *vocabulary)
{
    arena_finish(&vocabulary->arena);
    *vocabulary = (struct vocabulary_json){0};
}
