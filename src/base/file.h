// SPDX-License-Identifier: MIT
// Files from outside: bounded reads, snapshots, atomic writes, paths.
#pragma once

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>

struct file_snapshot {         // a whole file as it was when it was read
    const unsigned char *data; // page-aligned, read only; NULL for an empty file
    size_t size;
};

// Reads a regular file of at most max_bytes. What happens to the file afterwards changes
// nothing here; one that changes its size meanwhile is ERR_IO. End with file_release.
MUST_CHECK bool file_snapshot(struct file_snapshot *snapshot, const char *path,
                              size_t max_bytes, struct error *err);
void file_release(struct file_snapshot *snapshot); // a zeroed one is fine
// Appends at most the first `most` bytes to *out (already initialised); *size: of the
// whole file.
MUST_CHECK bool file_head(const char *path, size_t most, struct buf *out, size_t *size,
                          struct error *err);
// Appends the whole file to *out (already initialised).
MUST_CHECK bool file_read(const char *path, struct buf *out, struct error *err);
// Writes a temporary file beside path and renames it over path: all or nothing. A
// symbolic link stays one, and the file it leads to is written. Signals that would end
// the program wait until it is done, so that no temporary file is left.
MUST_CHECK bool file_write(const char *path, const void *data, size_t size,
                           struct error *err);

// What to rename over: path with its last component's symbolic links followed, to a file
// that need not exist. False with errno.
MUST_CHECK bool file_follow(char *out, size_t out_size, const char *path);
// Whether these first bytes of a file are those of a git-lfs pointer: a note that stands
// where the file should be.
bool file_is_lfs_pointer(const void *bytes, size_t size);
bool file_exists(const char *path);
bool file_is_directory(const char *path);
// "directory/name" into out; false when it does not fit.
MUST_CHECK bool file_join(char *out, size_t out_size, const char *directory,
                          const char *name);
// The directory of the running program's real file; false where the system does not say.
MUST_CHECK bool file_program_directory(char *out, size_t out_size);
// The last component ("b" of "a/b" and of "a/b/"): a pointer into path, its length in *n.
const char *file_basename(const char *path, size_t *length);
