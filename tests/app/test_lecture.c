// SPDX-License-Identifier: MIT
// What a lecturer does: rows revealed one at a time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "base/buf.h"
#include "driver.h"

enum { CHOSEN = 3 }; // the row that is selected when the window opens

static int rows_of(const struct driver *driver)
{
    return alignment_rows(driver_now(driver));
}

static int said_in(const struct alignment *now, const char *word, int rows)
{
    int count = 0;
    for (int t = 0; t < rows && t < alignment_rows(now); t++)
        count += !strcmp(now->target[t].text, word);
    return count;
}

// Of all rows exactly the first ones stand.
static void expect_rows(const struct driver *driver, int rows)
{
    const struct alignment *now = driver_now(driver);
    assert_true(rows_of(driver) > CHOSEN + 1);
    for (int t = 0; t < rows_of(driver); t++) {
        const char *label = now->target[t].text;
        assert_int_equal(driver_labels(driver, label), said_in(now, label, rows));
    }
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
    int all = rows_of(driver);
    expect_rows(driver, all);
    assert_int_equal(decodings(driver), 1);
    uint64_t whole = driver_hash(driver);
    driver_key(driver, KEY_CHAR, 'r', MOD_CTRL);
    expect_rows(driver, 0);
    assert_true(driver_shows(driver, "row 0 of %d", all));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    driver_key(driver, KEY_DOWN, 0, 0);
    expect_rows(driver, 2);
    assert_true(driver_shows(driver, "row 2 of %d · revealed", all));
    driver_key(driver, KEY_PAGE_UP, 0, 0);
    expect_rows(driver, 1);
    assert_true(driver_command(driver, "reveal back"));
    assert_true(driver_command(driver, "reveal back"));
    driver_frame(driver);
    assert_true(driver_shows(driver, "row 0 of %d", all));
    assert_true(driver_command(driver, "reveal all"));
    driver_frame(driver);
    assert_true(driver_shows(driver, "row %d of %d · revealed", all, all));
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
    int all = rows_of(driver);
    assert_true(driver_command(driver, "reveal start"));
    driver_key(driver, KEY_ESCAPE, 0, 0); // out of the sentence
    driver_key(driver, KEY_SPACE, 0, 0);
    driver_key(driver, KEY_RIGHT, 0, 0);
    assert_true(driver_shows(driver, "row 2 of %d · revealed", all));
    driver_key(driver, KEY_LEFT, 0, 0);
    assert_true(driver_shows(driver, "row 1 of %d · revealed", all));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    expect_rows(driver, all);
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
    struct driver_row row = driver_row(driver, 0);
    const struct grid *grid = &driver->app->look.grid;
    driver_move(driver, grid->area.x + ((float)row.best + 0.5f) * grid->cell_w,
                name->rect.y); // the column that the first row reads most
    assert_true(driver_sees(driver, "coverage Σα = 0.000"));
    assert_true(driver_command(driver, "reveal next"));
    driver_frame(driver);
    assert_false(driver_sees(driver, "coverage Σα = 0.000"));
    assert_true(driver_shows(driver, "coverage Σα = %.3f", (double)row.alpha[row.best]));
    driver_close(driver);
}

