// SPDX-License-Identifier: MIT
// Replays files through a fuzz target, without a fuzzing engine: each file of the
// directory is one test case. A case fails by ending the program, as it does under the
// engine; tests/fuzz/run.sh searches for new cases.
//
// usage: fuzz_TARGET CORPUS_DIRECTORY
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_CASE = 1 << 20 };

// The bytes in a block of exactly their size, so that a sanitizer sees any read past it.
static unsigned char *read_case(const char *path, size_t *size)
{
    static unsigned char bytes[MAX_CASE];
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    *size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    unsigned char *exact = malloc(*size ? *size : 1);
    if (exact && *size)
        memcpy(exact, bytes, *size);
    return exact;
}

static void replay(const char *directory, const char *name, int number)
{
    char path[4096];
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    unsigned char *data = read_case(path, &size);
    bool ok = data != NULL; // twice: a case must not hang on those before it
    for (int i = 0; ok && i < 2; i++)
        ok = LLVMFuzzerTestOneInput(data, size) == 0;
    printf("%s %d - %s\n", ok ? "ok" : "not ok", number, name);
    fflush(stdout);
    free(data);
}

static int is_case(const struct dirent *item)
{
    return item->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **items = NULL;
    int count = argc == 2 ? scandir(argv[1], &items, is_case, alphasort) : -1;
    if (count < 1) {
        printf("1..1\nnot ok 1 - there is a corpus\n");
        return 1;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        replay(argv[1], items[i]->d_name, i + 1);
        free(items[i]);
    }
    free(items);
    return 0;
}
