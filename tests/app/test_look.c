// SPDX-License-Identifier: MIT
// How the alignment is looked at, driven as a person would: words, hidden tokens, cut
// rows, exchanged axes, ribbons, zoom, selections. Every switch by command, by key and in
// its sheet.
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

static struct driver *driver;

static const char long_text[] =
    "When the old man who lives next to the station came back from his long journey, he "
    "told the children that he had seen a house so beautiful that nobody would ever "
    "want to leave it.";

static int set_up(void **state)
{
    (void)state;
    driver = driver_ready("en-fr-bahdanau", "I would like a cup of coffee, please.");
    return driver ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(driver);
    return 0;
}

static void command(const char *line)
{
    assert_true(driver_command(driver, line));
    driver_frame(driver);
}

static void refuse(const char *line, const char *words)
{
    struct error err;
    assert_false(app_command(driver->app, line, &err));
    assert_non_null(strstr(err.text, words));
}

// The last text that is exactly this: words of the picture come after the sentence.
static const struct draw_cmd *find(const char *text)
{
    const struct draw_list *list = app_list(driver->app);
    const struct draw_cmd *found = NULL;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind == DRAW_TEXT && cmd->length == strlen(text) &&
            !memcmp(list->bytes + cmd->offset, text, cmd->length) &&
            (!found || cmd->rect.x < 1070)) // not those of the microscope
            found = cmd;
    }
    assert_non_null(found);
    return found;
}

static void click_text(const char *text)
{
    const struct draw_cmd *cmd = find(text);
    driver_click(driver, cmd->rect.x + 2, cmd->rect.y - 2);
    driver_move(driver, -1e6f, -1e6f);
}

static void pieces_become_words(void **state)
{
    (void)state;
    assert_true(driver_count(driver, "café,") == 0);
    command("view merge sum");
    assert_true(driver_count(driver, "café,") == 1);
    assert_true(driver_count(driver, "coffee,") == 1);
    assert_true(driver_count(driver, "row 4 of 10") == 1);
    assert_true(driver_sees(driver, "source summed, target averaged"));
    command("view merge max");
    assert_true(driver_sees(driver, "the largest α of their pieces"));
    assert_true(driver_sees(driver, "rows need not sum to 1"));
    driver_key(driver, KEY_CHAR, 'w', MOD_ALT);
    assert_true(driver_count(driver, "café,") == 0);
    refuse("view merge all", "expected off, sum, max or next");
}

static void the_end_is_hidden(void **state)
{
    (void)state;
    assert_true(driver_count(driver, "log₂ 11") == 1);
    driver_key(driver, KEY_CHAR, 'e', MOD_ALT);
    assert_true(driver_count(driver, "log₂ 10") == 1);
    assert_true(driver_sees(driver, "⏎ hidden, rows scaled to sum 1"));
    assert_true(driver_sees(driver, "row 4 of 13"));
    command("select last"); // the last one that is shown
    assert_true(driver_sees(driver, "row 13 of 13"));
    command("view special show");
    assert_true(driver_sees(driver, "row 13 of 14"));
    refuse("view special never", "expected hide, show or toggle");
}

static void a_hidden_row_counts_for_the_word_before_it(void **state)
{
    (void)state;
    command("select last");
    command("view special hide");
    assert_true(driver_sees(driver, "row 13 of 13"));
}

static void rows_are_stepped_by_what_is_shown(void **state)
{
    (void)state;
    command("view merge sum");
    command("select 6"); // café,
    assert_true(driver_sees(driver, "How “café” looked back"));
    command("select next"); // s'il
    assert_true(driver_sees(driver, "How “s” looked back"));
    command("select next");
    assert_true(driver_sees(driver, "How “vous” looked back"));
    command("select back");
    command("select back");
    assert_true(driver_sees(driver, "How “café” looked back"));
}

