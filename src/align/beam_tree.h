// SPDX-License-Identifier: MIT
// The tree of a beam search as people read it: every hypothesis that had a place in the
// beam, what it was chosen from, and what became of it. A node is one token; the path to
// the first node is the hypothesis. Nodes that were chosen from the same hypothesis in
// the same step share a row: its α and its best next words, also those that got no place.
//
// Made once, by whoever searched, and never changed. Nodes come step by step.
#pragma once

#include "align/alignment.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

enum { BEAM_TREE_MAX_BYTES = 128 << 20 };

struct tree_node {
    int parent; // the node before it; -1: it begins the sentence
    int row;    // what it was chosen from
    int step;   // from 0
    int place;  // in its step from the top: no two lines from parent to child cross
    int result; // of which it is the last: the rank from 0; -1
    bool kept;  // it leads to a result; else it was dropped on the way
    int token;
    const char *text;
    float log_p;       // of the token
    double sum, score; // log p(Y) up to and with this one; the same over lp(Y)
};

struct beam_tree {
    struct arena arena;
    int width;
    float length; // a of the length normalisation
    int n_src, n_steps, n_nodes, n_rows, n_top, n_results;
    struct tree_node *nodes; // (n_nodes)
    int *first;              // (n_steps + 1) the first node of each step
    int *results;            // (n_results) their last nodes, best first
    bool *complete;          // (n_results) it said </s>; else it was cut
    float *alpha;            // (n_rows, n_src); NULL: no attention
    struct candidate *top;   // (n_rows, n_top) best first
};

// Room for a tree of this size, all zeroed; NULL with *err when memory is short.
struct beam_tree *beam_tree_create(int n_src, int n_steps, int n_nodes, int n_rows,
                                   int n_top, int n_results, bool has_attention,
                                   struct error *err);
void beam_tree_destroy(struct beam_tree *tree); // NULL is fine
// From parents, steps and results: kept, result and place of every node, and `first`.
void beam_tree_settle(struct beam_tree *tree);

// The nodes of the hypothesis that ends in `node`, first to last: path (its step + 1).
int beam_tree_path(const struct beam_tree *tree, int node, int *path);
// The node of step `step` on that path; -1: it is shorter.
int beam_tree_at(const struct beam_tree *tree, int node, int step);
// Whether `node` lies on the path that ends in `last`.
bool beam_tree_on_path(const struct beam_tree *tree, int last, int node);
// The node of the same step that is drawn `by` places below; the last of them.
int beam_tree_beside(const struct beam_tree *tree, int node, int by);
// A child: the one on the path to `last` where there is one, else the first; -1: none.
int beam_tree_child(const struct beam_tree *tree, int node, int last);
// Whether a next word of a row got a place in the beam.
bool beam_tree_took(const struct beam_tree *tree, int row, int token);
