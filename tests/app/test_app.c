// SPDX-License-Identifier: MIT
// What a person does in the window, and what must then be on the screen.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "base/buf.h"
#include "driver.h"

static void replace_text(struct driver *driver, const char *text)
{
    driver_key(driver, KEY_CHAR, 'a', MOD_CTRL);
    driver_type(driver, text);
    assert_true(driver_settle(driver));
}

static void expect_looked_back(const struct driver *driver, int row)
{
    const char *word = driver_word(driver, row);
    assert_true(driver_shows(driver, "How “%s” looked back", word));
}

static void the_first_picture_is_finished(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_sees(driver, "English → French"));
    assert_true(driver_sees(driver, "RNNsearch"));
    assert_true(driver_count(driver, "café") >= 1);
    assert_true(driver_sees(driver, "coffee"));
    assert_true(driver_sees(driver, "each row sums to 1"));
    assert_string_equal(app_banner(driver->app), "");
    driver_close(driver);
}

static void typing_forms_the_french_words(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_count(driver, "café") >= 1);
    replace_text(driver, "The black cat sleeps.");
    assert_true(driver_count(driver, "chat") >= 1);
    assert_true(driver_count(driver, "noir") >= 1);
    assert_true(driver_sees_rows(driver)); // to the end
    assert_int_equal(driver_count(driver, "café"), 0);
    driver_close(driver);
}

static void columns_go_by_index_not_by_word(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "the cat and the dog and the");
    driver_command(driver, "select none");
    driver_frame(driver);
    assert_int_equal(driver_count(driver, "the"), 3);
    assert_int_equal(driver_count(driver, "and"), 2);
    assert_true(driver_sees(driver, "8 tokens"));
    driver_close(driver);
}

static void switching_scorers_keeps_the_sentence(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    driver_key(driver, KEY_CHAR, '2', MOD_CTRL);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "RNNsearch, coverage"));
    assert_true(driver_sees(driver, "The black cat sleeps."));
    assert_true(driver_count(driver, "chat") >= 1);
    driver_key(driver, KEY_F6, 0, MOD_SHIFT);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "RNNsearch") &&
                !driver_sees(driver, "RNNsearch, coverage"));
    const struct draw_cmd *button = draw_find_text(app_list(driver->app), "General");
    assert_non_null(button);
    driver_click(driver, button->rect.x + 4, button->rect.y - 4);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "Luong general"));
    driver_close(driver);
}

static void the_model_without_attention_says_so(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("en-fr-rnnencdec", NULL);
    assert_true(driver_sees(driver, "this model has no attention"));
    assert_true(driver_sees(driver, "one fixed vector"));
    assert_true(driver_sees(driver, "p(y)"));
    assert_false(driver_sees(driver, "each row sums to 1"));
    assert_false(driver_sees(driver, "bits"));
    assert_true(driver_count(driver, "tasse") >= 1);
    driver_close(driver);
}

static void empty_and_blank_text_say_why_nothing_is_there(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    driver_key(driver, KEY_CHAR, 'a', MOD_CTRL);
    driver_key(driver, KEY_DELETE, 0, 0);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "nothing to translate yet"));
    driver_type(driver, "   ");
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "nothing to translate yet"));
    driver_type(driver, "cat");
    assert_true(driver_settle(driver));
    assert_true(driver_count(driver, "cat") >= 1);
    driver_close(driver);
}

static void tau_at_its_ends_is_hard_and_uniform(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    driver_key(driver, KEY_CHAR, '0', MOD_ALT);
    assert_true(driver_settle(driver));
    const struct alignment *now = driver_now(driver);
    int rows = alignment_rows(now), n = now->n_src;
    const char *bits = driver_words("%.2f", log2((double)n));
    assert_int_equal(driver_count(driver, "0.00"), rows);
    assert_int_equal(driver_count(driver, bits), 0);
    driver_key(driver, KEY_CHAR, '9', MOD_ALT);
    assert_true(driver_settle(driver));
    assert_int_equal(driver_count(driver, bits), rows);
    assert_int_equal(driver_count(driver, driver_words("%d.0", n)), rows);
    uint64_t uniform = driver_hash(driver);
    driver_key(driver, KEY_CHAR, '1', MOD_ALT);
    assert_true(driver_settle(driver));
    assert_true(driver_hash(driver) != uniform);
    assert_int_equal(driver_count(driver, bits), 0);
    driver_close(driver);
}

