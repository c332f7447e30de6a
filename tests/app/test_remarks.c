// SPDX-License-Identifier: MIT
// What is remarked of a picture: its readings and doubts about it, as they stand in the
// window.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "case.h"
#include "view/short.h"

static const struct remarks *remarks(void)
{
    return &driver->app->show.kept.remarks;
}

#define sees(...) driver_shows(driver, __VA_ARGS__)

enum { CHOSEN = 3 }; // the row that is selected when the window opens

static struct driver_row chosen(void)
{
    return driver_row(driver, CHOSEN);
}

static int tokens(void)
{
    return driver_now(driver)->n_src;
}

// A row of which there is nothing to say.
static int quiet_row(void)
{
    for (int t = 0; t < remarks()->n_tgt; t++)
        if (!remarks()->rows[t].reading.says)
            return t;
    return NOWHERE;
}

static void select_row(int row)
{
    char line[32];
    snprintf(line, sizeof line, "select %d", row + 1);
    command(line);
}

// What align says of α as the alignment has it.
static struct matrix_reading read_plainly(void)
{
    const struct alignment *now = driver_now(driver);
    struct attention of = {now->alpha, alignment_rows(now), now->n_src, now->source};
    return readings_matrix(&of);
}

static void readings_stand_where_the_microscope_was(void **state)
{
    (void)state;
    assert_true(sees("How “%s” looked back", chosen().word));
    driver_key(driver, KEY_CHAR, 'n', MOD_ALT);
    assert_false(sees("How “%s” looked back", chosen().word));
    struct matrix_reading m = read_plainly();
    assert_true(sees("%.2f bits", (double)m.entropy_bits));
    assert_true(
        sees("%.0f %% / %.0f %%", (double)m.paper.percent, (double)m.tool.percent));
    assert_true(sees("−%.2f / −%.2f", (double)-m.paper.coverage_deviation,
                     (double)-m.tool.coverage_deviation));
    assert_true(sees("%.2f", (double)m.monotonicity));
    assert_int_equal(driver_count(driver, "heuristic"), 3);
    command("readings row");
    assert_true(sees("“%s”, row 4 of %d", chosen().word, remarks()->n_tgt));
    assert_true(sees("the largest α, on “%s”", chosen().read));
    assert_true(quiet_row() >= 0);
    select_row(quiet_row());
    assert_true(sees("Neither collapsed nor diffuse nor drifting."));
    select_row(CHOSEN);
    driver_key(driver, KEY_CHAR, 'n', MOD_ALT);
    assert_true(sees("How “%s” looked back", chosen().word));
    refuse("readings perhaps", "expected on, off or toggle");
}

static void readings_are_of_what_is_shown(void **state)
{
    (void)state;
    command("readings on");
    float mean = remarks()->matrix->entropy_bits;
    command("tau inf");
    assert_true(sees("%.2f bits", log2(tokens())));
    command("tau 1");
    command("view merge sum");
    assert_true(sees("all alike: %.2f", log2(9)));
    assert_true(remarks()->matrix->entropy_bits < mean);
    command("view merge off");
    command("view transpose on"); // the same words, lying the other way
    assert_true(fabsf(remarks()->matrix->entropy_bits - mean) < 1e-6f);
    assert_int_equal(remarks()->n_tgt, alignment_rows(driver_now(driver)));
    assert_int_equal(remarks()->n_src, tokens());
    command("readings row");
    assert_true(sees("the largest α, on “%s”", chosen().read));
    assert_true(sees("%.0f %%", 100 * (double)driver_now(driver)->p[CHOSEN]));
    command("view transpose off");
}

static void what_has_no_meaning_says_why(void **state)
{
    (void)state;
    command("readings on");
    command("view top 3");
    assert_true(sees("Only the largest α of each row are shown"));
    assert_false(sees("monotonicity"));
    command("view top all");
    command("view merge max");
    assert_true(sees("such rows do not sum to 1"));
    assert_false(sees("monotonicity"));
    command("view merge off");
    assert_true(sees("monotonicity"));
    command("mode re-decode");
    command("dropout 0.4 3"); // asked for: no doubt
    assert_true(sees("α were dropped at random"));
    assert_int_equal(driver_count(driver, "!"), 0);
    command("dropout off");
    command("model en-fr-rnnencdec");
    assert_true(sees("This model has no attention"));
}

