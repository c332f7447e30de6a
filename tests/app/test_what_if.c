// SPDX-License-Identifier: MIT
// What if, in the window: by command, key, pointer and field; what is marked, listed and
// said; what is refused; what a session keeps.
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
#include "case.h"

static int open_cat(void **state)
{
    (void)state;
    driver = driver_ready("en-fr-bahdanau", "The black cat sleeps.");
    return driver ? 0 : -1;
}

static void edits_are_marked_listed_undone_and_redone(void **state)
{
    (void)state;
    uint64_t plain = driver_hash(driver);
    command("what-if cell 2 1 0.9");
    uint64_t edited = driver_hash(driver);
    expect("row 2, “The” = 0.90");
    expect("1 edit");
    expect("● edited");
    command("what-if mute 3");
    expect("“cat” muted");
    expect("2 edits");
    press(KEY_CHAR, 'z', MOD_ALT);
    assert_true(driver_sees(driver, "1 edit"));
    press(KEY_CHAR, 'y', MOD_ALT);
    expect("“cat” muted");
    command("what-if list");
    expect("2  “cat” muted");
    command("microscope open"); // another page: the list is of the matrix
    expect_not("2  “cat” muted");
    press(KEY_ESCAPE, 0, 0);
    expect("2  “cat” muted");
    command("what-if keep 1");
    command("what-if list off");
    press(KEY_CHAR, 'c', MOD_ALT);
    expect_not("● edited");
    expect("0 edits");
    refuse("what-if undo", "there is no edit to undo");
    press(KEY_CHAR, 'z', MOD_ALT | MOD_SHIFT);
    expect("row 2, “The” = 0.90");
    command("what-if redo");
    refuse("what-if redo", "there is no edit to redo");
    command("what-if undo");
    assert_true(plain != edited);
}

static void before_and_after_are_a_key_apart(void **state)
{
    (void)state;
    command("what-if word 2 2");
    expect("● changed by the edits");
    uint64_t after = driver_hash(driver);
    press(KEY_CHAR, 'b', MOD_ALT);
    expect("before the edits:");
    expect_not("● edited");
    expect("chat");
    press(KEY_CHAR, 'b', MOD_ALT);
    assert_true(driver_hash(driver) == after);
}

// At another τ inside the loop the words are compared with those of that τ.
static void marks_are_against_the_same_temperature(void **state)
{
    (void)state;
    command("mode re-decode");
    command("tau 10");
    expect("● changed from τ = 1");
    command("what-if boost 2 1.01"); // next to nothing
    expect("● edited");
    expect_not("● changed");
    command("what-if clear");
    expect("● changed from τ = 1");
}

static void edits_rest_while_another_sentence_is_typed(void **state)
{
    (void)state;
    command("what-if mute 3");
    command("set-text The black cat sleeps. No");
    expect_not("“cat” muted");
    expect_not("● edited");
    command("set-text The black cat sleeps.");
    expect("“cat” muted");
    expect("● edited");
    command("model en-fr-luong-dot");
    expect_not("● edited");
    command("what-if mute 2"); // of this model: the others are forgotten
    expect("1 edit");
    command("model en-fr-bahdanau");
    expect_not("● edited");
}

// The first text that is this and no more.
static struct rect place_of(const char *label)
{
    const struct draw_list *list = app_list(driver->app);
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind == DRAW_TEXT && cmd->length == strlen(label) &&
            !memcmp(list->bytes + cmd->offset, label, cmd->length))
            return cmd->rect;
    }
    fail_msg("'%s' is not to be seen", label);
    return (struct rect){0};
}

static void a_cell_is_dragged(void **state)
{
    (void)state;
    command("what-if cell 3 4 0.25"); // an edit of its own, before
    command("select none");
    float x = place_of("black").x + 2, y = place_of("chat").y - 4;
    driver->input.mods = MOD_ALT;
    driver_move(driver, x, y);
    driver->input.down = driver->input.pressed = true;
    driver_frame(driver);
    for (int i = 1; i <= 30; i++) { // up, in steps, faster than the engine may be
        driver->input.down = true;
        driver->input.y = y - (float)i * 2;
        driver_frame(driver);
    }
    assert_true(driver_sees(driver, "α = 0."));
    driver->input.down = false;
    driver->input.released = true;
    driver_frame(driver);
    driver->input.mods = 0;
    assert_true(driver_settle(driver));
    expect("2 edits"); // the whole drag is one
    expect("row 2, “black” = 0.");
    command("what-if undo");
    expect("row 3, ");
    // Without Alt and outside of the mode a drag edits nothing.
    driver_move(driver, x, y);
    driver->input.down = driver->input.pressed = true;
    driver_frame(driver);
    driver->input.down = true;
    driver->input.y = y - 50;
    driver_frame(driver);
    driver->input.down = false;
    driver->input.released = true;
    driver_frame(driver);
    assert_true(driver_settle(driver));
    expect("1 edit");
}

