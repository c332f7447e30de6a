// SPDX-License-Identifier: MIT
// How the alignment is looked at, driven as a person would: words, hidden tokens, cut
// rows, exchanged axes, ribbons. Every switch by command, by key and in its sheet.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "app/state.h"
#include "case.h"

static void expect_looked_back(int row)
{
    expect(driver_words("How “%s” looked back", driver_word(driver, row)));
}

static int rows(void)
{
    return alignment_rows(driver_now(driver));
}

static int selected_row(void)
{
    return driver->app->selected + 1;
}

static const char *most_bits(int hidden)
{
    return driver_words("log₂ %d", driver_now(driver)->n_src - hidden);
}

// How many words the first `count` tokens of the target are.
static int words_in(int count)
{
    int words = 0;
    for (int t = 0; t < count; t++)
        words += !driver_now(driver)->target[t].joined;
    return words;
}

static void pieces_become_words(void **state)
{
    (void)state;
    assert_in_range(words_in(rows()), 1, rows() - 1);
    assert_true(driver_count(driver, "café,") == 0);
    command("view merge sum");
    assert_true(driver_count(driver, "café,") == 1);
    assert_true(driver_count(driver, "coffee,") == 1);
    int row = words_in(selected_row()), words = words_in(rows());
    assert_true(driver_count(driver, driver_words("row %d of %d", row, words)) == 1);
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
    int all = rows();
    assert_true(driver_count(driver, most_bits(0)) == 1);
    driver_key(driver, KEY_CHAR, 'e', MOD_ALT);
    assert_true(driver_count(driver, most_bits(1)) == 1);
    assert_true(driver_sees(driver, "⏎ hidden, rows scaled to sum 1"));
    expect(driver_words("row %d of %d", selected_row(), all - 1));
    command("select last"); // the last one that is shown
    expect(driver_words("row %d of %d", all - 1, all - 1));
    command("view special show");
    expect(driver_words("row %d of %d", all - 1, all));
    refuse("view special never", "expected hide, show or toggle");
}

static void a_hidden_row_counts_for_the_word_before_it(void **state)
{
    (void)state;
    command("select last");
    command("view special hide");
    expect(driver_words("row %d of %d", rows() - 1, rows() - 1));
}

// The first row of the word that comes after this row.
static int next_word(int row)
{
    while (row < rows() && driver_now(driver)->target[row].joined)
        row++;
    return row + 1;
}

static void rows_are_stepped_by_what_is_shown(void **state)
{
    (void)state;
    int row = 1; // the first of several pieces
    while (row < rows() && next_word(row) == row + 1)
        row++;
    int next = next_word(row), after = next_word(next);
    assert_in_range(after, next + 1, rows());
    command("view merge sum");
    command(driver_words("select %d", words_in(row)));
    expect_looked_back(row);
    command("select next");
    expect_looked_back(next);
    command("select next");
    expect_looked_back(after);
    command("select back");
    command("select back");
    expect_looked_back(row);
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
    int row = selected_row();
    expect_looked_back(row);
    command("select next"); // still the next word of the target
    expect_looked_back(row + 1);
    command("select 1");
    expect_not("How “café” looked back");
    // A column's label is a target word, a row's a source word.
    click_word("café");
    assert_true(driver_sees(driver, "How “café” looked back"));
    click_word("would");
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
    assert_int_equal(frames_of(ink) - before, rows());
    command("tau 0.1");
    assert_int_equal(frames_of(ink) - before, rows());
    command("view transpose on");
    assert_int_equal(frames_of(ink) - before, rows());
    command("view hard off");
    assert_int_equal(frames_of(ink), before);
}

