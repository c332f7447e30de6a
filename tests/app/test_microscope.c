// SPDX-License-Identifier: MIT
// The microscope in steps, small and large: the numbers of one row, from the scores to
// the next word.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "driver.h"
#include "view/candidates.h"
#include "view/short.h"

enum { CHOSEN = 3 }; // the row that is selected when the window opens

static const char *const long_text =
    "When the old man who lives next to the station came back from his long journey, he "
    "told the children that he had seen a house so beautiful that nobody would ever want "
    "to leave it, but his wife did not believe a single word of what he said.";

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
    assert_true(driver_sees(driver, "2  softmax   α = "));
    assert_true(driver_command(driver, "what-if cell 4 7 0.6"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "2  softmax, then edited"));
    assert_true(driver_command(driver, "microscope open"));
    assert_true(driver_command(driver, "microscope 6"));
    assert_true(driver_settle(driver));
    assert_true(driver_shows(driver, "%.3f → 0.600", made));
    assert_true(driver_command(driver, "microscope gradient"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "Changed after the softmax"));
    assert_true(driver_sees(driver, "largest: 0.0000"));
    assert_true(driver_command(driver, "microscope lookup"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "(edited): no τ"));
    assert_true(driver_command(driver, "microscope gradient"));
    assert_true(driver_command(driver, "select 3"));
    driver_frame(driver);
    assert_false(driver_sees(driver, "Changed after")); // that row is the model's own
    assert_true(driver_command(driver, "what-if clear"));
    assert_true(driver_command(driver, "dropout 0.4 1"));
    assert_true(driver_command(driver, "microscope close"));
    assert_true(driver_command(driver, "microscope overview"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "2  softmax, then dropout"));
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
    assert_true(driver_labels(driver, "When") == 1);
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

static void words_that_look_alike_are_told_apart(void **state)
{
    (void)state;
    static const struct candidate of[] = {{.id = 9, .text = "une"},
                                          {.id = 8, .text = "un"},
                                          {.id = 7, .text = "une", .joins = true},
                                          {.id = 6, .text = "e", .joins = true},
                                          {.id = 5}};
    static const char *const wanted[] = {"une", "un", "…une", "e"};
    for (int k = 0; k < 4; k++) {
        char out[32];
        assert_string_equal(candidate_name(of, 5, k, out, sizeof out), wanted[k]);
    }
    struct driver *driver = driver_ready(NULL, NULL);
    const struct alignment *now = driver->app->show.now;
    for (int t = 0; t < alignment_rows(now); t++) {
        const struct candidate *top = now->top + (size_t)t * ALIGNMENT_TOP;
        for (int k = 1; k < ALIGNMENT_TOP; k++)
            for (int i = 0; i < k; i++) {
                char a[72], b[72];
                assert_string_not_equal(
                    candidate_name(top, ALIGNMENT_TOP, i, a, sizeof a),
                    candidate_name(top, ALIGNMENT_TOP, k, b, sizeof b));
            }
    }
    driver_close(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_look_alike_are_told_apart),
        cmocka_unit_test(the_microscope_goes_step_by_step),
        cmocka_unit_test(the_large_one_shows_the_real_numbers),
        cmocka_unit_test(it_shows_the_alpha_on_the_screen),
        cmocka_unit_test(an_edited_row_says_so),
        cmocka_unit_test(every_source_position_can_be_reached),
        cmocka_unit_test(a_small_window_opens_it_large),
    };
    return cmocka_run_group_tests_name("microscope", tests, NULL, NULL);
}
