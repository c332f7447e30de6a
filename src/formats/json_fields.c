// SPDX-License-Identifier: MIT
// See json_fields.h.
#include "formats/json_fields.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum { HEAD_BYTES = 512 };

bool json_is(const struct json_value *value, const char *text)
{
    char found[64];
    return json_text(value, found, sizeof found, NULL) && !strcmp(found, text);
}

bool json_refuse(const struct json *json, const char *field,
                 const struct json_value *value, const char *expected)
{
    int shown = (int)(value->length < 60 ? value->length : 60);
    return fail_with(json->err, ERR_FORMAT, "%s: field '%s' is %.*s%s, expected %s",
                     json->what, field, shown, value->raw,
                     value->length > 60 ? "..." : "", expected);
}

bool json_version(const struct json *json, const struct json_value *value, int newest,
                  int *version)
{
    uint64_t number = 0;
    if (!json_integer(value, 1 << 30, &number) || number < 1)
        return json_refuse(json, "version", value, "1");
    *version = (int)number;
    return *version <= newest ||
           fail_with(json->err, ERR_FORMAT,
                     "%s: was written by a newer alphascope (version %d of the format, "
                     "this one reads %d)",
                     json->what, *version, newest);
}

bool json_take_text(struct json *json, const char *field, size_t size,
                    struct arena *arena, const char **out)
{
    char bytes[JSON_TEXT_BYTES], expected[64];
    struct json_value value;
    size_t length = 0;
    assert(size <= sizeof bytes);
    if (!json_value(json, &value))
        return false;
    snprintf(expected, sizeof expected, "a string of at most %zu bytes", size - 1);
    if (!json_text(&value, bytes, size, &length))
        return json_refuse(json, field, &value, expected);
    *out = arena_copy(arena, bytes, length);
    return *out || fail_nomem(json->err, json->what);
}

bool json_take_tau(struct json *json, double most, double *tau)
{
    struct json_value value;
    double number = INFINITY;
    if (!json_value(json, &value))
        return false;
    if (!json_is(&value, "inf") &&
        (!json_number(&value, &number) || !(number >= 0) || !(number <= most)))
        return json_refuse(json, "tau", &value, "a number from 0, or \"inf\"");
    *tau = number;
    return true;
}

bool json_file_is(const char *path, const char *format)
{
    struct buf head;
    size_t size = 0;
    buf_init(&head, HEAD_BYTES + 1);
    bool is = file_head(path, HEAD_BYTES, &head, &size, NULL) &&
              strstr(buf_text(&head), format) != NULL;
    buf_finish(&head);
    return is;
}
