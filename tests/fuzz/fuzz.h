// SPDX-License-Identifier: MIT
// What the targets share: a demand, and the bytes as a file for readers that want one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool condition)
{
    if (!condition)
        abort();
}

struct fuzz_file {
    char path[64];
};

static inline void fuzz_file_make(struct fuzz_file *file)
{
    snprintf(file->path, sizeof file->path, "/tmp/alphascope-fuzz-XXXXXX");
    int fd = mkstemp(file->path);
    must(fd >= 0 && close(fd) == 0);
}

static inline void fuzz_file_fill(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    must(file != NULL);
    must(fwrite(data, 1, size, file) == size);
    must(fclose(file) == 0);
}
