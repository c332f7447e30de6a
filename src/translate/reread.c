// SPDX-License-Identifier: MIT
// α at another temperature than the loop had, from the scores that were kept. Of a
// Transformer every head is read again by itself, and edited by itself, before several
// become one: so does the loop.
#include "translate/translator.h"

#include <string.h>

#include "engine/dropout.h"
#include "translate/what_if.h"

struct rereading {
    const struct alignment *of;
    const struct edits *edits; // NULL: none
    float tau;
};

static void read_row(const struct rereading *how, const float *e, int t, float *alpha)
{
    int n = how->of->n_src;
    softmax_tau(kernels_best(), alpha, e, NULL, n, how->tau);
    if (how->of->dropout > 0)
        dropout_apply(alpha, n, how->of->dropout, how->of->seed, t);
    if (how->edits)
        what_if_row(how->edits, how->of->order, t, alpha, n);
}

static void read_heads(const struct rereading *how, int t, float *alpha)
{
    const struct maps *maps = how->of->maps;
    struct map_choice choice = how->of->attention;
    float head_alpha[ALIGNMENT_MAX_SRC], layer_alpha[ALIGNMENT_MAX_SRC];
    int layer, head;
    struct map_pooling pooling =
        map_pool_begin(&maps->shape, choice, how->of->n_src, alpha, layer_alpha);
    while (map_pool_next(&pooling, &layer, &head)) {
        read_row(how, maps_score(maps, choice.kind, layer, head, t), t, head_alpha);
        map_pool_add(&pooling, head_alpha);
    }
}

void translate_reread(const struct alignment *alignment, const struct edits *edits,
                      float tau, int from, int to, float *alpha)
{
    const struct rereading how = {alignment, edits, tau};
    size_t n = (size_t)alignment->n_src;
    int rows = alignment->has_attention ? alignment_rows(alignment) : 0;
    const struct maps *maps = alignment->maps;
    bool heads = maps && maps_kept(maps, alignment->attention.kind);
    for (int t = from; t < to; t++) {
        float *row = alpha + (size_t)t * n;
        if (t >= rows)
            memset(row, 0, n * sizeof *row);
        else if (heads)
            read_heads(&how, t, row);
        else if (maps) // not kept: what the loop read is all there is
            memcpy(row, alignment->alpha + (size_t)t * n, n * sizeof *row);
        else
            read_row(&how, alignment->score + (size_t)t * n, t, row);
    }
}
