// SPDX-License-Identifier: MIT
// The page of the equation: typing matrices, what is unfinished or wrong, sheets by key,
// by file and by drop, rows and steps, saving.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/equation.h"
#include "base/file.h"
#include "case.h"

static int open_page(void **state)
{
    (void)state;
    driver = driver_ready("dates", NULL);
    if (!driver)
        return 1;
    driver_key(driver, KEY_F9, 0, MOD_SHIFT);
    return 0;
}

static bool sees(const char *text)
{
    return driver_sees(driver, text);
}

static void the_page_opens_and_closes_by_key(void **state)
{
    (void)state;
    assert_true(sees("Two queries, three keys"));
    assert_true(sees("Query 1 fits key 3 best"));
    assert_true(sees("e = q·k / √3"));
    assert_true(sees("0.471"));
    assert_true(sees("1.058"));
    assert_true(sees("How “q₁” reads"));
    assert_false(sees("Date → ISO"));
    driver_key(driver, KEY_F9, 0, MOD_SHIFT);
    assert_false(sees("Two queries"));
    assert_true(sees("Date → ISO"));
    driver_key(driver, KEY_F9, 0, MOD_SHIFT);
    driver_key(driver, KEY_ENTER, 0, 0);
    driver_key(driver, KEY_ESCAPE, 0, 0); // the field lets go
    assert_true(sees("Two queries"));
    driver_key(driver, KEY_ESCAPE, 0, 0); // then the page does
    assert_false(sees("Two queries"));
}

static void typing_changes_the_result_at_every_key(void **state)
{
    (void)state;
    driver_key(driver, KEY_ENTER, 0, 0); // into Q, at its begin
    driver_key(driver, KEY_END, 0, 0);
    uint64_t before = driver_hash(driver);
    driver_type(driver, "0"); // 1 0 10
    assert_true(driver_hash(driver) != before);
    assert_true(sees("5.774")); // 10 / √3
    assert_true(sees("edited"));
    assert_false(sees("Query 1 fits key 3 best")); // tells of the sheet as it was
    driver_key(driver, KEY_CHAR, 'z', MOD_CTRL);
    assert_true(sees("Query 1 fits key 3 best"));
}

