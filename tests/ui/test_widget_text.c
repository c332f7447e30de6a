// SPDX-License-Identifier: MIT
// ui/widgets: the text field, by keys, pointer, clipboard and input method.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "scene.h"

#define ACUTE "\xcc\x81"

// ---- text: keys

static void the_field_has_the_focus_by_default(void **state)
{
    (void)state;
    fake_text(s.fake, "h");
    frame();
    assert_true(s.changed);
    check("h", 1, 1);
    frame();
    assert_false(s.changed);
    assert_true(ui_has_focus(s.ui, ui_hash("text")));
    assert_non_null(fake_find(s.fake, DRAW_FRAME, s.fake->style->accent));
    press(700, 500, 1); // nothing there
    release();
    assert_true(ui_has_focus(s.ui, ui_hash("text")));
}

static void text_and_keys_keep_their_order(void **state)
{
    (void)state;
    fake_text(s.fake, "ab");
    fake_key(s.fake, KEY_LEFT, 0);
    fake_text(s.fake, "c");
    fake_key(s.fake, KEY_HOME, 0);
    fake_key(s.fake, KEY_DELETE, 0);
    fake_text(s.fake, "d");
    frame();
    check("dcb", 1, 1);
}

static void what_follows_a_tab_is_not_for_the_field(void **state)
{
    (void)state;
    fake_text(s.fake, "ab");
    fake_key(s.fake, KEY_TAB, 0);
    fake_text(s.fake, "cd");
    frame();
    check("ab", 2, 2);
    assert_true(ui_has_focus(s.ui, ui_hash("mode")));
}

static void the_field_passes_on_what_it_does_not_understand(void **state)
{
    (void)state;
    static const struct {
        enum key key;
        char ch;
        unsigned mods;
        bool passed;
    } cases[] = {
        {KEY_UP, 0, 0, true},
        {KEY_DOWN, 0, 0, true},
        {KEY_PAGE_UP, 0, 0, true},
        {KEY_PAGE_DOWN, 0, 0, true},
        {KEY_ESCAPE, 0, 0, true},
        {KEY_ENTER, 0, 0, true},
        {KEY_F1, 0, 0, true},
        {KEY_CHAR, '+', MOD_CTRL, true},
        {KEY_CHAR, 's', MOD_ALT, true},
        {KEY_CHAR, 'c', MOD_CTRL, true}, // no selection
        {KEY_CHAR, 'b', 0, false},
        {KEY_SPACE, 0, 0, false},
        {KEY_LEFT, 0, 0, false},
        {KEY_CHAR, 'z', MOD_CTRL, false},
        {KEY_CHAR, 'v', MOD_CTRL, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        s.fake->input.edits[s.fake->input.n_edits++] =
            (struct edit_event){.key = {cases[i].key, cases[i].ch, cases[i].mods}};
        frame();
        assert_int_equal(!s.ui->consumed[0], cases[i].passed);
        check("", 0, 0);
    }
}

static void undo_works_through_the_field(void **state)
{
    (void)state;
    for (const char *at = "black cat"; *at != '\0'; at++) {
        fake_text(s.fake, (char[]){*at, '\0'});
        frame();
    }
    fake_char(s.fake, 'z', MOD_CTRL);
    frame();
    check("black", 5, 5);
    assert_true(s.changed);
    fake_char(s.fake, 'z', MOD_CTRL | MOD_SHIFT);
    frame();
    check("black cat", 9, 9);
    s.fake->input.now_ms += 5000; // a pause
    fake_text(s.fake, "s");
    frame();
    fake_char(s.fake, 'z', MOD_CTRL);
    frame();
    check("black cat", 9, 9);
}

// ---- text: pointer

static void a_click_places_the_caret_at_the_nearest_boundary(void **state)
{
    (void)state;
    static const struct {
        float x;
        size_t caret;
    } cases[] = {{120, 0}, {124, 0}, {126, 1}, {134, 1},
                 {136, 4}, {146, 5}, {499, 5}, {101, 0}};
    set_text("ae" ACUTE "b");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        press(cases[i].x, field_y, 1);
        release();
        check("ae" ACUTE "b", cases[i].caret, cases[i].caret);
    }
}

