// SPDX-License-Identifier: MIT
// Where one is in the matrix, driven as a person would: zoom, what is dragged, rows and
// columns that are chosen; and all that changes a picture, in any order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "app/state.h"
#include "case.h"

static void zoom_keeps_what_is_under_the_pointer(void **state)
{
    (void)state;
    begin_again("en-fr-bahdanau", long_text);
    const struct grid *grid = &driver->app->look.grid;
    command("matrix zoom 2"); // it fills its room
    driver_frame(driver);
    float x = grid->sight.x + grid->sight.w * 0.6f;
    float y = grid->sight.y + grid->sight.h * 0.7f;
    int row = 0, column = 0, row_after = 0, column_after = 0;
    float cell = grid->cell_w;
    driver_move(driver, x, y);
    assert_true(grid_hit(grid, x, y, &row, &column));
    driver->input.mods = MOD_CTRL;
    for (int i = 0; i < 6; i++) {
        driver->input.wheel_y = 1;
        driver_frame(driver);
    }
    driver->input.mods = 0;
    driver_frame(driver);
    assert_true(grid->cell_w > 2 * cell);
    assert_true(grid_hit(grid, x, y, &row_after, &column_after));
    assert_int_equal(row_after, row);
    assert_int_equal(column_after, column);
    command("matrix zoom fit");
    assert_true(grid_is_whole(grid));
    refuse("matrix zoom 0.5", "a factor from 1");
    refuse("matrix zoom nan", "a factor from 1");
    refuse("matrix pan 3", "two numbers");
    refuse("matrix pan inf 0", "two numbers");
    refuse("matrix", "zoom or pan");
}

static void a_zoomed_matrix_is_dragged_and_has_a_map(void **state)
{
    (void)state;
    begin_again("en-fr-bahdanau", long_text);
    const struct grid *grid = &driver->app->look.grid;
    command("matrix zoom 4");
    driver_frame(driver);
    assert_false(grid_is_whole(grid));
    struct grid_port was = grid->port;
    float x = grid->sight.x + 200, y = grid->sight.y + 200;
    driver_move(driver, x, y);
    driver->input.pressed = driver->input.down = true;
    driver_frame(driver);
    driver_move(driver, x - 2 * grid->cell_w, y - 3 * grid->cell_h);
    driver->input.down = false;
    driver->input.released = true;
    driver_frame(driver);
    assert_float_equal(grid->port.column, was.column + 2, 0.1f);
    assert_float_equal(grid->port.row, was.row + 3, 0.1f);
    driver_move(driver, x, y);
    driver_frame(driver);
    assert_float_equal(grid->port.column, was.column + 2, 0.1f); // it was let go
    driver_key(driver, KEY_RIGHT, 0, MOD_ALT | MOD_SHIFT);
    driver_frame(driver);
    assert_float_equal(grid->port.column, was.column + 6, 0.1f);
    command("select last"); // comes into sight
    driver_frame(driver);
    assert_int_equal(grid->to_row, grid->rows);
    command("matrix pan -999 -999");
    driver_frame(driver);
    assert_int_equal(grid->from_row, 0);
    assert_int_equal(grid->from_column, 0);
}

static int column_of(const char *word)
{
    const struct alignment *now = driver_now(driver);
    for (int s = 0; s < now->n_src; s++)
        if (!strcmp(now->source[s].text, word))
            return s;
    fail_msg("'%s' is no piece of the sentence", word);
    return 0;
}

static void several_rows_are_read_as_their_mean(void **state)
{
    (void)state;
    command("select 4");
    driver_key(driver, KEY_DOWN, 0, MOD_SHIFT);
    driver_key(driver, KEY_DOWN, 0, MOD_SHIFT);
    assert_true(driver_sees(driver, "mean of 3 rows: entropy"));
    const struct alignment *now = driver_now(driver);
    expect(driver_words("row 6 of %d", alignment_rows(now)));
    int n = now->n_src;
    const float *alpha = now->alpha + 3 * n;
    float mean[64];
    assert_in_range(n, 1, 64);
    for (int s = 0; s < n; s++)
        mean[s] = (alpha[s] + alpha[n + s] + alpha[2 * n + s]) / 3;
    double bits = (double)telemetry_row(mean, n).entropy_bits;
    expect(driver_words("entropy %.2f bits", bits));
    driver_key(driver, KEY_UP, 0, 0);
    assert_false(driver_sees(driver, "mean of"));
}

