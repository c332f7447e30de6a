// SPDX-License-Identifier: MIT
// The models at hand. See library.h.
#include "app/library.h"

#include <stdio.h>
#include <string.h>

#include "engine/score.h"

void library_init(struct library *library, const char *root)
{
    memset(library, 0, sizeof *library);
    library->first = -1;
    if (!root)
        return;
    struct model_listing listing[MODEL_LISTING_MAX];
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
    for (int i = library->count - 1; i >= 0; i--)
        if (!strcmp(library->entries[i].listing.id, name) ||
            !strcmp(library->entries[i].listing.path, name))
            return i;
    return -1;
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

int library_take(struct library *library, struct model_dir *dir)
{
    for (int i = 0; i < library->count; i++)
        if (!library->entries[i].dir &&
            !strcmp(library->entries[i].listing.path, dir->path)) {
            fill_entry(&library->entries[i], dir);
            return i;
        }
    if (library->count == LIBRARY_MAX) {
        model_dir_close(dir);
        return -1;
    }
    memset(&library->entries[library->count], 0, sizeof library->entries[0]);
    fill_entry(&library->entries[library->count], dir);
    return library->count++;
}

static bool same_languages(const struct library *library, int a, int b)
{
    return !strcmp(library->entries[a].listing.config.languages,
                   library->entries[b].listing.config.languages);
}

void library_label(const struct library *library, int entry, char *out, size_t size)
{
    const struct model_listing *mine = &library->entries[entry].listing;
    const char *label = scorer_of(mine->config.score)->label;
    bool second = false;
    for (int i = 0; i < entry; i++)
        second =
            second || (same_languages(library, i, entry) &&
                       library->entries[i].listing.config.score == mine->config.score);
    if (second)
        snprintf(out, size, "%s · %.24s", label, mine->id);
    else
        snprintf(out, size, "%s", label);
}

void library_line(const struct library *library, int entry, char *out, size_t size)
{
    const struct model_listing *mine = &library->entries[entry].listing;
    const struct scorer *scorer = scorer_of(mine->config.score);
    snprintf(out, size, "%s · %s", scorer->name, scorer->paper);
}

int library_group(const struct library *library, int entry, int *out, int max)
{
    int count = 0;
    for (int i = 0; i < library->count && count < max; i++)
        if (same_languages(library, i, entry))
            out[count++] = i;
    return count;
}

int library_next_group(const struct library *library, int entry)
{
    // Groups in order of their first entry.
    int first = entry, best = -1, wrap = entry;
    for (int i = library->count - 1; i >= 0; i--)
        if (same_languages(library, i, entry))
            first = i;
    for (int i = library->count - 1; i >= 0; i--) {
        bool leads = true;
        for (int k = 0; k < i; k++)
            leads = leads && !same_languages(library, k, i);
        if (!leads)
            continue;
        if (i > first)
            best = i;
        wrap = i;
    }
    return best >= 0 ? best : wrap;
}
