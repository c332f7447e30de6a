// SPDX-License-Identifier: MIT
// What a lecturer does: rows revealed one at a time, and the microscope in steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "driver.h"

static const char *const long_text =
    "When the old man who lives next to the station came back from his long journey, he "
    "told the children that he had seen a house so beautiful that nobody would ever want "
    "to leave it, but his wife did not believe a single word of what he said.";

// Target labels stand at the right end of their gutter: exactly this text, at the left.
static bool row_stands(const struct driver *driver, const char *label)
{
    const struct draw_list *list = app_list(driver->app);
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind == DRAW_TEXT && cmd->rect.x < 140 && cmd->length == strlen(label) &&
            !memcmp(list->bytes + cmd->offset, label, cmd->length))
            return true;
    }
    return false;
}

static int decodings(struct driver *driver)
{
    struct buf report;
    buf_init(&report, 1 << 24);
    app_take_report(driver->app, &report);
    int count = 0;
    for (const char *at = buf_text(&report); (at = strstr(at, "\"translation\":")); at++)
        count++;
    buf_finish(&report);
    return count;
}

static void rows_are_revealed_one_at_a_time(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(row_stands(driver, "Je") && row_stands(driver, "tasse"));
    assert_int_equal(decodings(driver), 1);
    uint64_t whole = driver_hash(driver);
    driver_key(driver, KEY_CHAR, 'r', MOD_CTRL);
    assert_false(row_stands(driver, "Je"));
    assert_true(driver_sees(driver, "row 0 of 14"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    driver_key(driver, KEY_DOWN, 0, 0);
    assert_true(row_stands(driver, "Je") && row_stands(driver, "voudrais"));
    assert_false(row_stands(driver, "une"));
    assert_true(driver_sees(driver, "row 2 of 14 · revealed"));
    driver_key(driver, KEY_PAGE_UP, 0, 0);
    assert_false(row_stands(driver, "voudrais"));
    assert_true(driver_command(driver, "reveal back"));
    assert_true(driver_command(driver, "reveal back"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "row 0 of 14"));
    assert_true(driver_command(driver, "reveal all"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "row 14 of 14 · revealed"));
    driver_key(driver, KEY_CHAR, 'r', MOD_CTRL);
    assert_true(driver_command(driver, "select 4"));
    driver_frame(driver);
    assert_true(driver_hash(driver) == whole);
    assert_int_equal(decodings(driver), 0); // only how many rows are shown changed
    driver_close(driver);
}

static void space_and_arrows_reveal_after_escape(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "reveal start"));
    driver_key(driver, KEY_ESCAPE, 0, 0); // out of the sentence
    driver_key(driver, KEY_SPACE, 0, 0);
    driver_key(driver, KEY_RIGHT, 0, 0);
    assert_true(driver_sees(driver, "row 2 of 14 · revealed"));
    driver_key(driver, KEY_LEFT, 0, 0);
    assert_true(driver_sees(driver, "row 1 of 14 · revealed"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_true(row_stands(driver, "tasse"));
    driver_close(driver);
}

// Coverage is what the shown rows have read: under a column its bar grows.
static void coverage_runs_with_the_rows(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "reveal start"));
    driver_frame(driver);
    const struct draw_cmd *name = draw_find_text(app_list(driver->app), "coverage");
    assert_non_null(name);
    driver_move(driver, 156, name->rect.y); // the column of the first word
    assert_true(driver_sees(driver, "coverage Σα = 0.000"));
    assert_true(driver_command(driver, "reveal next"));
    driver_frame(driver);
    assert_false(driver_sees(driver, "coverage Σα = 0.000"));
    assert_true(driver_sees(driver, "coverage Σα = 0.5"));
    driver_close(driver);
}