static void rows_play_at_a_chosen_speed(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    int all = rows_of(driver);
    assert_true(driver_command(driver, "reveal start"));
    driver_frame(driver);
    driver_key(driver, KEY_F8, 0, MOD_SHIFT);
    assert_true(driver_shows(driver, "row 0 of %d", all));
    driver_frame(driver); // the driver's frames are a second apart
    driver_frame(driver);
    assert_true(driver_shows(driver, "row 2 of %d · revealed · 1 row/s", all));
    driver_key(driver, KEY_CHAR, ',', MOD_CTRL);
    assert_true(driver_shows(driver, "row 3 of %d · revealed · 0.5 row/s", all));
    driver_frame(driver);
    assert_true(driver_shows(driver, "row 3 of %d", all));
    driver_frame(driver);
    assert_true(driver_shows(driver, "row 4 of %d", all));
    driver_key(driver, KEY_F8, 0, MOD_SHIFT); // pause
    for (int i = 0; i < 5; i++)
        driver_frame(driver);
    assert_true(driver_shows(driver, "row 4 of %d", all));
    assert_true(driver_command(driver, "reveal speed 4"));
    assert_false(driver_command(driver, "reveal speed 0"));
    assert_false(driver_command(driver, "reveal speed fast"));
    assert_true(driver_command(driver, "reveal play"));
    for (int i = 0; i < all; i++)
        driver_frame(driver);
    assert_true(driver_shows(driver, "row %d of %d · revealed · 4 row/s", all, all));
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
    const struct alignment *own = driver_now(driver);
    const struct alignment *other = driver->app->rivals.list[0]->show.now;
    const char *first = own->target[0].text, *third = own->target[2].text;
    int mine = rows_of(driver), its = alignment_rows(other);
    int all = mine > its ? mine : its;
    int thirds = said_in(own, third, all) + said_in(other, third, all);
    assert_int_equal(driver_count(driver, third), thirds);
    assert_true(driver_sees(driver, own->translation));
    assert_true(driver_command(driver, "reveal start"));
    assert_true(driver_command(driver, "reveal next"));
    driver_frame(driver);
    assert_int_equal(driver_count(driver, third), said_in(other, third, 1));
    assert_int_equal(driver_count(driver, first), 1 + said_in(other, first, 1));
    assert_false(driver_sees(driver, own->translation));
    for (int i = 1; i < all; i++)
        assert_true(driver_command(driver, "reveal next"));
    driver_frame(driver);
    assert_int_equal(driver_count(driver, third), thirds);
    assert_true(mine < its // of the longer one
                    ? driver_shows(driver, "%d of %d revealed", its, its)
                    : driver_shows(driver, "row %d of %d · revealed", mine, mine));
    assert_true(driver_sees(driver, own->translation));
    driver_close(driver);
}

struct word {          // of the target, merged
    int number, first; // from 1; its first token
    char text[160];
};

// The last one that has several pieces: a mark at the end of the sentence is one of them.
static struct word last_merged(const struct alignment *now)
{
    struct word word = {0}, last = {0};
    for (int t = 0; t < alignment_rows(now); t++) {
        bool joined = t > 0 && now->target[t].joined;
        if (!joined)
            word = (struct word){.number = word.number + 1, .first = t};
        strncat(word.text, now->target[t].text, 30);
        if (joined)
            last = word;
    }
    return last;
}

static int words_of(const struct alignment *now)
{
    int words = 0;
    for (int t = 0; t < alignment_rows(now); t++)
        words += t == 0 || !now->target[t].joined;
    return words;
}

static void merged_words_are_revealed_as_words(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    const struct alignment *now = driver_now(driver);
    struct word word = last_merged(now);
    int words = words_of(now);
    assert_true(word.number > 1 && words < rows_of(driver));
    assert_true(driver_command(driver, "view merge sum"));
    assert_true(driver_command(driver, "reveal start"));
    for (int i = 0; i < word.number; i++)
        assert_true(driver_command(driver, "step next"));
    driver_frame(driver);
    assert_true(driver_shows(driver, "row %d of %d · revealed", word.number, words));
    assert_int_equal(driver_labels(driver, word.text), 1);
    assert_true(
        driver_shows(driver, "How “%s” looked back", now->target[word.first].text));
    assert_true(driver_command(driver, "step back"));
    driver_frame(driver);
    assert_true(driver_shows(driver, "row %d of %d · revealed", word.number - 1, words));
    assert_int_equal(driver_labels(driver, word.text), 0);
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
    };
    return cmocka_run_group_tests_name("lecture", tests, NULL, NULL);
}
