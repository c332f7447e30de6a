// SPDX-License-Identifier: MIT
// The models at hand. See library.h.
#include "app/library.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "engine/naming.h"
#include "text/utf8.h"

void library_init(struct library *library, const char *root)
{
    memset(library, 0, sizeof *library);
    library->first = -1;
    if (!root)
        return;
    struct model_listing listing[MODEL_LISTING_MAX];
    snprintf(library->root, sizeof library->root, "%s", root);
    library->count = model_dir_list(root, listing, NULL);
    for (int i = 0; i < library->count; i++)
        library->entries[i].listing = listing[i];
    library->first = model_listing_first(listing, library->count);
}

void library_finish(struct library *library)
{
    for (int i = 0; i < library->count; i++)
        model_dir_close(library->entries[i].dir);
    library->count = 0;
}

int library_find(const struct library *library, const char *name)
{
    for (int i = library->count - 1; i >= 0; i--) {
        const struct library_entry *entry = &library->entries[i];
        if (!entry->replaced &&
            (!strcmp(entry->listing.id, name) || !strcmp(entry->listing.path, name)))
            return i;
    }
    return -1;
}

// Whether two paths lead to one place.
static bool same_place(const char *a, const char *b)
{
    char real_a[PATH_MAX], real_b[PATH_MAX];
    return !strcmp(a, b) ||
           (realpath(a, real_a) && realpath(b, real_b) && !strcmp(real_a, real_b));
}

// The place in the models folder that a model with this id has.
static bool bundled_path(const struct library *library, const char *id, char *out,
                         size_t size)
{
    return library->root[0] && !strchr(id, '/') &&
           file_join(out, size, library->root, id);
}

int library_bundled(const struct library *library, const char *id)
{
    char path[PATH_MAX];
    return bundled_path(library, id, path, sizeof path) ? library_find(library, path)
                                                        : -1;
}

bool library_is_bundled(const struct library *library, int entry)
{
    char path[PATH_MAX];
    const struct model_listing *listing = &library->entries[entry].listing;
    return bundled_path(library, listing->id, path, sizeof path) &&
           same_place(path, listing->path);
}

static void fill_entry(struct library_entry *entry, struct model_dir *dir)
{
    snprintf(entry->listing.path, sizeof entry->listing.path, "%s", dir->path);
    snprintf(entry->listing.id, sizeof entry->listing.id, "%s", dir->id);
    entry->listing.config = dir->network.config;
    entry->dir = dir;
    entry->opening = false;
    entry->translator = (struct translator){.id = dir->id,
                                            .network = &dir->network,
                                            .source = dir->source,
                                            .target = dir->target};
}

// A free entry, or a new one.
static int free_entry(struct library *library)
{
    int at = 0;
    while (at < library->count &&
           (!library->entries[at].replaced || library->entries[at].dir))
        at++;
    if (at == LIBRARY_MAX)
        return -1;
    if (at == library->count)
        library->count++;
    return at;
}

int library_take(struct library *library, struct model_dir *dir)
{
    int old = -1, entry;
    for (int i = 0; i < library->count && old < 0; i++)
        if (!library->entries[i].replaced &&
            same_place(library->entries[i].listing.path, dir->path))
            old = i;
    if (old >= 0 && !library->entries[old].dir) {
        fill_entry(&library->entries[old], dir);
        return old;
    }
    entry = free_entry(library);
    if (entry < 0) {
        model_dir_close(dir);
        return -1;
    }
    if (old >= 0)
        library->entries[old].replaced = true;
    memset(&library->entries[entry], 0, sizeof library->entries[0]);
    fill_entry(&library->entries[entry], dir);
    return entry;
}

void library_release(struct library *library, int entry)
{
    model_dir_close(library->entries[entry].dir);
    library->entries[entry] = (struct library_entry){.replaced = true};
}

static bool same_languages(const struct library *library, int a, int b)
{
    return !strcmp(library->entries[a].listing.config.languages,
                   library->entries[b].listing.config.languages);
}

// "name", or "folder/name" where another model of these languages has that name.
static void name_of(const struct library *library, int entry, char *out, size_t size)
{
    const struct model_listing *mine = &library->entries[entry].listing;
    bool twice = false;
    for (int i = 0; i < library->count; i++)
        twice = twice || (i != entry && !library->entries[i].replaced &&
                          same_languages(library, i, entry) &&
                          !strcmp(library->entries[i].listing.id, mine->id));
    char above[PATH_MAX];
    size_t length = 0;
    snprintf(above, sizeof above, "%s", mine->path);
    const char *base = file_basename(above, &length);
    if (!twice || base == above) {
        utf8_clean(out, size, mine->id, strlen(mine->id), NULL);
        return;
    }
    above[base - above - 1] = '\0';
    base = file_basename(above, &length);
    char both[PATH_MAX + 256];
    int n = snprintf(both, sizeof both, "%.*s/%s", (int)length, base, mine->id);
    utf8_clean(out, size, both, n > 0 ? (size_t)n : 0, NULL);
}

void library_label(const struct library *library, int entry, char *out, size_t size)
{
    const struct model_listing *mine = &library->entries[entry].listing;
    const char *label = model_naming(&mine->config).label;
    bool second = false;
    for (int i = 0; i < entry; i++)
        second =
            second ||
            (!library->entries[i].replaced && same_languages(library, i, entry) &&
             !strcmp(model_naming(&library->entries[i].listing.config).label, label));
    char name[32];
    name_of(library, entry, name, sizeof name);
    if (second)
        snprintf(out, size, "%s · %s", label, name);
    else
        snprintf(out, size, "%s", label);
}

void library_line(const struct library *library, int entry, char *out, size_t size)
{
    const struct model_listing *mine = &library->entries[entry].listing;
    const struct naming naming = model_naming(&mine->config);
    snprintf(out, size, "%s · %s", naming.name, naming.paper);
}

int library_group(const struct library *library, int entry, int *out, int max)
{
    int count = 0;
    for (int i = 0; i < library->count && count < max; i++)
        if (!library->entries[i].replaced && same_languages(library, i, entry))
            out[count++] = i;
    return count;
}

int library_next_group(const struct library *library, int entry)
{
    // Groups in order of their first entry.
    int first = entry, best = -1, wrap = entry;
    library_group(library, entry, &first, 1);
    for (int i = library->count - 1; i >= 0; i--) {
        int leader = i;
        library_group(library, i, &leader, 1);
        if (leader != i || library->entries[i].replaced)
            continue;
        if (i > first)
            best = i;
        wrap = i;
    }
    return best >= 0 ? best : wrap;
}
