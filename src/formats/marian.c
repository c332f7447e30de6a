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

// The text of one field of an object; "" without it.
static void field_of(const struct buf *text, const char *name, char *out, size_t size)
{
    struct json json;
    struct json_value key, value;
    char found[32];
    bool more;
    out[0] = '\0';
    if (!json_init(&json, buf_text(text), text->length, "", NULL) ||
        !json_at(&json, '{') || !json_open(&json, '{') || !json_more(&json, &more))
        return;
    while (more) {
        if (!json_key(&json, &key) || !json_value(&json, &value))
            return;
        if (json_text(&key, found, sizeof found, NULL) && strcmp(found, name) == 0 &&
            !json_text(&value, out, size, NULL))
            out[0] = '\0';
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

static void find_languages(struct model_dir *dir)
{
    char path[4096], id[sizeof dir->id], source[CODE_BYTES] = "", target[CODE_BYTES] = "";
    struct buf text;
    buf_init(&text, MAX_CONFIG_BYTES);
    if (file_join(path, sizeof path, dir->path, "tokenizer_config.json") &&
        file_exists(path) && file_read(path, &text, NULL)) {
        field_of(&text, "source_lang", source, sizeof source);
        field_of(&text, "target_lang", target, sizeof target);
    }
    buf_finish(&text);
    model_dir_id(dir->path, id, sizeof id);
    if (!is_code(source) || !is_code(target))
        languages_of_name(id, source, target, sizeof source);
    if (is_code(source) && is_code(target))
        snprintf(dir->network.config.languages, sizeof dir->network.config.languages,
                 "%s-%s", source, target);
}

bool marian_open(struct model_dir *dir, const char *source_spm, const char *target_spm,
                 struct error *err)
{
    char source[4096], target[4096];
    if (!file_join(source, sizeof source, dir->path, "vocab.json") ||
        !file_join(target, sizeof target, dir->path, "target_vocab.json"))
        return fail_with(err, ERR_LIMIT, "%.200s...: the path is too long", dir->path);
    bool own = file_exists(target);
    find_languages(dir);
    return open_source(dir, source, source_spm, err) &&
           open_target(dir, own ? target : source, own, target_spm, err);
}
