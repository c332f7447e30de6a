// SPDX-License-Identifier: MIT
// Sessions that are saved while the page of the equation is on the screen: what comes
// back, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/state.h"
#include "files.h"

#define HEAD                                                                             \
    "{\"format\": \"alphascope-session\", \"version\": 1, \"text\": \"A dog.\", "        \
    "\"model\": {\"id\": \"en-fr-luong-dot\"}"

static bool holds(const char *line)
{
    command("save a.alphascope");
    bool found = strstr(get("a.alphascope"), line) != NULL;
    unlink("a.alphascope");
    return found;
}

static void a_sheet_of_ours_comes_back_by_its_name(void **state)
{
    (void)state;
    assert_false(holds("equation"));
    command("equation on");
    assert_true(holds("\"sheet three-keys\""));
    comes_back();
    command("sheet soft-lookup");
    command("microscope steps");
    command("select none");
    command("sheet group 3");
    comes_back();
    expect("soft lookup");
    assert_false(holds("sheet type"));
    command("sheet scaling");
    comes_back();
    command("equation off"); // nothing of it is on the screen
    assert_false(holds("sheet"));
    comes_back();
}

static void what_was_typed_and_chosen_comes_back(void **state)
{
    (void)state;
    command("sheet three-keys");
    command("sheet set Q 5 0 1");
    command("sheet set queries mine; another");
    command("sheet mask causal");
    comes_back();
    expect("edited");
    expect("2.887"); // 5 / √3
    command("sheet score additive");
    command("sheet normalise on");
    command("sheet beside hard");
    command("tau 0.1");
    comes_back();
    expect("0.1");
    command("tau inf");
    command("dismiss");
    driver_key(driver, KEY_ENTER, 0, 0);
    driver_type(driver, "[[1 2 3],\n[4, 5 6]]\n");
    driver_key(driver, KEY_ESCAPE, 0, 0);
    comes_back();
    expect("[4, 5 6]]");
}

// The picture is of the last whole sheet, and the field is as it was typed.
static void what_is_unfinished_comes_back(void **state)
{
    (void)state;
    command("sheet three-keys");
    command("sheet set Q 1 0 -");
    comes_back();
    expect("Q: row 1, column 3: '-' is not a number");
    expect("0.471");
    command("sheet mask causal"); // not yet seen
    comes_back();
    expect("0.471");
    command("sheet mask none");
    command("sheet set V 7; 8; 9");
    command("sheet set Q 2 0 2");
    command("sheet set Q");
    comes_back();
    expect("Q is empty");
    expect("2.309"); // 4 / √3
}

// What is cleared or typed by a line is as if a person did it, without "sheet done".
static void what_is_cleared_comes_back_cleared(void **state)
{
    (void)state;
    command("sheet three-keys");
    command("sheet clear");
    expect("Q is empty");
    expect("0.471"); // of the last whole sheet
    comes_back();
    expect("Q is empty");
    expect("0.471");
    command("sheet type Q 2 0 0");
    expect_not("Q is empty");
    comes_back();
    expect("2 0 0");
    expect("2.309"); // 4 / √3: keys are the queries
    command("sheet type K 1 -");
    comes_back();
    expect("K: row 1, column 2: '-' is not a number");
    command("sheet new mine");
    command("sheet clear");
    comes_back();
    expect("Q is empty");
}

static void a_sheet_of_ones_own_comes_back(void **state)
{
    (void)state;
    put("mine.json", "{\"format\": \"alphascope-sheet\", \"version\": 1, \"note\": "
                     "\"Row 1 reads itself\", \"Q\": [[3, 0], [0, 1]], \"tau\": 2}");
    command("sheet mine.json");
    unlink("mine.json");
    comes_back();
    expect("mine.json");
    expect("Row 1 reads itself");
    expect_not("edited");
    command("sheet set K 1 -");
    comes_back();
    command("sheet set K 1 2");
    comes_back();
    expect("mine.json · edited");
    command("sheet new");
    char title[13 + ATTEND_TITLE_BYTES];
    snprintf(title, sizeof title, "sheet title %0*d", ATTEND_TITLE_BYTES, 0);
    refuse(title, "at most 159");
    command("sheet title Mine");
    command("sheet type Q 1 0");
    command("sheet done");
    command("sheet keep");
    comes_back();
    expect("Mine");
    expect_not("edited");
    command("sheet random 1073741824 3 64");
    comes_back();
    expect("edited");
    command("sheet scaling");
    command("sheet random 77 11 13");
    comes_back();
    expect("seed 77");
    command("sheet new");
    refuse("sheet random 1 65 2", "queries from 1 to 64");
    refuse("sheet random 1 2 0", "keys from 1 to 64");
    refuse("sheet random 1073741825 2 2", "expected a seed");
    refuse("sheet random 1 2 2 2", "expected a seed");
    refuse("sheet type Z 1", "found 'Z', expected Q, K, V");
}

