// SPDX-License-Identifier: MIT
// ui/textedit: editing, moving, selecting, undo; and long random runs beside the plain
// model of tests/fuzz/fuzz_textedit.c, which aborts where the two differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "ui/textedit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ACUTE "\xcc\x81"
#define WOMAN "\xf0\x9f\x91\xa9"
#define SCIENTIST WOMAN "\xe2\x80\x8d\xf0\x9f\x94\xac"
#define FLAG "\xf0\x9f\x87\xab\xf0\x9f\x87\xb7"

static struct textedit *edit;

static int set_up(void **state)
{
    (void)state;
    edit = textedit_create();
    return edit == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    textedit_destroy(edit);
    return 0;
}

static void set(const char *text)
{
    textedit_set(edit, text, strlen(text));
}

static void type(const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0, next; at < length; at = next) {
        next = utf8_next(text, length, at);
        textedit_insert(edit, text + at, next - at);
    }
}

static bool key(enum key which, unsigned mods)
{
    return textedit_key(edit, (struct key_event){.key = which, .mods = mods});
}

static bool ctrl(char ch, unsigned more)
{
    return textedit_key(
        edit, (struct key_event){.key = KEY_CHAR, .ch = ch, .mods = MOD_CTRL | more});
}

static void check(const char *text, size_t anchor, size_t caret)
{
    assert_string_equal(textedit_text(edit), text);
    assert_int_equal(textedit_length(edit), strlen(text));
    assert_int_equal(textedit_anchor(edit), anchor);
    assert_int_equal(textedit_caret(edit), caret);
}

static void a_new_one_is_empty(void **state)
{
    (void)state;
    check("", 0, 0);
    assert_false(textedit_undo(edit));
    assert_false(textedit_redo(edit));
    textedit_select_word(edit, 0);
    textedit_select_all(edit);
    check("", 0, 0);
    textedit_destroy(NULL);
}

static void inserts_are_cleaned(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *text;
        int replaced;
    } cases[] = {
        {"plain", 5, "plain", 0},
        {"a\nb\tc\0d", 7, "a b c d", 0},
        {"a\r\nb", 4, "a b", 0},
        {"x\xff\xfey", 4, "x\xef\xbf\xbd\xef\xbf\xbdy", 2},
        {"\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3},
        {"\xef\xbb\xbfhi", 5, "hi", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        set("");
        textedit_insert(edit, cases[i].bytes, cases[i].length);
        assert_string_equal(textedit_text(edit), cases[i].text);
        assert_int_equal(textedit_replaced(edit), cases[i].replaced);
        assert_int_equal(textedit_cut(edit), 0);
    }
    textedit_insert(edit, "x", 1);
    assert_int_equal(textedit_replaced(edit), 0);
}

static void arrows_step_over_whole_clusters(void **state)
{
    (void)state;
    static const char text[] = "ae" ACUTE SCIENTIST FLAG "z";
    static const size_t stops[] = {0, 1, 4, 15, 23, 24};
    set(text);
    for (size_t i = sizeof(stops) / sizeof(stops[0]); i-- > 0;) {
        check(text, stops[i], stops[i]);
        assert_true(key(KEY_LEFT, 0));
    }
    for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
        check(text, stops[i], stops[i]);
        assert_true(key(KEY_RIGHT, 0));
    }
    for (size_t at = 0; at <= 24; at++) {
        textedit_select(edit, at, at);
        size_t caret = textedit_caret(edit), stop = 0;
        for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
            stop = stops[i] <= at ? stops[i] : stop;
        assert_int_equal(caret, stop);
    }
    textedit_select(edit, 9999, 2);
    check(text, 24, 1);
}

static void moves_extend_and_collapse(void **state)
{
    (void)state;
    set("one two");
    key(KEY_LEFT, MOD_SHIFT);
    key(KEY_LEFT, MOD_SHIFT);
    check("one two", 7, 5);
    key(KEY_LEFT, 0); // over a selection: to its near end
    check("one two", 5, 5);
    key(KEY_HOME, MOD_SHIFT);
    check("one two", 5, 0);
    key(KEY_RIGHT, 0);
    check("one two", 5, 5);
    key(KEY_LEFT, MOD_CTRL);
    check("one two", 4, 4);
    key(KEY_LEFT, MOD_CTRL | MOD_SHIFT);
    check("one two", 4, 0);
    key(KEY_END, 0);
    check("one two", 7, 7);
    key(KEY_HOME, MOD_CTRL);
    key(KEY_RIGHT, MOD_CTRL);
    check("one two", 3, 3);
    assert_true(ctrl('a', 0));
    check("one two", 0, 7);
}

