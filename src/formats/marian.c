// SPDX-License-Identifier: MIT
// The files beside config.json and the weights of a MarianMT model. See marian.h.
#include "formats/marian.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "formats/json.h"
#include "formats/vocabulary_json.h"

enum { MAX_CONFIG_BYTES = 1 << 20, CODE_BYTES = 12 };

static bool check_id(const char *path, const char *piece, int found, const char *field,
                     int expected, struct error *err)
{
    return found == expected ||
           fail_with(err, ERR_FORMAT,
                     "%s: the id of '%s' is %d, config.json's field '%s' is %d", path,
                     piece, found, field, expected);
}

static bool open_side(struct tokenizer **out, const char *spm,
                      const struct vocabulary_json *vocabulary, struct error *err)
{
    *out = tokenizer_open(spm, err);
    return *out && tokenizer_use_vocabulary(*out, vocabulary->pieces, vocabulary->count,
                                            vocabulary->eos, vocabulary->unk, err);
}

static bool open_source(struct model_dir *dir, const char *path, const char *spm,
                        struct error *err)
{
    struct model_config *config = &dir->network.config;
    struct vocabulary_json vocabulary;
    if (!vocabulary_json_read(&vocabulary, path, "vocab_size", config->source_vocab, err))
        return false;
    config->source_eos_id = vocabulary.eos;
    config->unk = vocabulary.unk;
    bool ok = open_side(&dir->source, spm, &vocabulary, err);
    vocabulary_json_finish(&vocabulary);
    return ok;
}

static bool open_target(struct model_dir *dir, const char *path, bool own,
                        const char *spm, struct error *err)
{
    const struct model_config *config = &dir->network.config;
    const char *field = own ? "decoder_vocab_size" : "vocab_size";
    struct vocabulary_json vocabulary;
    if (!vocabulary_json_read(&vocabulary, path, field, config->target_vocab, err))
        return false;
    bool ok = check_id(path, "</s>", vocabulary.eos, "eos_token_id", config->eos, err) &&
              (vocabulary.pad < 0 || check_id(path, "<pad>", vocabulary.pad,
                                              "pad_token_id", config->pad, err)) &&
              open_side(&dir->target, spm, &vocabulary, err);
    vocabulary_json_finish(&vocabulary);
    return ok;
}

static bool is_code(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    return length >= 2 && length < CODE_BYTES && text[length] == '\0';
}

// What tokenizer_config.json tells: of a text that is none, nothing.
struct told {
    char source[CODE_BYTES], target[CODE_BYTES]; // languages; "": not there
    bool separate;                               // vocabularies
};

static void take(struct told *told, const struct json_value *key,
                 const struct json_value *value)
{
    char name[32] = "";
    json_text(key, name, sizeof name, NULL);
    if (strcmp(name, "source_lang") == 0 &&
        !json_text(value, told->source, sizeof told->source, NULL))
        told->source[0] = '\0';
    if (strcmp(name, "target_lang") == 0 &&
        !json_text(value, told->target, sizeof told->target, NULL))
        told->target[0] = '\0';
    if (strcmp(name, "separate_vocabs") == 0)
        told->separate = value->kind == JSON_BOOL && value->raw[0] == 't';
}

static void read_told(struct told *told, const struct buf *text)
{
    struct json json;
    struct json_value key, value;
    bool more;
    if (!json_init(&json, buf_text(text), text->length, "", NULL) ||
        !json_at(&json, '{') || !json_open(&json, '{') || !json_more(&json, &more))
        return;
    while (more) {
        if (!json_key(&json, &key) || !json_value(&json, &value))
            return;
        take(told, &key, &value);
        if (!json_more(&json, &more))
            return;
    }
}

// "en-fr" at the end of "opus-mt-en-fr".
static void languages_of_name(const char *id, char *source, char *target, size_t size)
{
    const char *second = strrchr(id, '-'), *first = second;
    while (first && first > id && first[-1] != '-')
        first--;
    if (!second || first == second)
        return;
    snprintf(source, size, "%.*s", (int)(second - first), first);
    snprintf(target, size, "%s", second + 1);
}

static struct told ask(const struct model_dir *dir)
{
    struct told told = {0};
    char path[4096];
    struct buf text;
    buf_init(&text, MAX_CONFIG_BYTES);
    if (file_join(path, sizeof path, dir->path, "tokenizer_config.json") &&
        file_exists(path) && file_read(path, &text, NULL))
        read_told(&told, &text);
    buf_finish(&text);
    return told;
}

static void set_languages(struct model_dir *dir, struct told *told)
{
    char id[sizeof dir->id];
    model_dir_id(dir->path, id, sizeof id);
    if (!is_code(told->source) || !is_code(told->target))
        languages_of_name(id, told->source, told->target, sizeof told->source);
    if (is_code(told->source) && is_code(told->target))
        snprintf(dir->network.config.languages, sizeof dir->network.config.languages,
                 "%s-%s", told->source, told->target);
}

// One vocabulary for both sides, where nothing says that there are two.
static bool check_one(const struct model_config *config, const struct told *told,
                      const char *path, struct error *err)
{
    if (config->source_vocab != config->target_vocab)
        return fail_with(err, ERR_FORMAT,
                         "%s: is missing, config.json's field 'decoder_vocab_size' is %d "
                         "and 'vocab_size' %d",
                         path, config->target_vocab, config->source_vocab);
    return !told->separate ||
           fail_with(err, ERR_FORMAT,
                     "%s: is missing, tokenizer_config.json's field 'separate_vocabs' is "
                     "true",
                     path);
}

bool marian_open(struct model_dir *dir, const char *source_spm, const char *target_spm,
                 struct error *err)
{
    char source[4096], target[4096];
    if (!file_join(source, sizeof source, dir->path, "vocab.json") ||
        !file_join(target, sizeof target, dir->path, "target_vocab.json"))
        return fail_with(err, ERR_LIMIT, "%.200s...: the path is too long", dir->path);
    bool own = file_exists(target);
    struct told told = ask(dir);
    set_languages(dir, &told);
    return (own || check_one(&dir->network.config, &told, target, err)) &&
           open_source(dir, source, source_spm, err) &&
           open_target(dir, own ? target : source, own, target_spm, err);
}
