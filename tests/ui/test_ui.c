// SPDX-License-Identifier: MIT
// ui/ui: who is hot, active and focused; keys taken once; cut text; the tooltip.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "fake.h"

enum { A = 11, B, C };
static const struct rect a_rect = {0, 0, 100, 30}, b_rect = {50, 0, 100, 30};

static struct fake *fake;

static int set_up(void **state)
{
    (void)state;
    fake = fake_create();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_destroy(fake);
    return 0;
}

// A frame with A and, over its right half, B; returns who is hot.
static ui_id frame_ab(void)
{
    fake_begin(fake);
    ui_behave(&fake->ui, A, a_rect);
    ui_behave(&fake->ui, B, b_rect);
    ui_id hot = ui_is_hot(&fake->ui, A) ? A : ui_is_hot(&fake->ui, B) ? B : 0;
    fake_end(fake);
    return hot;
}

static void the_last_drawn_is_hot(void **state)
{
    (void)state;
    assert_int_equal(frame_ab(), 0);
    fake_move(fake, 10, 10);
    assert_int_equal(frame_ab(), A);
    fake_move(fake, 60, 10);
    assert_int_equal(frame_ab(), B);
    assert_int_equal(frame_ab(), B);
    fake_move(fake, 10, 50);
    assert_int_equal(frame_ab(), 0);
}

static void what_lies_below_never_lights_up(void **state)
{
    (void)state;
    frame_ab();
    fake_move(fake, 60, 10);
    fake_begin(fake);
    assert_false(ui_behave(&fake->ui, A, a_rect));
    assert_true(ui_behave(&fake->ui, B, b_rect));
    fake_end(fake);
}

static void a_new_widget_is_hot_at_once_and_asks_for_no_second_frame(void **state)
{
    (void)state;
    fake_move(fake, 10, 10);
    assert_int_equal(frame_ab(), A);
    assert_false(fake->ui.animating);
}

static void a_layout_that_moves_asks_for_another_frame(void **state)
{
    (void)state;
    fake_move(fake, 60, 10);
    frame_ab();
    fake_begin(fake);
    ui_behave(&fake->ui, A, a_rect); // B is gone
    fake_end(fake);
    assert_true(fake->ui.animating);
    fake_begin(fake);
    assert_true(ui_behave(&fake->ui, A, a_rect));
    fake_end(fake);
    assert_false(fake->ui.animating);
}

static void a_press_makes_active_until_the_release(void **state)
{
    (void)state;
    fake_press(fake, 10, 10, 1);
    frame_ab();
    assert_true(ui_is_active(&fake->ui, A));
    assert_true(ui_has_focus(&fake->ui, A));
    fake_move(fake, 120, 10); // over B now: it must not light up
    assert_int_equal(frame_ab(), 0);
    assert_true(ui_is_active(&fake->ui, A));
    fake_move(fake, 500, 500);
    frame_ab();
    assert_true(ui_is_active(&fake->ui, A));
    fake_release(fake);
    frame_ab();
    assert_false(ui_is_active(&fake->ui, A));
    assert_true(ui_has_focus(&fake->ui, A));
}

static bool clicked_a(void)
{
    fake_begin(fake);
    ui_behave(&fake->ui, A, a_rect);
    ui_behave(&fake->ui, C, rect_make(0, 100, 50, 50));
    bool clicked = ui_clicked(&fake->ui, A, a_rect);
    fake_end(fake);
    return clicked;
}

static void a_click_is_pressed_and_released_inside(void **state)
{
    (void)state;
    fake_press(fake, 10, 10, 1);
    assert_false(clicked_a());
    fake_release(fake);
    assert_true(clicked_a());
    assert_false(clicked_a());
    fake_press(fake, 10, 10, 1); // released outside
    clicked_a();
    fake_move(fake, 10, 60);
    fake_release(fake);
    assert_false(clicked_a());
    fake_press(fake, 10, 60, 1); // pressed outside
    clicked_a();
    fake_move(fake, 10, 10);
    fake_release(fake);
    assert_false(clicked_a());
}

static void a_click_may_fit_into_one_frame(void **state)
{
    (void)state;
    fake_press(fake, 10, 10, 1);
    fake_release(fake);
    assert_true(clicked_a());
    assert_int_equal(fake->ui.active, 0);
}

