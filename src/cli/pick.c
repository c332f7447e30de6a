// SPDX-License-Identifier: MIT
// Which model is meant. See pick.h. What exists as a path wins over a bundled id, so that
// a directory of that name in front of the user is never passed over in silence.
#include "cli/pick.h"

#include <stdio.h>
#include <string.h>

bool bundle_read(struct bundle *bundle, struct arena *arena, struct error *err)
{
    if (!data_path("models", bundle->root, sizeof bundle->root))
        return fail_with(err, ERR_IO,
                         "no bundled models were found: set ALPHASCOPE_DATA "
                         "to the directory that holds models/");
    bundle->models = arena_alloc(arena, MODEL_LISTING_MAX, sizeof *bundle->models);
    if (!bundle->models)
        return fail_nomem(err, "the list of models");
    bundle->count = model_dir_list(bundle->root, bundle->models, &bundle->broken);
    return true;
}

static bool unknown_name(const struct bundle *bundle, const char *name, struct error *err)
{
    char ids[256] = "none";
    size_t used = 0;
    for (int i = 0; i < bundle->count && used < sizeof ids; i++) {
        int n = snprintf(ids + used, sizeof ids - used, "%s%s", i ? ", " : "",
                         bundle->models[i].id);
        used += n > 0 ? (size_t)n : 0;
    }
    return fail_with(err, ERR_IO, "no model '%.200s': not a path, and not bundled (%s)",
                     name, ids);
}

static bool find_bundled(const char *name, char *path, size_t size, struct error *err)
{
    struct arena arena;
    struct bundle bundle = {0};
    const struct model_listing *found = NULL;
    arena_init(&arena, 1 << 20);
    bool ok = bundle_read(&bundle, &arena, err);
    int first = ok ? model_listing_first(bundle.models, bundle.count) : -1;
    if (!name && first >= 0)
        found = &bundle.models[first];
    for (int i = 0; ok && name && i < bundle.count; i++)
        if (strcmp(bundle.models[i].id, name) == 0)
            found = &bundle.models[i];
    if (found)
        snprintf(path, size, "%s", found->path);
    else if (ok && !name)
        ok = fail_with(err, ERR_IO, "%s: holds no model", bundle.root);
    else if (ok)
        ok = unknown_name(&bundle, name, err);
    arena_finish(&arena);
    return ok;
}

bool pick_path(const char *name, char *path, size_t size, struct error *err)
{
    if (!name || (!file_exists(name) && !strchr(name, '/')))
        return find_bundled(name, path, size, err);
    int n = snprintf(path, size, "%s", name);
    return (n >= 0 && (size_t)n < size) ||
           fail_with(err, ERR_LIMIT, "a path of %d bytes is too long", n);
}

// What is here has the name of a bundled model, and is none.
static void say_bundled(const char *name, struct error *err)
{
    char path[4096];
    struct error none;
    size_t used = strlen(err->text);
    if (name && !strchr(name, '/') && file_exists(name) &&
        find_bundled(name, path, sizeof path, &none))
        snprintf(err->text + used, sizeof err->text - used,
                 " (the bundled model of this name is %.200s)", path);
}

struct model_dir *pick_model(const char *name, struct error *err)
{
    char path[4096];
    if (!pick_path(name, path, sizeof path, err))
        return NULL;
    struct model_dir *dir = model_dir_open(path, err);
    if (!dir)
        say_bundled(name, err);
    return dir;
}

void model_title(const struct model_dir *dir, char *out, size_t out_size)
{
    char languages[128];
    model_dir_languages(dir, languages, sizeof languages);
    snprintf(out, out_size, "%s · %s", model_dir_name(dir), languages);
}
