// SPDX-License-Identifier: MIT
// The gold format, strictly: a link that leads nowhere or an empty token means that
// the numbers of the file count something else than we do. See gold.h.
#include "evaluate/gold.h"

#include <stdbool.h>
#include <string.h>

#include "text/utf8.h"

struct column {
    const char *text;
    size_t length;
};

static bool columns(struct column out[3], const char *line, size_t length,
                    struct error *err)
{
    int found = 0;
    for (const char *at = line, *end = line + length;; at++) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const char *stop = tab ? tab : end;
        if (found < 3)
            out[found] = (struct column){at, (size_t)(stop - at)};
        found++;
        at = stop;
        if (!tab)
            break;
    }
    return found == 3 ||
           fail_with(err, ERR_FORMAT, "has %d columns, expected 3: source, target, links",
                     found);
}

static bool count_words(struct column column, const char *what, int *count,
                        struct error *err)
{
    int words = 1;
    for (size_t i = 0; i < column.length; i++) {
        bool space = column.text[i] == ' ';
        if (space && (i == 0 || i + 1 == column.length || column.text[i - 1] == ' '))
            return fail_with(err, ERR_FORMAT, "an empty token in the %s (two spaces?)",
                             what);
        words += space;
    }
    *count = words;
    if (!column.length)
        return fail_with(err, ERR_FORMAT, "the %s is empty", what);
    return words <= GOLD_MAX_WORDS ||
           fail_with(err, ERR_LIMIT, "the %s has %d tokens, the limit is %d", what, words,
                     GOLD_MAX_WORDS);
}

// Digits at *at; -1 when there are none or too many.
static int number(const char **at, const char *end)
{
    int value = 0, digits = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at, digits++)
        value = digits < 6 ? value * 10 + (**at - '0') : value;
    return digits >= 1 && digits <= 6 ? value : -1;
}

static bool fail_no_link(const char *text, size_t length, struct error *err)
{
    char shown[41]; // whole characters
    utf8_clean(shown, sizeof shown, text, length, NULL);
    return fail_with(err, ERR_FORMAT, "'%s' is no link, expected i-j or i?j", shown);
}

static bool take_link(struct gold *gold, const char *text, size_t length,
                      struct error *err)
{
    const char *at = text, *end = text + length;
    int s = number(&at, end);
    char kind = at < end ? *at++ : '\0';
    int t = number(&at, end);
    if (s < 0 || t < 0 || at != end || (kind != '-' && kind != '?'))
        return fail_no_link(text, length, err);
    if (s >= gold->n_src || t >= gold->n_tgt)
        return fail_with(err, ERR_FORMAT,
                         "the link %d%c%d leads outside %d source and %d target tokens",
                         s, kind, t, gold->n_src, gold->n_tgt);
    unsigned char *link = &gold->links[t * gold->n_src + s];
    enum link found = kind == '-' ? LINK_SURE : LINK_POSSIBLE;
    if (*link < found)
        *link = (unsigned char)found;
    return true;
}

bool gold_parse(struct gold *gold, struct arena *arena, const char *line, size_t length,
                struct error *err)
{
    struct column column[3];
    if (!columns(column, line, length, err) ||
        !count_words(column[0], "source", &gold->n_src, err) ||
        !count_words(column[1], "target", &gold->n_tgt, err))
        return false;
    gold->source = column[0].text;
    gold->source_length = column[0].length;
    gold->target = column[1].text;
    gold->target_length = column[1].length;
    gold->links = arena_alloc(arena, (size_t)gold->n_tgt * (size_t)gold->n_src, 1);
    if (!gold->links)
        return fail_nomem(err, "the links of a pair");
    const char *at = column[2].text, *end = at + column[2].length;
    while (at < end) {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        const char *stop = space ? space : end;
        if (stop > at && !take_link(gold, at, (size_t)(stop - at), err))
            return false;
        at = space ? space + 1 : end;
    }
    return true;
}
