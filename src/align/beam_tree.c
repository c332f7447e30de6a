// SPDX-License-Identifier: MIT
// See beam_tree.h.
#include "align/beam_tree.h"

#include <stdlib.h>

static bool take_memory(struct beam_tree *tree, bool has_attention)
{
    size_t rows = (size_t)tree->n_rows;
    struct arena *arena = &tree->arena;
    tree->nodes = arena_alloc(arena, (size_t)tree->n_nodes, sizeof *tree->nodes);
    tree->first = arena_alloc(arena, (size_t)tree->n_steps + 1, sizeof *tree->first);
    tree->results = arena_alloc(arena, (size_t)tree->n_results, sizeof *tree->results);
    tree->complete = arena_alloc(arena, (size_t)tree->n_results, sizeof(bool));
    tree->top = arena_alloc(arena, rows * (size_t)tree->n_top, sizeof *tree->top);
    if (has_attention)
        tree->alpha = arena_alloc(arena, rows * (size_t)tree->n_src, sizeof(float));
    return tree->nodes && tree->first && tree->results && tree->complete && tree->top &&
           (tree->alpha || !has_attention);
}

struct beam_tree *beam_tree_create(int n_src, int n_steps, int n_nodes, int n_rows,
                                   int n_top, int n_results, bool has_attention,
                                   struct error *err)
{
    struct beam_tree *tree = calloc(1, sizeof *tree);
    if (tree) {
        *tree = (struct beam_tree){.n_src = n_src,
                                   .n_steps = n_steps,
                                   .n_nodes = n_nodes,
                                   .n_rows = n_rows,
                                   .n_top = n_top,
                                   .n_results = n_results};
        arena_init(&tree->arena, BEAM_TREE_MAX_BYTES);
        if (take_memory(tree, has_attention))
            return tree;
    }
    beam_tree_destroy(tree);
    fail_nomem(err, "the tree of a beam search");
    return NULL;
}

void beam_tree_destroy(struct beam_tree *tree)
{
    if (!tree)
        return;
    arena_finish(&tree->arena);
    free(tree);
}

static void mark_results(struct beam_tree *tree)
{
    for (int i = 0; i < tree->n_nodes; i++)
        tree->nodes[i].result = -1;
    for (int i = 0; i < tree->n_results; i++) {
        if (tree->results[i] < 0)
            continue; // nothing was decoded
        tree->nodes[tree->results[i]].result = i;
        for (int n = tree->results[i]; n >= 0 && !tree->nodes[n].kept;
             n = tree->nodes[n].parent)
            tree->nodes[n].kept = true;
    }
}

static void find_steps(struct beam_tree *tree)
{
    int node = 0;
    for (int step = 0; step <= tree->n_steps; step++) {
        while (node < tree->n_nodes && tree->nodes[node].step < step)
            node++;
        tree->first[step] = node;
    }
}

static bool stands_above(const struct beam_tree *tree, int a, int b)
{
    int pa = tree->nodes[a].parent, pb = tree->nodes[b].parent;
    int above_a = pa < 0 ? 0 : tree->nodes[pa].place;
    int above_b = pb < 0 ? 0 : tree->nodes[pb].place;
    return above_a < above_b || (above_a == above_b && a < b);
}

// A step's nodes in the order of their parents, and the better child first.
static void place_step(struct beam_tree *tree, int step)
{
    int from = tree->first[step], to = tree->first[step + 1];
    for (int i = from; i < to; i++)
        for (int k = from; k < to; k++)
            tree->nodes[i].place += k != i && stands_above(tree, k, i);
}

void beam_tree_settle(struct beam_tree *tree)
{
    mark_results(tree);
    find_steps(tree);
    for (int step = 0; step < tree->n_steps; step++)
        place_step(tree, step);
}

int beam_tree_path(const struct beam_tree *tree, int node, int *path)
{
    int count = node < 0 ? 0 : tree->nodes[node].step + 1;
    for (int i = count - 1; i >= 0; i--, node = tree->nodes[node].parent)
        path[i] = node;
    return count;
}

int beam_tree_at(const struct beam_tree *tree, int node, int step)
{
    if (node < 0 || step < 0 || step > tree->nodes[node].step)
        return -1;
    while (tree->nodes[node].step > step)
        node = tree->nodes[node].parent;
    return node;
}

bool beam_tree_on_path(const struct beam_tree *tree, int last, int node)
{
    return node >= 0 && beam_tree_at(tree, last, tree->nodes[node].step) == node;
}

int beam_tree_beside(const struct beam_tree *tree, int node, int by)
{
    int step = tree->nodes[node].step, from = tree->first[step];
    int count = tree->first[step + 1] - from, place = tree->nodes[node].place + by;
    place = place < 0 ? 0 : place >= count ? count - 1 : place;
    for (int i = from; i < from + count; i++)
        if (tree->nodes[i].place == place)
            return i;
    return node;
}

int beam_tree_child(const struct beam_tree *tree, int node, int last)
{
    int step = tree->nodes[node].step + 1, best = -1;
    if (beam_tree_on_path(tree, last, node))
        return beam_tree_at(tree, last, step);
    if (step == tree->n_steps)
        return -1;
    for (int i = tree->first[step]; i < tree->first[step + 1]; i++)
        if (tree->nodes[i].parent == node &&
            (best < 0 || tree->nodes[i].kept > tree->nodes[best].kept))
            best = i;
    return best;
}

bool beam_tree_took(const struct beam_tree *tree, int row, int token)
{
    for (int i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].row == row && tree->nodes[i].token == token)
            return true;
    return false;
}