static void numbers_stay_while_one_types(void **state)
{
    (void)state;
    command("readings on");
    char before[32];
    snprintf(before, sizeof before, "%.2f bits", (double)remarks()->matrix->entropy_bits);
    assert_true(driver_command(driver, "set-text The black cat sleeps."));
    driver_frame(driver);
    assert_true(sees("%s", before) || driver->app->show.told);
    assert_true(sees("monotonicity"));
    assert_true(driver_settle(driver));
    assert_true(sees("%.2f bits", (double)read_plainly().entropy_bits));
    command("set-text"); // nothing: nothing is left of it either
    assert_false(sees("monotonicity"));
}

// The first two rows read the ninth column, and all the others what comes next.
static float read_twice(int t, int s)
{
    return s == (t < 2 ? 8 : 9) ? 1 : 0;
}

static void a_column_has_its_coverage(void **state)
{
    (void)state;
    command("readings row");
    assert_true(sees("Point at a column"));
    command("column 9");
    struct column_reading columns[ALIGNMENT_MAX_SRC];
    const struct label *source = driver_now(driver)->source;
    readings_columns(&remarks()->of, columns);
    assert_true(sees("column “%s”", source[8].text));
    double off = (double)columns[8].deviation;
    assert_true(sees("its coverage, %s from 1", signed_text(off, 2).text));
    put_matrix(read_twice);
    assert_true(sees("its coverage, +1.00 from 1: read again"));
    const struct grid *grid = &driver->app->look.grid;
    driver_move(driver, grid->area.x + 2.5f * grid->cell_w, grid->area.y + 5);
    assert_true(sees("column “%s”", source[2].text)); // the pointer first
    assert_true(sees("its coverage, −1.00 from 1: hardly read"));
}

static void small_windows_have_a_page_of_them(void **state)
{
    (void)state;
    driver->input.width = 720;
    driver->input.height = 450;
    driver->input.scale = 2;
    driver_frame(driver);
    assert_true(sees("coverage"));
    command("readings on");
    assert_true(sees("out, of rows / in, of columns"));
    assert_false(sees("log₂ %d", tokens()));
    command("readings off");
    assert_true(sees("coverage"));
}

static void point_at_numbers_of(int row)
{
    const struct grid *grid = &driver->app->look.grid;
    driver_move(driver, grid->area.x + grid->area.w + 60,
                grid->area.y + ((float)row + 0.5f) * grid->cell_h);
}

// Rows 3, 4 and 5 read a column, and all after them read it again.
static float stuck(int t, int s)
{
    return s == (t < 2 ? t : 2) ? 1 : 0;
}

static void rows_say_it_in_words_on_demand(void **state)
{
    (void)state;
    put_matrix(stuck);
    assert_false(sees("collapsed"));
    assert_int_equal(driver_count(driver, "▮"), 0);
    command("readings row");
    assert_true(sees("▮ collapsed"));
    int said = 0, row = NOWHERE;
    for (int t = 0; t < remarks()->n_tgt; t++)
        if (remarks()->rows[t].reading.says & ROW_COLLAPSED) {
            row = t;
            said++;
        }
    assert_true(said > 0);
    assert_int_equal(said, remarks()->n_tgt - 5);
    assert_int_equal(driver_count(driver, "▮"), said);
    select_row(row);
    assert_true(sees("Collapsed: "));
    command("readings matrix");
    assert_false(sees("Collapsed: "));
    point_at_numbers_of(row);
    assert_true(sees("Collapsed: "));
    command("readings off");
    assert_false(sees("Collapsed: "));
}

