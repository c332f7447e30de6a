// SPDX-License-Identifier: MIT
// The fields of config.json, as a table. Inside formats/ only.
#pragma once

#include "engine/model.h"
#include "formats/json_fields.h"

#include <stddef.h>

enum { CONFIG_NEWEST = 2 };      // version of alphascope-seq2seq
enum { CONFIG_WORD_BYTES = 64 }; // of a name or a choice

// Whose fields they are: bits of struct field.layouts.
enum layout {
    LAYOUT_1 = 1,           // alphascope-seq2seq, version 1
    LAYOUT_2 = 2,           // and version 2
    LAYOUT_TRANSFORMER = 4, // alphascope-transformer
    LAYOUT_MARIAN = 8,      // "model_type": "marian", as Hugging Face writes it
};

enum kind {
    TEXT,       // exactly `text`
    LANGUAGES,  // two codes and a hyphen
    CHOICE,     // one of the allowed words of `fact`
    PARTS,      // an array of them
    FLAG,       // true or false
    FIXED,      // the one of them that `min` is
    INTEGER,    // from min to max
    NUMBER,     // any number from min to max
    SHARE,      // a number from 0 up to 1: known to the training only
    EPSILON,    // a number above 0, to 0.1
    IDS,        // an array of ids
    WORDS,      // an array of arrays of ids; those of one id count
    ACTIVATION, // Hugging Face's words for FACT_ACTIVATION
    NOTE,       // optional: any text, for people
};

struct field {
    const char *name;
    unsigned layouts; // where it stands
    enum kind kind;
    size_t at; // in struct model_config; SIZE_MAX: nowhere
    const char *text;
    int min, max;
    enum fact fact;
    unsigned allowed; // bit v: the fact's value v
    bool optional;    // may be missing, or null
};

enum { CONFIG_MOST_FIELDS = 128 };
extern const struct field config_fields[];
extern const int config_field_count;

// Takes a field's value, from anywhere in the text of `json`, or refuses it.
MUST_CHECK bool config_take(struct model_config *config, const struct json *json,
                            const struct field *field, const struct json_value *value);

// The activation that Hugging Face has under this name; -1: none.
int config_activation(const char *word);
// What Hugging Face's config does not say, and the rules between what it does.
void config_begin_marian(struct model_config *config);
MUST_CHECK bool config_define_marian(struct model_config *config, const char *path,
                                     struct error *err);
// The facts that version 1 does not spell out. False when query and score do not go
// together as version 1 has them.
MUST_CHECK bool config_define_version_1(struct model_config *config, const char *path,
                                        struct error *err);