static void a_release_and_the_next_press_may_share_a_frame(void **state)
{
    (void)state;
    fake_press(fake, 10, 10, 1);
    assert_false(clicked_a());
    fake_press(fake, 10, 10, 2);
    fake->input.released = true; // the button is down again at the end of the frame
    assert_true(clicked_a());
    assert_true(ui_is_active(&fake->ui, A));
    fake_release(fake);
    assert_true(clicked_a());
}

static void a_release_here_and_a_press_there_click_neither(void **state)
{
    (void)state;
    fake_press(fake, 10, 60, 1);
    clicked_a();
    fake_press(fake, 10, 10, 1);
    fake->input.released = true;
    assert_false(clicked_a());
    assert_true(ui_is_active(&fake->ui, A));
}

static void a_window_that_loses_the_focus_ends_the_drag(void **state)
{
    (void)state;
    fake_press(fake, 10, 10, 1);
    frame_ab();
    fake->input.focus_lost = true;
    frame_ab();
    assert_false(ui_is_active(&fake->ui, A));
}

static void frame_three(void)
{
    fake_begin(fake);
    ui_behave(&fake->ui, A, rect_make(0, 0, 50, 30));
    ui_behave(&fake->ui, B, rect_make(60, 0, 50, 30));
    ui_behave(&fake->ui, C, rect_make(120, 0, 50, 30));
    ui_focus_ring(&fake->ui, B, rect_make(60, 0, 50, 30), 6);
    fake_end(fake);
}

static ui_id tab(unsigned mods)
{
    fake_key(fake, KEY_TAB, mods);
    frame_three();
    return fake->ui.focus;
}

static void tab_goes_round_both_ways(void **state)
{
    (void)state;
    assert_int_equal(tab(0), A);
    assert_true(fake->ui.keyboard_focus);
    assert_true(fake->ui.animating);
    assert_int_equal(tab(0), B);
    assert_int_equal(tab(0), C);
    assert_int_equal(tab(0), A);
    assert_int_equal(tab(MOD_SHIFT), C);
    assert_int_equal(tab(MOD_SHIFT), B);
    assert_int_equal(tab(MOD_CTRL), B); // not ours
    ui_set_focus(&fake->ui, 0);
    assert_int_equal(tab(MOD_SHIFT), C);
}

static void the_ring_is_for_the_keyboard_only(void **state)
{
    (void)state;
    struct color ring = fake->style->ring;
    tab(0);
    tab(0);
    frame_three();
    assert_non_null(fake_find(fake, DRAW_FRAME, ring));
    fake_press(fake, 70, 10, 1);
    frame_three();
    assert_int_equal(fake->ui.focus, B);
    assert_null(fake_find(fake, DRAW_FRAME, ring));
    fake_release(fake);
    frame_three();
    ui_set_focus(&fake->ui, B);
    frame_three();
    assert_null(fake_find(fake, DRAW_FRAME, ring));
}

static void escape_always_releases(void **state)
{
    (void)state;
    fake_press(fake, 10, 10, 1);
    frame_three();
    tab(0);
    assert_true(ui_is_active(&fake->ui, A));
    fake_key(fake, KEY_ESCAPE, 0);
    fake_begin(fake);
    assert_true(ui_take_key(&fake->ui, KEY_ESCAPE, 0)); // even when somebody took it
    ui_behave(&fake->ui, A, a_rect);
    fake_end(fake);
    assert_false(fake->ui.keyboard_focus);
    assert_int_equal(fake->ui.active, 0);
    assert_int_equal(fake->ui.focus, 0);
    assert_true(fake->ui.animating);
}

static void whoever_takes_escape_may_place_the_focus(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ui_set_focus(&fake->ui, C);
        fake_key(fake, KEY_ESCAPE, 0);
        fake_begin(fake);
        fake->ui.home = A;
        if (i == 0 && ui_take_key(&fake->ui, KEY_ESCAPE, 0))
            ui_set_focus(&fake->ui, 0);
        fake_end(fake);
        assert_int_equal(fake->ui.focus, i == 0 ? 0 : A);
    }
}