static void keys_edit_what_is_selected(void **state)
{
    (void)state;
    command("select none");
    refuse("what-if cell here 2 +0.1", "no row is selected");
    command("select 2");
    refuse("what-if mute here", "no column is selected");
    command("column 2");
    press(KEY_UP, 0, MOD_CTRL | MOD_SHIFT);
    expect("row 2, “black” = 0.");
    press(KEY_CHAR, 'm', MOD_ALT);
    expect("“black” muted");
    press(KEY_CHAR, 'm', MOD_ALT);
    expect("“black” × 1");
    press(KEY_CHAR, 'u', MOD_ALT);
    expect("“black” × 2");
    press(KEY_CHAR, 'p', MOD_ALT);
    expect("row 2 pinned");
    press(KEY_CHAR, 'p', MOD_ALT);
    expect("row 2 not pinned");
    press(KEY_CHAR, 'h', MOD_ALT | MOD_SHIFT);
    expect("all rows hard");
    press(KEY_CHAR, 's', MOD_ALT);
    expect("memory shuffled, order 1");
    press(KEY_CHAR, 's', MOD_ALT | MOD_SHIFT);
    expect("words shuffled, order 2");
    press(KEY_CHAR, '2', MOD_ALT | MOD_SHIFT);
    expect("row 2 says “");
}

// Another next word of a row that the model did not choose, and that stands nowhere else.
static const char *other_word(int row)
{
    const struct alignment *now = driver->app->show.now;
    const struct candidate *top = now->top + (size_t)(row - 1) * ALIGNMENT_TOP;
    for (int k = 1; k < ALIGNMENT_TOP && top[k].text; k++)
        if (top[k].id != now->target[row - 1].id &&
            driver_count(driver, top[k].text) == 1)
            return top[k].text;
    fail_msg("row %d has no other next word", row);
    return NULL;
}

static void another_next_word_is_clicked(void **state)
{
    (void)state;
    char says[100];
    driver->input.width = 1440; // room for the microscope
    driver->input.height = 900;
    command("set-text I would like a cup of coffee, please.");
    command("select 4");
    const char *word = other_word(4);
    struct rect second = place_of(word);
    snprintf(says, sizeof says, "row 4 says “%s”", word);
    driver_click(driver, second.x + 4, second.y - 4);
    assert_true(driver_settle(driver));
    expect(says);
    expect("● changed by the edits");
    driver_click(driver, second.x + 4, second.y + 200); // nothing there
    assert_true(driver_settle(driver));
    expect("1 edit");
}

static void a_beginning_is_typed_and_the_rest_follows(void **state)
{
    (void)state;
    press(KEY_CHAR, 't', MOD_ALT);
    driver_type(driver, "Mon chien");
    assert_true(driver_settle(driver));
    expect("Mon");
    expect("chien");
    assert_true(driver_count(driver, "The") >= 1); // the sentence is as it was
    press(KEY_ENTER, 0, 0);
    expect("begins with “Mon chien”");
    expect("1 edit");         // however many keys it took
    driver_type(driver, "!"); // into the sentence again
    assert_true(driver_settle(driver));
    expect_not("begins with");
}

static void a_word_that_the_vocabulary_lacks_is_told_in_pieces(void **state)
{
    (void)state;
    command("what-if word 2 \"chien\"");
    assert_string_equal(app_banner(driver->app), "");
    command("what-if word 2 \"Xylophoniste\"");
    assert_non_null(strstr(app_banner(driver->app),
                           "the vocabulary lacks “Xylophoniste”: it is said as"));
    assert_non_null(strstr(app_banner(driver->app), " · "));
    command("what-if word 2 \"☃\"");
    assert_non_null(strstr(app_banner(driver->app), "the vocabulary lacks “☃”"));
    command("dismiss");
    command("what-if prefix Mon chien"); // several words, none of them unknown
    assert_string_equal(app_banner(driver->app), "");
    command("what-if prefix Mon ☃");
    assert_non_null(strstr(app_banner(driver->app), "the vocabulary lacks “Mon ☃”"));
    refuse("what-if word 2 \"\"", "no word was given");
}

static void what_cannot_be_edited_is_said(void **state)
{
    (void)state;
    refuse("what-if", "expected one of cell, pin");
    refuse("what-if cell 99 1 0.5", "there is no row 99");
    refuse("what-if cell 1 99 0.5", "there is no column 99");
    refuse("what-if cell 1 1 2", "expected a number from 0 to 1");
    refuse("what-if cell 1 1 nan", "expected a number from 0 to 1");
    refuse("what-if word 99 1", "there is no row 99");
    refuse("what-if pin 1 0.5", "a pinned row has 1 numbers");
    refuse("what-if list maybe", "expected on, off or toggle");
    refuse("what-if toggle nothing", "expected pin, hard");
    command("select none");
    refuse("what-if toggle pin", "choose a row first");
    refuse("what-if toggle mute", "choose a column first");
    int n = driver->app->show.now->n_src;
    char line[40], all[60];
    for (int s = 1; s < n; s++) {
        snprintf(line, sizeof line, "what-if mute %d", s);
        command(line);
    }
    snprintf(line, sizeof line, "what-if mute %d", n);
    snprintf(all, sizeof all, "all %d columns would be muted", n);
    refuse(line, all);
}