static void keys_without_a_meaning_are_passed_on(void **state)
{
    (void)state;
    static const enum key others[] = {KEY_UP,  KEY_DOWN,   KEY_PAGE_UP, KEY_PAGE_DOWN,
                                      KEY_TAB, KEY_ESCAPE, KEY_ENTER,   KEY_F1,
                                      KEY_F12, KEY_INSERT, KEY_SPACE};
    set("text");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(key(others[i], 0));
    assert_false(ctrl('+', 0));
    assert_false(ctrl('s', 0));
    assert_false(key(KEY_LEFT, MOD_ALT));
    assert_false(
        textedit_key(edit, (struct key_event){.key = KEY_CHAR, .ch = 'a', .mods = 0}));
    check("text", 4, 4);
}

static void erasing_takes_clusters_words_and_selections(void **state)
{
    (void)state;
    set("one two e" ACUTE);
    key(KEY_BACKSPACE, 0);
    check("one two ", 8, 8);
    key(KEY_BACKSPACE, MOD_CTRL);
    check("one ", 4, 4);
    key(KEY_HOME, 0);
    key(KEY_DELETE, 0);
    check("ne ", 0, 0);
    key(KEY_DELETE, MOD_CTRL);
    check(" ", 0, 0);
    set("abcdef");
    textedit_select(edit, 4, 2);
    key(KEY_BACKSPACE, MOD_CTRL);
    check("abef", 2, 2);
    textedit_select(edit, 1, 3);
    key(KEY_DELETE, 0);
    check("af", 1, 1);
    textedit_select(edit, 0, 1);
    type("x");
    check("xf", 1, 1);
    key(KEY_END, 0);
    key(KEY_DELETE, 0);
    check("xf", 2, 2);
}

static void an_edit_that_joins_clusters_moves_the_caret_past_them(void **state)
{
    (void)state;
    type("e");
    type(ACUTE);
    check("e" ACUTE, 3, 3);
    set(ACUTE "x"); // a lone mark
    key(KEY_HOME, 0);
    type("e");
    check("e" ACUTE "x", 3, 3);
    set("a-" ACUTE);
    textedit_select(edit, 1, 1);
    set("a");
    type("b" ACUTE "c");
    textedit_select(edit, 1, 1);
    key(KEY_DELETE, 0);
    check("ac", 1, 1);
    set(WOMAN "x\xf0\x9f\x94\xac");
    textedit_select(edit, 4, 5);
    textedit_insert(edit, "\xe2\x80\x8d", 3); // a joiner makes one picture of two
    check(SCIENTIST, 11, 11);
}

static void words_are_selected_where_they_are(void **state)
{
    (void)state;
    static const struct {
        size_t at, begin, end;
    } cases[] = {{0, 0, 3}, {2, 0, 3}, {3, 3, 5}, {4, 3, 5}, {5, 5, 8},
                 {7, 5, 8}, {8, 8, 9}, {9, 8, 9}, {99, 8, 9}};
    set("one  two,");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        textedit_select_word(edit, cases[i].at);
        check("one  two,", cases[i].begin, cases[i].end);
    }
}

static void undo_goes_word_by_word(void **state)
{
    (void)state;
    type("the black cat");
    assert_true(textedit_undo(edit));
    check("the black", 9, 9);
    assert_true(textedit_undo(edit));
    check("the", 3, 3);
    assert_true(textedit_undo(edit));
    check("", 0, 0);
    assert_false(textedit_undo(edit));
    assert_true(ctrl('y', 0));
    assert_true(ctrl('z', MOD_SHIFT));
    assert_true(ctrl('y', 0));
    check("the black cat", 13, 13);
    assert_false(textedit_redo(edit));
    assert_true(ctrl('z', 0));
    check("the black", 9, 9);
    type("!");
    assert_false(textedit_redo(edit)); // a new edit ends the redo
    assert_true(textedit_undo(edit));
    check("the black", 9, 9);
}

static void a_move_or_a_pause_starts_a_new_step(void **state)
{
    (void)state;
    textedit_clock(edit, 10000);
    type("ab");
    key(KEY_LEFT, 0);
    type("cd");
    textedit_undo(edit);
    check("ab", 1, 1);
    type("ef");
    textedit_clock(edit, 10900);
    type("g");
    textedit_clock(edit, 12000);
    type("h");
    check("aefghb", 5, 5);
    textedit_undo(edit);
    check("aefgb", 4, 4);
    textedit_undo(edit);
    check("ab", 1, 1);
}

static void erasing_is_undone_in_runs(void **state)
{
    (void)state;
    set("abcdef");
    for (int i = 0; i < 3; i++)
        key(KEY_BACKSPACE, 0);
    key(KEY_HOME, 0);
    for (int i = 0; i < 2; i++)
        key(KEY_DELETE, 0);
    check("c", 0, 0);
    textedit_undo(edit);
    check("abc", 0, 0);
    textedit_undo(edit);
    check("abcdef", 6, 6);
    textedit_undo(edit);
    check("", 0, 0);
}

