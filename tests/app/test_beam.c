// SPDX-License-Identifier: MIT
// Beam search in the window: its width, its tree, and the hypothesis on the heatmap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/state.h"
#include "files.h"

static char *matrix(void)
{
    command("copy matrix");
    return strdup(driver->clipboard);
}

static const struct beam_tree *tree(void)
{
    return driver->app->beaming.found.tree;
}

// The words of a result, and where they are kept.
static const char **result(int i)
{
    struct alignment *other = driver->app->beaming.found.nbest.at[i].alignment;
    return other ? &other->translation : &driver->app->show.now->translation;
}

// The pages then list these, whatever was found.
static void put_results(void)
{
    static const char *const words[] = {"Je voudrais une tasse de café, s'il vous plaît.",
                                        "J'aimerais une tasse de café, s'il vous plaît.",
                                        "Je voudrais une tasse de café, s'il vous plait.",
                                        "Je voudrais une tasse de café, s'il te plaît.",
                                        "J'aimerais une tasse de café, s'il vous plait."};
    assert_int_equal(driver->app->beaming.found.nbest.n, 5);
    for (int i = 0; i < 5; i++)
        *result(i) = words[i];
    driver_frame(driver);
}

// The chosen node is this step of what is on the heatmap.
static void expect_step(int step)
{
    expect(driver_words("step %d  “%s”", step, driver_word(driver, step)));
    expect("on the heatmap");
}

static int steps(void)
{
    return alignment_rows(driver_now(driver));
}

static void one_is_greedy_and_others_are_not(void **state)
{
    (void)state;
    char *greedy = matrix();
    command("beam 1");
    char *one = matrix();
    assert_string_equal(greedy, one);
    assert_true(driver_sees(driver, "beam 1: 1 of 1"));
    command("beam 5");
    char *best = matrix();
    assert_true(driver_sees(driver, "beam 5: 1 of 5"));
    const char *words = *result(1);
    assert_string_not_equal(driver_now(driver)->translation, words);
    command("beam show 2");
    char *second = matrix();
    assert_true(driver_sees(driver, "beam 5: 2 of 5"));
    assert_string_equal(driver_now(driver)->translation, words);
    assert_true(driver_sees_rows(driver));
    assert_string_not_equal(best, second);
    command("beam show back");
    free(second);
    second = matrix();
    assert_string_equal(best, second);
    command("beam off");
    assert_false(driver_sees(driver, "beam 5"));
    free(second);
    second = matrix();
    assert_string_equal(greedy, second);
    free(greedy);
    free(one);
    free(best);
    free(second);
}

static void what_is_no_width_is_refused(void **state)
{
    (void)state;
    refuse("beam 0", "the beam is 0 wide, expected 1 to 16");
    refuse("beam 17", "the beam is 17 wide, expected 1 to 16");
    refuse("beam -1", "the beam is -1 wide");
    refuse("beam wide", "expected a width from 1 to 16");
    refuse("beam 5 9", "the length normalisation is 9");
    refuse("beam 5 1 1", "expected a width");
    refuse("beam show 2", "there is no beam");
    refuse("beam node 2", "there is no tree");
    refuse("beam tree maybe", "expected on, off or toggle");
    command("beam 16");
    refuse("beam wider", "the beam is 17 wide");
    refuse("beam show 17", "there is no hypothesis 17 of 16");
    refuse("beam node 100000", "expected a number from 1 to ");
    refuse("beam node sideways", "child, parent");
    command("beam 1");
    refuse("beam narrower", "the beam is 0 wide");
    command("beam off");
}

// A node that is not on the heatmap; kept: it leads to another result.
static int node_beside(bool kept)
{
    for (int i = 0; i < tree()->n_nodes; i++)
        if (tree()->nodes[i].kept == kept &&
            !beam_tree_on_path(tree(), tree()->results[driver->app->beaming.shown], i))
            return i;
    fail_msg("every node of the tree is %s", kept ? "on the heatmap" : "kept");
    return 0;
}

static void step_aside_and_back(void)
{
    int node = driver->app->beaming.node;
    bool last = beam_tree_beside(tree(), node, 1) == node;
    press(last ? KEY_UP : KEY_DOWN, 0, 0);
    int beside = beam_tree_beside(tree(), node, last ? -1 : 1);
    assert_int_equal(driver->app->beaming.node, beside);
    expect(tree()->nodes[beside].kept ? "of another hypothesis"
                                      : "dropped: others were likelier");
    press(last ? KEY_DOWN : KEY_UP, 0, 0);
}

