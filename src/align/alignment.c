// SPDX-License-Identifier: MIT
// The alignment's memory and its two published numbers. See alignment.h.
//
// Everything lies in one arena. The matrices come first and from fresh blocks, which the
// system zeroes only when they are touched: a long sentence that ends early costs what it
// used. The arena's maximum leaves room for the labels' text, which the maker adds.
#include "align/alignment.h"

#include <assert.h>
#include <stdlib.h>

enum { TEXT_PER_LABEL = 1280, TEXT_BASE = 256 * 1024 };

const char *ended_name(enum ended ended)
{
    switch (ended) {
    case ENDED_EOS:
        return "eos";
    case ENDED_LIMIT:
        return "limit";
    case ENDED_CANCELLED:
        return "cancelled";
    case ENDED_EMPTY:
        return "empty";
    case ENDED_BROKEN:
        return "not-finite";
    case ENDED_NOT:
        break;
    }
    return "running";
}

static bool sizes_ok(int n_src, int max_tgt)
{
    if (n_src == 0 && max_tgt == 0)
        return true;
    return n_src >= 1 && n_src <= ALIGNMENT_MAX_SRC && max_tgt >= 1 &&
           max_tgt <= ALIGNMENT_MAX_TGT;
}

static size_t arena_limit(size_t n_src, size_t max_tgt)
{
    size_t labels = n_src + max_tgt * (1 + ALIGNMENT_TOP);
    size_t per_row = 3 * n_src * sizeof(float) + sizeof(struct label) +
                     3 * sizeof(float) + ALIGNMENT_TOP * sizeof(struct candidate);
    return max_tgt * per_row + n_src * (sizeof(struct label) + sizeof(float)) +
           labels * TEXT_PER_LABEL + TEXT_BASE;
}

static bool take_memory(struct alignment *a)
{
    size_t n = (size_t)a->n_src, rows = (size_t)a->max_tgt;
    a->score = arena_alloc(&a->arena, rows * n, sizeof *a->score);
    a->alpha = arena_alloc(&a->arena, rows * n, sizeof *a->alpha);
    a->source = arena_alloc(&a->arena, n, sizeof *a->source);
    a->target = arena_alloc(&a->arena, rows, sizeof *a->target);
    a->p = arena_alloc(&a->arena, rows, sizeof *a->p);
    a->memory_norm = arena_alloc(&a->arena, n, sizeof *a->memory_norm);
    a->query_norm = arena_alloc(&a->arena, rows, sizeof *a->query_norm);
    a->context_norm = arena_alloc(&a->arena, rows, sizeof *a->context_norm);
    a->top = arena_alloc(&a->arena, rows * ALIGNMENT_TOP, sizeof *a->top);
    return a->score && a->alpha && a->source && a->target && a->p && a->top &&
           a->memory_norm && a->query_norm && a->context_norm;
}

struct alignment *alignment_create(int n_src, int max_tgt, bool has_attention,
                                   struct error *err)
{
    if (!sizes_ok(n_src, max_tgt)) {
        fail_with(
            err, ERR_LIMIT,
            "an alignment of %d target by %d source tokens; the limits are %d by %d",
            max_tgt, n_src, ALIGNMENT_MAX_TGT, ALIGNMENT_MAX_SRC);
        return NULL;
    }
    struct alignment *alignment = calloc(1, sizeof *alignment);
    if (alignment) {
        arena_init(&alignment->arena, arena_limit((size_t)n_src, (size_t)max_tgt));
        alignment->text = alignment->model = alignment->translation = "";
        alignment->has_attention = has_attention;
        alignment->tau = 1.0f;
        alignment->n_src = n_src;
        alignment->max_tgt = max_tgt;
        if (take_memory(alignment))
            return alignment;
    }
    alignment_destroy(alignment);
    fail_nomem(err, "an alignment");
    return NULL;
}

void alignment_destroy(struct alignment *alignment)
{
    if (!alignment)
        return;
    maps_release(alignment->maps);
    arena_finish(&alignment->arena);
    free(alignment);
}

int alignment_rows(const struct alignment *alignment)
{
    return atomic_load_explicit(&alignment->rows_done, memory_order_acquire);
}

void alignment_publish(struct alignment *alignment, int rows)
{
    assert(rows >= alignment_rows(alignment) && rows <= alignment->max_tgt);
    atomic_store_explicit(&alignment->rows_done, rows, memory_order_release);
}

enum ended alignment_ended(const struct alignment *alignment)
{
    return (enum ended)atomic_load_explicit(&alignment->ended, memory_order_acquire);
}

void alignment_end(struct alignment *alignment, enum ended ended)
{
    atomic_store_explicit(&alignment->ended, (int)ended, memory_order_release);
}

bool alignment_check(const struct alignment *alignment, struct error *err)
{
    if (alignment_ended(alignment) != ENDED_BROKEN)
        return true;
    if (alignment->broken_row < 0)
        return fail_with(err, ERR_BROKEN,
                         "%s: the encoder's memory is not finite, its weights are too "
                         "large or spoilt",
                         alignment->model);
    return fail_with(err, ERR_BROKEN,
                     "%s: row %d is not finite, the model's weights are too large or "
                     "spoilt",
                     alignment->model, alignment->broken_row + 1);
}
