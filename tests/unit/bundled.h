// SPDX-License-Identifier: MIT
// The models that come with the program, opened for a test. Include after cmocka.h.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "formats/model_dir.h"
#include "translate/translator.h"

// NULL after saying why.
static inline struct model_dir *open_bundled(const char *id)
{
    char path[4096];
    const char *root = getenv("ALPHASCOPE_DATA");
    snprintf(path, sizeof path, "%s/models/%s", root ? root : ".", id);
    struct error err = {0};
    struct model_dir *dir = model_dir_open(path, &err);
    if (!dir)
        print_error("%s\n", err.text);
    return dir;
}

static inline struct session *open_session(const struct model_dir *dir)
{
    const struct translator translator = {dir->id, &dir->network, dir->source,
                                          dir->target};
    return session_create(&translator, NULL);
}