static void rows_of_which_nothing_is_left_are_said(void **state)
{
    (void)state;
    command("mode re-decode");
    command("tau 0"); // every row has one α
    for (int s = 1; s <= 5; s++) {
        char line[40];
        snprintf(line, sizeof line, "what-if mute %d", s);
        command(line);
    }
    expect("nothing left in ");
    expect("spread evenly:");
    command("tau inf");
    expect_not("spread evenly:");
    expect("● edited");
}

static void an_edit_that_the_matrix_has_lost_is_said(void **state)
{
    (void)state;
    char line[40];
    int last = alignment_rows(driver->app->show.now);
    assert_true(last > 2);
    snprintf(line, sizeof line, "what-if cell %d 2 0.5", last);
    command(line);
    command("what-if prefix Non");
    command("what-if word 2 id 2"); // the end
    expect("1 outside the matrix:");
}

static void no_rows_one_token_and_no_attention(void **state)
{
    (void)state;
    command("set-text");
    refuse("what-if cell 1 1 0.5", "there is nothing to edit");
    refuse("what-if mute 1", "there is nothing to edit");
    refuse("what-if prefix Le", "there is nothing to edit");
    refuse("what-if word 1 1", "there is no row 1");
    command("set-text I");
    command("what-if cell 1 1 0");
    command("what-if mute 1");
    refuse("what-if mute 2", "all 2 columns would be muted");
    expect("“I” muted");
    command("model en-fr-rnnencdec");
    refuse("what-if mute 1", "this model has no attention");
    refuse("what-if cell 1 1 0.5", "this model has no attention");
    refuse("what-if shuffle 3", "this model has no attention");
    command("what-if prefix Oui");
    expect("Oui");
    expect("begins with “Oui”");
    command("what-if word 1 2");
    expect("2 edits");
}

static void a_lens_shows_the_marks_and_says_what_it_cannot_edit(void **state)
{
    (void)state;
    command("view merge sum");
    command("select 2");
    command("column 4"); // "sleeps." is several tokens, the last before the end
    press(KEY_CHAR, 'm', MOD_ALT);
    char edits[20];
    assert_true(driver->app->show.now->n_src - 4 > 1);
    snprintf(edits, sizeof edits, "%d edits", driver->app->show.now->n_src - 4);
    expect(edits);
    command("view transpose on");
    expect("● edited");
    command("view reset");
    expect("“.” muted");
}

static void drag_up(float x, float y)
{
    driver->input.mods = MOD_ALT;
    driver_move(driver, x, y);
    driver->input.down = driver->input.pressed = true;
    driver_frame(driver);
    driver->input.y = y - 40;
    driver_frame(driver);
    driver->input.down = false;
    driver->input.released = true;
    driver_frame(driver);
    driver->input.mods = 0;
    assert_true(driver_settle(driver));
}

static void beside_another_model_only_ours_is_edited(void **state)
{
    (void)state;
    driver->input.width = 1440;
    driver->input.height = 900;
    command("beside en-fr-luong-dot");
    command("what-if mute 3");
    expect("“cat” muted");
    assert_int_equal(driver_count(driver, "● edited"), 1);
    float x = place_of("black").x, y = place_of("chat").y - 4;
    drag_up(x + 720, y); // the other one
    expect("1 edit");
    drag_up(x + 2, y);
    expect("2 edits");
}

static void a_session_keeps_the_edits(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "what-if cell 2 1 0.9", "what-if pin 3",    "what-if mute 4",
        "what-if hard on 5",    "what-if word 1 2", "what-if shuffle 4",
    };
    char path[] = "/tmp/alphascope-what-if-XXXXXX.alphascope", save[100], open[100];
    int file = mkstemps(path, 11);
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        command(lines[i]);
    command("select last");
    uint64_t saved = driver_hash(driver);
    snprintf(save, sizeof save, "save %s", path);
    snprintf(open, sizeof open, "open %s", path);
    command(save);
    command("dismiss");
    command("what-if clear");
    command("what-if mute 1");
    command("set-text Something else.");
    command(open);
    expect("6 edits");
    assert_true(driver_hash(driver) == saved);
    unlink(path);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_cat, close_driver)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(edits_are_marked_listed_undone_and_redone),
        CASE(before_and_after_are_a_key_apart),
        CASE(marks_are_against_the_same_temperature),
        CASE(edits_rest_while_another_sentence_is_typed),
        CASE(a_cell_is_dragged),
        CASE(keys_edit_what_is_selected),
        CASE(another_next_word_is_clicked),
        CASE(a_beginning_is_typed_and_the_rest_follows),
        CASE(a_word_that_the_vocabulary_lacks_is_told_in_pieces),
        CASE(what_cannot_be_edited_is_said),
        CASE(rows_of_which_nothing_is_left_are_said),
        CASE(an_edit_that_the_matrix_has_lost_is_said),
        CASE(no_rows_one_token_and_no_attention),
        CASE(a_lens_shows_the_marks_and_says_what_it_cannot_edit),
        CASE(beside_another_model_only_ours_is_edited),
        CASE(a_session_keeps_the_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
