// SPDX-License-Identifier: MIT
// Which model is meant: a path, the id of a bundled one, or nothing for the first.
#pragma once

#include "base/arena.h"
#include "formats/model_dir.h"

struct bundle { // what is bundled, from an arena
    char root[4096];
    struct model_listing *models; // (count)
    int count, broken;
};

// False when there is no models directory anywhere.
MUST_CHECK bool bundle_read(struct bundle *bundle, struct arena *arena,
                            struct error *err);
// name: a path (what exists or has a slash), a bundled id, or NULL for the default model.
MUST_CHECK bool pick_path(const char *name, char *path, size_t size, struct error *err);
// Opens it; NULL with *err set.
struct model_dir *pick_model(const char *name, struct error *err);
// "RNNsearch · English → French"
void model_title(const struct model_dir *dir, char *out, size_t out_size);
