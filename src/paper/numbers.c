// SPDX-License-Identifier: MIT
// Counting ids anew. See numbers.h.
#include "paper/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { SEEN_BYTES = 64 << 20 };

// Where the next id may begin; the end when there is none. By bytes: the functions of the
// C library may look at all that follows, again and again.
static const char *next_mark(const char *at)
{
    while (*at && *at != '"' && *at != '#')
        at++;
    return at;
}

// The id at `at`, as it is defined ("image7") or used (#image7): where its number begins;
// 0: there is none.
static size_t number_at(const char *text)
{
    static const char *const names[] = {"surface", "image", "source-"};
    if (*text != '"' && *text != '#')
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (!strncmp(text + 1, names[i], length) && text[1 + length] >= '0' &&
            text[1 + length] <= '9')
            return 1 + length;
    }
    return 0;
}

// The place of a number among those seen, from 1.
static size_t place_of(unsigned long *seen, size_t *count, unsigned long number)
{
    for (size_t i = 0; i < *count; i++)
        if (seen[i] == number)
            return i + 1;
    seen[(*count)++] = number;
    return *count;
}

static bool rewrite(const char *text, struct buf *out)
{
    size_t ids = 0, count = 0;
    for (const char *at = next_mark(text); *at; at = next_mark(at + 1))
        ids += number_at(at) > 0;
    struct arena arena;
    arena_init(&arena, SEEN_BYTES);
    unsigned long *seen = arena_alloc(&arena, ids + 1, sizeof *seen);
    if (!seen)
        return false;
    const char *done = text;
    for (const char *at = next_mark(text); *at; at = next_mark(at + 1)) {
        size_t begin = number_at(at);
        if (!begin)
            continue;
        char *end;
        unsigned long number = strtoul(at + begin, &end, 10);
        buf_append(out, done, (size_t)(at + begin - done));
        buf_printf(out, "%zu", place_of(seen, &count, number));
        done = end;
    }
    buf_add(out, done);
    arena_finish(&arena);
    return !out->failed;
}

bool numbers_anew(struct buf *svg, size_t from)
{
    struct buf out;
    buf_init(&out, svg->max_bytes);
    bool ok = rewrite(buf_text(svg) + from, &out);
    if (ok) {
        svg->length = from;
        svg->data[from] = '\0';
        ok = buf_append(svg, buf_text(&out), out.length);
    }
    buf_finish(&out);
    return ok;
}