static void undo_brings_the_selection_back(void **state)
{
    (void)state;
    set("keep this");
    textedit_select(edit, 5, 9);
    textedit_insert(edit, "that one", 8);
    check("keep that one", 13, 13);
    textedit_undo(edit);
    check("keep this", 5, 9);
    textedit_redo(edit);
    check("keep that one", 13, 13);
}

static void a_set_is_one_step_and_the_same_text_none(void **state)
{
    (void)state;
    set("first");
    set("second");
    uint64_t before = textedit_revision(edit);
    set("second");
    assert_true(textedit_revision(edit) == before);
    textedit_undo(edit);
    assert_string_equal(textedit_text(edit), "first");
    assert_true(textedit_revision(edit) != before);
}

static void undo_forgets_only_the_oldest(void **state)
{
    (void)state;
    for (int i = 0; i < TEXTEDIT_UNDO + 50; i++)
        textedit_insert(edit, "xy", 2);
    int steps = 0;
    while (textedit_undo(edit))
        steps++;
    assert_int_equal(steps, TEXTEDIT_UNDO);
    assert_int_equal(textedit_length(edit), 100);
    while (textedit_redo(edit))
        steps--;
    assert_int_equal(steps, 0);
    assert_int_equal(textedit_length(edit), 2 * (TEXTEDIT_UNDO + 50));
}

static void too_much_is_cut_and_said(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    char *text = malloc(2 * COUNT);
    assert_non_null(text);
    for (int i = 0; i < COUNT; i++)
        memcpy(text + 2 * i, "\xc3\xa9", 2);
    type("abc");
    textedit_insert(edit, text, 2 * COUNT);
    // 4093 bytes are left: 2046 characters.
    assert_int_equal(textedit_length(edit), 3 + 2 * 2046);
    assert_int_equal(textedit_cut(edit), 2 * (COUNT - 2046));
    assert_true(utf8_valid(textedit_text(edit), textedit_length(edit)));
    textedit_insert(edit, "\xc3\xa9", 2);
    assert_int_equal(textedit_cut(edit), 2);
    textedit_insert(edit, "z", 1);
    assert_int_equal(textedit_cut(edit), 0);
    assert_int_equal(textedit_length(edit), TEXTEDIT_MAX_BYTES);
    textedit_insert(edit, "z", 1);
    assert_int_equal(textedit_cut(edit), 1);
    textedit_undo(edit);
    textedit_undo(edit);
    check("abc", 3, 3);
    textedit_set(edit, text, 2 * COUNT);
    assert_int_equal(textedit_length(edit), TEXTEDIT_MAX_BYTES);
    assert_int_equal(textedit_cut(edit), 2 * COUNT - TEXTEDIT_MAX_BYTES);
    textedit_select_all(edit);
    textedit_insert(edit, "short", 5); // the selection's room is free again
    check("short", 5, 5);
    free(text);
}

static void the_cut_falls_between_clusters(void **state)
{
    (void)state;
    char text[TEXTEDIT_MAX_BYTES + 10];
    memset(text, 'x', TEXTEDIT_MAX_BYTES - 1);
    memcpy(text + TEXTEDIT_MAX_BYTES - 1, "e" ACUTE "!", 4);
    textedit_set(edit, text, TEXTEDIT_MAX_BYTES + 3);
    assert_int_equal(textedit_length(edit), TEXTEDIT_MAX_BYTES - 1);
    assert_int_equal(textedit_cut(edit), 4);
}

static void random_edits_match_the_plain_model(void **state)
{
    (void)state;
    uint8_t bytes[2000];
    uint32_t seed = 20140901;
    for (int round = 0; round < 100; round++) {
        size_t length = (size_t)(round * 12);
        for (size_t i = 0; i < length; i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = (uint8_t)(seed >> 24);
        }
        assert_int_equal(LLVMFuzzerTestOneInput(bytes, length), 0);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_new_one_is_empty),
        CASE(inserts_are_cleaned),
        CASE(arrows_step_over_whole_clusters),
        CASE(moves_extend_and_collapse),
        CASE(keys_without_a_meaning_are_passed_on),
        CASE(erasing_takes_clusters_words_and_selections),
        CASE(an_edit_that_joins_clusters_moves_the_caret_past_them),
        CASE(words_are_selected_where_they_are),
        CASE(undo_goes_word_by_word),
        CASE(a_move_or_a_pause_starts_a_new_step),
        CASE(erasing_is_undone_in_runs),
        CASE(undo_brings_the_selection_back),
        CASE(a_set_is_one_step_and_the_same_text_none),
        CASE(undo_forgets_only_the_oldest),
        CASE(too_much_is_cut_and_said),
        CASE(the_cut_falls_between_clusters),
        CASE(random_edits_match_the_plain_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
