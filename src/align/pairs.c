// SPDX-License-Identifier: MIT
// See pairs.h.
#include "align/pairs.h"

#include <stdint.h>
#include <string.h>

// A change costs more than all ties that a sentence may have.
enum { TABLE_SPARE = 1 << 16, CHANGE = 1 << 14 };

struct table { // cost (n + 1, m + 1) of pairing what is left of a and of b; NULL: no
               // table
    const struct label *a, *b;
    int n, m;
    uint32_t *cost;
};

static bool same(const struct table *of, int i, int j)
{
    const char *a = of->a[i].text, *b = of->b[j].text;
    return !strcmp(a ? a : "", b ? b : "");
}

// Of two ways with as few changes the better one puts no mark in the place of a word.
static unsigned cost_of(const struct table *of, int i, int j)
{
    if (same(of, i, j))
        return 0;
    return CHANGE + (of->a[i].punctuation != of->b[j].punctuation);
}

static unsigned cost_at(const struct table *of, int i, int j)
{
    return of->cost[(size_t)i * ((size_t)of->m + 1) + (size_t)j];
}

static unsigned least(const struct table *of, int i, int j)
{
    if (i == of->n || j == of->m)
        return (unsigned)(of->n - i + of->m - j) * CHANGE;
    unsigned pair = cost_at(of, i + 1, j + 1) + cost_of(of, i, j);
    unsigned a = cost_at(of, i + 1, j) + CHANGE, b = cost_at(of, i, j + 1) + CHANGE;
    unsigned alone = a < b ? a : b;
    return pair <= alone ? pair : alone;
}

static void fill(struct table *of)
{
    for (int i = of->n; i >= 0; i--)
        for (int j = of->m; j >= 0; j--)
            of->cost[(size_t)i * ((size_t)of->m + 1) + (size_t)j] = least(of, i, j);
}

// Whether the next of both are partners.
static bool goes_together(const struct table *of, int i, int j)
{
    if (i == of->n || j == of->m)
        return false;
    return !of->cost ||
           cost_at(of, i, j) == cost_at(of, i + 1, j + 1) + cost_of(of, i, j);
}

static bool is_of_a(const struct table *of, int i, int j)
{
    if (i == of->n || j == of->m)
        return i < of->n;
    return cost_at(of, i, j) == cost_at(of, i + 1, j) + CHANGE;
}

static void walk(const struct table *of, struct pairs *pairs)
{
    for (int i = 0, j = 0; i < of->n || j < of->m; pairs->count++) {
        bool both = goes_together(of, i, j), only_a = !both && is_of_a(of, i, j);
        pairs->at[0][pairs->count] = both || only_a ? i++ : -1;
        pairs->at[1][pairs->count] = both || !only_a ? j++ : -1;
    }
}

size_t pairs_bytes(int n, int m)
{
    return 2 * ((size_t)n + (size_t)m + 32) * sizeof(int);
}

bool pairs_make(struct pairs *pairs, struct arena *arena, const struct label *a, int n,
                const struct label *b, int m)
{
    struct table of = {a, b, n, m, NULL};
    size_t cells = ((size_t)n + 1) * ((size_t)m + 1), most = (size_t)n + (size_t)m;
    *pairs = (struct pairs){0};
    for (int i = 0; i < 2; i++)
        if (!(pairs->at[i] = arena_alloc(arena, most, sizeof *pairs->at[i])))
            return false;
    struct arena table;
    arena_init(&table, PAIRS_MAX * sizeof *of.cost + TABLE_SPARE);
    bool small = cells <= PAIRS_MAX, ok = true;
    if (small) {
        of.cost = arena_alloc(&table, cells, sizeof *of.cost);
        ok = of.cost != NULL;
    }
    if (small && ok)
        fill(&of);
    if (ok)
        walk(&of, pairs);
    arena_finish(&table);
    return ok;
}
