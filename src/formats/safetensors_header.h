// SPDX-License-Identifier: MIT
// The JSON header of a safetensors file. Inside safetensors.c only.
#pragma once

#include "formats/json.h"
#include "formats/safetensors.h"

struct safetensors_reader {
    struct json json;
    struct safetensors *file;
    int capacity, alias_capacity; // of file->entries, file->aliases
    bool metadata_seen;
    const unsigned char *buffer; // the data
    uint64_t buffer_bytes;
    const char *path;
    struct error *err;
};

// Reads reader->json into reader->file->entries, in the file's order; each entry's bytes
// lie inside the buffer and agree with its shape and dtype. How the entries lie beside
// each other, and names that come twice, are not looked at.
MUST_CHECK bool safetensors_read_header(struct safetensors_reader *reader);
// "PATH: tensor 'NAME': PROBLEM"
bool safetensors_entry_fails(struct safetensors_reader *reader, const char *name,
                             const char *problem);
