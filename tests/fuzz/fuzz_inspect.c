// SPDX-License-Identifier: MIT
// Any bytes as a file for `inspect`, which prints even of what it refuses. The first byte
// says which: a file of any kind, or one part of a model directory whose other parts are
// good.
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/cli.h"

#define GOOD ALPHASCOPE_TESTS "/golden/models/tiny-none-bf16/"

static const char *const parts[] = {"file.safetensors",  "config.json",
                                    "model.safetensors", "source.spm",
                                    "target.spm",        "report.json"};
enum { PARTS = sizeof parts / sizeof *parts };

static char folder[] = "/tmp/alphascope-fuzz-XXXXXX", paths[PARTS][128];

static void remove_folder(void)
{
    for (int i = 0; i < PARTS; i++)
        unlink(paths[i]);
    rmdir(folder);
}

static void make_folder(void)
{
    must(mkdtemp(folder) != NULL);
    for (int i = 0; i < PARTS; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, parts[i]);
    atexit(remove_folder);
}

// What is not the input is a link to what is good; the report is optional.
static void fill_folder(int part, const uint8_t *data, size_t size)
{
    for (int i = 0; i < PARTS; i++) {
        char good[512];
        snprintf(good, sizeof good, GOOD "%s", parts[i]);
        unlink(paths[i]);
        if (i == part)
            fuzz_file_fill(paths[i], data, size);
        else if (i > 0 && i < PARTS - 1)
            must(symlink(good, paths[i]) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[] = "inspect";
    if (size == 0)
        return 0;
    if (!paths[0][0])
        make_folder();
    int part = data[0] % PARTS;
    fill_folder(part, data + 1, size - 1);
    char *words[] = {name, part == 0 ? paths[0] : folder, NULL};
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    must(out >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    int code = cli_inspect(2, words);
    must(dup2(out, STDOUT_FILENO) >= 0 && close(out) == 0 && close(nowhere) == 0);
    must(code == EXIT_DONE || code == EXIT_INPUT);
    return 0;
}
