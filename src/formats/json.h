// SPDX-License-Identifier: MIT
// Reading JSON from outside, strictly: RFC 8259 to the letter, valid UTF-8, no NUL in a
// string, nesting of at most JSON_MAX_DEPTH, nothing after the value. The reader walks
// the text in place and allocates nothing.
//
// Within an object or array that json_open has entered:
//     for (json_more(json, &more); more; json_more(json, &more)) { key, value ... }
// Errors name the file and the byte; every function returns false after one.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { JSON_MAX_DEPTH = 8 };

enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json_value { // a value as it is written; borrowed from the text
    enum json_kind kind;
    const char *raw;
    size_t length;
};

struct json {
    const char *text;
    size_t size, at;
    int depth;
    bool fresh;                 // nothing was read since the last bracket
    char close[JSON_MAX_DEPTH]; // brackets that are awaited
    const char *what;           // for errors: "PATH: the header"
    struct error *err;
};

// text need not end in NUL. False when it is not valid UTF-8.
MUST_CHECK bool json_init(struct json *json, const char *text, size_t size,
                          const char *what, struct error *err);
// Enters an object ('{') or an array ('[').
MUST_CHECK bool json_open(struct json *json, char bracket);
// Moves to the next element; *more is false when the bracket was closed instead.
MUST_CHECK bool json_more(struct json *json, bool *more);
// A key and its colon.
MUST_CHECK bool json_key(struct json *json, struct json_value *key);
// Any value, whole.
MUST_CHECK bool json_value(struct json *json, struct json_value *value);
// Only white space may be left.
MUST_CHECK bool json_finish(struct json *json);
// Whether the next value begins with this character; says nothing of what follows.
bool json_at(struct json *json, char first);

// The decoded bytes of a string, NUL-terminated. False when it is no string or does not
// fit; *length (may be NULL) is then untouched.
bool json_text(const struct json_value *value, char *out, size_t out_size,
               size_t *length);
// A number written as plain digits, at most max. False otherwise (1.0, 1e3, -1).
bool json_integer(const struct json_value *value, uint64_t max, uint64_t *out);
// Any number, as the C library reads it.
bool json_number(const struct json_value *value, double *out);