static void tau_can_be_typed(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    driver_key(driver, KEY_CHAR, 't', MOD_CTRL);
    driver_type(driver, "0,3");
    assert_true(driver_sees(driver, "0,3"));
    driver_key(driver, KEY_ENTER, 0, 0);
    assert_true(driver_sees(driver, "0.30"));
    assert_true(driver_sees(driver, "coffee, please.")); // not into the sentence
    driver_key(driver, KEY_CHAR, 't', MOD_CTRL);
    driver_type(driver, "-2");
    driver_key(driver, KEY_ENTER, 0, 0);
    assert_non_null(strstr(app_banner(driver->app), "-2"));
    assert_true(driver_sees(driver, "0.30"));
    driver_close(driver);
}

static bool says(const struct alignment *alignment, const char *word)
{
    for (int t = 0; t < alignment_rows(alignment); t++)
        if (!strcmp(alignment->target[t].text, word))
            return true;
    return false;
}

// The words of τ = 1 that are no longer said; none of them is to be seen.
static int words_gone(const struct driver *driver)
{
    const struct alignment *then = driver->app->show.baseline, *now = driver_now(driver);
    int gone = 0;
    assert_non_null(then);
    for (int t = 0; t < alignment_rows(then); t++) {
        const char *word = then->target[t].text;
        if (says(now, word))
            continue;
        assert_int_equal(driver_count(driver, word), 0);
        gone++;
    }
    return gone;
}

static void redecoding_marks_the_words_that_changed(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    char *words = strdup(driver_now(driver)->translation);
    assert_true(driver_command(driver, "select none")); // no candidates beside them
    assert_true(driver_command(driver, "tau inf"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees_rows(driver)); // re-read: the words stay
    assert_string_equal(driver_now(driver)->translation, words);
    assert_false(driver_sees(driver, "changed from τ = 1"));
    driver_key(driver, KEY_F5, 0, 0);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "τ inside the loop"));
    assert_true(driver_sees(driver, "changed from τ = 1"));
    assert_true(driver_sees_rows(driver));
    assert_string_not_equal(driver_now(driver)->translation, words);
    assert_true(words_gone(driver) > 0);
    free(words);
    driver_close(driver);
}

// The first text that is this: a row's label comes before the microscope.
static const struct draw_cmd *find_label(const struct driver *driver, const char *text)
{
    const struct draw_list *list = app_list(driver->app);
    for (int i = 0; i < list->count; i++)
        if (list->cmds[i].kind == DRAW_TEXT && list->cmds[i].length == strlen(text) &&
            !memcmp(list->bytes + list->cmds[i].offset, text, strlen(text)))
            return &list->cmds[i];
    fail_msg("'%s' is no label", text);
    return NULL;
}

static void rows_are_chosen_by_key_and_mouse_and_let_go(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    int rows = alignment_rows(driver_now(driver));
    driver_command(driver, "select first");
    driver_frame(driver);
    expect_looked_back(driver, 1);
    driver_key(driver, KEY_DOWN, 0, 0);
    expect_looked_back(driver, 2);
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    expect_looked_back(driver, 3);
    const struct draw_cmd *label = find_label(driver, "chat");
    driver_click(driver, label->rect.x + 2, label->rect.y - 4);
    assert_true(driver_sees(driver, "How “chat” looked back"));
    for (int i = 0; i < rows + 14; i++)
        driver_key(driver, KEY_DOWN, 0, 0);
    assert_true(driver_shows(driver, "row %d of %d", rows, rows));
    driver_key(driver, KEY_ESCAPE, 0, 0); // out of the text
    driver_key(driver, KEY_ESCAPE, 0, 0); // the row
    assert_true(driver_sees(driver, "click a row to look inside"));
    driver_type(driver, "  "); // presenter's space, outside the text
    assert_true(driver_shows(driver, "row 2 of %d", rows));
    assert_true(driver_sees(driver, "The black cat sleeps."));
    driver_close(driver);
}

