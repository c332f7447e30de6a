// SPDX-License-Identifier: MIT
// Reading sheets, strictly: an unknown field is refused, for a misspelt one would be
// another sheet than the one that was meant. See attend_sheet.h.
#include "formats/attend_sheet.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "formats/attend_rows.h"
#include "formats/json_fields.h"

enum { ARENA_BYTES = 64 << 20 };

static const char format_name[] = "alphascope-sheet";

struct reader {
    struct json json;
    struct attend_sheet *sheet;
    const char *what;
    struct error *err;
    const char *seen[32]; // fields so far
    int n_seen, n_matrices;
    bool has_format, has_version;
};

const char *attend_beside_name(enum attend_beside beside)
{
    static const char *const names[BESIDE_COUNT] = {"nothing", "hard", "in-order",
                                                    "naive"};
    return names[beside];
}

const char *attend_named_name(enum attend_named named)
{
    static const char *const names[NAMED_COUNT] = {"queries", "keys", "values"};
    return names[named];
}

static bool take_text(struct reader *reader, const char *field, size_t size,
                      const char **out)
{
    return json_take_text(&reader->json, field, size, &reader->sheet->arena, out);
}

static bool take_bool(struct reader *reader, const char *field, bool *out)
{
    struct json_value value;
    if (!json_value(&reader->json, &value))
        return false;
    if (value.kind != JSON_BOOL)
        return json_refuse(&reader->json, field, &value, "true or false");
    *out = value.raw[0] == 't';
    return true;
}

// One of the words of `name_of`, which are listed when it is none.
static bool take_word(struct reader *reader, const char *field,
                      const char *(*name_of)(int), int count, int *out)
{
    char expected[128] = "";
    size_t used = 0;
    struct json_value value;
    if (!json_value(&reader->json, &value))
        return false;
    for (int i = 0; i < count; i++) {
        if (json_is(&value, name_of(i))) {
            *out = i;
            return true;
        }
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s\"%s\"",
                                 !i              ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 name_of(i));
    }
    return json_refuse(&reader->json, field, &value, expected);
}

static const char *score_name(int score)
{
    return attend_score_name((enum attend_score)score);
}

static const char *beside_name(int beside)
{
    return attend_beside_name((enum attend_beside)beside);
}

static const char *mask_name(int mask)
{
    return attend_mask_name((enum attend_mask)mask);
}

// ---- fields

static bool take_matrix(struct reader *reader, enum attend_part part)
{
    bool flat = part == ATTEND_ORDER || part == ATTEND_SCORE_V;
    reader->n_matrices++;
    return attend_rows_take(&reader->json, attend_part_name(part), flat,
                            &reader->sheet->arena, &reader->sheet->input.part[part]);
}

static bool take_mask(struct reader *reader)
{
    int mask = 0;
    if (json_at(&reader->json, '[')) {
        reader->sheet->input.mask = ATTEND_ALLOWED;
        return take_matrix(reader, ATTEND_MASK);
    }
    // "given" is not a word here: then the rows stand in its place.
    if (!take_word(reader, "mask", mask_name, ATTEND_ALLOWED, &mask))
        return false;
    reader->sheet->input.mask = (enum attend_mask)mask;
    return true;
}

static bool take_tau(struct reader *reader)
{
    return json_take_tau(&reader->json, DBL_MAX, &reader->sheet->input.tau);
}

// ---- objects

static bool first_time(struct reader *reader, const char *field)
{
    for (int i = 0; i < reader->n_seen; i++)
        if (!strcmp(reader->seen[i], field))
            return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' is there twice",
                             reader->what, field);
    reader->seen[reader->n_seen++] = field;
    return true;
}

static bool unknown(struct reader *reader, const char *of, const struct json_value *key)
{
    int shown = (int)(key->length < 60 ? key->length : 60);
    return fail_with(reader->err, ERR_FORMAT, "%s: a sheet has no field %.*s%s",
                     reader->what, shown, key->raw, of);
}

static bool take_names_of(struct reader *reader, enum attend_named named)
{
    struct attend_names *names = &reader->sheet->names[named];
    const char **at = arena_alloc(&reader->sheet->arena, ATTEND_MAX, sizeof *at);
    char field[32];
    bool more = false;
    struct json_value value;
    snprintf(field, sizeof field, "names.%s", attend_named_name(named));
    if (!at)
        return fail_nomem(reader->err, reader->what);
    if (!json_at(&reader->json, '['))
        return json_value(&reader->json, &value) &&
               json_refuse(&reader->json, field, &value, "a list of strings");
    if (!json_open(&reader->json, '[') || !json_more(&reader->json, &more))
        return false;
    names->at = at;
    for (names->count = 0; more; names->count++)
        if (names->count == ATTEND_MAX)
            return fail_with(reader->err, ERR_LIMIT, "%s: field '%s' has more than %d",
                             reader->what, field, ATTEND_MAX);
        else if (!take_text(reader, field, ATTEND_NAME_BYTES, &at[names->count]) ||
                 !json_more(&reader->json, &more))
            return false;
    return true;
}