static void only_the_largest_stay(void **state)
{
    (void)state;
    command("view top 3");
    assert_true(driver_sees(driver, "the largest 3 of each row"));
    driver_key(driver, KEY_CHAR, 'k', MOD_ALT);
    assert_true(driver_sees(driver, "the largest 5 of each row"));
    driver_key(driver, KEY_CHAR, 'k', MOD_ALT);
    assert_false(driver_sees(driver, "the largest"));
    refuse("view top 0", "a number from 1");
    refuse("view top 3x", "a number from 1");
    refuse("view top 99999", "a number from 1");
}

static void axes_exchange_and_so_do_their_numbers(void **state)
{
    (void)state;
    driver_key(driver, KEY_CHAR, 'x', MOD_ALT);
    assert_true(driver_sees(driver, "each column sums to 1"));
    assert_true(driver_sees(driver, "transposed"));
    assert_int_equal(driver_count(driver, "Σα"), 1);
    assert_int_equal(driver_count(driver, "p(y)"), 0); // a source word has none
    assert_int_equal(driver_count(driver, "words"), 0);
    assert_true(driver_sees(driver, "How “tasse” looked back"));
    command("select next"); // still the next word of the target
    assert_true(driver_sees(driver, "How “de” looked back"));
    // A column's label is a target word, a row's a source word.
    click_text("voudrais");
    assert_true(driver_sees(driver, "How “voudrais” looked back"));
    click_text("would");
    assert_true(driver_sees(driver, "coverage of 1 row"));
}

static void axes_stay_exchanged_while_one_types(void **state)
{
    (void)state;
    command("view transpose on");
    driver_type(driver, " Thanks");
    assert_true(driver_sees(driver, "transposed"));
    assert_true(driver_settle(driver));
    assert_true(driver_count(driver, "Thanks") >= 1);
    assert_int_equal(driver_count(driver, "p(y)"), 0);
}

static int frames_of(struct color color)
{
    const struct draw_list *list = app_list(driver->app);
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->cmds[i].kind == DRAW_FRAME &&
                 !memcmp(&list->cmds[i].color, &color, sizeof color);
    return count;
}

static void arg_max_is_outlined_at_every_temperature(void **state)
{
    (void)state;
    struct color ink = style_of(THEME_DARK)->ink;
    int before = frames_of(ink);
    driver_key(driver, KEY_CHAR, 'h', MOD_ALT);
    assert_int_equal(frames_of(ink) - before, 14);
    command("tau 0.1");
    assert_int_equal(frames_of(ink) - before, 14);
    command("view transpose on");
    assert_int_equal(frames_of(ink) - before, 14);
    command("view hard off");
    assert_int_equal(frames_of(ink), before);
}

static void ribbons_are_pointed_at_and_chosen(void **state)
{
    (void)state;
    driver_key(driver, KEY_CHAR, 'r', MOD_ALT);
    assert_true(driver_sees(driver, "width: α"));
    assert_true(driver_sees(driver, "entropy, bits"));
    click_text("voudrais");
    assert_true(driver_sees(driver, "How “voudrais” looked back"));
    click_text("coffee");
    assert_true(driver_sees(driver, "coverage of 1 column"));
    uint64_t before = driver_hash(driver);
    const struct draw_cmd *word = find("café");
    driver_move(driver, word->rect.x + 2, word->rect.y - 2);
    assert_true(driver_hash(driver) != before); // what it is joined to stands out
}

static void a_long_line_of_ribbons_follows_the_selection(void **state)
{
    (void)state;
    driver_close(driver);
    driver = driver_ready("en-fr-bahdanau", long_text);
    assert_non_null(driver);
    command("view ribbon on");
    command("select 1");
    assert_true(driver_count(driver, "When") >= 1);
    command("select last");
    driver_frame(driver);
    assert_true(driver_count(driver, "When") == 0);
    command("matrix pan -400 0");
    assert_true(driver_count(driver, "When") == 1);
    refuse("matrix zoom in", "ribbons have no cells");
    driver->input.wheel_y = -3;
    driver_move(driver, 500, 400);
    driver_frame(driver);
    assert_true(driver_count(driver, "When") == 0);
}