static void rows_play_at_a_chosen_speed(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "reveal start"));
    driver_frame(driver);
    driver_key(driver, KEY_F8, 0, MOD_SHIFT);
    assert_true(driver_sees(driver, "row 0 of 14"));
    driver_frame(driver); // the driver's frames are a second apart
    driver_frame(driver);
    assert_true(driver_sees(driver, "row 2 of 14 · revealed · 1 row/s"));
    driver_key(driver, KEY_CHAR, ',', MOD_CTRL);
    assert_true(driver_sees(driver, "row 3 of 14 · revealed · 0.5 row/s"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "row 3 of 14"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "row 4 of 14"));
    driver_key(driver, KEY_F8, 0, MOD_SHIFT); // pause
    for (int i = 0; i < 5; i++)
        driver_frame(driver);
    assert_true(driver_sees(driver, "row 4 of 14"));
    assert_true(driver_command(driver, "reveal speed 4"));
    assert_false(driver_command(driver, "reveal speed 0"));
    assert_false(driver_command(driver, "reveal speed fast"));
    assert_true(driver_command(driver, "reveal play"));
    for (int i = 0; i < 12; i++)
        driver_frame(driver);
    assert_true(driver_sees(driver, "row 14 of 14 · revealed · 4 row/s"));
    assert_int_equal(driver_count(driver, "play"), 1); // it has stopped at the end
    driver_close(driver);
}

static void typing_ends_revealing_and_an_example_begins_it_anew(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "reveal start"));
    assert_true(driver_command(driver, "reveal next"));
    driver_key(driver, KEY_F12, 0, 0);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "row 0 of"));
    driver_type(driver, "!");
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "revealed"));
    driver_close(driver);
}

static void both_models_reveal_together(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    assert_true(driver_command(driver, "beside en-fr-luong-dot"));
    assert_true(driver_settle(driver));
    assert_int_equal(driver_count(driver, "noir"), 3); // the dot model says it twice
    assert_true(driver_sees(driver, "Le chat noir dort."));
    assert_true(driver_command(driver, "reveal start"));
    assert_true(driver_command(driver, "reveal next"));
    driver_frame(driver);
    assert_int_equal(driver_count(driver, "noir"), 0);
    assert_int_equal(driver_count(driver, "Le"), 2);
    assert_false(driver_sees(driver, "Le chat noir dort."));
    for (int i = 0; i < 7; i++)
        assert_true(driver_command(driver, "reveal next"));
    driver_frame(driver);
    assert_int_equal(driver_count(driver, "noir"), 3);
    assert_true(driver_sees(driver, "8 of 8 revealed")); // of the longer one
    assert_true(driver_sees(driver, "Le chat noir dort."));
    driver_close(driver);
}

static void merged_words_are_revealed_as_words(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "view merge sum"));
    assert_true(driver_command(driver, "reveal start"));
    for (int i = 0; i < 6; i++)
        assert_true(driver_command(driver, "step next"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "row 6 of 10 · revealed"));
    assert_true(row_stands(driver, "café,"));
    assert_true(driver_sees(driver, "How “café” looked back"));
    assert_true(driver_command(driver, "step back"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "row 5 of 10 · revealed"));
    assert_false(row_stands(driver, "café,"));
    driver_close(driver);
}

static void the_microscope_goes_step_by_step(void **state)
{
    (void)state;
    static const char *const heads[] = {"2a  softmax:  mask",  "2b  softmax:  ÷ τ",
                                        "2c  softmax:  − max", "2d  softmax:  exp",
                                        "2e  softmax:  ÷ Σ",   "3a  blend",
                                        "3b  next word"};
    struct driver *driver = driver_ready(NULL, NULL);
    uint64_t overview = driver_hash(driver);
    driver_key(driver, KEY_DOWN, 0, MOD_ALT);
    assert_true(driver_sees(driver, "max +10.03"));
    for (int i = 0; i < 7; i++) {
        driver_key(driver, KEY_DOWN, 0, MOD_ALT);
        assert_true(driver_sees(driver, heads[i]));
    }
    driver_key(driver, KEY_DOWN, 0, MOD_ALT);
    assert_true(driver_sees(driver, heads[6])); // it stops at the end
    for (int i = 0; i < 8; i++)
        driver_key(driver, KEY_UP, 0, MOD_ALT);
    assert_true(driver_hash(driver) == overview);
    driver_close(driver);
}

