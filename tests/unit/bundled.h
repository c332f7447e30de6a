// SPDX-License-Identifier: MIT
// The models that come with the program and those of tests/golden, opened for a test.
// Include after cmocka.h.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "formats/model_dir.h"
#include "translate/translator.h"

// These return NULL after saying why.
static inline struct model_dir *open_below(const char *root, const char *folder,
                                           const char *id)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", root, folder, id);
    struct error err = {0};
    struct model_dir *dir = model_dir_open(path, &err);
    if (!dir)
        print_error("%s\n", err.text);
    return dir;
}

static inline struct model_dir *open_bundled(const char *id)
{
    const char *root = getenv("ALPHASCOPE_DATA");
    return open_below(root ? root : ".", "models", id);
}

// "models/tiny-additive-f32", "transformers/paper"
static inline struct model_dir *open_made(const char *id)
{
    return open_below(ALPHASCOPE_TESTS, "golden", id);
}

static inline struct session *open_session(const struct model_dir *dir)
{
    const struct translator translator = {dir->id, &dir->network, dir->source,
                                          dir->target};
    return session_create(&translator, NULL);
}
