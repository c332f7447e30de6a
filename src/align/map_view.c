// SPDX-License-Identifier: MIT
// One choice of the maps as an alignment. See maps.h. The view owns its labels and
// numbers, so it outlives the alignment it was made of.
#include "align/alignment.h"

#include <math.h>
#include <string.h>

static bool copy_label(struct arena *arena, struct label *to, const struct label *from)
{
    const char *piece = from->piece ? from->piece : "";
    const char *text = from->text ? from->text : "";
    *to = *from;
    to->piece = arena_copy(arena, piece, strlen(piece));
    to->text = arena_copy(arena, text, strlen(text));
    return to->piece && to->text;
}

static bool copy_labels(struct arena *arena, struct label *to, const struct label *from,
                        int n)
{
    for (int i = 0; i < n; i++)
        if (!copy_label(arena, &to[i], &from[i]))
            return false;
    return true;
}

// What the decoder was given before each of the rows.
static bool label_given(struct alignment *view, const struct alignment *of, int rows)
{
    const struct maps *maps = of->maps;
    const struct label start = {
        .piece = maps->start, .text = maps->start, .id = maps->start_id, .special = true};
    return copy_label(&view->arena, &view->source[0], &start) &&
           copy_labels(&view->arena, view->source + 1, of->target, rows - 1);
}

static bool label_view(struct alignment *view, const struct alignment *of, int rows,
                       enum map_kind kind)
{
    const struct label *target = kind == MAP_ENCODER ? of->source : of->target;
    if (!copy_labels(&view->arena, view->target, target, rows))
        return false;
    if (kind == MAP_DECODER)
        return !rows || label_given(view, of, rows);
    return copy_labels(&view->arena, view->source, of->source, of->n_src);
}

static bool copy_texts(struct alignment *view, const struct alignment *of)
{
    bool done = alignment_ended(of) != ENDED_NOT;
    const char *translation = done ? of->translation : "";
    view->text = arena_copy(&view->arena, of->text, strlen(of->text));
    view->model = arena_copy(&view->arena, of->model, strlen(of->model));
    view->translation = arena_copy(&view->arena, translation, strlen(translation));
    if (!of->order || view->attention.kind == MAP_DECODER)
        return view->text && view->model && view->translation;
    size_t n = (size_t)of->n_src;
    int *order = arena_alloc(&view->arena, n, sizeof *order);
    if (order)
        memcpy(order, of->order, n * sizeof *order);
    view->order = order;
    return view->text && view->model && view->translation && order;
}

static bool copy_candidates(struct alignment *view, const struct alignment *of, int rows)
{
    for (int i = 0; i < rows * ALIGNMENT_TOP; i++) {
        const char *text = of->top[i].text ? of->top[i].text : "";
        view->top[i] = of->top[i];
        view->top[i].text = arena_copy(&view->arena, text, strlen(text));
        if (!view->top[i].text)
            return false;
    }
    return true;
}

static bool copy_rows(struct alignment *view, const struct alignment *of, int rows)
{
    enum map_kind kind = view->attention.kind;
    size_t count = (size_t)rows;
    if (kind == MAP_ENCODER) {
        for (int t = 0; t < rows; t++)
            view->p[t] = NAN;
        return true;
    }
    memcpy(view->p, of->p, count * sizeof *view->p);
    return copy_candidates(view, of, rows);
}

static bool block(struct alignment *view, int rows)
{
    size_t n = (size_t)view->n_src;
    if (view->attention.kind != MAP_DECODER || !rows)
        return true;
    bool *blocked = arena_alloc(&view->arena, (size_t)rows * n, sizeof *blocked);
    for (int t = 0; blocked && t < rows; t++)
        for (int s = t + 1; s < view->n_src; s++)
            blocked[(size_t)t * n + (size_t)s] = true;
    view->blocked = blocked;
    return blocked != NULL;
}

// Row t of the choice; what is not allowed stays 0, without a score.
static void fill_row(struct alignment *view, int t, float *scratch)
{
    const struct maps *maps = view->maps;
    struct map_choice choice = view->attention;
    size_t at = (size_t)t * (size_t)view->n_src;
    int layer, head, n = maps_columns(maps, choice.kind, t);
    struct map_pooling pooling =
        map_pool_begin(&maps->shape, choice, n, view->alpha + at, scratch);
    while (map_pool_next(&pooling, &layer, &head))
        map_pool_add(&pooling, maps_alpha(maps, choice.kind, layer, head, t));
    for (int s = 0; s < view->n_src; s++)
        view->score[at + (size_t)s] = NAN;
    if (map_single(choice))
        memcpy(view->score + at,
               maps_score(maps, choice.kind, choice.layer, choice.head, t),
               (size_t)n * sizeof(float));
}

// Also before the first row: columns have their words, and all of it its texts.
static bool build(struct alignment *view, const struct alignment *of, int rows)
{
    float *scratch = arena_alloc(&view->arena, (size_t)view->n_src, sizeof *scratch);
    if (!scratch || !label_view(view, of, rows, view->attention.kind) ||
        !copy_texts(view, of) || !copy_rows(view, of, rows) || !block(view, rows))
        return false;
    for (int t = 0; t < rows; t++)
        fill_row(view, t, scratch);
    bool cross = view->attention.kind == MAP_CROSS;
    view->tau = cross ? of->tau : 1;
    view->dropout = cross ? of->dropout : 0;
    view->seed = of->seed;
    view->edited = of->edited;
    view->tokens_cut = of->tokens_cut;
    view->broken_row = of->broken_row;
    return true;
}

struct alignment *map_view(const struct alignment *of, struct map_choice choice,
                           struct error *err)
{
    if (!of->maps || !map_valid(of->maps, choice)) {
        fail_with(err, ERR_USAGE,
                  of->maps ? "this choice of attention was not kept"
                           : "this model has one attention, there is nothing to choose");
        return NULL;
    }
    enum ended ended = alignment_ended(of); // before the rows: they are final then
    int rows = choice.kind == MAP_ENCODER ? of->n_src : alignment_rows(of);
    int columns = choice.kind == MAP_DECODER ? rows : of->n_src;
    struct alignment *view =
        alignment_create(columns, rows || !columns ? rows : 1, true, err);
    if (!view)
        return NULL;
    view->maps = of->maps;
    view->attention = choice;
    maps_hold(view->maps);
    if (!build(view, of, rows)) {
        alignment_destroy(view);
        fail_nomem(err, "a view of an alignment");
        return NULL;
    }
    alignment_publish(view, rows);
    alignment_end(view, ended);
    return view;
}
