// SPDX-License-Identifier: MIT
// Two alignments as one matrix of differences. See difference.h.
#include "align/difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align/diverge.h"

enum { ARENA_SPARE = 1 << 16 };

bool difference_same_source(const struct alignment *a, const struct alignment *b)
{
    if (a->n_src != b->n_src || strcmp(a->text, b->text) != 0)
        return false;
    for (int s = 0; s < a->n_src; s++) {
        const struct label *one = &a->source[s], *other = &b->source[s];
        if (one->typed_begin != other->typed_begin ||
            one->typed_end != other->typed_end || one->special != other->special)
            return false;
    }
    return true;
}

static bool out_of_memory(struct error *err)
{
    return fail_nomem(err, "a difference of alignments");
}

// "chat / chien", or the one word of both.
static const char *name_row(struct arena *arena, const char *a, const char *b)
{
    if (!strcmp(a, b))
        return arena_copy(arena, a, strlen(a));
    size_t size = strlen(a) + strlen(b) + sizeof " / ";
    char *text = arena_alloc(arena, size, 1);
    if (text)
        snprintf(text, size, "%s / %s", a, b);
    return text;
}

static const char *text_of(const struct difference_side *side, int t)
{
    const char *text = side->of->target[t].text;
    return text ? text : "";
}

static bool name_rows(struct difference *d, const struct difference_side sides[2])
{
    struct alignment *shown = d->shown;
    for (int t = 0; t < d->rows.count; t++) {
        int only = difference_only(d, t), from = only < 0 ? 0 : only;
        int in_a = only == 1 ? 1 : 0, in_b = only == 0 ? 0 : 1;
        struct label label = sides[from].of->target[d->rows.at[from][t]];
        const char *a = text_of(&sides[in_a], d->rows.at[in_a][t]);
        const char *b = text_of(&sides[in_b], d->rows.at[in_b][t]);
        d->differs[t] = strcmp(a, b) != 0;
        label.joined = label.joined && !d->differs[t];
        label.special = label.special && !d->differs[t];
        label.text = label.piece = name_row(&shown->arena, a, b);
        if (!label.text)
            return false;
        shown->target[t] = label;
    }
    return true;
}

static bool name_columns(struct alignment *shown, const struct alignment *of)
{
    for (int s = 0; s < of->n_src; s++) {
        const char *text = of->source[s].text ? of->source[s].text : "";
        shown->source[s] = of->source[s];
        shown->source[s].text = shown->source[s].piece =
            arena_copy(&shown->arena, text, strlen(text));
        if (!shown->source[s].text)
            return false;
    }
    shown->text = arena_copy(&shown->arena, of->text, strlen(of->text));
    return shown->text != NULL;
}

static bool copy_words(struct difference *d, const struct difference_side sides[2])
{
    for (int i = 0; i < 2; i++) {
        const char *words = sides[i].of->translation;
        d->words[i] =
            arena_copy(&d->shown->arena, words ? words : "", words ? strlen(words) : 0);
        if (!d->words[i])
            return false;
    }
    return true;
}

static void subtract(struct difference *d, const struct difference_side sides[2])
{
    size_t n = (size_t)d->shown->n_src;
    double total = 0;
    int count = 0;
    for (int t = 0; t < d->rows.count; t++) {
        d->bits[t] = NAN;
        if (difference_only(d, t) >= 0)
            continue;
        const float *a = sides[0].alpha + (size_t)d->rows.at[0][t] * n;
        const float *b = sides[1].alpha + (size_t)d->rows.at[1][t] * n;
        memcpy(d->a + (size_t)t * n, a, n * sizeof *a);
        for (size_t s = 0; s < n; s++)
            d->shown->alpha[(size_t)t * n + s] = b[s] - a[s];
        d->bits[t] = diverge_rows(a, b, (int)n);
        total += isnan(d->bits[t]) ? 0 : (double)d->bits[t];
        count += !isnan(d->bits[t]);
    }
    d->mean_bits = count ? (float)(total / count) : NAN;
}

static bool pair_rows(struct difference *d, const struct difference_side sides[2],
                      struct error *err)
{
    const struct difference_side *a = &sides[0], *b = &sides[1];
    size_t n = (size_t)a->of->n_src, most = (size_t)a->rows + (size_t)b->rows;
    arena_init(&d->arena, most * (n * sizeof *d->a + 8) + pairs_bytes(a->rows, b->rows) +
                              ARENA_SPARE);
    return pairs_make(&d->rows, &d->arena, a->of->target, a->rows, b->of->target,
                      b->rows) ||
           out_of_memory(err);
}