static void the_large_one_shows_the_real_numbers(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    driver_key(driver, KEY_CHAR, 'm', MOD_CTRL);
    assert_true(driver_sees(driver, "1  score"));
    assert_true(driver_sees(driver, "e = vᵀ tanh(W s + U h)"));
    assert_true(driver_sees(driver, "query s₍ₜ₋₁₎: 320 numbers, ±1.00"));
    assert_true(driver_sees(driver, "key U h of “cup”: 192 numbers, ±4.62"));
    assert_true(driver_sees(driver, "+10.03"));
    assert_false(driver_sees(driver, "−2.80")); // of a later step
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "7.23 − 10.03 = −2.80"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "exp(−2.80) = 0.061"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "0.061 / 1.292 = 0.047"));
    assert_true(driver_sees(driver, "Σ 1.000"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "0.774 h₅"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "92.7%"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "c = 0.774 h₅ + 0.140 h₇"));
    assert_true(driver_sees(driver, "c = h₅, “cup”"));
    assert_true(driver_sees(driver, "moved 0.226"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, "largest: 0.1748, “cup”"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_true(driver_sees(driver, "entropy"));
    driver_close(driver);
}

static void it_shows_the_alpha_on_the_screen(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "microscope lookup"));
    assert_true(driver_command(driver, "tau 0"));
    assert_true(driver_settle(driver));
    assert_true(
        driver_sees(driver, "moved 0.000")); // the soft one has become the hard one
    assert_true(driver_command(driver, "microscope gradient"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "learns nothing"));
    assert_true(driver_command(driver, "tau 0.5"));
    assert_true(driver_command(driver, "microscope steps"));
    assert_true(driver_command(driver, "microscope 3"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "10.03 / 0.50 = 20.06"));
    assert_true(driver_command(driver, "model en-fr-rnnencdec"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "the context is c = m"));
    assert_true(driver_command(driver, "microscope gradient"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "no query, no keys, no α"));
    driver_close(driver);
}

static void an_edited_row_says_so(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "what-if cell 4 7 0.6"));
    assert_true(driver_command(driver, "microscope open"));
    assert_true(driver_command(driver, "microscope 6"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "0.140 → 0.600"));
    assert_true(driver_command(driver, "microscope gradient"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "Edited:"));
    assert_true(driver_command(driver, "select 3"));
    driver_frame(driver);
    assert_false(driver_sees(driver, "Edited:")); // that row is the model's own
    driver_close(driver);
}

static void every_source_position_can_be_reached(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, long_text);
    assert_true(driver_command(driver, "microscope open"));
    assert_true(driver_command(driver, "microscope 6"));
    driver_frame(driver);
    for (int i = 0; i < 40; i++)
        driver_key(driver, KEY_DOWN, 0, MOD_CTRL);
    assert_true(driver_sees(driver, "–53 of 53"));
    driver->input.x = 200;
    driver->input.y = 400;
    for (int i = 0; i < 40; i++) {
        driver->input.wheel_y = 1;
        driver_frame(driver);
    }
    assert_true(row_stands(driver, "When"));
    assert_true(driver_command(driver, "microscope close"));
    for (int i = 0; i < 40; i++)
        assert_true(driver_command(driver, "microscope down"));
    driver_frame(driver);
    assert_int_equal(driver_count(driver, "said"), 2); // over its column, and in the list
    driver_close(driver);
}

static void a_small_window_opens_it_large(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    driver->input.width = 853;
    driver->input.height = 480;
    driver_frame(driver);
    driver_key(driver, KEY_DOWN, 0, MOD_ALT);
    assert_true(driver_sees(driver, "3b  next word"));
    assert_true(driver_sees(driver, "+10.03"));
    assert_true(driver_command(driver, "bottleneck"));
    assert_true(driver_command(driver, "microscope gradient"));
    driver_frame(driver);
    assert_false(driver_sees(driver, "BLEU"));
    assert_true(driver_sees(driver, "∂α"));
    assert_false(driver_command(driver, "microscope 9"));
    assert_false(driver_command(driver, "microscope sideways"));
    assert_false(driver_command(driver, "reveal some"));
    assert_false(driver_command(driver, "step over"));
    driver_close(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_revealed_one_at_a_time),
        cmocka_unit_test(space_and_arrows_reveal_after_escape),
        cmocka_unit_test(coverage_runs_with_the_rows),
        cmocka_unit_test(rows_play_at_a_chosen_speed),
        cmocka_unit_test(typing_ends_revealing_and_an_example_begins_it_anew),
        cmocka_unit_test(both_models_reveal_together),
        cmocka_unit_test(merged_words_are_revealed_as_words),
        cmocka_unit_test(the_microscope_goes_step_by_step),
        cmocka_unit_test(the_large_one_shows_the_real_numbers),
        cmocka_unit_test(it_shows_the_alpha_on_the_screen),
        cmocka_unit_test(an_edited_row_says_so),
        cmocka_unit_test(every_source_position_can_be_reached),
        cmocka_unit_test(a_small_window_opens_it_large),
    };
    return cmocka_run_group_tests_name("lecture", tests, NULL, NULL);
}
