// SPDX-License-Identifier: MIT
// UTF-8, grapheme clusters and word moves. See utf8.h.
//
// Ill-formed input is replaced as Unicode 3.9 recommends: one U+FFFD for each maximal
// part of a sequence that could still have become a character. Cluster boundaries depend
// on what came before (flags pair up, emoji join), so a search backwards first steps to a
// place that is a boundary whatever surrounds it: between two characters that never join.
#include "text/utf8.h"

#include <string.h>

#include <utf8proc.h>

enum { REPLACEMENT = 0xfffd, BYTE_ORDER_MARK = 0xfeff, VARIATION_EMOJI = 0xfe0f };

// Bounds of the second byte, which exclude overlongs, surrogates and > U+10FFFF.
static void second_byte_bounds(unsigned char lead, unsigned char *low,
                               unsigned char *high)
{
    *low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    *high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
}

// The code point at text[0], its bytes in *used; -1 when ill-formed, with the bytes of
// the ill-formed part in *used. length >= 1.
static int32_t decode_one(const char *text, size_t length, size_t *used)
{
    const unsigned char *b = (const unsigned char *)text;
    *used = 1;
    if (b[0] < 0x80)
        return b[0];
    size_t need = b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
    if (b[0] < 0xc2 || b[0] > 0xf4)
        return -1;
    unsigned char low, high;
    second_byte_bounds(b[0], &low, &high);
    int32_t code = b[0] & (0xff >> (need + 1));
    while (*used < need) {
        if (*used == length || b[*used] < low || b[*used] > high)
            return -1;
        code = code << 6 | (b[*used] & 0x3f);
        ++*used;
        low = 0x80;
        high = 0xbf;
    }
    return code;
}

bool utf8_valid(const char *text, size_t length)
{
    size_t used;
    for (size_t at = 0; at < length; at += used)
        if (decode_one(text + at, length - at, &used) < 0)
            return false;
    return true;
}

int32_t utf8_decode(const char *text, size_t length, size_t *at)
{
    if (*at >= length)
        return -1;
    size_t used;
    int32_t code = decode_one(text + *at, length - *at, &used);
    *at += used;
    return code < 0 ? REPLACEMENT : code;
}