static bool take_memory(struct difference *d, int n, struct error *err)
{
    size_t rows = (size_t)d->rows.count;
    d->shown = alignment_create(n, rows ? d->rows.count : 1, true, err);
    if (!d->shown)
        return false;
    d->differs = arena_alloc(&d->arena, rows, sizeof *d->differs);
    d->bits = arena_alloc(&d->arena, rows, sizeof *d->bits);
    d->a = arena_alloc(&d->arena, rows * (size_t)n, sizeof *d->a);
    return (d->differs && d->bits && d->a) || out_of_memory(err);
}

// Of columns that are the same.
static bool build(struct difference *d, const struct difference_side sides[2],
                  struct error *err)
{
    if (!pair_rows(d, sides, err) || !take_memory(d, sides[0].of->n_src, err))
        return false;
    if (!name_rows(d, sides) || !name_columns(d->shown, sides[0].of) ||
        !copy_words(d, sides))
        return out_of_memory(err);
    subtract(d, sides);
    alignment_publish(d->shown, d->rows.count);
    alignment_end(d->shown, ENDED_EOS);
    return true;
}

// Both sides through a lens, which must outlive what is made of them.
static bool look(struct lens *lenses[2], const struct difference_side sides[2],
                 struct difference_side out[2], const struct lens_options *options,
                 struct error *err)
{
    for (int i = 0; i < 2; i++) {
        lens_destroy(lenses[i]);
        lenses[i] = lens_create(sides[i].of, sides[i].alpha, sides[i].rows, options, err);
        if (!lenses[i])
            return false;
        const struct alignment *shown = lenses[i]->shown;
        out[i] = (struct difference_side){shown, shown->alpha, alignment_rows(shown)};
    }
    return true;
}

static bool make(struct difference *d, struct lens *lenses[2],
                 const struct difference_side sides[2],
                 const struct lens_options *options, struct error *err)
{
    struct lens_options used = {.merge = options->merge,
                                .hide_special = options->hide_special};
    struct difference_side seen[2] = {sides[0], sides[1]};
    d->lens = used;
    if (!lens_is_clear(&used) && !look(lenses, sides, seen, &used, err))
        return false;
    if (!difference_same_source(seen[0].of, seen[1].of) && used.merge == LENS_PIECES) {
        used.merge = LENS_SUM;
        d->by_words = true;
        if (!look(lenses, sides, seen, &used, err))
            return false;
    }
    if (!difference_same_source(seen[0].of, seen[1].of))
        return fail_with(err, ERR_USAGE,
                         "both models split the sentence in their own way, and words do "
                         "not bring the columns together: there is no difference");
    return build(d, seen, err);
}

static bool check(const struct difference_side *side, struct error *err)
{
    if (!side->of->has_attention)
        return fail_with(err, ERR_USAGE,
                         "%s has no attention: there is nothing to subtract",
                         side->of->model);
    return side->of->n_src > 0 ||
           fail_with(err, ERR_USAGE, "without a sentence there is no difference");
}

struct difference *difference_create(const struct difference_side *a,
                                     const struct difference_side *b,
                                     const struct lens_options *options,
                                     struct error *err)
{
    if (!check(a, err) || !check(b, err))
        return NULL;
    struct difference *d = calloc(1, sizeof *d);
    if (!d) {
        out_of_memory(err);
        return NULL;
    }
    const struct difference_side sides[2] = {*a, *b};
    struct lens *lenses[2] = {NULL, NULL};
    bool ok = make(d, lenses, sides, options, err);
    lens_destroy(lenses[0]);
    lens_destroy(lenses[1]);
    if (ok)
        return d;
    difference_destroy(d);
    return NULL;
}

int difference_only(const struct difference *difference, int t)
{
    const struct pairs *rows = &difference->rows;
    return rows->at[0][t] < 0 ? 1 : rows->at[1][t] < 0 ? 0 : -1;
}

int difference_place(const struct difference *difference, int side, int t)
{
    const struct pairs *rows = &difference->rows;
    for (int i = 0; t >= 0 && i < rows->count; i++)
        if (rows->at[side][i] == t)
            return i;
    return -1;
}

void difference_destroy(struct difference *difference)
{
    if (!difference)
        return;
    alignment_destroy(difference->shown);
    arena_finish(&difference->arena);
    free(difference);
}