static void a_drag_selects_and_goes_on_outside(void **state)
{
    (void)state;
    set_text("one two three");
    press(text_x + 4 * column, field_y, 1);
    drag(text_x + 7 * column, field_y);
    check("one two three", 4, 7);
    drag(text_x + 20 * column, 500);
    check("one two three", 4, 13);
    drag(10, 10);
    check("one two three", 4, 0);
    release();
    drag(300, field_y);
    check("one two three", 4, 0);
    struct color chosen = color_fade(s.fake->style->accent, 0.3f);
    const struct draw_cmd *mark = fake_find(s.fake, DRAW_FILL, chosen);
    assert_non_null(mark);
    assert_float_equal(mark->rect.x, text_x, 0.01);
    assert_float_equal(mark->rect.w, 4 * column, 0.01);
}

static void shift_and_a_click_extend_the_selection(void **state)
{
    (void)state;
    set_text("one two three");
    press(text_x + 4 * column, field_y, 1);
    release();
    s.fake->input.mods = MOD_SHIFT;
    press(text_x + 9 * column, field_y, 1);
    release();
    check("one two three", 4, 9);
}

static void double_and_triple_clicks_select_word_and_all(void **state)
{
    (void)state;
    set_text("one two three");
    press(text_x + 6.9f * column, field_y, 2); // the right half of the word's last letter
    check("one two three", 4, 7);
    frame(); // held still: the word stays
    check("one two three", 4, 7);
    drag(text_x + 9 * column, field_y); // by words
    check("one two three", 4, 13);
    drag(text_x + 1 * column, field_y);
    check("one two three", 7, 0);
    release();
    press(text_x + 5 * column, field_y, 3);
    drag(text_x + 6 * column, field_y);
    release();
    check("one two three", 0, 13);
}

// ---- text: clipboard

static void the_clipboard_goes_round(void **state)
{
    (void)state;
    set_text("one two");
    textedit_select(s.edit, 4, 7);
    fake_char(s.fake, 'c', MOD_CTRL);
    frame();
    assert_false(s.changed);
    assert_string_equal(s.fake->clip, "two");
    fake_key(s.fake, KEY_HOME, 0);
    fake_char(s.fake, 'v', MOD_CTRL);
    frame();
    check("twoone two", 3, 3);
    textedit_select(s.edit, 3, 6);
    fake_char(s.fake, 'x', MOD_CTRL);
    frame();
    check("two two", 3, 3);
    assert_string_equal(s.fake->clip, "one");
    key(KEY_INSERT, MOD_SHIFT);
    check("twoone two", 6, 6);
    textedit_select(s.edit, 0, 3);
    key(KEY_INSERT, MOD_CTRL);
    assert_string_equal(s.fake->clip, "two");
    key(KEY_DELETE, MOD_SHIFT);
    check("one two", 0, 0);
}

static void anything_can_be_pasted(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    char *many = malloc(COUNT + 1);
    assert_non_null(many);
    memset(many, 'x', COUNT);
    many[COUNT] = '\0';
    s.fake->clip = "a\nb\xff\tc";
    fake_char(s.fake, 'v', MOD_CTRL);
    frame();
    check("a b\xef\xbf\xbd c", 8, 8);
    assert_int_equal(textedit_replaced(s.edit), 1);
    textedit_select_all(s.edit);
    s.fake->clip = many;
    fake_char(s.fake, 'v', MOD_CTRL);
    frame();
    assert_int_equal(textedit_length(s.edit), TEXTEDIT_MAX_BYTES);
    assert_int_equal(textedit_cut(s.edit), COUNT - TEXTEDIT_MAX_BYTES);
    s.fake->clip = NULL;
    fake_char(s.fake, 'v', MOD_CTRL);
    frame();
    assert_false(s.changed);
    free(many);
}

static void a_host_without_a_clipboard_is_fine(void **state)
{
    (void)state;
    s.fake->host.clipboard_get = NULL;
    s.fake->host.clipboard_set = NULL;
    s.fake->host.text_rect = NULL;
    set_text("one");
    textedit_select_all(s.edit);
    fake_char(s.fake, 'c', MOD_CTRL);
    fake_char(s.fake, 'v', MOD_CTRL);
    frame();
    check("one", 0, 3);
}

// ---- text: input method