static void what_is_unfinished_leaves_the_last_result(void **state)
{
    (void)state;
    driver_key(driver, KEY_ENTER, 0, 0);
    driver_key(driver, KEY_END, 0, 0);
    driver_type(driver, " ");
    assert_false(sees("is of the last whole sheet"));
    driver_type(driver, "-");
    assert_true(sees("Q: row 1, column 4: '-' is not a number"));
    assert_true(sees("0.471")); // as before
    driver_type(driver, "2");
    assert_true(sees("Q: row 2 has 3 numbers, row 1 has 4"));
    driver_key(driver, KEY_BACKSPACE, 0, 0);
    driver_key(driver, KEY_BACKSPACE, 0, 0);
    assert_false(sees("is of the last whole sheet"));
    static const char *const wrong[][2] = {
        {"sheet set Q", "Q is empty"},
        {"sheet set Q 1 nan", "'nan' is not a number"},
        {"sheet set K 1 0; 0", "K: row 2 has 1 number, row 1 has 2"},
        {"sheet set K 1 2; 3 4; 5 6", "a query has 3 numbers and a key 2"},
        {"sheet set V 1", "V is 1 × 1, expected 3 rows"},
        {"sheet set W_Q 1 2", "W_Q is 1 × 2, expected 3 rows"},
        {"sheet set order 1 1 2", "order has 1 at place 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        command("sheet three-keys");
        command(wrong[i][0]);
        assert_true(sees(wrong[i][1]));
        assert_true(sees("is of the last whole sheet"));
        assert_true(sees("0.471"));
    }
}

static void a_pasted_matrix_is_understood(void **state)
{
    (void)state;
    driver_key(driver, KEY_ENTER, 0, 0);
    driver_key(driver, KEY_CHAR, 'a', MOD_CTRL);
    snprintf(driver->clipboard, sizeof driver->clipboard, "[[2, 0, 2],\n [0, 3, 0]]\n");
    driver_key(driver, KEY_CHAR, 'v', MOD_CTRL);
    assert_true(sees("2.309")); // 4 / √3
    assert_true(sees("[0, 3, 0]]"));
}

// Of a text that has no room no other matrix is made in silence.
static void what_is_too_large_is_said(void **state)
{
    (void)state;
    char line[16 + 3 * 513] = "sheet set K";
    size_t length = strlen(line);
    for (int i = 0; i < 513; i++)
        length += (size_t)sprintf(line + length, " 1;");
    command(line);
    assert_true(sees("K has more than 512 rows"));
    command("sheet three-keys");
    driver_key(driver, KEY_ENTER, 0, 0);
    driver_key(driver, KEY_CHAR, 'a', MOD_CTRL);
    memset(driver->clipboard, ' ', EQUATION_BYTES + 6);
    memcpy(driver->clipboard, "1 0 1\n0 1 0", 11);
    memcpy(driver->clipboard + EQUATION_BYTES, "\n1 1 1", 7);
    driver_key(driver, KEY_CHAR, 'v', MOD_CTRL);
    assert_true(sees("Q: 6 bytes over the limit of 65536 are cut off"));
    assert_true(sees("is of the last whole sheet"));
    assert_true(sees("0.471"));
}

static void a_name_of_several_words_is_one(void **state)
{
    (void)state;
    command("sheet soft-lookup");
    assert_true(driver_count(driver, "key = 5?") >= 3);
}

static void numbers_shrink_before_they_go(void **state)
{
    (void)state;
    driver->input.width = 1024;
    driver->input.height = 768;
    command("sheet soft-lookup");
    assert_int_equal(driver_count(driver, "0.55"), 1); // of the output
    assert_true(sees("−3.00"));
}

static void tab_goes_through_the_fields(void **state)
{
    (void)state;
    command("sheet set K");
    driver_key(driver, KEY_ENTER, 0, 0);
    driver_key(driver, KEY_TAB, 0, 0);
    driver_type(driver, "1 1 1");
    assert_true(sees("V is 3 × 2, expected 1 row"));
    driver_key(driver, KEY_TAB, 0, 0);
    driver_key(driver, KEY_CHAR, 'a', MOD_CTRL);
    driver_type(driver, "7");
    assert_false(sees("expected 1 row"));
    assert_true(sees("7.000"));
}

static void choices_change_the_formula(void **state)
{
    (void)state;
    command("sheet score dot");
    assert_true(sees("e = q·k"));
    assert_true(sees("2.000"));
    command("sheet score additive");
    assert_true(sees("e = Σ tanh(q + k)"));
    command("sheet score cosine");
    assert_true(sees("e = q·k / (‖q‖ ‖k‖)"));
    command("tau 0");
    assert_int_equal(driver_count(driver, "0.000"), 8); // of α 4, in the row 2, e 1, c 1
    command("tau inf");
    assert_true(driver_count(driver, "0.333") >= 6);
    command("sheet normalise on");
    assert_false(driver_command(driver, "sheet score general"));
    assert_false(driver_command(driver, "sheet mask some"));
    assert_false(driver_command(driver, "sheet set X 1"));
}

static void a_mask_is_seen_as_one(void **state)
{
    (void)state;
    command("sheet mask causal");
    assert_int_equal(driver_count(driver, "×"), 1 + 3 + 3); // the cross; α; scores
    assert_true(sees("empty or ×: masked"));
    command("sheet set mask 0 0 0; 1 1 1");
    command("sheet mask given");
    assert_true(sees("empty or ×: masked"));
    assert_true(sees("Every key of this row is masked"));
    assert_false(sees("nan"));
}

static void sheets_are_gone_through_by_key(void **state)
{
    (void)state;
    for (int i = 2; i <= 9; i++) {
        char place[16];
        driver_key(driver, KEY_F12, 0, 0);
        snprintf(place, sizeof place, "%d / 9", i);
        assert_true(sees(place));
        assert_false(sees("nan"));
    }
    assert_true(sees("∞/∞"));
    driver_key(driver, KEY_F12, 0, MOD_SHIFT);
    driver_key(driver, KEY_F12, 0, MOD_SHIFT);
    assert_true(sees("A shuffled memory"));
    assert_true(sees("the same"));
    driver_key(driver, KEY_F12, 0, 0);
    assert_true(sees("differs by"));
    command("sheet 6");
    assert_true(sees("variance of the scores"));
    command("sheet soft-lookup");
    assert_true(sees("output at τ = 0"));
    // A remote goes through the rows, and on to the next sheet.
    command("sheet 1");
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(sees("How “q₂” reads"));
    driver_key(driver, KEY_PAGE_DOWN, 0, 0);
    assert_true(sees("2 / 9"));
}

// Each makes another result in the middle of a frame.
static void what_is_clicked_is_drawn_at_once(void **state)
{
    (void)state;
    click_text("hard");
    assert_true(sees("output at τ = 0"));
    click_text("causal");
    assert_true(sees("empty or ×: masked"));
    click_text("additive");
    assert_true(sees("e = Σ tanh(q + k)"));
    click_text("0.500"); // of q₂
    assert_true(sees("How “q₂” reads"));
    click_text("▶");
    assert_true(sees("2 / 9"));
    click_text("names");
    assert_true(sees("one a line"));
    for (int i = 0; i < 5; i++)
        click_text("▶");
    assert_true(sees("7 / 9"));
    click_text("×");
    assert_true(sees("Date → ISO"));
}

static void keys_of_the_window_do_nothing_here(void **state)
{
    (void)state;
    uint64_t before = driver_hash(driver);
    driver_key(driver, KEY_CHAR, 'p', MOD_ALT); // would pin a row
    driver_key(driver, KEY_CHAR, 'i', MOD_ALT);
    driver_key(driver, KEY_F7, 0, 0);
    driver_frame(driver);
    assert_true(driver_hash(driver) == before);
}

static void the_microscope_goes_through_the_steps(void **state)
{
    (void)state;
    command("sheet three-keys-causal");
    driver_key(driver, KEY_CHAR, 'm', MOD_CTRL);
    driver_key(driver, KEY_DOWN, 0, MOD_ALT);
    assert_true(sees("2 of 3 may not be read"));
    for (int i = 0; i < 6; i++)
        driver_key(driver, KEY_DOWN, 0, MOD_ALT);
    assert_true(sees("output"));
    driver_key(driver, KEY_DOWN, 0, MOD_ALT);
    assert_true(sees("soft lookup: every value answers"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_true(sees("scores e"));
}

static void a_sheet_is_saved_and_opened_again(void **state)
{
    (void)state;
    char path[64], line[80];
    snprintf(path, sizeof path, "/tmp/alphascope-sheet-%d.json", (int)getpid());
    command("sheet set Q 5 0 1");
    command("sheet set queries mine; another");
    snprintf(line, sizeof line, "save %s", path);
    command(line);
    assert_true(file_exists(path));
    command("sheet 9");
    driver_drop(driver, path);
    assert_true(sees("Two queries, three keys"));
    assert_true(sees("own"));
    assert_true(sees("mine"));
    assert_false(sees("another")); // there is one query
    assert_true(sees("3.464"));    // 6 / √3
    command("sheet set Q x");
    assert_false(driver_command(driver, line)); // unfinished
    assert_false(driver_command(driver, "save /tmp/x.tsv"));
    assert_false(driver_command(driver, "sheet /nowhere/at/all.json"));
    assert_true(sees("mine"));
    unlink(path);
}

#define PAGE_CASE(name) cmocka_unit_test_setup_teardown(name, open_page, close_driver)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE_CASE(the_page_opens_and_closes_by_key),
        PAGE_CASE(typing_changes_the_result_at_every_key),
        PAGE_CASE(what_is_unfinished_leaves_the_last_result),
        PAGE_CASE(a_pasted_matrix_is_understood),
        PAGE_CASE(what_is_too_large_is_said),
        PAGE_CASE(a_name_of_several_words_is_one),
        PAGE_CASE(numbers_shrink_before_they_go),
        PAGE_CASE(tab_goes_through_the_fields),
        PAGE_CASE(choices_change_the_formula),
        PAGE_CASE(a_mask_is_seen_as_one),
        PAGE_CASE(sheets_are_gone_through_by_key),
        PAGE_CASE(what_is_clicked_is_drawn_at_once),
        PAGE_CASE(keys_of_the_window_do_nothing_here),
        PAGE_CASE(the_microscope_goes_through_the_steps),
        PAGE_CASE(a_sheet_is_saved_and_opened_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
