// SPDX-License-Identifier: MIT
// Opening a model directory. The order is from small to large: the config says what the
// rest must be, the tokenizers must fit it, the weights come last. What is open has been
// checked whole, so that nothing downstream needs to ask again.
#include "formats/model_dir.h"

#include "base/file.h"
#include "engine/lookup.h"
#include "engine/naming.h"
#include "formats/bind.h"
#include "formats/config.h"
#include "formats/marian.h"
#include "text/utf8.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct places { // of the parts, resolved
    char config[4096], weights[4096], source[4096], target[4096];
};

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && memcmp(text + length - n, end, n) == 0;
}

// The directory part of a path to a file: "." for "config.json".
static bool parent_of(char *out, size_t size, const char *path)
{
    size_t length;
    const char *base = file_basename(path, &length);
    size_t n = (size_t)(base - path);
    int written = n ? snprintf(out, size, "%.*s", (int)(n > 1 ? n - 1 : n), path)
                    : snprintf(out, size, ".");
    return written >= 0 && (size_t)written < size;
}

static bool path_too_long(const char *path, struct error *err)
{
    return fail_with(err, ERR_LIMIT, "%.200s...: the path is too long", path);
}

// A directory, its config.json or its weight file: all three mean the directory; a weight
// file means itself too.
static bool resolve(struct model_dir *dir, struct places *places, const char *path,
                    struct error *err)
{
    size_t length;
    const char *base = file_basename(path, &length);
    bool weights = ends_with(base, length, ".safetensors");
    if (strlen(path) >= sizeof dir->path - NAME_MAX)
        return path_too_long(path, err);
    if (!file_exists(path))
        return fail_with(err, ERR_IO, "%s: no such file or directory", path);
    if (file_is_directory(path))
        snprintf(dir->path, sizeof dir->path, "%s", path);
    else if (!weights && !(length == 11 && memcmp(base, "config.json", 11) == 0))
        return fail_with(err, ERR_FORMAT,
                         "%s: is not a model, expected a directory, its config.json or "
                         "its .safetensors file",
                         path);
    else if (!parent_of(dir->path, sizeof dir->path, path))
        return path_too_long(path, err);
    if (!file_join(places->config, sizeof places->config, dir->path, "config.json") ||
        !file_join(places->weights, sizeof places->weights, dir->path,
                   "model.safetensors") ||
        !file_join(places->source, sizeof places->source, dir->path, "source.spm") ||
        !file_join(places->target, sizeof places->target, dir->path, "target.spm"))
        return path_too_long(path, err);
    if (weights && !file_is_directory(path))
        snprintf(places->weights, sizeof places->weights, "%s", path);
    return true;
}

void model_dir_id(const char *path, char *out, size_t out_size)
{
    char whole[PATH_MAX];
    size_t length;
    const char *base = file_basename(path, &length);
    // "." and ".." are no names.
    if (length <= 2 && strspn(base, ".") >= length && realpath(path, whole))
        base = file_basename(whole, &length);
    if (length == 0) {
        base = path; // the root of the file system
        length = strlen(path);
    }
    utf8_clean(out, out_size, base, length, NULL);
}

static bool check_special(const char *path, const char *name, int found, int expected,
                          struct error *err)
{
    return found == expected ||
           fail_with(err, ERR_FORMAT,
                     "%s: the tokenizer's %s id is %d, config.json's field '%s' is %d",
                     path, name, found, name, expected);
}

static bool check_tokenizer(const struct tokenizer *tokenizer,
                            const struct model_config *config, bool source,
                            const char *path, struct error *err)
{
    int size = tokenizer_size(tokenizer);
    int expected = source ? config->source_vocab : config->target_vocab;
    if (size != expected)
        return fail_with(err, ERR_FORMAT,
                         "%s: has %d pieces, config.json's field '%s' is %d", path, size,
                         source ? "source_vocab" : "target_vocab", expected);
    struct tokenizer_specials own = tokenizer_specials(tokenizer);
    return check_special(path, "pad", own.pad, config->pad, err) &&
           check_special(path, "bos", own.bos, config->bos, err) &&
           check_special(path, "eos", own.eos, config->eos, err) &&
           check_special(path, "unk", own.unk, config->unk, err);
}

