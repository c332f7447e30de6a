// SPDX-License-Identifier: MIT
// Fields that must be what they are expected to be. What is refused is one sentence that
// names the file, the field, what was found and what was expected. See json.h.
#pragma once

#include "base/arena.h"
#include "formats/json.h"

// Whether the value is this string, which is shorter than 64 bytes.
bool json_is(const struct json_value *value, const char *text);
// Always false, with the sentence: "PATH: field 'tau' is -1, expected a number from 0".
bool json_refuse(const struct json *json, const char *field,
                 const struct json_value *value, const char *expected);
// A format's version, from 1 to newest. *version is set for a newer one too, which is
// refused.
MUST_CHECK bool json_version(const struct json *json, const struct json_value *value,
                             int newest, int *version);

// Takes the next value, a string of less than size bytes; *out is in the arena.
enum { JSON_TEXT_BYTES = 16384 }; // the largest size
MUST_CHECK bool json_take_text(struct json *json, const char *field, size_t size,
                               struct arena *arena, const char **out);
// A temperature: a number from 0 to `most`, or "inf".
MUST_CHECK bool json_take_tau(struct json *json, double most, double *tau);
// Whether the file begins as one of this format: its name is within the first bytes.
bool json_file_is(const char *path, const char *format);