static void nodes_say_what_became_of_them(void **state)
{
    (void)state;
    command("beam tree on");
    command(driver_words("beam node %d", node_beside(false) + 1));
    expect("dropped: others were likelier");
    command(driver_words("beam node %d", node_beside(true) + 1));
    expect("of another hypothesis");
}

static void the_tree_is_walked_by_key(void **state)
{
    (void)state;
    command("select 2");
    press(KEY_CHAR, 'b', MOD_CTRL);
    assert_true(driver_sees(driver, "Beam search"));
    assert_true(driver_sees(driver, "score(Y) = log p(Y) / ((5 + |Y|) / 6)^0.6"));
    expect_step(2);
    press(KEY_PAGE_DOWN, 0, 0);
    expect_step(3);
    step_aside_and_back();
    expect_step(3);
    press(KEY_PAGE_UP, 0, 0);
    press(KEY_PAGE_UP, 0, 0);
    press(KEY_PAGE_UP, 0, 0); // it stops at the first
    expect_step(1);
    press(KEY_PAGE_DOWN, 0, MOD_CTRL);
    int last = steps();
    expect(driver_words("step %d  “⏎”", last));
    press(KEY_CHAR, 'j', MOD_ALT);
    assert_true(driver_sees(driver, "beam 5: 2 of 5"));
    expect_step(last < steps() ? last : steps()); // the same step of this one, or its end
    press(KEY_PAGE_UP, 0, MOD_CTRL);
    press(KEY_PAGE_DOWN, 0, 0);
    press(KEY_CHAR, 'j', MOD_ALT);
    assert_true(driver_sees(driver, "beam 5: 3 of 5"));
    expect_step(2);
    press(KEY_PAGE_UP, 0, MOD_CTRL | MOD_SHIFT);
    assert_true(driver_sees(driver, "beam 6: 1 of 6"));
    press(KEY_PAGE_DOWN, 0, MOD_CTRL | MOD_SHIFT);
    press(KEY_PAGE_DOWN, 0, MOD_CTRL | MOD_SHIFT);
    assert_true(driver_sees(driver, "beam 4: 1 of 4"));
    press(KEY_ESCAPE, 0, 0);
    assert_true(driver_sees(driver, "entropy") && driver_sees(driver, "beam 4"));
    press(KEY_CHAR, 'b', MOD_CTRL | MOD_SHIFT);
    assert_false(driver_sees(driver, "beam 4"));
}

// A node that is not on the heatmap, and whose word stands nowhere else.
static int node_named_once(void)
{
    int end = tree()->results[driver->app->beaming.shown];
    for (int i = 0; i < tree()->n_nodes; i++)
        if (!beam_tree_on_path(tree(), end, i) && sightings(tree()->nodes[i].text) == 1 &&
            driver_count(driver, tree()->nodes[i].text) == 1)
            return i;
    fail_msg("no node has a word of its own");
    return 0;
}

static void the_tree_is_walked_by_mouse(void **state)
{
    (void)state;
    command("select 2");
    command("beam tree on");
    put_results();
    click_text("J'aimerais");
    assert_true(driver_sees(driver, "beam 5: 2 of 5"));
    const struct tree_node *node = &tree()->nodes[node_named_once()];
    click_text(node->text);
    expect(driver_words("step %d  “%s”", node->step + 1, node->text));
    expect_not("on the heatmap");
    assert_true(driver_sees(driver, "what could stand in its place"));
    click_text("+");
    assert_true(driver_sees(driver, "beam 6: 1 of 6"));
    click_text("×");
    assert_false(driver_sees(driver, "Beam search"));
}

// A node that is on the heatmap is its row; one that is not leaves the row alone.
static void results_are_told_apart_where_they_have_no_room(void **state)
{
    (void)state;
    driver->input.width = 853;
    driver->input.height = 480;
    command("set-text I would like a cup of coffee, please.");
    command("beam 5");
    command("beam tree on");
    put_results();
    assert_true(driver_sees(driver, "Je voudrais une tasse")); // the best, from its start
    assert_int_equal(driver_count(driver, "Je … "), 2);
    assert_int_equal(driver_count(driver, "te plaît."), 1);
    driver->input.width = 1440;
    driver->input.height = 900;
    driver_frame(driver);
    assert_int_equal(driver_count(driver, "Je … "), 0);
}