// More than a line of a session has room for.
static void a_full_field_comes_back(void **state)
{
    (void)state;
    enum { NAMES = 400 };
    char *line = calloc(1, 60 * NAMES + 32);
    assert_non_null(line);
    size_t length = (size_t)sprintf(line, "sheet set keys ");
    for (int i = 0; i < NAMES; i++)
        length +=
            (size_t)sprintf(line + length, "café %d, with one more crème brûlée\n", i);
    command("sheet three-keys");
    command(line);
    command("sheet group 5");
    comes_back();
    expect("café 2");
    expect("edited");
    snprintf(line, 60 * NAMES, "sheet type Q %08000d", 0);
    for (int i = 0; i < 8; i++)
        command(line);
    refuse(line, "Q of 72011 bytes, expected at most 65536");
    free(line);
}

static void what_is_not_for_a_session_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "sheet /etc/hostname", "sheet sheet.json", "sheet", "sheet next",
        "sheet setQ 1",        "equation on",      "quit",  "theme light",
        "sheets three-keys"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[400], says[100];
        snprintf(text, sizeof text, HEAD ", \"equation\": [\"%s\"]}", lines[i]);
        snprintf(says, sizeof says, "field 'equation' has the line '%s'", lines[i]);
        put("a.alphascope", text);
        refuse("open a.alphascope", says);
    }
    put("a.alphascope", HEAD ", \"view\": [\"sheet three-keys\"]}");
    refuse("open a.alphascope", "field 'view' has the line 'sheet three-keys'");
    unlink("a.alphascope");
}

static void session_of(const char *lines)
{
    char text[400];
    snprintf(text, sizeof text, HEAD ", \"equation\": [%s]}", lines);
    put("a.alphascope", text);
}

// A line that fails after lines that do not: neither the picture nor the page changes.
static void nothing_is_lost_to_a_line_that_fails(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"sheet type ZZ 1", "field 'equation': sheet type: found 'ZZ', expected Q, K, "},
        {"sheet mask some", "sheet mask: found 'some', expected none, causal or given"},
        {"sheet row x", "found 'x', expected a number from 1"},
        {"sheet tau -1", "found '-1', expected 0, a number from"},
        {"sheet group 9", "found '9', expected a number from 1 to 5"},
        {"sheet random 1 65 2", "found '1 65 2', expected a seed"},
    };
    for (size_t i = 0; i < 2 * sizeof lines / sizeof *lines; i++) {
        const char *const *line = lines[i / 2];
        char text[200];
        command(i % 2 ? "equation on" : "equation off");
        snprintf(text, sizeof text, "\"sheet order\", \"%s\", \"sheet row 2\"", line[0]);
        session_of(text);
        refuse("open a.alphascope", line[1]);
        refuse("open a.alphascope", "a.alphascope: field 'equation': ");
        expect(i % 2 ? "Two queries, three keys" : "The black cat sleeps.");
    }
    command("equation off");
    refuse("open a.alphascope", "found '1 65 2'");
    driver_type(driver, "!"); // the sentence still has the keyboard
    assert_true(driver_settle(driver));
    expect("The black cat sleeps.!");
    driver_drop(driver, "a.alphascope");
    assert_true(driver_settle(driver));
    assert_non_null(strstr(app_banner(driver->app), "found '1 65 2'"));
    unlink("a.alphascope");
}

// A session begins on a page of its own, whatever sheet is open.
static void what_a_session_leaves_out_is_not_of_the_sheet_before(void **state)
{
    (void)state;
    session_of("\"sheet type Q 1\"");
    refuse("open a.alphascope", "field 'equation': sheet: no sheet is open");
    command("equation on");
    refuse("open a.alphascope", "field 'equation': sheet: no sheet is open");
    command("sheet view 3");
    session_of("\"sheet three-keys\"");
    command("open a.alphascope");
    assert_int_equal(driver->app->equation.view, 0);
    session_of("\"sheet three-keys\", \"sheet clear\""); // and nothing is done
    command("open a.alphascope");
    expect("Q is empty");
    comes_back();
    session_of("\"sheet new\""); // an empty one has no picture
    begin_again("a.alphascope", NULL);
    expect("Q is empty");
    unlink("a.alphascope");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILES_CASE(a_sheet_of_ours_comes_back_by_its_name),
        FILES_CASE(what_was_typed_and_chosen_comes_back),
        FILES_CASE(what_is_unfinished_comes_back),
        FILES_CASE(what_is_cleared_comes_back_cleared),
        FILES_CASE(a_sheet_of_ones_own_comes_back),
        FILES_CASE(a_full_field_comes_back),
        FILES_CASE(what_is_not_for_a_session_is_refused),
        FILES_CASE(nothing_is_lost_to_a_line_that_fails),
        FILES_CASE(what_a_session_leaves_out_is_not_of_the_sheet_before),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
