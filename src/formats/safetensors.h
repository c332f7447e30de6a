// SPDX-License-Identifier: MIT
// A safetensors file: 8-byte little-endian header length, strict JSON, one data buffer.
// This is the security boundary: every size is checked before it is used.
// Stricter than the reference reader: header <= 16 MiB, <= 65,536 tensors, rank <= 8,
// names of 1..512 bytes, no duplicate names, no unknown keys, integers <= 2^48.
// An open file is a snapshot in memory: nothing that happens to the file on disk matters.
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <stdint.h>

enum { SAFETENSORS_MAX_RANK = 8 };
static const size_t safetensors_max_bytes = UINT32_MAX; // of a file: 4 GiB

struct safetensors_entry {
    const char *name;
    const char *dtype; // as written: "F16"
    int rank;
    uint64_t shape[SAFETENSORS_MAX_RANK];
    const unsigned char *data; // into the snapshot; not necessarily aligned
    uint64_t bytes;
};

struct safetensors_alias {   // of __metadata__: a tensor that was left out is another one
    const char *name, *kept; // kept: any text, "" for one that is too long for a name
};

struct safetensors {
    struct file_snapshot bytes;
    struct arena arena;
    int count;
    struct safetensors_entry *entries; // sorted by name
    int n_aliases;
    struct safetensors_alias *aliases; // sorted by name
};

MUST_CHECK bool safetensors_open(struct safetensors *file, const char *path,
                                 struct error *err);
// The same checks on bytes in memory (not owned), for tests and fuzzing.
MUST_CHECK bool safetensors_parse(struct safetensors *file, const unsigned char *data,
                                  size_t size, const char *path, struct error *err);
void safetensors_close(struct safetensors *file); // a zeroed one is fine
// By its name, or by the name that __metadata__ says was left out for it.
const struct safetensors_entry *safetensors_find(const struct safetensors *file,
                                                 const char *name);