static void a_preedit_is_drawn_and_never_in_the_text(void **state)
{
    (void)state;
    set_text("ab");
    key(KEY_LEFT, 0);
    snprintf(s.fake->input.preedit, sizeof(s.fake->input.preedit), "%s",
             "\xe6\xb3\xa8\xe6\x84\x8f");
    s.fake->input.preedit_caret = 3;
    frame();
    assert_false(s.changed);
    check("ab", 1, 1);
    assert_non_null(draw_find_text(&s.fake->list, "a\xe6\xb3\xa8\xe6\x84\x8f"
                                                  "b"));
    // The caret, and with it the input method's window, stand inside the preedit.
    assert_float_equal(s.fake->ime.x + s.fake->ime.w / 2, text_x + 3 * column, 0.01);
    bool underlined = false;
    for (int i = 0; i < s.fake->list.count; i++) {
        const struct draw_cmd *cmd = &s.fake->list.cmds[i];
        underlined |= cmd->kind == DRAW_FILL && cmd->rect.h < 2 &&
                      fabsf(cmd->rect.x - (text_x + column)) < 0.01f &&
                      fabsf(cmd->rect.w - 4 * column) < 0.01f;
    }
    assert_true(underlined);
    key(KEY_BACKSPACE, 0); // the input method's key, not ours
    check("ab", 1, 1);
    s.fake->input.preedit[0] = '\0';
    fake_text(s.fake, "\xe6\xb3\xa8\xe6\x84\x8f");
    frame();
    check("a\xe6\xb3\xa8\xe6\x84\x8f"
          "b",
          7, 7);
}

static void a_click_beside_a_preedit_lands_in_the_text(void **state)
{
    (void)state;
    set_text("abcd");
    textedit_select(s.edit, 2, 2);
    snprintf(s.fake->input.preedit, sizeof(s.fake->input.preedit), "%s", "xyz");
    static const struct {
        float columns;
        size_t caret;
    } cases[] = {{1, 1}, {3, 2}, {6, 3}, {9, 4}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        textedit_select(s.edit, 2, 2);
        frame();
        press(text_x + cases[i].columns * column, field_y, 1);
        release();
        check("abcd", cases[i].caret, cases[i].caret);
    }
}

static void a_preedit_of_any_bytes_is_clean(void **state)
{
    (void)state;
    memset(s.fake->input.preedit, '\xff', sizeof(s.fake->input.preedit));
    s.fake->input.preedit_caret = -5;
    frame();
    s.fake->input.preedit_caret = 100000;
    frame();
    check("", 0, 0);
    for (int i = 0; i < s.fake->list.count; i++) {
        const struct draw_cmd *cmd = &s.fake->list.cmds[i];
        if (cmd->kind == DRAW_TEXT)
            assert_true(
                utf8_valid((const char *)s.fake->list.bytes + cmd->offset, cmd->length));
    }
}

// ---- text: view

static void check_caret_in_view(void)
{
    float x = s.fake->ime.x;
    assert_true(x >= field_rect.x + 18 && x + s.fake->ime.w <= field_rect.x + 382);
}

static void the_caret_is_always_in_view(void **state)
{
    (void)state;
    static char text[4001];
    for (int i = 0; i < 4000; i++)
        text[i] = (char)(i % 7 == 6 ? 32 : 97 + i % 26);
    set_text(text);
    check_caret_in_view();
    assert_float_equal(s.scroll, 4000 * column - 358, 0.1);
    key(KEY_HOME, 0);
    check_caret_in_view();
    assert_float_equal(s.scroll, 0, 0);
    for (int i = 0; i < 60; i++) {
        key(KEY_RIGHT, 0);
        check_caret_in_view();
    }
    assert_float_equal(s.scroll, 60 * column - 358, 0.1);
    key(KEY_LEFT, 0); // the view stays while the caret is in it
    assert_float_equal(s.scroll, 60 * column - 358, 0.1);
    key(KEY_END, MOD_SHIFT);
    key(KEY_BACKSPACE, 0);
    frame();
    assert_int_equal(textedit_length(s.edit), 59);
    assert_float_equal(s.scroll, 59 * column - 358, 0.1);
}

