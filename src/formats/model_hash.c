// SPDX-License-Identifier: MIT
// The hash of a model. See model_dir.h.
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "formats/model_dir.h"

enum { CONFIG_BYTES = 64 << 10 };

static void add_config(XXH3_state_t *state, const struct model_dir *dir)
{
    char path[4200];
    struct buf config;
    buf_init(&config, CONFIG_BYTES);
    // Its facts are in the network; a config.json that is gone makes another hash.
    if (file_join(path, sizeof path, dir->path, "config.json") &&
        file_read(path, &config, NULL))
        XXH3_64bits_update(state, config.data, config.length);
    buf_finish(&config);
}

bool model_dir_hash(const struct model_dir *dir, char out[MODEL_HASH_BYTES],
                    struct error *err)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return fail_nomem(err, "the hash of a model");
    XXH3_64bits_reset(state);
    add_config(state, dir);
    XXH3_64bits_update(state, dir->weights.bytes.data, dir->weights.bytes.size);
    snprintf(out, MODEL_HASH_BYTES, "xxh3:%016" PRIx64, XXH3_64bits_digest(state));
    XXH3_freeState(state);
    return true;
}
