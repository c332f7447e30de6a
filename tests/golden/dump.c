// SPDX-License-Identifier: MIT
// The reading of dumps; dump.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dump.h"

#include <stdlib.h>
#include <string.h>

bool dump_next(struct dump *dump)
{
    if (!fgets(dump->line, sizeof dump->line, dump->file))
        return false;
    char *end = strchr(dump->line, '\n');
    assert_non_null(end);
    *end = '\0';
    return true;
}

char *dump_after(struct dump *dump, const char *word)
{
    size_t n = strlen(word);
    return strncmp(dump->line, word, n) == 0 && dump->line[n] == ' ' ? dump->line + n + 1
                                                                     : NULL;
}

char *dump_expect(struct dump *dump, const char *word)
{
    assert_true(dump_next(dump));
    char *rest = dump_after(dump, word);
    if (!rest)
        fail_msg("%s: expected a line of '%s', found: %.60s", dump->name, word,
                 dump->line);
    return rest;
}

int dump_floats(const char *text, float *out)
{
    int n = 0;
    char *end;
    for (float value; (value = strtof(text, &end), end != text); text = end) {
        assert_true(n < DUMP_MAX_VALUES);
        out[n++] = value;
    }
    return n;
}

int dump_ids(const char *text, int *out)
{
    int n = 0;
    char *end;
    for (long value; (value = strtol(text, &end, 10), end != text); text = end) {
        assert_true(n < DUMP_MAX_VALUES);
        out[n++] = (int)value;
    }
    return n;
}
