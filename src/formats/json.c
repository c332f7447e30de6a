// SPDX-License-Identifier: MIT
// A strict JSON reader. Common C parsers take duplicate keys, leading zeros, raw control
// characters, NULs that cut a name short and trailing bytes; a file that two readers
// understand differently is how a wrong weight gets loaded. This one takes what RFC 8259
// defines and leaves no byte unread.
#include "formats/json.h"

#include "base/file.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

static bool fail_at(struct json *json, const char *problem)
{
    return fail_with(json->err, ERR_FORMAT, "%s is not strict JSON at byte %zu: %s",
                     json->what, json->at, problem);
}

bool json_init(struct json *json, const char *text, size_t size, const char *what,
               struct error *err)
{
    *json = (struct json){.text = text, .size = size, .what = what, .err = err};
    if (file_is_lfs_pointer(text, size))
        return fail_with(err, ERR_FORMAT,
                         "%s: is a git-lfs pointer, not the file itself (fetch it with "
                         "'git lfs pull')",
                         what);
    if (!utf8_valid(text, size))
        return fail_with(err, ERR_FORMAT, "%s is not valid UTF-8", what);
    return true;
}

static int peek(const struct json *json)
{
    return json->at < json->size ? (unsigned char)json->text[json->at] : -1;
}

static void skip_space(struct json *json)
{
    int c;
    while ((c = peek(json)) == ' ' || c == '\t' || c == '\n' || c == '\r')
        json->at++;
}

bool json_at(struct json *json, char first)
{
    skip_space(json);
    return peek(json) == first;
}

bool json_open(struct json *json, char bracket)
{
    if (!json_at(json, bracket))
        return fail_at(json, bracket == '{' ? "expected '{'" : "expected '['");
    if (json->depth == JSON_MAX_DEPTH)
        return fail_at(json, "nested more than 8 deep");
    json->close[json->depth++] = bracket == '{' ? '}' : ']';
    json->fresh = true;
    json->at++;
    return true;
}