static void pointing_at_a_cell_shows_its_numbers_in_a_fixed_place(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    const struct draw_cmd *place = draw_find_text(app_list(driver->app), "each row sums");
    assert_non_null(place);
    float x = place->rect.x;
    driver_move(driver, 300, 300);
    const struct draw_cmd *numbers = draw_find_text(app_list(driver->app), "α = 0.");
    assert_non_null(numbers);
    assert_true(numbers->rect.x == x);
    assert_true(driver_sees(driver, "e = "));
    driver_move(driver, -1e6f, -1e6f);
    assert_true(driver_sees(driver, "each row sums"));
    driver_close(driver);
}

static void a_resize_and_back_is_the_same_picture(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    uint64_t before = driver_hash(driver);
    static const float sizes[][2] = {{1024, 768}, {3840, 2160}, {640, 400}, {320, 240}};
    for (int i = 0; i < 4; i++) {
        driver->input.width = sizes[i][0];
        driver->input.height = sizes[i][1];
        driver_frame(driver);
        assert_int_equal(app_list(driver->app)->dropped, 0);
        assert_true(driver_hash(driver) != before);
    }
    driver->input.width = 1440;
    driver->input.height = 900;
    driver_frame(driver);
    assert_true(driver_hash(driver) == before);
    driver_close(driver);
}

static void long_short_long_leaves_nothing_behind(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "Where is the old book that you gave me?");
    uint64_t before = driver_hash(driver);
    assert_true(driver_count(driver, "livre") >= 1);
    driver_command(driver, "set-text No.");
    assert_true(driver_settle(driver));
    assert_int_equal(driver_count(driver, "livre"), 0);
    driver_command(driver, "set-text Where is the old book that you gave me?");
    assert_true(driver_settle(driver));
    assert_true(driver_hash(driver) == before);
    driver_close(driver);
}

static void nothing_moves_when_nothing_happens(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    uint64_t before = driver_hash(driver);
    for (int i = 0; i < 5; i++) {
        driver->input.now_ms += 5000;
        assert_int_equal(app_frame(driver->app, &driver->host, &driver->input), -1);
        assert_true(driver_hash(driver) == before);
    }
    driver_close(driver);
}

static void frame_after(struct driver *driver, unsigned ms)
{
    driver->input.now_ms += ms;
    app_frame(driver->app, &driver->host, &driver->input);
}

// New rows fade in when the picture is complete, and then nothing moves.
static void a_picture_rests_when_it_has_faded_in(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("en-fr-luong-dot", "I am here.");
    assert_non_null(driver);
    assert_true(app_is_at_rest(driver->app));
    assert_true(driver_command(driver, "set-text The black cat sleeps."));
    assert_false(app_is_at_rest(driver->app));
    while (!app_is_complete(driver->app))
        frame_after(driver, 0);
    assert_false(app_is_at_rest(driver->app));
    uint64_t first = driver_hash(driver);
    for (int i = 0; i < 200 && !app_is_at_rest(driver->app); i++)
        frame_after(driver, 10);
    assert_true(app_is_at_rest(driver->app));
    uint64_t last = driver_hash(driver);
    assert_true(last != first);
    frame_after(driver, 5000);
    assert_true(driver_hash(driver) == last);
    assert_true(driver_command(driver, "reveal play"));
    frame_after(driver, 10);
    assert_false(app_is_at_rest(driver->app));
    for (int i = 0; i < 200 && !app_is_at_rest(driver->app); i++)
        frame_after(driver, 500);
    assert_true(driver_hash(driver) != last); // all rows, and its bar
    assert_true(app_is_at_rest(driver->app));
    driver_close(driver);
}

// The screen goes blank in the middle of a fade: nothing is to be drawn any more.
static void a_blank_screen_rests(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("en-fr-luong-dot", "I am here.");
    assert_non_null(driver);
    assert_true(driver_command(driver, "set-text The black cat sleeps."));
    while (!app_is_complete(driver->app))
        frame_after(driver, 0);
    assert_int_equal(app_frame(driver->app, &driver->host, &driver->input), 16);
    assert_true(driver_command(driver, "blank"));
    assert_int_equal(app_frame(driver->app, &driver->host, &driver->input), -1);
    assert_true(app_is_at_rest(driver->app));
    driver_close(driver);
}