static void several_columns_are_read_as_their_sum(void **state)
{
    (void)state;
    click_word("would");
    assert_true(driver_sees(driver, "coverage of 1 column"));
    driver->input.mods = MOD_SHIFT;
    click_word("like");
    driver->input.mods = 0;
    const struct alignment *now = driver_now(driver);
    int would = column_of("would"), like = column_of("like"), n = now->n_src;
    double sum = 0;
    for (int t = 0; t < alignment_rows(now); t++)
        sum += (double)now->alpha[t * n + would] + (double)now->alpha[t * n + like];
    expect(driver_words("sum of 2 columns: coverage %.3f", sum));
    command("select 2");
    command("select extend 3");
    assert_true(driver_sees(driver, "2 target by 2 source"));
    driver->input.width = 853; // one line for all of it
    driver->input.height = 480;
    command("view special hide");
    assert_true(driver_sees(driver, "2 target by 2 source"));
    assert_true(driver_sees(driver, "⏎ hidden"));
    command("view reset");
    command("dismiss"); // the text's caret first, or the columns
    command("dismiss");
    assert_false(driver_sees(driver, "2 target by 2 source"));
    refuse("column x", "a column from 1");
    refuse("select extend x", "a row from 1");
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void point_somewhere(uint32_t *seed)
{
    driver->input.x = (float)(next_random(seed) % 1440);
    driver->input.y = (float)(next_random(seed) % 900);
    driver->input.mods = next_random(seed) % 8;
    driver->input.wheel_y = (float)(next_random(seed) % 7) - 3;
    driver->input.down = next_random(seed) % 2;
    driver->input.pressed = driver->input.down && next_random(seed) % 2;
    driver_frame(driver);
    driver->input.mods = 0;
}

// Switches, selections, texts and the pointer in any order, also while rows arrive.
static void any_order_draws_a_whole_picture(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "view merge next",
        "view special toggle",
        "view top next",
        "view hard",
        "view transpose",
        "view ribbon",
        "view menu",
        "matrix zoom in",
        "matrix zoom out",
        "matrix zoom 9",
        "matrix pan 3 -2",
        "matrix pan -1000 1000",
        "select extend next",
        "select extend back",
        "select last",
        "select first",
        "select none",
        "column extend next",
        "column extend back",
        "column 2",
        "column none",
        "tau 0",
        "tau 2",
        "mode toggle",
        "set-text Yes.",
        "set-text  ",
        "set-text I do not know, he said.",
        "dismiss",
        "shade next",
        "view reset",
        "example next",
        "zoom in",
        "zoom out",
    };
    uint32_t seed = 20;
    for (int i = 0; i < 600; i++) {
        const char *line = lines[next_random(&seed) % (sizeof lines / sizeof *lines)];
        (void)driver_command(driver, line); // ribbons refuse to zoom
        if (next_random(&seed) % 8 == 0)
            assert_true(driver_settle(driver));
        point_somewhere(&seed);
        const struct draw_list *list = app_list(driver->app);
        assert_int_equal(list->dropped, 0);
        assert_true(list->count > 20);
        for (int k = 0; k < list->count; k++)
            assert_true(isfinite(list->cmds[k].rect.x) && isfinite(list->cmds[k].rect.y));
    }
}

// Until its first row comes a longer sentence stands under the lens of the one before,
// which does not know its last columns.
static void a_chosen_column_of_a_longer_sentence_is_no_other(void **state)
{
    (void)state;
    assert_true(driver_command(driver, "view transpose on"));
    for (int i = 0; i < 60; i++) {
        assert_true(driver_command(driver, "set-text Yes."));
        assert_true(driver_settle(driver));
        assert_true(driver_command(driver,
                                   "set-text I would like a cup of coffee, please, and "
                                   "my wife would like two of them with milk."));
        assert_true(driver_command(driver, "column last"));
        for (int k = 0; k < 4; k++) {
            driver_frame(driver);
            (void)driver_command(driver, "column 20");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COFFEE_CASE(zoom_keeps_what_is_under_the_pointer),
        COFFEE_CASE(a_zoomed_matrix_is_dragged_and_has_a_map),
        COFFEE_CASE(several_rows_are_read_as_their_mean),
        COFFEE_CASE(several_columns_are_read_as_their_sum),
        COFFEE_CASE(any_order_draws_a_whole_picture),
        COFFEE_CASE(a_chosen_column_of_a_longer_sentence_is_no_other),
    };
    return cmocka_run_group_tests_name("selection", tests, NULL, NULL);
}