bool json_more(struct json *json, bool *more)
{
    char close = json->close[json->depth - 1];
    bool fresh = json->fresh;
    *more = false;
    json->fresh = false;
    if (json_at(json, close)) {
        json->at++;
        json->depth--;
        return true;
    }
    if (!fresh && peek(json) != ',')
        return fail_at(json,
                       close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
    if (!fresh)
        json->at++;
    *more = true;
    return true;
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The four digits after "\u"; -1 when there are not four.
static int32_t hex_four(const char *text, size_t left)
{
    int32_t unit = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = i < left ? hex_digit((unsigned char)text[i]) : -1;
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

// The code point of the escape at text ("\n", "\u00e9", a surrogate pair) and how many
// bytes it takes; -1 when it is none, or is U+0000.
static int32_t escape(const char *text, size_t left, size_t *used)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (left < 2)
        return -1;
    const char *name = text[1] ? strchr(names, text[1]) : NULL;
    *used = 2;
    if (name)
        return values[name - names];
    int32_t unit = text[1] == 'u' ? hex_four(text + 2, left - 2) : -1;
    *used = 6;
    if (unit < 0xd800 || unit > 0xdfff)
        return unit ? unit : -1;
    if (unit > 0xdbff || left < 12 || text[6] != '\\' || text[7] != 'u')
        return -1;
    int32_t low = hex_four(text + 8, left - 8);
    *used = 12;
    return low < 0xdc00 || low > 0xdfff
               ? -1
               : 0x10000 + (unit - 0xd800) * 0x400 + low - 0xdc00;
}

static bool scan_string(struct json *json)
{
    if (peek(json) != '"')
        return fail_at(json, "expected a string");
    for (json->at++; peek(json) != '"';) {
        size_t used = 1;
        int c = peek(json);
        if (c < 0)
            return fail_at(json, "a string does not end");
        if (c < 0x20)
            return fail_at(json, "a raw control character in a string");
        if (c == '\\' && escape(json->text + json->at, json->size - json->at, &used) < 0)
            return fail_at(json, "a bad escape (NUL and lone surrogates are refused)");
        json->at += used;
    }
    json->at++;
    return true;
}

static bool scan_digits(struct json *json)
{
    size_t from = json->at;
    while (peek(json) >= '0' && peek(json) <= '9')
        json->at++;
    return json->at > from;
}

static bool scan_number(struct json *json)
{
    if (peek(json) == '-')
        json->at++;
    size_t from = json->at;
    bool zero = peek(json) == '0';
    bool good = scan_digits(json) && !(zero && json->at > from + 1);
    if (good && peek(json) == '.') {
        json->at++;
        good = scan_digits(json);
    }
    if (good && (peek(json) == 'e' || peek(json) == 'E')) {
        json->at++;
        if (peek(json) == '+' || peek(json) == '-')
            json->at++;
        good = scan_digits(json);
    }
    return good || fail_at(json, "a bad number");
}

static bool scan_word(struct json *json, const char *word)
{
    size_t n = strlen(word);
    if (json->size - json->at < n || memcmp(json->text + json->at, word, n) != 0)
        return fail_at(json, "expected a value");
    json->at += n;
    return true;
}

// Everything in an object or array; json_value and this call each other at most
// JSON_MAX_DEPTH deep, which json_open sees to.
static bool scan_nested(struct json *json, char bracket)
{
    bool more = true;
    struct json_value part;
    if (!json_open(json, bracket))
        return false;
    for (;;) {
        if (!json_more(json, &more))
            return false;
        if (!more)
            return true;
        if ((bracket == '{' && !json_key(json, &part)) || !json_value(json, &part))
            return false;
    }
}

static bool scan_value(struct json *json, enum json_kind *kind)
{
    switch (peek(json)) {
    case '{':
        *kind = JSON_OBJECT;
        return scan_nested(json, '{');
    case '[':
        *kind = JSON_ARRAY;
        return scan_nested(json, '[');
    case '"':
        *kind = JSON_STRING;
        return scan_string(json);
    case 't':
        *kind = JSON_BOOL;
        return scan_word(json, "true");
    case 'f':
        *kind = JSON_BOOL;
        return scan_word(json, "false");
    case 'n':
        *kind = JSON_NULL;
        return scan_word(json, "null");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        *kind = JSON_NUMBER;
        return scan_number(json);
    default:
        return fail_at(json, "expected a value");
    }
}

bool json_value(struct json *json, struct json_value *value)
{
    skip_space(json);
    size_t from = json->at;
    if (!scan_value(json, &value->kind))
        return false;
    value->raw = json->text + from;
    value->length = json->at - from;
    json->fresh = false;
    return true;
}

bool json_key(struct json *json, struct json_value *key)
{
    skip_space(json);
    size_t from = json->at;
    if (!scan_string(json))
        return false;
    *key = (struct json_value){JSON_STRING, json->text + from, json->at - from};
    if (!json_at(json, ':'))
        return fail_at(json, "expected ':'");
    json->at++;
    return true;
}

bool json_finish(struct json *json)
{
    skip_space(json);
    return json->at == json->size || fail_at(json, "something follows the value");
}

static size_t utf8_put(char *out, int32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[n] | c);
    return n;
}

bool json_text(const struct json_value *value, char *out, size_t out_size, size_t *length)
{
    size_t n = 0, used;
    if (value->kind != JSON_STRING || out_size == 0)
        return false;
    for (size_t at = 1; at + 1 < value->length; at += used) {
        char bytes[4] = {value->raw[at]};
        size_t count = 1;
        used = 1;
        if (value->raw[at] == '\\')
            count = utf8_put(bytes, escape(value->raw + at, value->length - at, &used));
        if (count >= out_size - n)
            return false;
        memcpy(out + n, bytes, count);
        n += count;
    }
    out[n] = '\0';
    if (length)
        *length = n;
    return true;
}

bool json_integer(const struct json_value *value, uint64_t max, uint64_t *out)
{
    uint64_t number = 0;
    if (value->kind != JSON_NUMBER)
        return false;
    for (size_t i = 0; i < value->length; i++) {
        if (value->raw[i] < '0' || value->raw[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(value->raw[i] - '0');
        if (digit > max || number > (max - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}

bool json_number(const struct json_value *value, double *out)
{
    char text[64];
    if (value->kind != JSON_NUMBER || value->length >= sizeof text)
        return false;
    memcpy(text, value->raw, value->length);
    text[value->length] = '\0';
    *out = strtod(text, NULL);
    return true;
}
