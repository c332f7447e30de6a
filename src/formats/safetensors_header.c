// SPDX-License-Identifier: MIT
// The header of a safetensors file:
//
//   {"name": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}, ...,
//    "__metadata__": {"text": "text"}}
//
// Every number is checked as it is read: shapes multiply without overflow, offsets lie in
// the file, and the two agree, before anything is made of them. A type that the engine
// cannot use gets the same checks; who needs the tensor says that it cannot be used.
#include "formats/safetensors_header.h"

#include <string.h>

enum { MAX_TENSORS = 65536, MAX_NAME = 512 };

static const uint64_t max_integer = 1ull << 48;

static const struct dtype_row {
    const char *name;
    unsigned bits;
} dtypes[] = {
    {"BOOL", 8},        {"U8", 8},      {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8},
    {"F8_E8M0", 8},     {"I16", 16},    {"U16", 16}, {"F16", 16},    {"BF16", 16},
    {"F8_E4M3FNUZ", 8}, {"I32", 32},    {"U32", 32}, {"F32", 32},    {"C64", 64},
    {"F8_E5M2FNUZ", 8}, {"F64", 64},    {"I64", 64}, {"U64", 64},    {"F4", 4},
    {"F6_E2M3", 6},     {"F6_E3M2", 6},
};

// The next larger home of an array in the arena; the old one stays behind, unused.
static void *grow(struct arena *arena, const void *items, int count, int *capacity,
                  size_t size)
{
    int larger = *capacity ? *capacity * 2 : 64;
    void *moved = arena_alloc(arena, (size_t)larger, size);
    if (!moved)
        return NULL;
    if (count)
        memcpy(moved, items, (size_t)count * size);
    *capacity = larger;
    return moved;
}

// A key as a name: 1..512 bytes, copied to the arena. what: "a tensor", "a metadata key".
static const char *read_name(struct safetensors_reader *reader,
                             const struct json_value *key, const char *what)
{
    char name[MAX_NAME + 1];
    size_t length = 0;
    if (!json_text(key, name, sizeof name, &length) || length == 0) {
        fail_with(reader->err, ERR_LIMIT,
                  "%s: the name of %s is empty or longer than %d bytes", reader->path,
                  what, MAX_NAME);
        return NULL;
    }
    const char *copy = arena_copy(&reader->file->arena, name, length);
    if (!copy)
        fail_nomem(reader->err, "the names in a weight file");
    return copy;
}

static bool add_metadata(struct safetensors_reader *reader, const char *name,
                         const struct json_value *value)
{
    struct safetensors *file = reader->file;
    char kept[MAX_NAME + 1] = "";
    if (file->n_aliases == MAX_TENSORS)
        return fail_with(reader->err, ERR_LIMIT,
                         "%s: __metadata__ has more than %d entries", reader->path,
                         MAX_TENSORS);
    if (file->n_aliases == reader->alias_capacity) {
        struct safetensors_alias *aliases =
            grow(&file->arena, file->aliases, file->n_aliases, &reader->alias_capacity,
                 sizeof *aliases);
        if (!aliases)
            return fail_nomem(reader->err, "the metadata of a weight file");
        file->aliases = aliases;
    }
    if (!json_text(value, kept, sizeof kept, NULL))
        kept[0] = '\0';
    struct safetensors_alias alias = {name, arena_copy(&file->arena, kept, strlen(kept))};
    file->aliases[file->n_aliases++] = alias;
    return alias.kept || fail_nomem(reader->err, "the metadata of a weight file");
}

static bool read_metadata(struct safetensors_reader *reader)
{
    struct json *json = &reader->json;
    struct json_value key, value;
    bool more;
    if (reader->metadata_seen)
        return fail_with(reader->err, ERR_FORMAT, "%s: __metadata__ appears twice",
                         reader->path);
    reader->metadata_seen = true;
    if (!json_at(json, '{'))
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: __metadata__ is not an object of strings", reader->path);
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more) {
        if (!json_key(json, &key) || !json_value(json, &value))
            return false;
        if (value.kind != JSON_STRING)
            return fail_with(reader->err, ERR_FORMAT,
                             "%s: __metadata__ holds a value that is not a string",
                             reader->path);
        const char *name = read_name(reader, &key, "a metadata key");
        if (!name || !add_metadata(reader, name, &value) || !json_more(json, &more))
            return false;
    }
    return true;
}

bool safetensors_entry_fails(struct safetensors_reader *reader, const char *name,
                             const char *problem)
{
    return fail_with(reader->err, ERR_FORMAT, "%s: tensor '%s': %s", reader->path, name,
                     problem);
}

static bool read_dtype(struct safetensors_reader *reader, struct safetensors_entry *entry)
{
    struct json_value value;
    char text[16];
    if (!json_value(&reader->json, &value))
        return false;
    if (!json_text(&value, text, sizeof text, NULL))
        return safetensors_entry_fails(reader, entry->name,
                                       "its dtype is not the name of a type");
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (strcmp(dtypes[i].name, text) == 0)
            entry->dtype = dtypes[i].name;
    return entry->dtype ||
           fail_with(reader->err, ERR_FORMAT,
                     "%s: tensor '%s': its dtype is '%s', expected F32, F16 or BF16",
                     reader->path, entry->name, text);
}

