// SPDX-License-Identifier: MIT
// ui/widgets: the field of several lines, by keys, pointer, wheel, clipboard and input
// method; and the lines of textedit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake.h"
#include "ui/widgets.h"

// Size 20: a column is 10 wide, a line 29 high. Text begins at 110, 106; four lines show.
static const struct rect rect = {100, 100, 200, 128};
static const float text_x = 110, text_y = 106, column = 10, step = 29;

static struct text_area area, other;
static bool changed;

static int set_up(void **state)
{
    (void)state;
    fake = fake_create();
    area = (struct text_area){.edit = textedit_create_lines(200)};
    other = (struct text_area){.edit = textedit_create_lines(200)};
    return !area.edit || !other.edit;
}

static int tear_down(void **state)
{
    (void)state;
    textedit_destroy(area.edit);
    textedit_destroy(other.edit);
    fake_destroy(fake);
    return 0;
}

static void frame(void)
{
    fake_begin(fake);
    changed = widget_area(&fake->ui, "a", rect, 20, "rows", false, &area);
    widget_area(&fake->ui, "b", rect_make(400, 100, 200, 128), 20, "", true, &other);
    fake_end(fake);
}

static void set(const char *text)
{
    textedit_set(area.edit, text, strlen(text));
    ui_set_focus(&fake->ui, ui_hash("a"));
}

static void key(enum key which, unsigned mods)
{
    fake_key(fake, which, mods);
    frame();
}

static void check(const char *text, size_t anchor, size_t caret)
{
    assert_string_equal(textedit_text(area.edit), text);
    assert_int_equal(textedit_anchor(area.edit), anchor);
    assert_int_equal(textedit_caret(area.edit), caret);
}

static void enter_makes_a_row_and_tab_leaves(void **state)
{
    (void)state;
    set("");
    fake_text(fake, "1");
    fake_key(fake, KEY_ENTER, 0);
    fake_text(fake, "2");
    fake_key(fake, KEY_TAB, 0);
    frame();
    assert_true(changed);
    check("1\n2", 3, 3);
    assert_true(ui_has_focus(&fake->ui, ui_hash("b")));
    assert_non_null(fake_find(fake, DRAW_FRAME, fake->style->warn)); // the other is wrong
}

static void up_and_down_keep_their_column(void **state)
{
    (void)state;
    set("1 2 3 4\n5\n6 7 8 9");
    textedit_select(area.edit, 5, 5);
    key(KEY_DOWN, 0);
    check("1 2 3 4\n5\n6 7 8 9", 9, 9); // the end of the short row
    key(KEY_DOWN, 0);
    check("1 2 3 4\n5\n6 7 8 9", 15, 15);
    key(KEY_DOWN, 0);
    assert_int_equal(textedit_caret(area.edit), 17);
    key(KEY_UP, MOD_SHIFT);
    check("1 2 3 4\n5\n6 7 8 9", 17, 9);
    key(KEY_UP, 0);
    key(KEY_UP, 0);
    assert_int_equal(textedit_caret(area.edit), 0);
    assert_false(changed);
}

static void home_and_end_are_of_the_row(void **state)
{
    (void)state;
    set("1 2\n34 5\n6");
    textedit_select(area.edit, 6, 6);
    key(KEY_HOME, 0);
    check("1 2\n34 5\n6", 4, 4);
    key(KEY_END, MOD_SHIFT);
    check("1 2\n34 5\n6", 4, 8);
    key(KEY_END, MOD_CTRL);
    check("1 2\n34 5\n6", 10, 10);
    key(KEY_HOME, MOD_CTRL);
    check("1 2\n34 5\n6", 0, 0);
}

static void what_is_pasted_keeps_its_rows(void **state)
{
    (void)state;
    set("");
    fake->clip = "1\t2\r\n3\t4\n";
    fake_char(fake, 'v', MOD_CTRL);
    frame();
    assert_string_equal(textedit_text(area.edit), "1 2\n3 4\n");
    fake_char(fake, 'a', MOD_CTRL);
    fake_char(fake, 'x', MOD_CTRL);
    frame();
    assert_string_equal(fake->copied, "1 2\n3 4\n");
    assert_int_equal(textedit_length(area.edit), 0);
    fake_char(fake, 'z', MOD_CTRL);
    frame();
    assert_string_equal(textedit_text(area.edit), "1 2\n3 4\n");
}

