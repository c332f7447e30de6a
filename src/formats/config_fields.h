// SPDX-License-Identifier: MIT
// The fields of config.json, as a table. Inside formats/ only.
#pragma once

#include "engine/model.h"

#include <stddef.h>

enum { CONFIG_NEWEST = 2 }; // version of the format

enum kind {
    TEXT,      // exactly `text`
    LANGUAGES, // two codes and a hyphen
    CHOICE,    // one of the allowed words of `fact`
    PARTS,     // an array of them
    FLAG,      // true or false
    FIXED,     // the one of them that `min` is
    INTEGER,   // from min to max
    NUMBER,    // any number from min to max
    SHARE,     // a number from 0 up to 1: known to the training only
    NOTE,      // optional: any text, for people
};

struct field {
    const char *name;
    unsigned versions; // bit v: it stands in version v
    enum kind kind;
    size_t at; // in struct model_config; SIZE_MAX: nowhere
    const char *text;
    int min, max;
    enum fact fact;
    unsigned allowed; // bit v: the fact's value v
};

enum { CONFIG_MOST_FIELDS = 64 };
extern const struct field config_fields[];
extern const int config_field_count;

// The facts that version 1 does not spell out. False when query and score do not go
// together as version 1 has them.
MUST_CHECK bool config_define_version_1(struct model_config *config, const char *path,
                                        struct error *err);