// An array of integers of at most max items; *count says how many there were.
static bool read_integers(struct safetensors_reader *reader, const char *name,
                          const char *field, uint64_t *out, int max, int *count)
{
    struct json *json = &reader->json;
    struct json_value value;
    bool more;
    *count = 0;
    if (!json_at(json, '['))
        return fail_with(reader->err, ERR_FORMAT, "%s: tensor '%s': its %s is no array",
                         reader->path, name, field);
    if (!json_open(json, '[') || !json_more(json, &more))
        return false;
    while (more) {
        if (!json_value(json, &value))
            return false;
        if (*count == max)
            return fail_with(reader->err, ERR_LIMIT,
                             "%s: tensor '%s': its %s has more than %d numbers",
                             reader->path, name, field, max);
        if (!json_integer(&value, max_integer, &out[*count]))
            return fail_with(reader->err, ERR_FORMAT,
                             "%s: tensor '%s': its %s holds %.*s, expected a plain "
                             "integer from 0 to 2^48",
                             reader->path, name, field,
                             (int)(value.length < 40 ? value.length : 40), value.raw);
        ++*count;
        if (!json_more(json, &more))
            return false;
    }
    return true;
}

// begin and end lie inside the buffer, so every pointer made from them is valid.
static bool read_offsets(struct safetensors_reader *reader,
                         struct safetensors_entry *entry)
{
    uint64_t at[2] = {0};
    int count;
    if (!read_integers(reader, entry->name, "data_offsets", at, 2, &count))
        return false;
    if (count != 2)
        return safetensors_entry_fails(reader, entry->name,
                                       "its data_offsets are not two numbers");
    if (at[0] > at[1] || at[1] > reader->buffer_bytes)
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: tensor '%s': its data_offsets [%llu, %llu] do not lie in "
                         "the %llu bytes of data",
                         reader->path, entry->name, (unsigned long long)at[0],
                         (unsigned long long)at[1],
                         (unsigned long long)reader->buffer_bytes);
    entry->data = reader->buffer + at[0];
    entry->bytes = at[1] - at[0];
    return true;
}

// The shape and the type must fill the bytes exactly.
static bool check_size(struct safetensors_reader *reader,
                       const struct safetensors_entry *entry)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (strcmp(dtypes[i].name, entry->dtype) == 0)
            bits = dtypes[i].bits;
    for (int i = 0; i < entry->rank; i++)
        if (__builtin_mul_overflow(bits, entry->shape[i], &bits))
            return safetensors_entry_fails(reader, entry->name,
                                           "its shape overflows 64 bits");
    if (bits % 8)
        return safetensors_entry_fails(reader, entry->name,
                                       "its values do not fill whole bytes");
    if (bits / 8 != entry->bytes)
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: tensor '%s': its shape and dtype need %llu bytes, its "
                         "data_offsets give %llu",
                         reader->path, entry->name, (unsigned long long)(bits / 8),
                         (unsigned long long)entry->bytes);
    return true;
}

static bool read_field(struct safetensors_reader *reader, struct safetensors_entry *entry,
                       const struct json_value *key, unsigned *seen)
{
    static const char *const fields[] = {"dtype", "shape", "data_offsets"};
    char field[32] = "";
    int which = 0;
    json_text(key, field, sizeof field, NULL);
    while (which < 3 && strcmp(fields[which], field) != 0)
        which++;
    if (which == 3)
        return fail_with(reader->err, ERR_FORMAT, "%s: tensor '%s': unknown key %.*s",
                         reader->path, entry->name,
                         (int)(key->length < 40 ? key->length : 40), key->raw);
    if (*seen & 1u << which)
        return fail_with(reader->err, ERR_FORMAT, "%s: tensor '%s': key '%s' twice",
                         reader->path, entry->name, field);
    *seen |= 1u << which;
    if (which == 0)
        return read_dtype(reader, entry);
    if (which == 1)
        return read_integers(reader, entry->name, "shape", entry->shape,
                             SAFETENSORS_MAX_RANK, &entry->rank);
    return read_offsets(reader, entry);
}

static bool read_entry(struct safetensors_reader *reader, struct safetensors_entry *entry)
{
    struct json *json = &reader->json;
    struct json_value key;
    unsigned seen = 0;
    bool more;
    if (!json_at(json, '{'))
        return safetensors_entry_fails(reader, entry->name,
                                       "its description is not an object");
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more)
        if (!json_key(json, &key) || !read_field(reader, entry, &key, &seen) ||
            !json_more(json, &more))
            return false;
    if (seen != 7)
        return safetensors_entry_fails(
            reader, entry->name,
            "dtype, shape and data_offsets are needed, one is missing");
    return check_size(reader, entry);
}

static bool add_entry(struct safetensors_reader *reader, const struct json_value *key)
{
    struct safetensors *file = reader->file;
    if (file->count == MAX_TENSORS)
        return fail_with(reader->err, ERR_LIMIT, "%s: more than %d tensors", reader->path,
                         MAX_TENSORS);
    if (file->count == reader->capacity) {
        struct safetensors_entry *entries = grow(&file->arena, file->entries, file->count,
                                                 &reader->capacity, sizeof *entries);
        if (!entries)
            return fail_nomem(reader->err, "the tensors of a weight file");
        file->entries = entries;
    }
    struct safetensors_entry entry = {.name = read_name(reader, key, "a tensor")};
    if (!entry.name || !read_entry(reader, &entry))
        return false;
    file->entries[file->count++] = entry;
    return true;
}

static bool is_metadata(const struct json_value *key)
{
    char name[16];
    return json_text(key, name, sizeof name, NULL) && strcmp(name, "__metadata__") == 0;
}

bool safetensors_read_header(struct safetensors_reader *reader)
{
    struct json *json = &reader->json;
    struct json_value key;
    bool more;
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more)
        if (!json_key(json, &key) ||
            !(is_metadata(&key) ? read_metadata(reader) : add_entry(reader, &key)) ||
            !json_more(json, &more))
            return false;
    return json_finish(json);
}
