// SPDX-License-Identifier: MIT
// A search's tree with its words, as one that outlives the search. See beam.h.
#include <string.h>

#include "translate/beam.h"
#include "translate/session.h"

static struct beam_tree *make(const struct session *session, struct error *err)
{
    const struct search *search = &session->beam.search;
    int n_src = session->sentence.n_src, steps = 0;
    if (search->n_nodes)
        steps = search->nodes[search->n_nodes - 1].length;
    bool attends = session->model.network->config.score != SCORE_NONE;
    return beam_tree_create(n_src, steps, search->n_nodes, search->n_rows, search->n_top,
                            search->n_results, attends, err);
}

static void copy_rows(const struct session *session, struct beam_tree *tree,
                      struct label_pool *pool)
{
    const struct search *search = &session->beam.search;
    const struct translator *model = &session->model;
    int eos = model->network->config.eos;
    size_t rows = (size_t)tree->n_rows, cells = rows * (size_t)tree->n_src;
    for (size_t i = 0; i < rows * (size_t)tree->n_top; i++) {
        int token = search->top[i];
        tree->top[i] = (struct candidate){
            .id = token,
            .log_p = search->top_log_p[i],
            .text = label_target_text(pool, model->target, eos, token),
            .joins = label_target_joins(model->target, eos, token),
        };
    }
    if (tree->alpha)
        memcpy(tree->alpha, search->alpha, cells * sizeof(float));
}

// Every node is one of the candidates of its row.
static const char *text_of(const struct beam_tree *tree, int row, int token)
{
    const struct candidate *top = tree->top + (size_t)row * (size_t)tree->n_top;
    for (int i = 0; i < tree->n_top; i++)
        if (top[i].id == token)
            return top[i].text;
    return "";
}

static void copy_nodes(const struct search *search, struct beam_tree *tree)
{
    for (int i = 0; i < tree->n_nodes; i++) {
        const struct search_node *from = &search->nodes[i];
        tree->nodes[i] = (struct tree_node){
            .parent = from->parent,
            .row = from->row,
            .step = from->length - 1,
            .token = from->token,
            .text = text_of(tree, from->row, from->token),
            .log_p = from->log_p,
            .sum = from->sum,
            .score = search_score(&search->beam, from->sum, from->length)};
    }
    for (int i = 0; i < tree->n_results; i++) {
        tree->results[i] = search->results[i].node;
        tree->complete[i] = search->results[i].complete;
    }
}

struct beam_tree *session_beam_keep(const struct session *session, struct error *err)
{
    const struct search *search = session_beam_tree(session);
    *err = (struct error){0};
    if (!search)
        return NULL;
    struct beam_tree *tree = make(session, err);
    struct label_pool pool = {.left = 0};
    if (tree) {
        int labels = tree->n_rows * tree->n_top / ALIGNMENT_TOP + 1;
        pool.left = label_pool_bytes(0, 0, labels, session->longest);
        pool.at = arena_alloc(&tree->arena, pool.left, 1);
    }
    if (!pool.at) {
        beam_tree_destroy(tree);
        fail_nomem(err, "the tree of a beam search");
        return NULL;
    }
    tree->width = search->beam.width;
    tree->length = search->beam.length;
    copy_rows(session, tree, &pool);
    copy_nodes(search, tree);
    beam_tree_settle(tree);
    return tree;
}

bool session_beam_found(struct session *session, struct beam_found *found,
                        struct error *err)
{
    struct error why = {0};
    *found = (struct beam_found){0};
    bool ok = session_beam_end(session, SEARCH_MAX_WIDTH, &found->nbest, &why);
    found->tree = ok ? session_beam_keep(session, &why) : NULL;
    session_beam_forget(session);
    if (ok && !why.text[0])
        return true;
    beam_found_finish(found);
    *err = why;
    return false;
}

void beam_found_finish(struct beam_found *found)
{
    nbest_finish(&found->nbest);
    beam_tree_destroy(found->tree);
    *found = (struct beam_found){0};
}