static void keys_are_taken_once_and_with_exact_modifiers(void **state)
{
    (void)state;
    fake_key(fake, KEY_LEFT, MOD_SHIFT);
    fake_key(fake, KEY_LEFT, 0);
    fake_key(fake, KEY_LEFT, 0);
    fake_char(fake, '1', MOD_CTRL);
    fake_text(fake, "x");
    fake_begin(fake);
    struct ui *ui = &fake->ui;
    assert_true(ui_take_key(ui, KEY_LEFT, 0));
    assert_true(ui_take_key(ui, KEY_LEFT, 0));
    assert_false(ui_take_key(ui, KEY_LEFT, 0));
    assert_true(ui_take_key(ui, KEY_LEFT, MOD_SHIFT));
    assert_false(ui_take_key(ui, KEY_NONE, 0)); // text is not a key
    assert_false(ui_take_char(ui, '1', 0));
    assert_false(ui_take_char(ui, '2', MOD_CTRL));
    assert_true(ui_take_char(ui, '1', MOD_CTRL));
    assert_false(ui_take_char(ui, '1', MOD_CTRL));
    fake_end(fake);
}

static void ids_differ_and_are_never_zero(void **state)
{
    (void)state;
    assert_true(ui_hash("tau") != ui_hash("tua"));
    assert_true(ui_hash("") != 0);
    assert_int_equal(ui_hash("tau"), ui_hash("tau"));
}

// Size 10: a column is 5 wide.
static void text_is_cut_between_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float width;
        const char *shown;
    } cases[] = {
        {"coffee", 30, "coffee"},
        {"coffee", 29, "coff\xe2\x80\xa6"},
        {"coffee", 5, "\xe2\x80\xa6"},
        {"coffee", 4, ""},
        {"a cup of tea", 30, "a cup\xe2\x80\xa6"},
        {"a cup of tea", 35, "a cup\xe2\x80\xa6"}, // no space before the ellipsis
        {"e\xcc\x81"
         "e\xcc\x81"
         "e\xcc\x81",
         14, "e\xcc\x81\xe2\x80\xa6"},
        {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac!!!", 12, "\xe2\x80\xa6"},
        {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac!!!", 15,
         "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac\xe2\x80\xa6"},
        {"\xe6\xb3\xa8\xe6\x84\x8f\xe5\x8a\x9b", 24, "\xe6\xb3\xa8\xe2\x80\xa6"},
        {"", 10, ""},
    };
    fake_begin(fake);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char out[64];
        bool cut = ui_elide(&fake->ui, FONT_TEXT, 10, cases[i].width, cases[i].text, out,
                            sizeof(out));
        assert_string_equal(out, cases[i].shown);
        assert_int_equal(cut, strcmp(cases[i].text, cases[i].shown) != 0);
    }
    fake_end(fake);
}

static void a_cut_respects_the_buffer(void **state)
{
    (void)state;
    char long_text[5001], out[8];
    memset(long_text, 'x', 5000);
    long_text[5000] = '\0';
    fake_begin(fake);
    assert_true(ui_elide(&fake->ui, FONT_TEXT, 10, 1e6f, long_text, out, sizeof(out)));
    assert_string_equal(out, "xxxx\xe2\x80\xa6");
    assert_true(ui_elide(&fake->ui, FONT_TEXT, 10, 1e6f, long_text, out, 3));
    assert_string_equal(out, "");
    fake_end(fake);
}

static void text_fit_aligns_and_says_when_it_cuts(void **state)
{
    (void)state;
    struct rect rect = {100, 0, 60, 20};
    static const struct {
        int align;
        float x;
    } cases[] = {{-1, 100}, {0, 120}, {1, 140}};
    for (int i = 0; i < 3; i++) {
        fake_begin(fake);
        assert_false(ui_text_fit(&fake->ui, FONT_TEXT, 10, rect, cases[i].align,
                                 fake->style->ink, "four"));
        const struct draw_cmd *text = draw_find_text(&fake->list, "four");
        assert_non_null(text);
        assert_float_equal(text->rect.x, cases[i].x, 0.001);
        assert_true(text->rect.y > 10 && text->rect.y < 20);
        assert_true(ui_text_fit(&fake->ui, FONT_TEXT, 10, rect, cases[i].align,
                                fake->style->ink, "thirteen chars"));
        fake_end(fake);
    }
}

static const struct draw_cmd *last_frame_of(const struct draw_list *list)
{
    for (int i = list->count - 1; i >= 0; i--)
        if (list->cmds[i].kind == DRAW_FRAME)
            return &list->cmds[i];
    return NULL;
}