// As no softmax would have it.
static float spoilt(int t, int s)
{
    const struct alignment *now = driver_now(driver);
    float alpha = now->alpha[t * now->n_src + s];
    return t == 2 ? alpha * 0.8f : t == 5 ? 0 : t == 7 && s == 1 ? NAN : alpha;
}

static void doubts_are_marked_and_explained(void **state)
{
    (void)state;
    assert_int_equal(driver_count(driver, "!"), 0);
    put_matrix(spoilt);
    assert_int_equal(driver_count(driver, "!"), 3);
    assert_true(sees("! doubtful"));
    assert_true(sees("not every row sums to 1"));
    point_at_numbers_of(2);
    assert_true(sees("Row 3 sums to 0.800, not 1"));
    point_at_numbers_of(5);
    assert_true(sees("Row 6 is all zero"));
    point_at_numbers_of(7);
    assert_true(sees("Row 8 holds a number that is not finite"));
    command("readings row");
    command("select 3");
    driver_move(driver, -1e6f, -1e6f);
    assert_true(sees("Row 3 sums to 0.800, not 1"));
    command("view merge sum"); // the row of a piece is a doubt of its word
    assert_true(driver_count(driver, "!") >= 3);
}

// Each column sums to 1; the first row has half of all.
static float turned(int t, int s)
{
    (void)s;
    return t == 0 ? 0.5f : 0.5f / (float)(driver->app->show.rows - 1);
}

static void a_turned_matrix_is_doubted_above_it(void **state)
{
    (void)state;
    assert_false(sees("transposed"));
    put_matrix(turned);
    assert_true(sees("The columns sum to 1 and the rows do not"));
}

static void healthy_pictures_have_no_doubts(void **state)
{
    (void)state;
    static const char *const models[] = {
        "en-fr-luong-dot", "en-fr-luong-general", "en-fr-luong-concat", "dates", "copy",
        "reverse"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char line[64];
        snprintf(line, sizeof line, "model %s", models[i]);
        command(line);
        for (int tau = 0; tau < 3; tau++) {
            command(tau == 0 ? "tau 0" : tau == 1 ? "tau 1" : "tau inf");
            assert_int_equal(driver_count(driver, "!"), 0);
            assert_int_equal(remarks()->doubts, 0);
        }
    }
}

static void a_cut_matrix_is_told(void **state)
{
    (void)state;
    const float alpha[4] = {0.5f, 0.2f, 0.1f, 0.1f}, lost[2] = {0.3f, 0.8f};
    struct remark_row rows[2] = {{.doubts = TRUST_CROPPED},
                                 {.doubts = TRUST_CROPPED, .doubted = 1}};
    struct remarks made = {.n_tgt = 2,
                           .n_src = 2,
                           .rows = rows,
                           .cropped = 2,
                           .trust = {alpha, NULL, lost, 2, 2, 2, 2}};
    struct scene scene;
    struct buf text;
    scene_init(&scene);
    buf_init(&text, 1000);
    assert_false(remarks_doubt(&scene, &text));
    scene.remarks = &made;
    assert_true(remarks_doubt(&scene, &text));
    assert_string_equal(buf_text(&text),
                        "Columns were cut off: 2 of 2 rows lost weight to them.");
    buf_clear(&text);
    remarks_say_doubts(&made, 1, &text);
    assert_string_equal(buf_text(&text),
                        "Row 2 sums to 0.200: 0.800 lay in columns that were cut off.");
    buf_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COFFEE_CASE(readings_stand_where_the_microscope_was),
        COFFEE_CASE(readings_are_of_what_is_shown),
        COFFEE_CASE(what_has_no_meaning_says_why),
        COFFEE_CASE(numbers_stay_while_one_types),
        COFFEE_CASE(a_column_has_its_coverage),
        COFFEE_CASE(small_windows_have_a_page_of_them),
        COFFEE_CASE(rows_say_it_in_words_on_demand),
        COFFEE_CASE(doubts_are_marked_and_explained),
        COFFEE_CASE(a_turned_matrix_is_doubted_above_it),
        COFFEE_CASE(healthy_pictures_have_no_doubts),
        COFFEE_CASE(a_cut_matrix_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
