// SPDX-License-Identifier: MIT
// Which words of a second decoding are new: those outside a longest common subsequence.
//
//   L(i, j) = L(i+1, j+1) + 1 where before_i = now_j, else max(L(i+1, j), L(i, j+1))
//
// The table is filled from the end, so that walking it from the start prefers the
// earliest match. Only two rows of lengths are kept, and one bit per cell says which way
// to go: 4096 by 4096 tokens take 2 MB. What both share at the start and the end is
// skipped first, which after a small step of τ is nearly everything.
#include "align/compare.h"

#include <stdint.h>
#include <string.h>

enum { COMPARE_MAX_BYTES = 4 * 1024 * 1024 };

struct span { // the part of both that differs
    const struct label *before, *now;
    int n_before, n_now;
    int rows; // of now, in all
};

struct table {
    unsigned char *skip_before; // (n_before, n_now) bits: step over before_i
    uint16_t *here, *below;     // (n_now + 1) lengths of rows i and i + 1
};

static struct span trim(const struct alignment *before, const struct alignment *now)
{
    int rows = alignment_rows(now);
    struct span s = {before->target, now->target, alignment_rows(before), rows, rows};
    while (s.n_before && s.n_now && s.before[0].id == s.now[0].id) {
        s.before++, s.n_before--;
        s.now++, s.n_now--;
    }
    while (s.n_before && s.n_now &&
           s.before[s.n_before - 1].id == s.now[s.n_now - 1].id) {
        s.n_before--;
        s.n_now--;
    }
    return s;
}

static bool table_take(struct table *table, struct arena *arena, const struct span *s)
{
    size_t cells = (size_t)s->n_before * (size_t)s->n_now;
    size_t width = (size_t)s->n_now + 1;
    table->skip_before = arena_alloc(arena, cells / 8 + 1, 1);
    table->here = arena_alloc(arena, width, sizeof *table->here);
    table->below = arena_alloc(arena, width, sizeof *table->below);
    return table->skip_before && table->here && table->below;
}

static void table_fill(struct table *table, const struct span *s)
{
    for (int i = s->n_before - 1; i >= 0; i--) {
        uint16_t *swap = table->below;
        table->below = table->here;
        table->here = swap;
        table->here[s->n_now] = 0;
        for (int j = s->n_now - 1; j >= 0; j--) {
            uint16_t down = table->below[j], right = table->here[j + 1];
            if (s->before[i].id == s->now[j].id) {
                table->here[j] = (uint16_t)(table->below[j + 1] + 1);
                continue;
            }
            table->here[j] = down >= right ? down : right;
            size_t cell = (size_t)i * (size_t)s->n_now + (size_t)j;
            if (down >= right)
                table->skip_before[cell / 8] |= (unsigned char)(1u << cell % 8);
        }
    }
}

static void mark(const struct table *table, const struct span *s, bool *changed)
{
    int i = 0, j = 0;
    while (j < s->n_now) {
        size_t cell = (size_t)i * (size_t)s->n_now + (size_t)j;
        if (i < s->n_before && s->before[i].id == s->now[j].id) {
            i++, j++;
        } else if (i < s->n_before && (table->skip_before[cell / 8] >> cell % 8 & 1)) {
            i++;
        } else {
            changed[j++] = true;
        }
    }
}

bool compare_words(const struct alignment *before, const struct alignment *now,
                   bool *changed)
{
    struct span s = trim(before, now);
    struct arena arena;
    struct table table;
    memset(changed, 0, (size_t)s.rows * sizeof *changed);
    arena_init(&arena, COMPARE_MAX_BYTES);
    bool ok = table_take(&table, &arena, &s);
    if (ok) {
        table_fill(&table, &s);
        mark(&table, &s, changed + (s.now - now->target));
    }
    arena_finish(&arena);
    return ok;
}