static void a_click_in_a_long_scrolled_text_hits_what_is_seen(void **state)
{
    (void)state;
    static char text[3001];
    for (int i = 0; i < 3000; i++)
        text[i] = i % 5 == 4 ? ' ' : 'x';
    set_text(text);
    textedit_select(s.edit, 1000, 1000);
    frame();
    size_t first = (size_t)lroundf(s.scroll / column);
    press(text_x + 7 * column + ((float)first * column - s.scroll), field_y, 1);
    check(text, first + 7, first + 7);
    s.fake->measured = 0;
    frame();
    // A frame measures the line once, and a few short pieces.
    assert_true(s.fake->measured < 3 * 3000);
    int drawn = 0;
    for (int i = 0; i < s.fake->list.count; i++)
        if (s.fake->list.cmds[i].kind == DRAW_TEXT)
            drawn += (int)s.fake->list.cmds[i].length;
    assert_true(drawn < 600); // and draws what shows
}

static void a_drag_held_outside_scrolls_on_to_the_end(void **state)
{
    (void)state;
    static char text[201];
    memset(text, 'x', 200);
    set_text(text);
    key(KEY_HOME, 0);
    press(text_x + 10 * column, field_y, 1);
    drag(600, field_y);
    int frames = 0;
    while (s.ui->animating && frames++ < 1000)
        frame();
    check(text, 10, 200);
    assert_true(frames > 1 && frames < 1000);
}

static void an_empty_field_shows_its_hint(void **state)
{
    (void)state;
    frame();
    const struct draw_cmd *hint = draw_find_text(&s.fake->list, "type here");
    assert_non_null(hint);
    assert_true(same_color(hint->color, s.fake->style->dim));
    fake_text(s.fake, "x");
    frame();
    assert_null(draw_find_text(&s.fake->list, "type here"));
}

static void room_beside_the_text_is_kept_free(void **state)
{
    (void)state;
    static const char text[] = "a sentence that is much too long for so short a field";
    textedit_set(s.edit, text, sizeof(text) - 1);
    fake_begin(s.fake);
    widget_text_beside(s.ui, "t", field_rect, 150, 20, "", s.edit, &s.scroll);
    fake_end(s.fake);
    const struct draw_cmd *clip = NULL;
    for (int i = 0; i < s.fake->list.count && clip == NULL; i++)
        if (s.fake->list.cmds[i].kind == DRAW_CLIP)
            clip = &s.fake->list.cmds[i];
    assert_non_null(clip);
    assert_true(clip->rect.x + clip->rect.w <= 500 - 150 - 18);
    assert_true(s.fake->ime.x + s.fake->ime.w <= 500 - 150 - 18);
}

static void an_idle_frame_is_the_same_frame(void **state)
{
    (void)state;
    set_text("The black cat sleeps.");
    frame();
    uint64_t before = draw_hash(&s.fake->list);
    s.fake->input.now_ms += 100000; // nothing blinks
    frame();
    assert_true(draw_hash(&s.fake->list) == before);
    assert_false(s.ui->animating);
    key(KEY_LEFT, 0);
    assert_true(draw_hash(&s.fake->list) != before);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_field_has_the_focus_by_default),
        CASE(text_and_keys_keep_their_order),
        CASE(what_follows_a_tab_is_not_for_the_field),
        CASE(the_field_passes_on_what_it_does_not_understand),
        CASE(undo_works_through_the_field),
        CASE(a_click_places_the_caret_at_the_nearest_boundary),
        CASE(a_drag_selects_and_goes_on_outside),
        CASE(shift_and_a_click_extend_the_selection),
        CASE(double_and_triple_clicks_select_word_and_all),
        CASE(the_clipboard_goes_round),
        CASE(anything_can_be_pasted),
        CASE(a_host_without_a_clipboard_is_fine),
        CASE(a_preedit_is_drawn_and_never_in_the_text),
        CASE(a_click_beside_a_preedit_lands_in_the_text),
        CASE(a_preedit_of_any_bytes_is_clean),
        CASE(the_caret_is_always_in_view),
        CASE(a_click_in_a_long_scrolled_text_hits_what_is_seen),
        CASE(a_drag_held_outside_scrolls_on_to_the_end),
        CASE(an_empty_field_shows_its_hint),
        CASE(room_beside_the_text_is_kept_free),
        CASE(an_idle_frame_is_the_same_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
