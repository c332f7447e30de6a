// SPDX-License-Identifier: MIT
// A model directory: config.json, model.safetensors, source.spm, target.spm, and for
// people report.json and README.md. Or one that Hugging Face's transformers wrote of a
// MarianMT model, with its vocab.json. Opening it checks everything or says what is
// wrong.
#pragma once

#include "engine/model.h"
#include "formats/safetensors.h"
#include "text/tokenizer.h"

struct model_dir { // constant once open; may be read from several threads
    char path[4096];
    char id[128]; // the directory's name: "en-fr-bahdanau"
    struct network network;
    struct safetensors weights;
    struct tokenizer *source, *target;
};

// path: the directory, its config.json, or its .safetensors file. NULL with *err set.
struct model_dir *model_dir_open(const char *path, struct error *err);
void model_dir_close(struct model_dir *dir); // NULL is fine
// The id of the model at a directory: its own name, as valid UTF-8.
void model_dir_id(const char *path, char *out, size_t out_size);

// "RNNsearch", "Luong dot": the paper's name for what it is; static.
const char *model_dir_name(const struct model_dir *dir);
// "English → French" for "en-fr"; the raw text for languages it has no name for.
void model_dir_languages(const struct model_dir *dir, char *out, size_t out_size);

// "xxh3:0123456789abcdef": XXH3, 64 bit, of config.json and then of the weights as they
// were opened, as `cat config.json model.safetensors | xxhsum -H3` prints it. It tells a
// file from another, not from a forgery, and takes a millisecond for ten megabytes.
enum { MODEL_HASH_BYTES = 32 };
MUST_CHECK bool model_dir_hash(const struct model_dir *dir, char out[MODEL_HASH_BYTES],
                               struct error *err);

// The models below `root` (each sub-directory that holds a config.json), sorted so that
// the additive one comes first, then by scorer, then by id. Only the config is read.
struct model_listing {
    char path[4096];
    char id[128];
    struct model_config config;
};
enum { MODEL_LISTING_MAX = 64 };
// out: (MODEL_LISTING_MAX). A directory whose config cannot be read is left out and
// counted in *broken (may be NULL). Returns how many.
int model_dir_list(const char *root, struct model_listing *out, int *broken);
// What opens when nobody says which: the first English to French one, which is the
// additive one; else the first of all; -1 when there is none.
int model_listing_first(const struct model_listing *listing, int count);
// Where the bundled models and assets are: $ALPHASCOPE_DATA, else ../share/alphascope
// from the directory of the running program, else the source tree it was built from, else
// the install prefix. name: "models", "assets". False: nowhere.
bool data_path(const char *name, char *out, size_t out_size);
