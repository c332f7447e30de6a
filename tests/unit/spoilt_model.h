// SPDX-License-Identifier: MIT
// A copy of a tiny model in which one thing is spoiled; opening it must fail with a
// sentence that names the file and what is wrong there. For test programs; include after
// cmocka.h.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/model_dir.h"

static const char *const parts[] = {
    "config.json", "model.safetensors", "source.spm",           "target.spm",
    "vocab.json",  "target_vocab.json", "tokenizer_config.json"};
enum { PARTS = 4, ALL_PARTS = 7 }; // that every model has; that there may be
enum { CONFIG = 0, WEIGHTS, SOURCE, TARGET, VOCAB, TARGET_VOCAB, TOKENIZERS };

static char root[] = "/tmp/alphascope-XXXXXX";

struct model { // a copy that is being spoiled
    char path[128];
    struct buf files[ALL_PARTS];
};

static inline void model_read(struct model *model, const char *name)
{
    char path[4200];
    struct error err;
    snprintf(model->path, sizeof model->path, "%s/spoilt", root);
    for (int i = 0; i < ALL_PARTS; i++) {
        snprintf(path, sizeof path, "%s/golden/models/%s/%s", ALPHASCOPE_TESTS, name,
                 parts[i]);
        buf_init(&model->files[i], 1 << 20);
        if (i < PARTS || file_exists(path))
            assert_true(file_read(path, &model->files[i], &err));
    }
}

static inline void model_write(const struct model *model)
{
    char path[512];
    struct error err;
    mkdir(model->path, 0755);
    for (int i = 0; i < ALL_PARTS; i++) {
        assert_true(file_join(path, sizeof path, model->path, parts[i]));
        if (model->files[i].capacity == 0)
            unlink(path);
        else
            assert_true(
                file_write(path, model->files[i].data, model->files[i].length, &err));
    }
}

static inline void model_free(struct model *model)
{
    char path[512];
    for (int i = 0; i < ALL_PARTS; i++) {
        buf_finish(&model->files[i]);
        assert_true(file_join(path, sizeof path, model->path, parts[i]));
        unlink(path);
    }
    rmdir(model->path);
}

static inline void must_say(const char *path, const char *first, const char *second)
{
    struct error err = {0};
    struct model_dir *dir = model_dir_open(path, &err);
    if (dir) {
        model_dir_close(dir);
        fail_msg("%s opened, expected an error about %s, %s", path, first, second);
    }
    if (!strstr(err.text, first) || !strstr(err.text, second))
        fail_msg("said \"%s\", expected \"%s\" and \"%s\"", err.text, first, second);
    if (strchr(err.text, '\n'))
        fail_msg("more than one line: %s", err.text);
}

static inline void model_must_say(struct model *model, int part, const char *expected)
{
    model_write(model);
    must_say(model->path, parts[part], expected);
    model_free(model);
}

static inline void set_text(struct buf *buf, const char *bytes, size_t length)
{
    buf_clear(buf);
    assert_true(buf_append(buf, bytes, length));
}

// The first `old` in the file becomes `new`; safetensors: the header's length follows.
static inline void replace(struct model *model, int part, const char *old,
                           const char *new)
{
    struct buf *buf = &model->files[part], out;
    size_t n = strlen(old);
    char *at = memmem(buf->data, buf->length, old, n);
    if (!at)
        fail_msg("%s has no %s", parts[part], old);
    buf_init(&out, 1 << 20);
    buf_append(&out, buf->data, (size_t)(at - buf->data));
    buf_add(&out, new);
    buf_append(&out, at + n, buf->length - (size_t)(at - buf->data) - n);
    assert_false(out.failed);
    if (part == WEIGHTS) {
        uint64_t header = 0;
        for (int i = 7; i >= 0; i--)
            header = header << 8 | (unsigned char)out.data[i];
        header += strlen(new) - n;
        for (int i = 0; i < 8; i++)
            out.data[i] = (char)(unsigned char)(header >> (8 * i));
    }
    buf_finish(buf);
    *buf = out;
}

// Where a field's value begins and ends in the config's text.
static inline void find_value(const struct buf *config, const char *field, size_t *begin,
                              size_t *end)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\": ", field);
    const char *at = strstr(config->data, key);
    if (!at)
        fail_msg("no field %s", field);
    *begin = (size_t)(at - config->data) + strlen(key);
    *end = *begin + strcspn(config->data + *begin, ",\n");
    if (config->data[*begin] == '[')
        *end = *begin + strcspn(config->data + *begin, "]") + 1;
}

static inline void set_value(struct model *model, const char *field, const char *value)
{
    struct buf *config = &model->files[CONFIG], out;
    size_t begin, end;
    find_value(config, field, &begin, &end);
    buf_init(&out, 1 << 16);
    buf_append(&out, config->data, begin);
    buf_add(&out, value);
    buf_append(&out, config->data + end, config->length - end);
    assert_false(out.failed);
    buf_finish(config);
    *config = out;
}

static inline void check_opens(const char *path, const char *id)
{
    struct error err = {0};
    struct model_dir *dir = model_dir_open(path, &err);
    if (!dir)
        fail_msg("%s", err.text);
    assert_string_equal(dir->id, id);
    model_dir_close(dir);
}

static inline int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static inline int remove_root(void **state)
{
    (void)state;
    return rmdir(root);
}