static void ribbons_are_pointed_at_and_chosen(void **state)
{
    (void)state;
    driver_key(driver, KEY_CHAR, 'r', MOD_ALT);
    assert_true(driver_sees(driver, "width: α"));
    assert_true(driver_sees(driver, "entropy, bits"));
    command("select 1");
    expect_not("How “café” looked back");
    click_word("café");
    assert_true(driver_sees(driver, "How “café” looked back"));
    click_word("coffee");
    assert_true(driver_sees(driver, "coverage of 1 column"));
    uint64_t before = driver_hash(driver);
    const struct draw_cmd *word = find_word("tasse");
    driver_move(driver, word->rect.x + 2, word->rect.y - 2);
    assert_true(driver_hash(driver) != before); // what it is joined to stands out
}

static void a_long_line_of_ribbons_follows_the_selection(void **state)
{
    (void)state;
    begin_again("en-fr-bahdanau", long_text);
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

static void the_sheet_says_how_it_is_and_changes_it(void **state)
{
    (void)state;
    click_word("View");
    assert_true(driver_sees(driver, "sub-words"));
    assert_true(driver_sees(driver, "Alt+W"));
    click_word("Σ words");
    assert_true(driver_count(driver, "café,") == 1);
    click_word("hidden");
    assert_true(driver_sees(driver, "⏎ hidden"));
    click_word("ribbons");
    assert_true(driver_sees(driver, "width: α"));
    click_word("log");
    assert_true(driver_sees(driver, "α = 1, log"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_false(driver_sees(driver, "Alt+W"));
    click_word("View");
    click_word("View"); // its own link closes it
    assert_false(driver_sees(driver, "Alt+W"));
    click_word("View");
    driver_click(driver, 300, 500);
    assert_false(driver_sees(driver, "Alt+W"));
    command("view reset");
    assert_true(driver_count(driver, most_bits(0)) == 1);
    refuse("view upside-down", "merge, special, top");
}

static void what_lies_under_the_sheet_is_out_of_reach(void **state)
{
    (void)state;
    command("select none");
    driver_click(driver, 985, 337); // the numbers of a row
    int row = selected_row(), other = row == 1 ? 2 : row - 1;
    expect(driver_words("row %d of %d", row, rows()));
    command(driver_words("select %d", other));
    command("view menu");
    expect(driver_words("row %d of %d", other, rows()));
    driver_frame(driver);
    driver_click(driver, 985, 337); // now a name in the sheet, over them
    expect(driver_words("row %d of %d", other, rows()));
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

static bool stands(const char *text)
{
    return driver_count(driver, text) > 0;
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
            click_text("More");
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (!stands(all[k]))
                fail_msg("%s is not in a window of %g", all[k], (double)sizes[i][0]);
        if (i > 0)
            click_text("More");
        assert_int_equal(stands("Examples"), i == 0);
    }
    click_text("More");
    click_text("None");
    assert_true(driver_sees(driver, "no α"));
    assert_false(stands("Examples"));
    click_text("More");
    click_text("Bottleneck");
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
        COFFEE_CASE(pieces_become_words),
        COFFEE_CASE(the_end_is_hidden),
        COFFEE_CASE(a_hidden_row_counts_for_the_word_before_it),
        COFFEE_CASE(rows_are_stepped_by_what_is_shown),
        COFFEE_CASE(only_the_largest_stay),
        COFFEE_CASE(axes_exchange_and_so_do_their_numbers),
        COFFEE_CASE(axes_stay_exchanged_while_one_types),
        COFFEE_CASE(arg_max_is_outlined_at_every_temperature),
        COFFEE_CASE(ribbons_are_pointed_at_and_chosen),
        COFFEE_CASE(a_long_line_of_ribbons_follows_the_selection),
        COFFEE_CASE(the_sheet_says_how_it_is_and_changes_it),
        COFFEE_CASE(what_lies_under_the_sheet_is_out_of_reach),
        COFFEE_CASE(both_models_are_seen_through_the_same_lens),
        COFFEE_CASE(a_model_without_attention_has_words_too),
        COFFEE_CASE(nothing_is_looked_at_in_no_text),
        COFFEE_CASE(what_has_no_room_above_is_under_more),
    };
    return cmocka_run_group_tests_name("look", tests, NULL, NULL);
}