static void a_full_field_says_what_it_lost(void **state)
{
    (void)state;
    char many[300];
    for (int i = 0; i < 300; i++)
        many[i] = i % 2 ? '\n' : '7';
    textedit_set(area.edit, many, sizeof many);
    assert_int_equal(textedit_length(area.edit), 200);
    assert_int_equal(textedit_cut(area.edit), 100);
    textedit_insert(area.edit, "8\n9", 3);
    assert_int_equal(textedit_length(area.edit), 200);
    assert_int_equal(textedit_cut(area.edit), 3);
    for (int i = 0; i < 100; i++) {
        textedit_set(area.edit, i % 2 ? "a\nb" : "b", i % 2 ? 3 : 1);
        assert_int_equal(textedit_cut(area.edit), 0);
    }
    int undone = 0;
    while (textedit_undo(area.edit))
        undone++;
    assert_int_equal(undone, TEXTEDIT_UNDO_LINES);
}

static void point(float x, float y, int clicks)
{
    fake->input.x = x;
    fake->input.y = y;
    fake->input.pressed = fake->input.down = true;
    fake->input.clicks = clicks;
    frame();
    fake->input.pressed = false;
}

static void let_go(void)
{
    fake->input.down = false;
    fake->input.released = true;
    frame();
    fake->input.released = false;
}

static void the_pointer_finds_row_and_column(void **state)
{
    (void)state;
    set("1 2 3\n44 5\n6");
    frame();
    point(text_x + 2 * column + 1, text_y + step + 3, 1);
    check("1 2 3\n44 5\n6", 8, 8);
    fake->input.x = text_x + 3 * column;
    fake->input.y = text_y + 3;
    frame(); // a drag
    check("1 2 3\n44 5\n6", 8, 3);
    let_go();
    point(text_x + 1, text_y + step + 3, 2);
    check("1 2 3\n44 5\n6", 6, 8);
    let_go();
    point(text_x + 1, text_y + step + 3, 3);
    check("1 2 3\n44 5\n6", 6, 10);
    let_go();
    point(text_x + 150, text_y + 4.0f * step - 10, 1); // below the last row
    assert_int_equal(textedit_caret(area.edit), 12);
    let_go();
}

static void the_wheel_scrolls_and_typing_comes_back(void **state)
{
    (void)state;
    set("1\n2\n3\n4\n5\n6\n7\n8\n9");
    frame();
    assert_non_null(draw_find_text(&fake->list, "9"));
    assert_null(draw_find_text(&fake->list, "1"));
    fake->input.x = 150;
    fake->input.y = 150;
    fake->input.wheel_y = 20;
    frame();
    fake->input.wheel_y = 0;
    frame();
    assert_non_null(draw_find_text(&fake->list, "1"));
    assert_null(draw_find_text(&fake->list, "9"));
    fake_text(fake, "0");
    frame();
    assert_non_null(draw_find_text(&fake->list, "90"));
}

static void a_long_row_follows_the_caret(void **state)
{
    (void)state;
    set("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20");
    frame();
    assert_true(area.scroll_x > 300);
    key(KEY_HOME, 0);
    assert_true(area.scroll_x <= 0);
}

static void what_is_composed_is_shown_and_not_kept(void **state)
{
    (void)state;
    set("a\nb");
    snprintf(fake->input.preedit, sizeof fake->input.preedit, "xyz");
    fake->input.preedit_caret = 1;
    fake_key(fake, KEY_DOWN, 0);
    frame();
    assert_non_null(draw_find_text(&fake->list, "bxyz"));
    assert_string_equal(textedit_text(area.edit), "a\nb");
    assert_true(fake->ime_calls > 0);
}

static void an_empty_field_shows_its_hint(void **state)
{
    (void)state;
    frame();
    assert_non_null(draw_find_text(&fake->list, "rows"));
    set("1");
    frame();
    assert_null(draw_find_text(&fake->list, "rows"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(enter_makes_a_row_and_tab_leaves, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(up_and_down_keep_their_column, set_up, tear_down),
        cmocka_unit_test_setup_teardown(home_and_end_are_of_the_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_pasted_keeps_its_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_field_says_what_it_lost, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_pointer_finds_row_and_column, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_wheel_scrolls_and_typing_comes_back, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_long_row_follows_the_caret, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_composed_is_shown_and_not_kept, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_empty_field_shows_its_hint, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