static bool open_tokenizers(struct model_dir *dir, const struct places *places,
                            struct error *err)
{
    const struct model_config *config = &dir->network.config;
    if (config->marian)
        return marian_open(dir, places->source, places->target, err);
    dir->source = tokenizer_open(places->source, err);
    if (!dir->source || !check_tokenizer(dir->source, config, true, places->source, err))
        return false;
    dir->target = tokenizer_open(places->target, err);
    return dir->target &&
           check_tokenizer(dir->target, config, false, places->target, err);
}

static bool open_parts(struct model_dir *dir, const struct places *places,
                       struct error *err)
{
    if (!config_read(&dir->network.config, places->config, err) ||
        !open_tokenizers(dir, places, err))
        return false;
    return safetensors_open(&dir->weights, places->weights, err) &&
           bind_network(&dir->network, &dir->weights, places->weights, err);
}

struct model_dir *model_dir_open(const char *path, struct error *err)
{
    struct model_dir *dir = calloc(1, sizeof *dir);
    struct places *places = calloc(1, sizeof *places);
    bool ok = false;
    if (!dir || !places)
        fail_nomem(err, "a model");
    else
        ok = resolve(dir, places, path, err) && open_parts(dir, places, err);
    free(places);
    if (!ok) {
        model_dir_close(dir);
        return NULL;
    }
    model_dir_id(dir->path, dir->id, sizeof dir->id);
    dir->network.lookups = lookups_create(&dir->network);
    return dir;
}

void model_dir_close(struct model_dir *dir)
{
    if (!dir)
        return;
    lookups_destroy(dir->network.lookups);
    safetensors_close(&dir->weights);
    tokenizer_close(dir->source);
    tokenizer_close(dir->target);
    free(dir);
}

const char *model_dir_name(const struct model_dir *dir)
{
    return model_naming(&dir->network.config).name;
}

static const char *language_name(const char *code, size_t length)
{
    static const char *const names[][2] = {
        {"ar", "Arabic"},         {"cs", "Czech"},      {"da", "Danish"},
        {"de", "German"},         {"el", "Greek"},      {"en", "English"},
        {"es", "Spanish"},        {"et", "Estonian"},   {"fi", "Finnish"},
        {"fr", "French"},         {"he", "Hebrew"},     {"hi", "Hindi"},
        {"hu", "Hungarian"},      {"it", "Italian"},    {"ja", "Japanese"},
        {"ko", "Korean"},         {"nl", "Dutch"},      {"no", "Norwegian"},
        {"pl", "Polish"},         {"pt", "Portuguese"}, {"ro", "Romanian"},
        {"ru", "Russian"},        {"sv", "Swedish"},    {"tr", "Turkish"},
        {"uk", "Ukrainian"},      {"zh", "Chinese"},    {"date", "Date"},
        {"iso", "ISO"},           {"text", "Text"},     {"copy", "copy"},
        {"reversed", "reversed"}, {"eng", "English"},   {"fra", "French"},
        {"deu", "German"},        {"spa", "Spanish"},   {"ita", "Italian"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i][0]) == length && memcmp(names[i][0], code, length) == 0)
            return names[i][1];
    return NULL;
}

void model_dir_languages(const struct model_dir *dir, char *out, size_t out_size)
{
    const char *text = dir->network.config.languages;
    size_t from = strcspn(text, "-");
    const char *to = text[from] ? text + from + 1 : "";
    const char *source = language_name(text, from);
    const char *target = language_name(to, strlen(to));
    if (source && target)
        snprintf(out, out_size, "%s → %s", source, target);
    else if (!text[0])
        snprintf(out, out_size, "languages unknown");
    else
        snprintf(out, out_size, "%s", text);
}