static bool take_name_member(struct reader *reader, const struct json_value *key)
{
    for (int i = 0; i < NAMED_COUNT; i++)
        if (json_is(key, attend_named_name((enum attend_named)i)))
            return first_time(reader, attend_named_name((enum attend_named)i)) &&
                   take_names_of(reader, (enum attend_named)i);
    return unknown(reader, " in 'names'", key);
}

static bool take_count(struct reader *reader, const char *field, uint64_t most,
                       uint64_t *out)
{
    struct json_value value;
    char expected[64];
    snprintf(expected, sizeof expected, "a whole number up to %llu",
             (unsigned long long)most);
    return json_value(&reader->json, &value) &&
           (json_integer(&value, most, out) ||
            json_refuse(&reader->json, field, &value, expected));
}

static bool take_scaling_member(struct reader *reader, const struct json_value *key)
{
    struct scaling *scaling = &reader->sheet->scaling;
    uint64_t count = 0;
    if (json_is(key, "seed"))
        return first_time(reader, "seed") &&
               take_count(reader, "scaling.seed", ATTEND_SEED_MAX, &scaling->seed);
    bool queries = json_is(key, "queries");
    if (!queries && !json_is(key, "keys"))
        return unknown(reader, " in 'scaling'", key);
    if (!first_time(reader, queries ? "scaling.queries" : "scaling.keys") ||
        !take_count(reader, queries ? "scaling.queries" : "scaling.keys",
                    queries ? SCALING_MAX_QUERIES : SCALING_MAX_KEYS, &count))
        return false;
    *(queries ? &scaling->queries : &scaling->keys) = (int)count;
    return true;
}

static bool take_object(struct reader *reader, const char *field,
                        bool (*take)(struct reader *, const struct json_value *))
{
    struct json_value key;
    bool more = false;
    if (!json_at(&reader->json, '{'))
        return json_value(&reader->json, &key) &&
               json_refuse(&reader->json, field, &key, "an object");
    if (!json_open(&reader->json, '{') || !json_more(&reader->json, &more))
        return false;
    while (more)
        if (!json_key(&reader->json, &key) || !take(reader, &key) ||
            !json_more(&reader->json, &more))
            return false;
    return true;
}

static bool take_scaling(struct reader *reader)
{
    struct scaling *scaling = &reader->sheet->scaling;
    reader->sheet->is_scaling = true;
    if (!take_object(reader, "scaling", take_scaling_member))
        return false;
    return (scaling->queries && scaling->keys) ||
           fail_with(reader->err, ERR_FORMAT,
                     "%s: field 'scaling' needs a seed, and queries and keys from 1",
                     reader->what);
}

// The name of the part that the key is; the mask is not only rows.
static int part_of(const struct json_value *key)
{
    for (int i = 0; i < ATTEND_PARTS; i++)
        if (i != ATTEND_MASK && json_is(key, attend_part_name((enum attend_part)i)))
            return i;
    return -1;
}

static bool take_score(struct reader *reader)
{
    int chosen = 0;
    bool ok = take_word(reader, "score", score_name, ATTEND_SCORES, &chosen);
    reader->sheet->input.score = (enum attend_score)chosen;
    return ok;
}

static bool take_beside(struct reader *reader)
{
    int chosen = 0;
    bool ok = take_word(reader, "beside", beside_name, BESIDE_COUNT, &chosen);
    reader->sheet->beside = (enum attend_beside)chosen;
    return ok;
}

static bool take_title(struct reader *reader)
{
    return take_text(reader, "title", ATTEND_TITLE_BYTES, &reader->sheet->title);
}

static bool take_note(struct reader *reader)
{
    return take_text(reader, "note", ATTEND_NOTE_BYTES, &reader->sheet->note);
}

static bool take_normalise(struct reader *reader)
{
    return take_bool(reader, "normalise", &reader->sheet->input.normalise);
}

static bool take_names(struct reader *reader)
{
    return take_object(reader, "names", take_name_member);
}

// Checked before; here it is only passed by.
static bool skip(struct reader *reader)
{
    struct json_value value;
    return json_value(&reader->json, &value);
}

static const struct field {
    const char *name;
    bool (*take)(struct reader *reader);
} fields[] = {
    {"format", skip},      {"version", skip},         {"title", take_title},
    {"note", take_note},   {"score", take_score},     {"normalise", take_normalise},
    {"mask", take_mask},   {"tau", take_tau},         {"beside", take_beside},
    {"names", take_names}, {"scaling", take_scaling},
};

