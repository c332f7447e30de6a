// SPDX-License-Identifier: MIT
// What a lecturer does: rows revealed one at a time, and the microscope in steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "base/buf.h"
#include "driver.h"
#include "view/short.h"

enum { CHOSEN = 3 }; // the row that is selected when the window opens

static const char *const long_text =
    "When the old man who lives next to the station came back from his long journey, he "
    "told the children that he had seen a house so beautiful that nobody would ever want "
    "to leave it, but his wife did not believe a single word of what he said.";

// Target labels stand at the right end of their gutter: how often exactly this text is at
// the left.
static int label_count(const struct driver *driver, const char *label)
{
    const struct draw_list *list = app_list(driver->app);
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        count += cmd->kind == DRAW_TEXT && cmd->rect.x < 140 &&
                 cmd->length == strlen(label) &&
                 !memcmp(list->bytes + cmd->offset, label, cmd->length);
    }
    return count;
}

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
        assert_int_equal(label_count(driver, label), said_in(now, label, rows));
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
    assert_int_equal(label_count(driver, word.text), 1);
    assert_true(
        driver_shows(driver, "How “%s” looked back", now->target[word.first].text));
    assert_true(driver_command(driver, "step back"));
    driver_frame(driver);
    assert_true(driver_shows(driver, "row %d of %d · revealed", word.number - 1, words));
    assert_int_equal(label_count(driver, word.text), 0);
    driver_close(driver);
}

static bool shows_largest_score(const struct driver *driver, const char *before)
{
    double most = driver_row(driver, CHOSEN).most;
    return driver_shows(driver, "%s%s%s", before, most < 0 ? "" : "+",
                        number_text(most, 2).text);
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
    assert_true(shows_largest_score(driver, "max "));
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

// The largest of a vector, whatever its sign.
static double largest(const float *values, int n)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        most = fmaxf(most, fabsf(values[i]));
    return (double)most;
}

// Of what is compared in the chosen row.
static void expect_strips(const struct driver *driver)
{
    const struct alignment *now = driver_now(driver);
    struct driver_row row = driver_row(driver, CHOSEN);
    int asked = now->query_width, keyed = now->key_width;
    assert_true(asked > 0 && keyed > 0);
    assert_true(driver_shows(driver, "query s₍ₜ₋₁₎: %d numbers, ±%.2f", asked,
                             largest(now->query + CHOSEN * asked, asked)));
    assert_true(driver_shows(driver, "key U h of “%s”: %d numbers, ±%.2f", row.read,
                             keyed, largest(now->key + row.best * keyed, keyed)));
}

// Half of Σ |α − hard|.
static double moved(const struct driver_row *row)
{
    double sum = 0;
    for (int s = 0; s < row->n; s++)
        sum += fabs((double)row->alpha[s] - (s == row->best ? 1 : 0));
    return sum / 2;
}

// The column where α (1 − α) is largest.
static int steepest(const struct driver_row *row)
{
    int best = 0;
    for (int s = 1; s < row->n; s++)
        if (row->alpha[s] * (1 - row->alpha[s]) >
            row->alpha[best] * (1 - row->alpha[best]))
            best = s;
    return best;
}

// From the largest score to the least: below every score where the largest is above 0.
static struct short_text widest_gap(const struct driver_row *row)
{
    double least = row->most;
    for (int s = 0; s < row->n; s++)
        least = fmin(least, (double)row->e[s]);
    return number_text(least - row->most, 2);
}

static void expect_lookup(const struct driver *driver, const struct driver_row *row)
{
    char soft[80], hard[32];
    snprintf(soft, sizeof soft, "c = %s", driver_term(row, row->best));
    snprintf(hard, sizeof hard, "%s", strchr(driver_term(row, row->best), 'h'));
    assert_true(driver_shows(driver, "%s + %s", soft, driver_term(row, row->next)));
    assert_true(driver_shows(driver, "c = %s, “%s”", hard, row->read));
    assert_true(driver_shows(driver, "moved %.3f", moved(row)));
}

static void the_large_one_shows_the_real_numbers(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    struct driver_row row = driver_row(driver, CHOSEN);
    struct short_text most = number_text(row.most, 2), gap = number_text(row.gap, 2);
    struct short_text next = number_text((double)row.e[row.next], 2);
    struct short_text widest = widest_gap(&row);
    assert_true(row.most > 0.01); // no score is like the widest gap
    driver_key(driver, KEY_CHAR, 'm', MOD_CTRL);
    assert_true(driver_sees(driver, "1  score"));
    assert_true(driver_sees(driver, "e = vᵀ tanh(W s + U h)"));
    expect_strips(driver);
    assert_true(driver_shows(driver, "+%s", most.text));
    assert_int_equal(driver_count(driver, widest.text), 0); // of a later step
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_count(driver, widest.text) > 0);
    assert_true(driver_shows(driver, "%s − %s = %s", next.text, most.text, gap.text));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_shows(driver, "exp(%s) = %.3f", gap.text, row.power));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_shows(driver, "%.3f / %.3f = %.3f", row.power, row.sum,
                             (double)row.alpha[row.next]));
    assert_true(driver_sees(driver, "Σ 1.000"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(driver_sees(driver, driver_term(&row, row.best)));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(
        driver_shows(driver, "%.1f%%", 100 * (double)driver_now(driver)->p[CHOSEN]));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    expect_lookup(driver, &row);
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    double alpha = (double)row.alpha[steepest(&row)];
    assert_true(driver_shows(driver, "largest: %.4f, “%s”", alpha * (1 - alpha),
                             driver_now(driver)->source[steepest(&row)].text));
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
    double most = driver_row(driver, CHOSEN).most;
    assert_true(driver_shows(driver, "%s / 0.50 = %s", number_text(most, 2).text,
                             number_text(most / 0.5, 2).text));
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
    double made = (double)driver_row(driver, CHOSEN).alpha[6];
    assert_true(driver_command(driver, "what-if cell 4 7 0.6"));
    assert_true(driver_command(driver, "microscope open"));
    assert_true(driver_command(driver, "microscope 6"));
    assert_true(driver_settle(driver));
    assert_true(driver_shows(driver, "%.3f → 0.600", made));
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
    int columns = driver_now(driver)->n_src;
    for (int i = 0; i < columns; i++)
        driver_key(driver, KEY_DOWN, 0, MOD_CTRL);
    assert_true(driver_shows(driver, "–%d of %d", columns, columns));
    driver->input.x = 200;
    driver->input.y = 400;
    for (int i = 0; i < 40; i++) {
        driver->input.wheel_y = 1;
        driver_frame(driver);
    }
    assert_true(label_count(driver, "When") == 1);
    assert_true(driver_command(driver, "microscope close"));
    for (int i = 0; i < columns; i++)
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
    assert_true(shows_largest_score(driver, ""));
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