static void zoom_keeps_what_is_under_the_pointer(void **state)
{
    (void)state;
    driver_close(driver);
    driver = driver_ready("en-fr-bahdanau", long_text);
    assert_non_null(driver);
    const struct grid *grid = &driver->app->look.grid;
    float x = grid->area.x + grid->area.w * 0.6f, y = grid->area.y + grid->area.h * 0.7f;
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
    driver_close(driver);
    driver = driver_ready("en-fr-bahdanau", long_text);
    assert_non_null(driver);
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

static void several_rows_are_read_as_their_mean(void **state)
{
    (void)state;
    command("select 4");
    driver_key(driver, KEY_DOWN, 0, MOD_SHIFT);
    driver_key(driver, KEY_DOWN, 0, MOD_SHIFT);
    assert_true(driver_sees(driver, "mean of 3 rows: entropy"));
    assert_true(driver_sees(driver, "row 6 of 14"));
    const float *alpha = driver->app->show.now->alpha;
    float mean[11];
    for (int s = 0; s < 11; s++)
        mean[s] = (alpha[33 + s] + alpha[44 + s] + alpha[55 + s]) / 3;
    char wanted[80];
    snprintf(wanted, sizeof wanted, "entropy %.2f bits",
             (double)telemetry_row(mean, 11).entropy_bits);
    assert_true(driver_sees(driver, wanted));
    driver_key(driver, KEY_UP, 0, 0);
    assert_false(driver_sees(driver, "mean of"));
}

static void several_columns_are_read_as_their_sum(void **state)
{
    (void)state;
    click_text("would");
    assert_true(driver_sees(driver, "coverage of 1 column"));
    driver->input.mods = MOD_SHIFT;
    click_text("like");
    driver->input.mods = 0;
    const struct alignment *now = driver->app->show.now;
    double sum = 0;
    for (int t = 0; t < 14; t++)
        sum += (double)now->alpha[t * 11 + 1] + (double)now->alpha[t * 11 + 2];
    char wanted[80];
    snprintf(wanted, sizeof wanted, "sum of 2 columns: coverage %.3f", sum);
    assert_true(driver_sees(driver, wanted));
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

static void the_sheet_says_how_it_is_and_changes_it(void **state)
{
    (void)state;
    click_text("View");
    assert_true(driver_sees(driver, "sub-words"));
    assert_true(driver_sees(driver, "Alt+W"));
    click_text("Σ words");
    assert_true(driver_count(driver, "café,") == 1);
    click_text("hidden");
    assert_true(driver_sees(driver, "⏎ hidden"));
    click_text("ribbons");
    assert_true(driver_sees(driver, "width: α"));
    click_text("log");
    assert_true(driver_sees(driver, "α = 1, log"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_false(driver_sees(driver, "Alt+W"));
    click_text("View");
    click_text("View"); // its own link closes it
    assert_false(driver_sees(driver, "Alt+W"));
    click_text("View");
    driver_click(driver, 300, 500);
    assert_false(driver_sees(driver, "Alt+W"));
    command("view reset");
    assert_true(driver_count(driver, "log₂ 11") == 1);
    refuse("view upside-down", "merge, special, top");
}

static void what_lies_under_the_sheet_is_out_of_reach(void **state)
{
    (void)state;
    command("view menu");
    assert_true(driver_sees(driver, "row 4 of 14"));
    driver_frame(driver);
    driver_click(driver, 985, 337); // a name in the sheet, over the numbers of row 3
    assert_true(driver_sees(driver, "row 4 of 14"));
    assert_true(driver_sees(driver, "Alt+W"));
}

static void both_models_are_seen_through_the_same_lens(void **state)
{
    (void)state;
    command("beside en-fr-luong-dot");
    assert_true(driver_settle(driver));
    command("view merge sum");
    assert_int_equal(driver_count(driver, "coffee,"), 2);
    assert_true(driver_sees(driver, driver->app->rivals.list[0]->show.now->translation));
    assert_true(driver_sees(driver, driver->app->show.now->translation));
}

static void a_model_without_attention_has_words_too(void **state)
{
    (void)state;
    command("model en-fr-rnnencdec");
    assert_true(driver_settle(driver));
    command("view merge sum");
    command("view transpose on");
    command("view ribbon on");
    command("view hard on");
    assert_true(driver_sees(driver, "this model has no attention"));
    assert_int_equal(driver_count(driver, "coffee,"), 1);
    assert_int_equal(driver_count(driver, "p(y)"), 1);
}

static void nothing_is_looked_at_in_no_text(void **state)
{
    (void)state;
    command("view merge sum");
    command("view transpose on");
    command("view ribbon on");
    command("set-text  ");
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "nothing to translate yet"));
    command("select extend next");
    command("column extend next");
    command("matrix zoom fit");
    command("set-text Yes.");
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "width: α"));
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

static bool stands(const char *text)
{
    return driver_count(driver, text) > 0;
}

static void press_text(const char *text)
{
    const struct draw_cmd *cmd = draw_find_text(app_list(driver->app), text);
    assert_non_null(cmd);
    driver_click(driver, cmd->rect.x + 2, cmd->rect.y - 4);
    assert_true(driver_settle(driver));
}

// Everything of the top bar can be clicked in every window.
static void what_has_no_room_above_is_under_more(void **state)
{
    (void)state;
    static const char *const all[] = {
        "Additive", "Dot",        "General", "Concat",  "None", "Transformer", "Equation",
        "Examples", "Bottleneck", "Beam",    "What if", "Save", "View"};
    static const float sizes[][2] = {
        {1920, 1080}, {1024, 768}, {853, 480}, {640, 360}, {512, 384}};
    for (int i = 0; i < 5; i++) {
        driver->input.width = sizes[i][0];
        driver->input.height = sizes[i][1];
        driver_frame(driver);
        assert_int_equal(stands("More"), i > 0);
        if (i > 0)
            press_text("More");
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (!stands(all[k]))
                fail_msg("%s is not in a window of %g", all[k], (double)sizes[i][0]);
        if (i > 0)
            press_text("More");
        assert_int_equal(stands("Examples"), i == 0);
    }
    press_text("More");
    press_text("None");
    assert_true(driver_sees(driver, "no α"));
    assert_false(stands("Examples"));
    press_text("More");
    press_text("Bottleneck");
    assert_true(driver_sees(driver, "BLEU"));
    command("bottleneck");
    command("more on");
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_false(stands("Examples"));
    command("more toggle");
    driver_click(driver, 100, 300); // beside it
    assert_false(stands("Examples"));
    refuse("more than enough", "on, off or toggle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        CASE(pieces_become_words),
        CASE(the_end_is_hidden),
        CASE(a_hidden_row_counts_for_the_word_before_it),
        CASE(rows_are_stepped_by_what_is_shown),
        CASE(only_the_largest_stay),
        CASE(axes_exchange_and_so_do_their_numbers),
        CASE(axes_stay_exchanged_while_one_types),
        CASE(arg_max_is_outlined_at_every_temperature),
        CASE(ribbons_are_pointed_at_and_chosen),
        CASE(a_long_line_of_ribbons_follows_the_selection),
        CASE(zoom_keeps_what_is_under_the_pointer),
        CASE(a_zoomed_matrix_is_dragged_and_has_a_map),
        CASE(several_rows_are_read_as_their_mean),
        CASE(several_columns_are_read_as_their_sum),
        CASE(the_sheet_says_how_it_is_and_changes_it),
        CASE(what_lies_under_the_sheet_is_out_of_reach),
        CASE(both_models_are_seen_through_the_same_lens),
        CASE(a_model_without_attention_has_words_too),
        CASE(nothing_is_looked_at_in_no_text),
        CASE(any_order_draws_a_whole_picture),
        CASE(what_has_no_room_above_is_under_more),
#undef CASE
    };
    return cmocka_run_group_tests_name("look", tests, NULL, NULL);
}
