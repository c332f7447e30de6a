// SPDX-License-Identifier: MIT
// What kind of file this is, by its bytes and never by its name.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum magic {
    MAGIC_UNKNOWN,
    MAGIC_EMPTY,
    MAGIC_SAFETENSORS,
    MAGIC_SENTENCEPIECE,
    MAGIC_JSON,
    MAGIC_LFS,
    MAGIC_NPZ,
    MAGIC_NPY,
    MAGIC_PYTORCH_ZIP,
    MAGIC_PYTORCH_PICKLE,
    MAGIC_KERAS,
    MAGIC_ZIP,
    MAGIC_HDF5,
    MAGIC_GGUF,
    MAGIC_COUNT
};

struct magic_row {
    const char *name;   // "an HDF5 file"
    const char *refuse; // why alphascope does not read it; NULL: it does
};

// bytes: the first n of the file; 512 are plenty.
enum magic magic_of(const unsigned char *bytes, size_t n);
const struct magic_row *magic_row_of(enum magic magic);
