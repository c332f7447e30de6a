// SPDX-License-Identifier: MIT
// Typed and pasted matrices. See attend_text.h.
#include "formats/attend_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

enum { NUMBER_BYTES = 64, SHOWN_BYTES = 25 };

struct walk {
    const char *at, *name;
    struct error *err;
    int depth;        // of brackets
    int row, columns; // columns: of the first row
    int in_row;       // numbers of this row so far
    struct buf out;   // the numbers
};

static bool end_row(struct walk *walk)
{
    if (!walk->in_row)
        return true;
    if (walk->row == 0)
        walk->columns = walk->in_row;
    if (walk->in_row != walk->columns)
        return fail_with(
            walk->err, ERR_FORMAT, "%s: row %d has %d number%s, row 1 has %d", walk->name,
            walk->row + 1, walk->in_row, walk->in_row == 1 ? "" : "s", walk->columns);
    walk->row++;
    walk->in_row = 0;
    return true;
}

static const char separators[] = " \t,;\r\n[]";

// U+2212, which pages print for a minus, becomes one.
static bool read_number(const char *word, size_t length, double *value)
{
    char plain[NUMBER_BYTES];
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        bool minus = length - i >= 3 && !memcmp(word + i, "\xe2\x88\x92", 3);
        if (n + 1 == sizeof plain)
            return false;
        plain[n++] = minus ? '-' : word[i];
        i += minus ? 2 : 0;
    }
    plain[n] = '\0';
    char *end = NULL;
    *value = strtod(plain, &end);
    return strspn(plain, "0123456789.eE+-") == n && end == plain + n;
}

// The word that is no number, in whole characters.
static bool refuse(const struct walk *walk, size_t length, const char *problem)
{
    char shown[SHOWN_BYTES];
    utf8_clean(shown, sizeof shown, walk->at, length, NULL);
    return fail_with(walk->err, ERR_FORMAT, "%s: row %d, column %d: '%s' is %s",
                     walk->name, walk->row + 1, walk->in_row + 1, shown, problem);
}

static bool take_number(struct walk *walk)
{
    size_t length = strcspn(walk->at, separators);
    int row = walk->row + 1;
    double value = 0;
    if (!read_number(walk->at, length, &value))
        return refuse(walk, length, "not a number");
    if (!isfinite(value))
        return refuse(walk, length, "too large for a double");
    if (row > ATTEND_MAX || walk->in_row == ATTEND_MAX)
        return fail_with(walk->err, ERR_LIMIT, "%s has more than %d %s", walk->name,
                         ATTEND_MAX, row > ATTEND_MAX ? "rows" : "columns");
    if (!buf_append(&walk->out, (const char *)&value, sizeof value))
        return fail_nomem(walk->err, walk->name);
    walk->in_row++;
    walk->at += length;
    return true;
}

// A newline inside brackets is but a space.
static bool take_separator(struct walk *walk)
{
    char c = *walk->at++;
    walk->depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (walk->depth < 0)
        return fail_with(walk->err, ERR_FORMAT, "%s: a bracket ] too many", walk->name);
    bool ends = c == '[' || c == ']' || c == ';' || (c == '\n' && !walk->depth);
    return !ends || end_row(walk);
}

static bool walk_text(struct walk *walk)
{
    while (*walk->at)
        if (!(strchr(separators, *walk->at) ? take_separator(walk) : take_number(walk)))
            return false;
    if (walk->depth)
        return fail_with(walk->err, ERR_FORMAT, "%s: a bracket [ is not closed",
                         walk->name);
    return end_row(walk);
}

bool attend_text_parse(struct attend_matrix *out, const char *text, const char *name,
                       struct arena *arena, struct error *err)
{
    struct walk walk = {.at = text, .name = name, .err = err};
    *out = (struct attend_matrix){0};
    buf_init(&walk.out, sizeof(double) * ATTEND_MAX * ATTEND_MAX + 1);
    bool ok = walk_text(&walk);
    if (ok && walk.row) {
        double *at = arena_alloc(arena, walk.out.length, 1);
        ok = at || fail_nomem(err, name);
        if (at)
            memcpy(at, walk.out.data, walk.out.length);
        *out = (struct attend_matrix){walk.row, walk.columns, at};
    }
    buf_finish(&walk.out);
    return ok;
}

void attend_text_number(struct buf *out, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (!(strtod(text, NULL) < value) && !(strtod(text, NULL) > value))
            break;
    }
    buf_add(out, text);
}

void attend_text_write(struct buf *out, const struct attend_matrix *m)
{
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++) {
            attend_text_number(out, m->at[(size_t)i * (size_t)m->columns + (size_t)j]);
            bool last = j + 1 == m->columns;
            buf_add(out, !last ? " " : i + 1 < m->rows ? "\n" : "");
        }
}

// What separates names; a newline at the very end does not.
static const char *name_separators(const char *text)
{
    const char *line = strchr(text, '\n');
    if (line && line[strspn(line, " \t\r\n")])
        return "\r\n";
    return strpbrk(text, ",\t") ? ",\t\r\n" : " \r\n";
}

bool attend_text_names(struct attend_names *out, const char *text, struct arena *arena,
                       struct error *err)
{
    text += strspn(text, " \t\r\n");
    const char *ends = name_separators(text);
    const char **names = arena_alloc(arena, ATTEND_MAX, sizeof *names);
    int count = 0;
    *out = (struct attend_names){0};
    while (names && *text && count < ATTEND_MAX) {
        text += strspn(text, " ");
        size_t whole = strcspn(text, ends), length = whole;
        while (length && text[length - 1] == ' ')
            length--;
        if (length > 0) {
            names[count] = arena_copy(arena, text, length);
            if (!names[count++])
                return fail_nomem(err, "names");
        }
        text += whole + (text[whole] != '\0');
    }
    if (!names)
        return fail_nomem(err, "names");
    *out = (struct attend_names){names, count};
    return true;
}
