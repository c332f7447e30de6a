// SPDX-License-Identifier: MIT
// The hash of a model. See model_dir.h.
//
// FNV-1a (Fowler, Noll, Vo): three lines that need no library, and no weaker than another
// 64-bit hash against files that merely differ.
#include <inttypes.h>
#include <stdio.h>

#include "formats/model_dir.h"

enum { CONFIG_BYTES = 64 << 10 };

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    return hash;
}

void model_dir_hash(const struct model_dir *dir, char out[MODEL_HASH_BYTES])
{
    char path[4200];
    struct buf config;
    uint64_t hash = 14695981039346656037u;
    buf_init(&config, CONFIG_BYTES);
    // Its facts are in the network; a config.json that is gone makes another hash.
    if (file_join(path, sizeof path, dir->path, "config.json") &&
        file_read(path, &config, NULL))
        hash = hash_bytes(hash, config.data, config.length);
    buf_finish(&config);
    hash = hash_bytes(hash, dir->weights.bytes.data, dir->weights.bytes.size);
    snprintf(out, MODEL_HASH_BYTES, "fnv1a:%016" PRIx64, hash);
}