static bool is_space(int32_t code)
{
    if ((code >= 0x09 && code <= 0x0d) || code == 0x85)
        return true;
    utf8proc_category_t category = utf8proc_category(code);
    return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

// Line and paragraph separators are newlines too.
static bool is_control(int32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 ||
           code == 0x2029;
}

bool utf8_blank(const char *text, size_t length)
{
    for (size_t at = 0; at < length;)
        if (!is_space(utf8_decode(text, length, &at)))
            return false;
    return true;
}

struct cleaner {
    char *out;
    size_t out_size, used; // bytes of out, and those written
    bool in_run;           // the last character written stands for a run of controls
    int32_t last;          // the last character written; -1 before the first
    utf8proc_int32_t state;
    struct utf8_report report;
    size_t safe; // the last cluster boundary, and the report as it was there
    struct utf8_report safe_report;
};

static size_t encoded_size(int32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

// False when the character does not fit.
static bool clean_put(struct cleaner *c, int32_t code)
{
    if (c->last < 0 || utf8proc_grapheme_break_stateful(c->last, code, &c->state)) {
        c->safe = c->used;
        c->safe_report = c->report;
    }
    if (encoded_size(code) >= c->out_size - c->used)
        return false;
    utf8proc_uint8_t *to = (utf8proc_uint8_t *)c->out + c->used;
    c->used += (size_t)utf8proc_encode_char(code, to);
    c->last = code;
    return true;
}

static bool clean_step(struct cleaner *c, const char *in, size_t length)
{
    size_t used;
    int32_t code = decode_one(in, length, &used);
    bool control = code >= 0 && is_control(code);
    bool dropped = code == BYTE_ORDER_MARK && c->last < 0;
    bool repeated = control && c->in_run;
    if (!dropped && !repeated) {
        if (!clean_put(c, code < 0 ? REPLACEMENT : control ? ' ' : code))
            return false;
        c->report.invalid += code < 0;
        c->report.controls += control;
        c->in_run = control;
    }
    c->report.in_used += used;
    return true;
}

size_t utf8_clean(char *out, size_t out_size, const char *in, size_t in_length,
                  struct utf8_report *report)
{
    struct cleaner c = {.out = out, .out_size = out_size, .last = -1};
    bool fits = out_size > 0;
    while (fits && c.report.in_used < in_length)
        fits = clean_step(&c, in + c.report.in_used, in_length - c.report.in_used);
    if (!fits) {
        c.used = c.safe;
        c.report = c.safe_report;
        c.report.cut = in_length > 0;
    }
    if (out_size)
        out[c.used] = '\0';
    if (report)
        *report = c.report;
    return c.used;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t back_one(const char *text, size_t at)
{
    size_t floor = at > 4 ? at - 4 : 0;
    do
        at--;
    while (at > floor && is_continuation(text[at]));
    return at;
}

static bool stands_alone(int32_t code)
{
    int class = utf8proc_get_property(code)->boundclass;
    return class == UTF8PROC_BOUNDCLASS_OTHER ||
           class == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

// A boundary at or before `at`: the start, or between two characters that join nothing.
static size_t sure_boundary(const char *text, size_t length, size_t at)
{
    bool alone = false;
    while (at > 0) {
        size_t before = back_one(text, at), end = before;
        bool before_alone = stands_alone(utf8_decode(text, length, &end));
        if (alone && before_alone && end == at)
            return at;
        alone = before_alone;
        at = before;
    }
    return 0;
}

// The end of the cluster that starts at the boundary `at`; at < length.
static size_t cluster_end(const char *text, size_t length, size_t at)
{
    utf8proc_int32_t state = 0;
    int32_t last = utf8_decode(text, length, &at);
    while (at < length) {
        size_t end = at;
        int32_t code = utf8_decode(text, length, &at);
        if (utf8proc_grapheme_break_stateful(last, code, &state))
            return end;
        last = code;
    }
    return length;
}

// The boundary at or before `at` - 1 and the one after it, around the byte at - 1.
static void cluster_around(const char *text, size_t length, size_t at, size_t *begin,
                           size_t *end)
{
    *end = sure_boundary(text, length, at);
    while (*end < at) {
        *begin = *end;
        *end = cluster_end(text, length, *begin);
    }
}

size_t utf8_next(const char *text, size_t length, size_t at)
{
    if (at >= length)
        return length;
    size_t begin = 0, end = 0;
    cluster_around(text, length, at + 1, &begin, &end);
    return end;
}

size_t utf8_previous(const char *text, size_t length, size_t at)
{
    if (at > length)
        at = length;
    if (at == 0)
        return 0;
    size_t begin = 0, end = 0;
    cluster_around(text, length, at, &begin, &end);
    return begin;
}

enum word_class { CLASS_SPACE, CLASS_WORD, CLASS_OTHER };

static enum word_class class_at(const char *text, size_t length, size_t at)
{
    int32_t code = utf8_decode(text, length, &at);
    if (is_space(code))
        return CLASS_SPACE;
    utf8proc_category_t category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO
               ? CLASS_WORD
               : CLASS_OTHER;
}

size_t utf8_word_next(const char *text, size_t length, size_t at)
{
    while (at < length && class_at(text, length, at) == CLASS_SPACE)
        at = utf8_next(text, length, at);
    if (at >= length)
        return length;
    enum word_class run = class_at(text, length, at);
    while (at < length && class_at(text, length, at) == run)
        at = utf8_next(text, length, at);
    return at;
}

size_t utf8_word_previous(const char *text, size_t length, size_t at)
{
    size_t begin = utf8_previous(text, length, at);
    while (begin > 0 && class_at(text, length, begin) == CLASS_SPACE)
        begin = utf8_previous(text, length, begin);
    if (begin == length)
        return begin;
    enum word_class run = class_at(text, length, begin);
    while (begin > 0) {
        size_t before = utf8_previous(text, length, begin);
        if (class_at(text, length, before) != run)
            break;
        begin = before;
    }
    return begin;
}

bool utf8_is_punctuation(const char *text, size_t length)
{
    bool any = false;
    for (size_t at = 0; at < length;) {
        enum word_class class = class_at(text, length, at);
        if (class == CLASS_WORD)
            return false;
        any = any || class == CLASS_OTHER;
        utf8_decode(text, length, &at);
    }
    return any;
}

size_t utf8_lower(char *out, size_t out_size, const char *text, size_t length)
{
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        int32_t code = utf8proc_tolower(utf8_decode(text, length, &at));
        if (used + encoded_size(code) >= out_size)
            break;
        used += (size_t)utf8proc_encode_char(code, (utf8proc_uint8_t *)out + used);
    }
    if (out_size)
        out[used] = '\0';
    return used;
}

bool utf8_is_mark(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

// A cluster takes the columns of its characters, two at most; the variation selector that
// asks for an emoji makes it wide.
static int cluster_columns(const char *text, size_t length)
{
    int columns = 0;
    for (size_t at = 0; at < length;) {
        int32_t code = utf8_decode(text, length, &at);
        columns += code == VARIATION_EMOJI ? 1 : utf8proc_charwidth(code);
    }
    return columns < 2 ? columns : 2;
}

int utf8_columns(const char *text, size_t length)
{
    int columns = 0;
    for (size_t at = 0; at < length;) {
        size_t end = cluster_end(text, length, at);
        columns += cluster_columns(text + at, end - at);
        at = end;
    }
    return columns;
}
