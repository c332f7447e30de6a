// SPDX-License-Identifier: MIT
// Which models there are, and where the program's own data lie.
#include "formats/model_dir.h"

#include "base/file.h"
#include "formats/config.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int by_kind_then_id(const void *left, const void *right)
{
    const struct model_listing *a = left, *b = right;
    if (a->config.family != b->config.family)
        return a->config.family < b->config.family ? -1 : 1;
    if (a->config.score != b->config.score)
        return a->config.score < b->config.score ? -1 : 1;
    return strcmp(a->id, b->id);
}

// False when there is no model at all below root/name; *good says whether it can be read.
static bool look_at(const char *root, const char *name, struct model_listing *out,
                    bool *good)
{
    char config[4096];
    *good = false;
    if (name[0] == '.' || !file_join(out->path, sizeof out->path, root, name) ||
        !file_join(config, sizeof config, out->path, "config.json") ||
        !file_exists(config))
        return false;
    *good = config_read(&out->config, config, NULL);
    model_dir_id(out->path, out->id, sizeof out->id);
    return true;
}

int model_dir_list(const char *root, struct model_listing *out, int *broken)
{
    int count = 0, bad = 0;
    DIR *directory = opendir(root);
    const struct dirent *item;
    while (directory && count < MODEL_LISTING_MAX && (item = readdir(directory))) {
        bool good;
        if (!look_at(root, item->d_name, &out[count], &good))
            continue;
        if (good)
            count++;
        else
            bad++;
    }
    if (directory)
        closedir(directory);
    if (count)
        qsort(out, (size_t)count, sizeof *out, by_kind_then_id);
    if (broken)
        *broken = bad;
    return count;
}

// An installed program beside its data, wherever the two were put: PREFIX/bin/alphascope
// and PREFIX/share/alphascope.
static const char *installed_root(char *out, size_t out_size)
{
    char bin[4096];
    size_t length;
    if (!file_program_directory(bin, sizeof bin))
        return NULL;
    bin[file_basename(bin, &length) - bin] = '\0';
    return file_join(out, out_size, bin, "share/alphascope") ? out : NULL;
}

bool data_path(const char *name, char *out, size_t out_size)
{
    char installed[4096];
    const char *const roots[] = {getenv("ALPHASCOPE_DATA"),
                                 installed_root(installed, sizeof installed),
                                 ALPHASCOPE_SOURCE, ALPHASCOPE_PREFIX};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (roots[i] && roots[i][0] && file_join(out, out_size, roots[i], name) &&
            file_exists(out))
            return true;
    return false;
}

int model_listing_first(const struct model_listing *listing, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(listing[i].config.languages, "en-fr"))
            return i;
    return count ? 0 : -1;
}
