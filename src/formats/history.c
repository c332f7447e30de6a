// SPDX-License-Identifier: MIT
// Reading a training's history. See history.h.
#include "formats/history.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/bind.h"
#include "formats/json.h"

enum { INDEX_MAX_BYTES = 1 << 20, ENTROPY_MAX_BITS = 32 };

// A name, not a way out of the folder.
static bool plain_name(const char *name)
{
    return name[0] && name[0] != '.' && !strchr(name, '/');
}

static bool take_number(const struct json_value *value, double most, float *out)
{
    double number;
    if (!json_number(value, &number) || !(number >= 0 && number <= most))
        return false;
    *out = (float)number;
    return true;
}

// One field of an entry; what is not known here is for other programs.
static bool take_field(struct history_entry *entry, const struct json_value *key,
                       const struct json_value *value)
{
    char name[32];
    uint64_t step;
    if (!json_text(key, name, sizeof name, NULL))
        return true;
    if (!strcmp(name, "step")) {
        bool ok = json_integer(value, INT64_MAX, &step);
        entry->step = ok ? (int64_t)step : -1;
        return ok;
    }
    if (!strcmp(name, "file"))
        return json_text(value, entry->file, sizeof entry->file, NULL) &&
               plain_name(entry->file);
    if (!strcmp(name, "entropy_bits"))
        return take_number(value, ENTROPY_MAX_BITS, &entry->entropy_bits);
    if (!strcmp(name, "exact"))
        return take_number(value, 1, &entry->exact);
    return true;
}

static bool read_entry(struct json *json, struct history_entry *entry, const char *path,
                       struct error *err)
{
    struct json_value key, value;
    bool more;
    *entry = (struct history_entry){.step = -1, .entropy_bits = NAN, .exact = NAN};
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more) {
        if (!json_key(json, &key) || !json_value(json, &value))
            return false;
        if (!take_field(entry, &key, &value))
            return fail_with(err, ERR_FORMAT,
                             "%s: field %.*s is %.*s, expected a step from 0, a file's "
                             "name, an entropy or a share from 0 to 1",
                             path, (int)(key.length < 40 ? key.length : 40), key.raw,
                             (int)(value.length < 60 ? value.length : 60), value.raw);
        if (!json_more(json, &more))
            return false;
    }
    if (entry->step < 0 || !entry->file[0])
        return fail_with(err, ERR_FORMAT, "%s: an entry lacks its field '%s'", path,
                         entry->step < 0 ? "step" : "file");
    return true;
}

static bool read_index(struct history *history, const char *text, size_t size,
                       const char *path, struct error *err)
{
    struct json json;
    bool more;
    if (!json_init(&json, text, size, path, err) || !json_open(&json, '[') ||
        !json_more(&json, &more))
        return false;
    while (more) {
        if (history->count == HISTORY_MAX)
            return fail_with(err, ERR_LIMIT, "%s: has more than %d entries", path,
                             HISTORY_MAX);
        if (!read_entry(&json, &history->entries[history->count++], path, err) ||
            !json_more(&json, &more))
            return false;
    }
    return json_finish(&json);
}

// "step-000257.safetensors": the first run of digits.
static int64_t step_of_name(const char *name)
{
    const char *digits = name + strcspn(name, "0123456789");
    return *digits ? strtoll(digits, NULL, 10) : 0;
}

static void list_files(struct history *history, const char *folder)
{
    DIR *files = opendir(folder);
    struct dirent *file;
    while (files && (file = readdir(files)) && history->count < HISTORY_MAX) {
        struct history_entry *entry = &history->entries[history->count];
        size_t length = strlen(file->d_name), ending = strlen(".safetensors");
        if (length <= ending || length >= sizeof entry->file ||
            strcmp(file->d_name + length - ending, ".safetensors") != 0 ||
            !plain_name(file->d_name))
            continue;
        *entry = (struct history_entry){
            .step = step_of_name(file->d_name), .entropy_bits = NAN, .exact = NAN};
        memcpy(entry->file, file->d_name, length + 1);
        history->count++;
    }
    if (files)
        closedir(files);
}

static int by_step(const void *a, const void *b)
{
    const struct history_entry *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return strcmp(x->file, y->file);
}

static void sort(struct history *history)
{
    qsort(history->entries, (size_t)history->count, sizeof *history->entries, by_step);
}

bool history_parse(struct history *history, const char *text, size_t size,
                   const char *path, struct error *err)
{
    history->count = 0;
    bool ok = read_index(history, text, size, path, err);
    if (!ok)
        history->count = 0;
    sort(history);
    return ok;
}

bool history_read(struct history *history, const struct model_dir *dir, struct error *err)
{
    char folder[4096], index[4096];
    history->count = 0;
    if (!file_join(folder, sizeof folder, dir->path, "history") ||
        !file_is_directory(folder) ||
        !file_join(index, sizeof index, folder, "index.json"))
        return true;
    if (!file_exists(index)) {
        list_files(history, folder);
        sort(history);
        return true;
    }
    struct buf text;
    buf_init(&text, INDEX_MAX_BYTES);
    bool ok = file_read(index, &text, err) &&
              history_parse(history, buf_text(&text), text.length, index, err);
    buf_finish(&text);
    return ok;
}

struct checkpoint *checkpoint_open(const struct model_dir *dir, const char *file,
                                   struct error *err)
{
    char folder[4096], path[4096];
    struct checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint) {
        fail_nomem(err, "a checkpoint");
        return NULL;
    }
    checkpoint->network.config = dir->network.config;
    bool ok = file_join(folder, sizeof folder, dir->path, "history") &&
              file_join(path, sizeof path, folder, file);
    if (!ok)
        fail_with(err, ERR_LIMIT, "%.200s: the path is too long", file);
    ok = ok && safetensors_open(&checkpoint->weights, path, err) &&
         bind_network(&checkpoint->network, &checkpoint->weights, path, err);
    if (ok)
        return checkpoint;
    checkpoint_close(checkpoint);
    return NULL;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    safetensors_close(&checkpoint->weights);
    free(checkpoint);
}
