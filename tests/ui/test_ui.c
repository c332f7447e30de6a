// SPDX-License-Identifier: MIT
// ui/ui: who is hot, active and focused; keys taken once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "fake.h"

enum { A = 11, B, C };
static const struct rect a_rect = {0, 0, 100, 30}, b_rect = {50, 0, 100, 30};

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

#define CASE(name) cmocka_unit_test_setup_teardown(name, fake_set_up, fake_tear_down)

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
        CASE(many_widgets_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