static void the_tooltip_is_on_top_and_inside_the_window(void **state)
{
    (void)state;
    static const struct rect places[] = {
        {0, 0, 10, 10}, {990, 590, 10, 10}, {-50, 300, 10, 10}, {500, -80, 10, 10}};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        fake_begin(fake);
        ui_tooltip(&fake->ui, places[i], "attention weight of this word");
        int before = fake->list.count;
        draw_fill(&fake->list, rect_make(0, 0, 5, 5), 0, fake->style->ink);
        fake_end(fake);
        const struct draw_cmd *box = last_frame_of(&fake->list);
        assert_true(box != NULL && box > &fake->list.cmds[before]);
        assert_true(box->rect.x >= 0 && box->rect.x + box->rect.w <= 1000);
        assert_true(box->rect.y >= 0 && box->rect.y + box->rect.h <= 600);
        assert_non_null(draw_find_text(&fake->list, "attention weight"));
    }
    fake_begin(fake);
    fake_end(fake);
    assert_null(draw_find_text(&fake->list, "attention"));
}

static int count_texts(const struct draw_list *list, int *widest)
{
    int count = 0;
    *widest = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind != DRAW_TEXT)
            continue;
        const char *text = (const char *)list->bytes + cmd->offset;
        int columns = utf8_columns(text, cmd->length);
        *widest = columns > *widest ? columns : *widest;
        count++;
    }
    return count;
}

static void the_tooltip_wraps_to_three_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int lines;
        bool cut;
    } cases[] = {
        {"one line", 1, false},
        {"The weight of this source word, after the softmax over the whole row, and "
         "its raw score.",
         2, false},
        {"a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
         "a "
         "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
         "a "
         "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
         "a",
         3, true},
        {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
         "xxxxxxxxxxxxxxxx",
         2, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int widest;
        fake_begin(fake);
        ui_tooltip(&fake->ui, rect_make(10, 10, 10, 10), cases[i].text);
        fake_end(fake);
        assert_int_equal(count_texts(&fake->list, &widest), cases[i].lines);
        assert_true(widest <= 61);
        assert_int_equal(draw_find_text(&fake->list, "\xe2\x80\xa6") != NULL,
                         cases[i].cut);
    }
}

static void a_tooltip_of_any_bytes_is_clean(void **state)
{
    (void)state;
    char text[2000];
    memset(text, '\xff', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    fake->input.width = 120; // narrower than the text
    fake_begin(fake);
    ui_tooltip(&fake->ui, rect_make(10, 10, 10, 10), text);
    fake_end(fake);
    const struct draw_cmd *cmd = draw_find_text(&fake->list, "\xef\xbf\xbd");
    assert_non_null(cmd);
    assert_true(utf8_valid((const char *)fake->list.bytes + cmd->offset, cmd->length));
    const struct draw_cmd *box = last_frame_of(&fake->list);
    assert_true(box->rect.x >= 0 && box->rect.x + box->rect.w <= 120);
}

static void many_widgets_do_no_harm(void **state)
{
    (void)state;
    for (int frame = 0; frame < 2; frame++) {
        fake_begin(fake);
        for (int i = 0; i < 300; i++)
            ui_behave(&fake->ui, (ui_id)(1000 + i), rect_make(0, (float)i * 2, 10, 2));
        assert_int_equal(fake->ui.n_focus, UI_MAX_FOCUS);
        assert_int_equal(fake->ui.n_areas, UI_MAX_AREAS);
        fake_end(fake);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_last_drawn_is_hot),
        CASE(what_lies_below_never_lights_up),
        CASE(a_new_widget_is_hot_at_once_and_asks_for_no_second_frame),
        CASE(a_layout_that_moves_asks_for_another_frame),
        CASE(a_press_makes_active_until_the_release),
        CASE(a_click_is_pressed_and_released_inside),
        CASE(a_click_may_fit_into_one_frame),
        CASE(a_release_and_the_next_press_may_share_a_frame),
        CASE(a_release_here_and_a_press_there_click_neither),
        CASE(a_window_that_loses_the_focus_ends_the_drag),
        CASE(tab_goes_round_both_ways),
        CASE(the_ring_is_for_the_keyboard_only),
        CASE(escape_always_releases),
        CASE(whoever_takes_escape_may_place_the_focus),
        CASE(keys_are_taken_once_and_with_exact_modifiers),
        CASE(ids_differ_and_are_never_zero),
        CASE(text_is_cut_between_clusters),
        CASE(a_cut_respects_the_buffer),
        CASE(text_fit_aligns_and_says_when_it_cuts),
        CASE(the_tooltip_is_on_top_and_inside_the_window),
        CASE(the_tooltip_wraps_to_three_lines),
        CASE(a_tooltip_of_any_bytes_is_clean),
        CASE(many_widgets_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