static void every_key_of_the_help_page_does_something(void **state)
{
    (void)state;
    static const char small[] = "dates"; // it is opened for each key
    struct driver *driver = driver_ready(small, NULL);
    uint64_t plain = driver_hash(driver);
    static const struct key_event keys[] = {
        {KEY_F2, 0, 0},
        {KEY_F3, 0, 0},
        {KEY_F4, 0, 0},
        {KEY_F1, 0, 0},
        {KEY_DOWN, 0, 0},
        {KEY_RIGHT, 0, MOD_ALT},
        {KEY_F5, 0, 0},
        {KEY_CHAR, 't', MOD_CTRL},
        {KEY_PAGE_DOWN, 0, MOD_CTRL},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        driver_key(driver, keys[i].key, keys[i].ch, keys[i].mods);
        assert_true(driver_hash(driver) != plain);
        driver_close(driver);
        driver = driver_ready(small, NULL);
    }
    driver_key(driver, KEY_CHAR, '+', MOD_CTRL);
    assert_true(app_zoom(driver->app) > 1);
    driver_key(driver, KEY_CHAR, '0', MOD_CTRL);
    assert_true(app_zoom(driver->app) == 1);
    driver_key(driver, KEY_F11, 0, 0);
    assert_true(app_wants_fullscreen(driver->app));
    driver_key(driver, KEY_CHAR, 'q', MOD_CTRL);
    assert_true(app_wants_quit(driver->app));
    driver_close(driver);
}

static void the_report_tells_what_was_decoded(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    struct buf report;
    buf_init(&report, 1 << 22);
    app_take_report(driver->app, &report);
    assert_non_null(
        strstr(buf_text(&report), "{\"event\":\"model\",\"id\":\"en-fr-bahdanau\"}"));
    const char *words = driver_now(driver)->translation;
    assert_non_null(strstr(words, "chat noir"));
    words = driver_words("\"translation\":\"%s\"", words);
    assert_non_null(strstr(buf_text(&report), words));
    assert_non_null(strstr(buf_text(&report), "\"ended\":\"eos\""));
    buf_finish(&report);
    driver_close(driver);
}

static void the_blank_screen_comes_back(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    uint64_t before = driver_hash(driver);
    driver_type(driver, "b"); // into the sentence
    assert_true(driver_sees(driver, "please.b"));
    driver_key(driver, KEY_BACKSPACE, 0, 0);
    assert_true(driver_settle(driver));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    driver_type(driver, "b");
    assert_int_equal(app_list(driver->app)->count, 0);
    driver_type(driver, "b");
    driver_key(driver, KEY_ENTER, 0, 0);
    // Cells keep the size that the longer text may have given them; another room does
    // not.
    driver->input.width = 1024;
    driver_frame(driver);
    driver->input.width = 1440;
    assert_true(driver_settle(driver));
    assert_true(driver_hash(driver) == before);
    driver_close(driver);
}

static void other_models_bring_their_own_text_and_give_it_back(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    assert_true(driver_command(driver, "model dates"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "tuesday, march 4, 2014"));
    assert_true(driver_command(driver, "model en-fr-luong-dot"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "The black cat sleeps."));
    driver_close(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_picture_is_finished),
        cmocka_unit_test(typing_forms_the_french_words),
        cmocka_unit_test(columns_go_by_index_not_by_word),
        cmocka_unit_test(switching_scorers_keeps_the_sentence),
        cmocka_unit_test(the_model_without_attention_says_so),
        cmocka_unit_test(empty_and_blank_text_say_why_nothing_is_there),
        cmocka_unit_test(tau_at_its_ends_is_hard_and_uniform),
        cmocka_unit_test(tau_can_be_typed),
        cmocka_unit_test(redecoding_marks_the_words_that_changed),
        cmocka_unit_test(rows_are_chosen_by_key_and_mouse_and_let_go),
        cmocka_unit_test(pointing_at_a_cell_shows_its_numbers_in_a_fixed_place),
        cmocka_unit_test(a_resize_and_back_is_the_same_picture),
        cmocka_unit_test(long_short_long_leaves_nothing_behind),
        cmocka_unit_test(nothing_moves_when_nothing_happens),
        cmocka_unit_test(a_picture_rests_when_it_has_faded_in),
        cmocka_unit_test(a_blank_screen_rests),
        cmocka_unit_test(every_key_of_the_help_page_does_something),
        cmocka_unit_test(the_report_tells_what_was_decoded),
        cmocka_unit_test(the_blank_screen_comes_back),
        cmocka_unit_test(other_models_bring_their_own_text_and_give_it_back),
    };
    return cmocka_run_group_tests_name("app", tests, NULL, NULL);
}
