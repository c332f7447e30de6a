// SPDX-License-Identifier: MIT
// Files from outside: bounded reads, read-only mappings, atomic writes, paths.
#pragma once

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>

struct file_map {
    const unsigned char *data; // NULL for an empty file
    size_t size;
};

// Maps a regular file of at most max_bytes, read only. Unmap with file_unmap.
MUST_CHECK bool file_map(struct file_map *map, const char *path, size_t max_bytes,
                         struct error *err);
void file_unmap(struct file_map *map); // a zeroed map is fine
// Appends the whole file to *out (already initialised).
MUST_CHECK bool file_read(const char *path, struct buf *out, struct error *err);
// Writes a temporary file beside path and renames it over path: all or nothing.
MUST_CHECK bool file_write(const char *path, const void *data, size_t size,
                           struct error *err);

bool file_exists(const char *path);
bool file_is_directory(const char *path);
// "directory/name" into out; false when it does not fit.
MUST_CHECK bool file_join(char *out, size_t out_size, const char *directory,
                          const char *name);
// The last component ("b" of "a/b" and of "a/b/"): a pointer into path, its length in *n.
const char *file_basename(const char *path, size_t *length);
