// SPDX-License-Identifier: MIT
// The 13a tokeniser: what mteval-v13a.pl does to text of European languages, in the form
// that sacreBLEU 2 gives it. Four entities become characters, then four rewritings of the
// whole text, one after the other (their order shows in the result):
//
//   symbols and ASCII marks but ' , - .   get spaces on both sides
//   . and , after what is no digit        get spaces: "a, b"   but "1,000"
//   . and , before what is no digit       get spaces: "end."   but "3.5"
//   - after a digit                       gets spaces: "1990-1995"
//
// Each rewriting goes from left to right over text that it does not read again, as a
// regular expression's substitution does. Bytes stand for characters throughout: no rule
// names a character above ASCII, and such a one is no digit.
#include "evaluate/bleu.h"

#include <string.h>

#include "text/utf8.h"

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_stop(char byte)
{
    return byte == '.' || byte == ',';
}

static bool is_symbol(char byte)
{
    return (byte >= ' ' && byte <= '&') || (byte >= '(' && byte <= '+') || byte == '/' ||
           (byte >= ':' && byte <= '@') || (byte >= '[' && byte <= '`') ||
           (byte >= '{' && byte <= '~');
}

// What Python calls white space, on which sacreBLEU splits.
static bool is_space(int32_t code)
{
    return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20) ||
           code == 0x85 || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
           code == 0x202f || code == 0x205f || code == 0x3000;
}

static void replace(struct buf *out, const struct buf *in, const char *from,
                    const char *to)
{
    const char *at = buf_text(in), *end = at + in->length;
    size_t length = strlen(from);
    buf_clear(out);
    while (at < end) {
        const char *found = memmem(at, (size_t)(end - at), from, length);
        buf_append(out, at, (size_t)((found ? found : end) - at));
        if (found)
            buf_add(out, to);
        at = found ? found + length : end;
    }
}

// One rewriting: looks at two bytes and says how many it took; 0 copies one.
typedef size_t rewriting(struct buf *out, char first, char second);

static size_t part_symbols(struct buf *out, char first, char second)
{
    (void)second;
    return is_symbol(first) && buf_printf(out, " %c ", first) ? 1 : 0;
}

static size_t part_after(struct buf *out, char first, char second)
{
    if (is_digit(first) || !is_stop(second))
        return 0;
    buf_append(out, &first, 1);
    buf_printf(out, " %c ", second);
    return 2;
}

static size_t part_before(struct buf *out, char first, char second)
{
    if (!is_stop(first) || is_digit(second) || !second)
        return 0;
    buf_printf(out, " %c ", first);
    buf_append(out, &second, 1);
    return 2;
}

static size_t part_dash(struct buf *out, char first, char second)
{
    if (!is_digit(first) || second != '-')
        return 0;
    buf_printf(out, "%c - ", first);
    return 2;
}

static void rewrite(struct buf *out, const struct buf *in, rewriting *rule)
{
    buf_clear(out);
    for (size_t i = 0; i < in->length;) {
        size_t taken = rule(out, in->data[i], in->data[i + 1]);
        if (!taken)
            buf_append(out, in->data + i, 1);
        i += taken ? taken : 1;
    }
}

static void split(struct buf *out, const struct buf *in)
{
    bool within = false, first = true;
    for (size_t at = 0; at < in->length;) {
        size_t from = at;
        bool space = is_space(utf8_decode(in->data, in->length, &at));
        if (!space && !within && !first)
            buf_add(out, " ");
        if (!space)
            buf_append(out, in->data + from, at - from);
        first = first && space;
        within = !space;
    }
}

// Where the text ends without the white space at its end.
static size_t trimmed(struct bleu_text text)
{
    size_t end = 0;
    for (size_t at = 0; at < text.length;)
        if (!is_space(utf8_decode(text.text, text.length, &at)))
            end = at;
    return end;
}

static void tokenize(struct buf *out, struct bleu_text text, struct buf *a, struct buf *b)
{
    static const char *const literal[][2] = {
        {"<skipped>", ""}, {"-\n", ""},   {"\n", " "},  {"&quot;", "\""},
        {"&amp;", "&"},    {"&lt;", "<"}, {"&gt;", ">"}};
    static rewriting *const rules[] = {part_symbols, part_after, part_before, part_dash};
    buf_add(a, " ");
    buf_append(a, text.text, trimmed(text));
    buf_add(a, " ");
    for (size_t i = 0; i < sizeof literal / sizeof *literal && !a->failed; i++) {
        replace(b, a, literal[i][0], literal[i][1]);
        struct buf done = *b;
        *b = *a;
        *a = done;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !a->failed; i++) {
        rewrite(b, a, rules[i]);
        struct buf done = *b;
        *b = *a;
        *a = done;
    }
    split(out, a);
}

bool bleu_tokenize(struct buf *out, struct bleu_text text, struct error *err)
{
    struct buf a, b;
    // No byte becomes more than three in one rewriting, and few do twice.
    size_t room = 16 * (text.length < BLEU_MAX_BYTES ? text.length : BLEU_MAX_BYTES) + 64;
    if (text.length > BLEU_MAX_BYTES)
        return fail_with(err, ERR_LIMIT, "a text has %zu bytes, the limit is %d",
                         text.length, BLEU_MAX_BYTES);
    buf_init(&a, room);
    buf_init(&b, room);
    tokenize(out, text, &a, &b);
    bool ok = !a.failed && !b.failed && !out->failed;
    buf_finish(&a);
    buf_finish(&b);
    return ok || fail_nomem(err, "the tokens of a text");
}
