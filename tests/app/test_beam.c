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

#include "files.h"

static char *matrix(void)
{
    command("copy matrix");
    return strdup(driver->clipboard);
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
    command("beam show 2");
    char *second = matrix();
    assert_true(driver_sees(driver, "beam 5: 2 of 5"));
    assert_true(driver_sees(driver, "aimerais"));
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

static void the_tree_is_walked_by_key(void **state)
{
    (void)state;
    command("select 2");
    press(KEY_CHAR, 'b', MOD_CTRL);
    assert_true(driver_sees(driver, "Beam search"));
    assert_true(driver_sees(driver, "score(Y) = log p(Y) / ((5 + |Y|) / 6)^0.6"));
    assert_true(driver_sees(driver, "step 2  “voudrais”"));
    assert_true(driver_sees(driver, "on the heatmap"));
    press(KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "step 3  “une”"));
    press(KEY_DOWN, 0, 0);
    assert_true(driver_sees(driver, "dropped: others were likelier"));
    press(KEY_UP, 0, 0);
    assert_true(driver_sees(driver, "on the heatmap"));
    press(KEY_PAGE_UP, 0, 0);
    press(KEY_PAGE_UP, 0, 0);
    press(KEY_PAGE_UP, 0, 0); // it stops at the first
    assert_true(driver_sees(driver, "step 1  “Je”"));
    press(KEY_PAGE_DOWN, 0, MOD_CTRL);
    assert_true(driver_sees(driver, "step 14  “⏎”"));
    press(KEY_CHAR, 'j', MOD_ALT);
    assert_true(driver_sees(driver, "beam 5: 2 of 5"));
    assert_true(driver_sees(driver, "step 14  “.”")); // the same step of this one
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

static void the_tree_is_walked_by_mouse(void **state)
{
    (void)state;
    command("beam tree on");
    click_text("J'aimerais");
    assert_true(driver_sees(driver, "beam 5: 2 of 5"));
    click_text("ferais");
    assert_true(driver_sees(driver, "step 2  “ferais”"));
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
    assert_true(driver_sees(driver, "How “une” looked back"));
    command("beam tree on");
    command("beam node down");
    command("beam tree off");
    assert_true(driver_sees(driver, "How “une” looked back"));
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
    assert_true(driver_sees(driver, "beam 16: 1 of 16 · 3 tokens"));
    assert_true(driver_sees(driver, "Non"));
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
