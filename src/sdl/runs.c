// SPDX-License-Identifier: MIT
// SDL_ttf shapes one run of one face in one direction and never guesses; this finds the
// runs. Directions are the two-level part of the bidirectional algorithm (UAX #9): the
// first strong letter gives the base, neutrals between equal neighbours follow them and
// others the base, numbers stay left to right; explicit embedding marks are not honoured.
#include "sdl/runs.h"

#include "sdl/faces.h"
#include "text/utf8.h"

#include <string.h>
#include <utf8proc.h>

enum side { SIDE_NEUTRAL, SIDE_LEFT, SIDE_RIGHT, SIDE_NUMBER };

// Scripts that need their own rules; all others do with Latin's.
static const struct {
    int32_t first, last;
    char tag[5];
} scripts[] = {
    {0x0590, 0x05FF, "Hebr"}, {0x0600, 0x06FF, "Arab"}, {0x0700, 0x074F, "Syrc"},
    {0x0750, 0x077F, "Arab"}, {0x0780, 0x07BF, "Thaa"}, {0x07C0, 0x07FF, "Nkoo"},
    {0x0860, 0x086F, "Syrc"}, {0x0870, 0x08FF, "Arab"}, {0x0900, 0x097F, "Deva"},
    {0x0980, 0x09FF, "Beng"}, {0x0A00, 0x0A7F, "Guru"}, {0x0A80, 0x0AFF, "Gujr"},
    {0x0B00, 0x0B7F, "Orya"}, {0x0B80, 0x0BFF, "Taml"}, {0x0C00, 0x0C7F, "Telu"},
    {0x0C80, 0x0CFF, "Knda"}, {0x0D00, 0x0D7F, "Mlym"}, {0x0D80, 0x0DFF, "Sinh"},
    {0x0E00, 0x0E7F, "Thai"}, {0x0E80, 0x0EFF, "Laoo"}, {0x0F00, 0x0FFF, "Tibt"},
    {0x1000, 0x109F, "Mymr"}, {0x1100, 0x11FF, "Hang"}, {0x1200, 0x139F, "Ethi"},
    {0x1780, 0x17FF, "Khmr"}, {0x1800, 0x18AF, "Mong"}, {0x3040, 0x309F, "Hira"},
    {0x30A0, 0x30FF, "Kana"}, {0x3400, 0x9FFF, "Hani"}, {0xA960, 0xA97F, "Hang"},
    {0xAC00, 0xD7FF, "Hang"}, {0xFB1D, 0xFB4F, "Hebr"}, {0xFB50, 0xFDFF, "Arab"},
    {0xFE70, 0xFEFF, "Arab"},
};

static const char *script_of(int32_t point)
{
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        if (point >= scripts[i].first && point <= scripts[i].last)
            return scripts[i].tag;
    return "Latn";
}

static enum side side_of(int32_t point)
{
    switch (utf8proc_get_property(point)->bidi_class) {
    case UTF8PROC_BIDI_CLASS_L:
        return SIDE_LEFT;
    case UTF8PROC_BIDI_CLASS_R:
    case UTF8PROC_BIDI_CLASS_AL:
        return SIDE_RIGHT;
    case UTF8PROC_BIDI_CLASS_EN:
    case UTF8PROC_BIDI_CLASS_AN:
        return SIDE_NUMBER;
    default:
        return SIDE_NEUTRAL;
    }
}

static bool is_ascii(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

bool runs_right_to_left(const char *text, size_t length)
{
    if (is_ascii(text, length))
        return false;
    for (size_t at = 0; at < length;) {
        int32_t point = utf8_decode(text, length, &at);
        if (point < 0)
            break;
        enum side side = side_of(point);
        if (side == SIDE_LEFT || side == SIDE_RIGHT)
            return side == SIDE_RIGHT;
    }
    return false;
}

// Neutrals [from, to) between two sides.
static void resolve(enum side *sides, int from, int to, enum side before, enum side after,
                    enum side base)
{
    before = before == SIDE_NUMBER ? SIDE_LEFT : before;
    after = after == SIDE_NUMBER ? SIDE_LEFT : after;
    for (int i = from; i < to; i++)
        sides[i] = before == after ? before : base;
}

static void resolve_all(enum side *sides, int count, enum side base)
{
    enum side before = base;
    int from = 0;
    for (int i = 0; i <= count; i++) {
        if (i < count && sides[i] == SIDE_NEUTRAL)
            continue;
        resolve(sides, from, i, before, i < count ? sides[i] : base, base);
        before = i < count ? sides[i] : base;
        from = i + 1;
    }
}

static void reverse(struct run *runs, int from, int to)
{
    for (to--; from < to; from++, to--) {
        struct run keep = runs[from];
        runs[from] = runs[to];
        runs[to] = keep;
    }
}

// Rule L2 for two levels: what reads against the base is turned round within it.
static void reorder(struct run *runs, int count, bool base_rtl)
{
    if (base_rtl)
        reverse(runs, 0, count);
    for (int i = 0; i < count;) {
        int end = i;
        while (end < count && runs[end].rtl != base_rtl)
            end++;
        reverse(runs, i, end);
        i = end + 1;
    }
}

static bool joins(const struct run *a, const struct run *b)
{
    return a->face == b->face && a->rtl == b->rtl && strcmp(a->script, b->script) == 0;
}

static int join(struct run *runs, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept > 0 && joins(&runs[kept - 1], &runs[i])) {
            runs[kept - 1].end = runs[i].end;
            runs[kept - 1].clusters++;
        } else {
            runs[kept++] = runs[i];
        }
    }
    return kept;
}

// Every cluster a run of its own; tells whether any reads right to left.
static int split(struct faces *faces, enum font font, int px, const char *text,
                 size_t length, struct run *out, enum side *sides, bool *any_rtl)
{
    int count = 0;
    const char *script = "Latn";
    for (size_t at = 0; at < length && count < RUNS_MAX_BYTES; count++) {
        size_t end = utf8_next(text, length, at), first = at;
        int32_t point = utf8_decode(text, length, &first);
        sides[count] = side_of(point);
        *any_rtl = *any_rtl || sides[count] == SIDE_RIGHT;
        if (sides[count] == SIDE_LEFT || sides[count] == SIDE_RIGHT)
            script = script_of(point);
        out[count] =
            (struct run){.begin = (int)at,
                         .end = (int)end,
                         .face = faces_choose(faces, font, px, text + at, end - at),
                         .clusters = 1,
                         .script = script};
        at = end;
    }
    return count;
}

int runs_split(struct faces *faces, enum font font, int px, const char *text,
               size_t length, struct run *out)
{
    if (is_ascii(text, length)) {
        out[0] = (struct run){0, (int)length, (int)font, (int)length, false, "Latn"};
        return length > 0;
    }
    enum side sides[RUNS_MAX_BYTES];
    bool any_rtl = false;
    int count = split(faces, font, px, text, length, out, sides, &any_rtl);
    if (!any_rtl)
        return join(out, count);
    bool base_rtl = runs_right_to_left(text, length);
    resolve_all(sides, count, base_rtl ? SIDE_RIGHT : SIDE_LEFT);
    for (int i = 0; i < count; i++)
        out[i].rtl = sides[i] == SIDE_RIGHT;
    count = join(out, count);
    reorder(out, count, base_rtl);
    return count;
}
