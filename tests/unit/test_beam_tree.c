// SPDX-License-Identifier: MIT
// The tree of a beam search as it is kept: one made by hand, and one of a search.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "align/beam_tree.h"
#include "bundled.h"
#include "translate/beam.h"

//  0 ─ 2 ─ 5 (first)
//  1 ┬ 3 ─ 6 (second)
//    └ 4
static struct beam_tree *made(void)
{
    static const int parents[] = {-1, -1, 0, 1, 1, 2, 3};
    static const int steps[] = {0, 0, 1, 1, 1, 2, 2};
    struct beam_tree *tree = beam_tree_create(2, 3, 7, 4, 1, 2, true, NULL);
    assert_non_null(tree);
    for (int i = 0; i < 7; i++)
        tree->nodes[i] =
            (struct tree_node){.parent = parents[i], .step = steps[i], .token = i};
    tree->results[0] = 5;
    tree->results[1] = 6;
    beam_tree_settle(tree);
    return tree;
}

static void what_led_nowhere_is_dropped(void **state)
{
    (void)state;
    struct beam_tree *tree = made();
    for (int i = 0; i < 7; i++)
        assert_int_equal(tree->nodes[i].kept, i != 4);
    assert_int_equal(tree->nodes[5].result, 0);
    assert_int_equal(tree->nodes[6].result, 1);
    assert_int_equal(tree->nodes[4].result, -1);
    beam_tree_destroy(tree);
}

// The better parent's only child comes after the other's two, when that one is placed
// above.
static void children_stand_in_the_order_of_their_parents(void **state)
{
    (void)state;
    struct beam_tree *tree = made();
    tree->nodes[2].parent = 1;
    tree->nodes[3].parent = tree->nodes[4].parent = 0;
    for (int i = 0; i < 7; i++)
        tree->nodes[i].place = 0;
    beam_tree_settle(tree);
    static const int places[] = {0, 1, 2, 0, 1, 1, 0};
    for (int i = 0; i < 7; i++)
        assert_int_equal(tree->nodes[i].place, places[i]);
    assert_int_equal(beam_tree_beside(tree, 3, 1), 4);
    assert_int_equal(beam_tree_beside(tree, 3, 2), 2);
    assert_int_equal(beam_tree_beside(tree, 3, 9), 2);
    assert_int_equal(beam_tree_beside(tree, 3, -1), 3);
    beam_tree_destroy(tree);
}

static void a_path_is_followed_both_ways(void **state)
{
    (void)state;
    int path[3];
    struct beam_tree *tree = made();
    assert_int_equal(beam_tree_path(tree, 6, path), 3);
    assert_true(path[0] == 1 && path[1] == 3 && path[2] == 6);
    assert_int_equal(beam_tree_at(tree, 6, 1), 3);
    assert_int_equal(beam_tree_at(tree, 4, 2), -1);
    assert_true(beam_tree_on_path(tree, 6, 1) && !beam_tree_on_path(tree, 6, 0));
    assert_int_equal(beam_tree_child(tree, 0, 6), 2);
    assert_int_equal(beam_tree_child(tree, 1, 6), 3);
    assert_int_equal(beam_tree_child(tree, 4, 6), -1);
    assert_int_equal(beam_tree_child(tree, 6, 6), -1);
    beam_tree_destroy(tree);
}

static struct model_dir *dir;
static struct session *session;

static int open_tiny(void **state)
{
    (void)state;
    dir = open_made("models/tiny-additive-f32");
    session = dir ? open_session(dir) : NULL;
    return session ? 0 : -1;
}

static int close_session(void **state)
{
    (void)state;
    session_destroy(session);
    model_dir_close(dir);
    return 0;
}

static struct beam_found found_of(const char *text, struct beam beam)
{
    struct error err = {0};
    assert_true(session_beam_begin(session, text, strlen(text), run_at(1), &beam, &err));
    while (session_beam_step(session))
        continue;
    struct beam_found found;
    assert_true(session_beam_found(session, &found, &err));
    assert_null(session_beam_tree(session)); // given back
    return found;
}

// Scores by their definition; words and α as the results have them.
static void a_search_is_kept_with_its_numbers(void **state)
{
    (void)state;
    struct beam_found found = found_of("The black cat sleeps.", (struct beam){4, 0.6f});
    const struct beam_tree *tree = found.tree;
    assert_true(tree->n_results == 4 && found.nbest.n == 4 && tree->n_steps > 1);
    for (int r = 0; r < 4; r++) {
        int path[ALIGNMENT_MAX_TGT];
        const struct alignment *alignment = found.nbest.at[r].alignment;
        int n = beam_tree_path(tree, tree->results[r], path);
        double sum = 0;
        assert_int_equal(n, alignment_rows(alignment));
        for (int t = 0; t < n; t++) {
            const struct tree_node *node = &tree->nodes[path[t]];
            sum += (double)node->log_p;
            assert_string_equal(node->text, alignment->target[t].text);
            assert_memory_equal(tree->alpha + node->row * tree->n_src,
                                alignment->alpha + t * tree->n_src,
                                (size_t)tree->n_src * sizeof(float));
            assert_true(beam_tree_took(tree, node->row, node->token));
            assert_true(fabs(node->sum - sum) < 1e-4);
            double lp = pow((5.0 + t + 1) / 6.0, (double)0.6f);
            assert_true(fabs(node->score - sum / lp) < 1e-4);
        }
        const struct tree_node *last = &tree->nodes[tree->results[r]];
        assert_true(last->score == found.nbest.at[r].score);
    }
    beam_found_finish(&found);
}

static void blank_text_has_no_tree(void **state)
{
    (void)state;
    struct beam_found found = found_of(" ", (struct beam){4, 0.6f});
    assert_null(found.tree);
    assert_int_equal(found.nbest.n, 1);
    beam_found_finish(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_led_nowhere_is_dropped),
        cmocka_unit_test(children_stand_in_the_order_of_their_parents),
        cmocka_unit_test(a_path_is_followed_both_ways),
        cmocka_unit_test(a_search_is_kept_with_its_numbers),
        cmocka_unit_test(blank_text_has_no_tree),
    };
    return cmocka_run_group_tests_name("beam_tree", tests, open_tiny, close_session);
}