static void a_node_of_the_heatmap_is_its_row(void **state)
{
    (void)state;
    command("select 2");
    command("beam tree on");
    command("beam node child");
    command("beam tree off");
    const char *row = driver_words("How “%s” looked back", driver_word(driver, 3));
    expect(row);
    command("beam tree on");
    int node = driver->app->beaming.node;
    bool last = beam_tree_beside(tree(), node, 1) == node;
    command(last ? "beam node up" : "beam node down");
    assert_int_not_equal(driver->app->beaming.node, node);
    command("beam tree off");
    expect(row);
}

static void edits_rest_while_a_beam_searches(void **state)
{
    (void)state;
    command("set-text The black cat sleeps.");
    char *plain = matrix();
    command("what-if word 3 2");
    char *edited = matrix();
    assert_string_not_equal(plain, edited);
    command("beam 1");
    char *searched = matrix();
    assert_string_equal(searched, plain);
    assert_true(driver_sees(driver, "at rest while a beam searches"));
    refuse("what-if mute 2", "'beam off' first");
    command("beam off");
    free(searched);
    searched = matrix();
    assert_string_equal(searched, edited);
    free(plain);
    free(edited);
    free(searched);
}

static void a_newer_sentence_ends_a_search(void **state)
{
    (void)state;
    struct error err;
    command("beam 16");
    assert_true(app_command(driver->app,
                            "set-text When the old man who lives next to the station "
                            "came back, he told the children that he had seen a house "
                            "so beautiful that nobody would ever want to leave it.",
                            &err));
    driver_frame(driver);
    command("set-text No.");
    expect(driver_words("beam 16: 1 of 16 · %d tokens", driver_now(driver)->n_src));
    assert_string_equal(driver_now(driver)->text, "No.");
    assert_true(driver_sees_rows(driver));
}

static void what_stands_beside_is_searched_too(void **state)
{
    (void)state;
    command("beam 5");
    command("beside en-fr-rnnencdec");
    command("beside tau 0.3");
    assert_true(driver_sees(driver, "beam 5: 1 of 5"));
    command("beside off");
    command("tau 0.3");
    command("mode re-decode");
    assert_true(driver_sees(driver, "beam 5: 1 of 5"));
    command("model en-fr-rnnencdec");
    command("beam tree on");
    assert_true(driver_sees(driver, "no α: this model has no attention"));
    command("set-text  ");
    assert_true(driver_sees(driver, "there is no sentence to search for"));
}

static void a_beam_comes_back_with_its_session(void **state)
{
    (void)state;
    command("beam 3 1");
    command("beam show 2");
    command("beam tree on");
    command("beam node 7");
    command("save a.alphascope");
    uint64_t shown = plain_hash();
    command("beam off");
    command("what-if word 3 2");
    assert_true(plain_hash() != shown);
    command("open a.alphascope");
    assert_string_equal(app_banner(driver->app), "");
    assert_true(plain_hash() == shown);
    command("save a.json");
    assert_non_null(strstr(get("a.json"), "\"beam\":"));
    unlink("a.alphascope");
    unlink("a.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COFFEE_CASE(one_is_greedy_and_others_are_not),
        COFFEE_CASE(what_is_no_width_is_refused),
        COFFEE_CASE(nodes_say_what_became_of_them),
        COFFEE_CASE(the_tree_is_walked_by_key),
        COFFEE_CASE(the_tree_is_walked_by_mouse),
        COFFEE_CASE(results_are_told_apart_where_they_have_no_room),
        COFFEE_CASE(a_node_of_the_heatmap_is_its_row),
        COFFEE_CASE(edits_rest_while_a_beam_searches),
        COFFEE_CASE(a_newer_sentence_ends_a_search),
        COFFEE_CASE(what_stands_beside_is_searched_too),
        COFFEE_CASE(a_beam_comes_back_with_its_session),
    };
    return cmocka_run_group_tests_name("beam", tests, files_begin, files_end);
}
