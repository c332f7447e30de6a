// SPDX-License-Identifier: MIT
// The safetensors reader. The layout (huggingface/safetensors): 8 bytes of little-endian
// header length N, N bytes of JSON, then one buffer that the tensors tile without hole or
// overlap, to its last byte.
//
// The rules are those of the reference reader, and some more: N is at most 16 MiB, there
// are at most 65,536 tensors of rank at most 8, names have 1 to 512 bytes, nothing comes
// twice, no unknown key, integers of at most 2^48 in plain digits.
#include "formats/safetensors.h"

#include "formats/safetensors_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HEADER = 16 * 1024 * 1024, ARENA_BYTES = 128 * 1024 * 1024 };

static int by_place(const void *left, const void *right)
{
    const struct safetensors_entry *a = left, *b = right;
    if (a->data != b->data)
        return a->data < b->data ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int by_name(const void *left, const void *right)
{
    const struct safetensors_entry *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static int by_alias(const void *left, const void *right)
{
    const struct safetensors_alias *a = left, *b = right;
    return strcmp(a->name, b->name);
}

// Each tensor begins where the one before it ends, the last one ends with the file.
static bool check_tiling(struct safetensors_reader *reader)
{
    struct safetensors *file = reader->file;
    const unsigned char *end = reader->buffer;
    if (file->count)
        qsort(file->entries, (size_t)file->count, sizeof *file->entries, by_place);
    for (int i = 0; i < file->count; i++) {
        if (file->entries[i].data != end)
            return safetensors_entry_fails(
                reader, file->entries[i].name,
                file->entries[i].data < end ? "its data overlap those of another tensor"
                                            : "there is a hole before its data");
        end += file->entries[i].bytes;
    }
    uint64_t used = (uint64_t)(end - reader->buffer);
    if (used != reader->buffer_bytes)
        return fail_with(reader->err, ERR_FORMAT,
                         "%s: %llu bytes follow the last tensor, expected none",
                         reader->path, (unsigned long long)(reader->buffer_bytes - used));
    return true;
}

static bool check_names(struct safetensors_reader *reader)
{
    struct safetensors *file = reader->file;
    if (file->count)
        qsort(file->entries, (size_t)file->count, sizeof *file->entries, by_name);
    for (int i = 1; i < file->count; i++)
        if (strcmp(file->entries[i - 1].name, file->entries[i].name) == 0)
            return safetensors_entry_fails(reader, file->entries[i].name,
                                           "the name appears twice");
    if (file->n_aliases)
        qsort(file->aliases, (size_t)file->n_aliases, sizeof *file->aliases, by_alias);
    for (int i = 1; i < file->n_aliases; i++)
        if (strcmp(file->aliases[i - 1].name, file->aliases[i].name) == 0)
            return fail_with(reader->err, ERR_FORMAT,
                             "%s: __metadata__ has the key '%s' twice", reader->path,
                             file->aliases[i].name);
    return true;
}

// Before the header means anything: is there one, and does it fit?
static bool check_frame(const unsigned char *data, size_t size, const char *path,
                        uint64_t *header_bytes, struct error *err)
{
    if (size == 0)
        return fail_with(err, ERR_FORMAT, "%s: is empty", path);
    if (file_is_lfs_pointer(data, size))
        return fail_with(err, ERR_FORMAT,
                         "%s: is a git-lfs pointer, not the weights (fetch them with "
                         "'git lfs pull')",
                         path);
    if (size < 8)
        return fail_with(err, ERR_FORMAT,
                         "%s: has %zu bytes, a safetensors file has at least 8", path,
                         size);
    uint64_t n = 0;
    for (int i = 7; i >= 0; i--)
        n = n << 8 | data[i];
    if (n > MAX_HEADER)
        return fail_with(err, ERR_LIMIT,
                         "%s: claims a header of %llu bytes, the limit is %d (is it a "
                         "safetensors file?)",
                         path, (unsigned long long)n, MAX_HEADER);
    if (n > size - 8)
        return fail_with(err, ERR_FORMAT,
                         "%s: claims a header of %llu bytes, but only %zu follow", path,
                         (unsigned long long)n, size - 8);
    *header_bytes = n;
    return true;
}

bool safetensors_parse(struct safetensors *file, const unsigned char *data, size_t size,
                       const char *path, struct error *err)
{
    char what[600];
    uint64_t n = 0;
    *file = (struct safetensors){0};
    if (!check_frame(data, size, path, &n, err))
        return false;
    struct safetensors_reader reader = {.file = file, .path = path, .err = err};
    reader.buffer = data + 8 + n;
    reader.buffer_bytes = size - 8 - n;
    snprintf(what, sizeof what, "%s: the header", path);
    arena_init(&file->arena, ARENA_BYTES);
    if (json_init(&reader.json, (const char *)data + 8, (size_t)n, what, err) &&
        safetensors_read_header(&reader) && check_tiling(&reader) && check_names(&reader))
        return true;
    safetensors_close(file);
    return false;
}

bool safetensors_open(struct safetensors *file, const char *path, struct error *err)
{
    struct file_snapshot bytes;
    *file = (struct safetensors){0};
    if (!file_snapshot(&bytes, path, safetensors_max_bytes, err))
        return false;
    if (safetensors_parse(file, bytes.data, bytes.size, path, err)) {
        file->bytes = bytes;
        return true;
    }
    file_release(&bytes);
    return false;
}

void safetensors_close(struct safetensors *file)
{
    arena_finish(&file->arena);
    file_release(&file->bytes);
    *file = (struct safetensors){0};
}

const struct safetensors_entry *safetensors_find(const struct safetensors *file,
                                                 const char *name)
{
    const struct safetensors_entry wanted = {.name = name};
    const struct safetensors_alias left_out = {.name = name};
    if (!file->count)
        return NULL;
    const struct safetensors_entry *entry =
        bsearch(&wanted, file->entries, (size_t)file->count, sizeof wanted, by_name);
    if (entry || !file->n_aliases)
        return entry;
    const struct safetensors_alias *alias = bsearch(
        &left_out, file->aliases, (size_t)file->n_aliases, sizeof left_out, by_alias);
    const struct safetensors_entry kept = {.name = alias ? alias->kept : ""};
    return bsearch(&kept, file->entries, (size_t)file->count, sizeof kept, by_name);
}
