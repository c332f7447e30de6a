// SPDX-License-Identifier: MIT
// What a random user drops on the window. See zoo.h.
#include "zoo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define GOLDEN ALPHASCOPE_TESTS "/golden/models/"
#define TRANSFORMERS ALPHASCOPE_TESTS "/golden/transformers/"
#define BUNDLED ALPHASCOPE_TESTS "/../models/"

enum { MODEL_MAX_BYTES = 1 << 20, PATH_BYTES = 4096 };

static const char *const good[] = {
    GOLDEN "tiny-additive-f32",
    GOLDEN "tiny-concat-f16",
    GOLDEN "tiny-dot-f32",
    GOLDEN "tiny-general-bf16",
    GOLDEN "tiny-none-bf16",
    BUNDLED "reverse",
    TRANSFORMERS "paper",
    TRANSFORMERS "pre-open",
    GOLDEN "tiny-dot-f32/config.json",
    GOLDEN "tiny-none-bf16/model.safetensors",
};
enum { DIRECTORIES = 8 }; // of them

static const char *const bad[] = {
    "/nowhere/at/all",  "",
    "\xff\xfe no text", "a line\nand another",
    ALPHASCOPE_TESTS,   ALPHASCOPE_TESTS "/meson.build",
    "/dev/null",        GOLDEN "tiny-dot-f32/source.spm",
};
// Made by zoo_open below its folder.
static const char *const broken[] = {"empty", "cut", "config", "fifo"};
static const char *const files[] = {"config.json", "source.spm", "target.spm",
                                    "model.safetensors"};

enum {
    GOOD = sizeof good / sizeof *good,
    BAD = sizeof bad / sizeof *bad,
    BROKEN = sizeof broken / sizeof *broken,
    FILES = sizeof files / sizeof *files,
};

static char folder[64], path[PATH_BYTES], long_path[PATH_BYTES], session[PATH_BYTES];

static const char *inside(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// Copies a file, or the first part of it, over what stands there, which may be being
// read.
static bool copy(const char *from, const char *to, const char *name, float share)
{
    char source[PATH_BYTES], target[PATH_BYTES];
    struct buf bytes;
    buf_init(&bytes, MODEL_MAX_BYTES);
    bool ok = file_join(source, sizeof source, from, name) &&
              file_join(target, sizeof target, to, name) &&
              file_read(source, &bytes, NULL);
    size_t size = (size_t)((float)bytes.length * share);
    FILE *file = ok ? fopen(target, "wb") : NULL;
    ok = file && fwrite(buf_text(&bytes), 1, size, file) == size;
    ok = file && fclose(file) == 0 && ok;
    buf_finish(&bytes);
    return ok;
}

static bool copy_model(const char *from, const char *to)
{
    bool ok = mkdir(to, 0755) == 0;
    for (int i = 0; i < FILES; i++)
        ok = ok && copy(from, to, files[i], 1);
    return ok;
}

bool zoo_open(void)
{
    char to[PATH_BYTES];
    memset(long_path, 'x', sizeof long_path - 1);
    snprintf(folder, sizeof folder, "/tmp/alphascope-zoo-XXXXXX");
    if (!mkdtemp(folder) || mkdir(inside("empty"), 0755) != 0 ||
        mkfifo(inside("fifo"), 0600) != 0)
        return false;
    snprintf(to, sizeof to, "%s/changing", folder);
    bool ok = copy_model(GOLDEN "tiny-dot-f32", to);
    snprintf(to, sizeof to, "%s/cut", folder);
    ok = ok && copy_model(GOLDEN "tiny-dot-f32", to) &&
         copy(GOLDEN "tiny-dot-f32", to, "model.safetensors", 0.9f);
    snprintf(to, sizeof to, "%s/config", folder);
    return ok && copy_model(GOLDEN "tiny-dot-f32", to) &&
           copy(GOLDEN "tiny-none-bf16", to, "config.json", 1);
}

void zoo_close(void)
{
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    if (folder[0] && system(line) != 0)
        fprintf(stderr, "%s is left\n", folder);
}

const char *zoo_folder(void)
{
    return folder;
}

const char *zoo_session(void)
{
    snprintf(session, sizeof session, "%s/kept.alphascope", folder);
    return session;
}

const char *zoo_good(struct random *random)
{
    int at = random_below(random, GOOD + 2);
    return at < GOOD ? good[at] : inside("changing");
}

const char *zoo_bad(struct random *random)
{
    int at = random_below(random, BAD + BROKEN + 1);
    if (at == BAD + BROKEN)
        return long_path;
    return at < BAD ? bad[at] : inside(broken[at - BAD]);
}

void zoo_change(struct random *random)
{
    char to[PATH_BYTES];
    const char *from = good[random_below(random, DIRECTORIES)];
    int file = random_below(random, 2 * FILES);
    float share = random_below(random, 3) ? 1 : random_between(random, 0, 1);
    snprintf(to, sizeof to, "%s/changing", folder);
    for (int i = 0; i < FILES; i++)
        if (file >= FILES || file == i)
            copy(from, to, files[i], share);
}