static bool take_member(struct reader *reader, const struct json_value *key)
{
    int part = part_of(key);
    if (part >= 0)
        return first_time(reader, attend_part_name((enum attend_part)part)) &&
               take_matrix(reader, (enum attend_part)part);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (json_is(key, fields[i].name))
            return first_time(reader, fields[i].name) && fields[i].take(reader);
    return unknown(reader, "", key);
}

// ---- the whole

static bool begin(struct reader *reader, const char *bytes, size_t size)
{
    return json_init(&reader->json, bytes, size, reader->what, reader->err);
}

static bool take_version(struct reader *reader, const struct json_value *key)
{
    struct json_value value;
    int version;
    if (!json_value(&reader->json, &value))
        return false;
    if (json_is(key, "format") && !json_is(&value, format_name))
        return json_refuse(&reader->json, "format", &value, "\"alphascope-sheet\"");
    reader->has_format = reader->has_format || json_is(key, "format");
    if (!json_is(key, "version"))
        return true;
    reader->has_version = true;
    return json_version(&reader->json, &value, ATTEND_SHEET_VERSION, &version);
}

// Before anything else is believed: what a newer program means is not ours to guess.
static bool read_version(struct reader *reader, const char *bytes, size_t size)
{
    if (!begin(reader, bytes, size))
        return false;
    if (!json_at(&reader->json, '{'))
        return fail_with(reader->err, ERR_FORMAT, "%s: is not a sheet of alphascope",
                         reader->what);
    if (!take_object(reader, "sheet", take_version) || !json_finish(&reader->json))
        return false;
    if (reader->has_format && reader->has_version)
        return true;
    return fail_with(reader->err, ERR_FORMAT, "%s: field '%s' is missing", reader->what,
                     reader->has_format ? "version" : "format");
}

static int rows_of(const struct attend_sheet *sheet, enum attend_named named)
{
    const struct attend_matrix *part = sheet->input.part;
    const struct attend_matrix *k = &part[part[ATTEND_K].rows ? ATTEND_K : ATTEND_Q];
    const struct attend_matrix *v = part[ATTEND_V].rows ? &part[ATTEND_V] : k;
    if (named == NAMED_QUERIES)
        return part[ATTEND_Q].rows;
    if (named == NAMED_KEYS)
        return k->rows;
    return part[ATTEND_W_V].rows ? part[ATTEND_W_V].columns : v->columns;
}

static bool check_names(struct reader *reader)
{
    for (int i = 0; i < NAMED_COUNT; i++) {
        int found = reader->sheet->names[i].count;
        int expected = rows_of(reader->sheet, (enum attend_named)i);
        if (found && found != expected)
            return fail_with(reader->err, ERR_FORMAT,
                             "%s: field 'names.%s' has %d name%s, expected %d",
                             reader->what, attend_named_name((enum attend_named)i), found,
                             found == 1 ? "" : "s", expected);
    }
    return true;
}

// The sizes, as the computation wants them.
static bool check(struct reader *reader)
{
    struct attend_result result;
    struct arena arena;
    struct error err;
    if (reader->sheet->is_scaling)
        return reader->n_matrices == 0 ||
               fail_with(
                   reader->err, ERR_FORMAT,
                   "%s: a sheet with 'scaling' makes its own matrices, and has none",
                   reader->what);
    arena_init(&arena, ARENA_BYTES);
    bool ok = attend_compute(&result, &reader->sheet->input, &arena, &err) ||
              fail_with(reader->err, err.code, "%s: %s", reader->what, err.text);
    arena_finish(&arena);
    return ok && check_names(reader);
}

void attend_sheet_init(struct attend_sheet *sheet)
{
    *sheet = (struct attend_sheet){.title = "", .note = ""};
    sheet->input.score = ATTEND_SCALED_DOT;
    sheet->input.tau = 1;
    arena_init(&sheet->arena, ARENA_BYTES);
}

bool attend_sheet_parse(struct attend_sheet *sheet, const char *bytes, size_t size,
                        const char *what, struct error *err)
{
    struct reader reader = {.sheet = sheet, .what = what, .err = err};
    attend_sheet_init(sheet);
    return read_version(&reader, bytes, size) && begin(&reader, bytes, size) &&
           take_object(&reader, "sheet", take_member) && check(&reader);
}

bool attend_sheet_read(struct attend_sheet *sheet, const char *path, struct error *err)
{
    struct buf bytes;
    *sheet = (struct attend_sheet){0};
    buf_init(&bytes, ATTEND_SHEET_BYTES);
    bool ok = file_read(path, &bytes, err) &&
              attend_sheet_parse(sheet, buf_text(&bytes), bytes.length, path, err);
    buf_finish(&bytes);
    return ok;
}

bool attend_sheet_is(const char *path)
{
    return json_file_is(path, format_name);
}

void attend_sheet_finish(struct attend_sheet *sheet)
{
    arena_finish(&sheet->arena);
}
