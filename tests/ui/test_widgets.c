// SPDX-License-Identifier: MIT
// ui/widgets: buttons, choices, sliders, and how the widgets share the keyboard.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "scene.h"

// ---- buttons

static void a_button_fires_when_released_inside(void **state)
{
    (void)state;
    press(20, 20, 1);
    assert_false(s.pressed);
    release();
    assert_true(s.pressed);
    frame();
    assert_false(s.pressed);
    press(20, 20, 1);
    drag(300, 20);
    release();
    assert_false(s.pressed);
    press(300, 20, 1);
    drag(20, 20);
    release();
    assert_false(s.pressed);
}

static void a_button_fires_by_key_when_focused(void **state)
{
    (void)state;
    focus("dot");
    key(KEY_ENTER, 0);
    assert_true(s.pressed);
    key(KEY_SPACE, 0);
    assert_true(s.pressed);
    key(KEY_ENTER, MOD_CTRL);
    assert_false(s.pressed);
    focus("tau");
    key(KEY_ENTER, 0);
    assert_false(s.pressed);
}

static void a_click_on_a_button_leaves_the_focus_in_the_text(void **state)
{
    (void)state;
    press(20, 20, 1);
    release();
    fake_text(s.fake, "x");
    frame();
    assert_string_equal(textedit_text(s.edit), "x");
}

static void a_disabled_button_does_nothing(void **state)
{
    (void)state;
    frame();
    uint64_t at_rest = draw_hash(&s.fake->list);
    press(620, 20, 1);
    assert_true(draw_hash(&s.fake->list) == at_rest);
    release(); // frame() checks that it never fires
    focus("off");
    key(KEY_ENTER, 0);
}

static void a_button_shows_its_states(void **state)
{
    (void)state;
    const struct style *style = s.fake->style;
    fake_begin(s.fake);
    widget_button(s.ui, "a", button_rect, "Dot", false, true);
    fake_end(s.fake);
    assert_non_null(fake_find(s.fake, DRAW_FILL, style->panel));
    assert_non_null(fake_find(s.fake, DRAW_FRAME, style->line));
    const struct draw_cmd *text = draw_find_text(&s.fake->list, "Dot");
    assert_true(same_color(text->color, style->ink));
    assert_float_equal(text->rect.x + 1.5f * 13.5f / 2, 50, 0.01); // centred
    uint64_t at_rest = draw_hash(&s.fake->list);
    fake_move(s.fake, 20, 20);
    fake_begin(s.fake);
    widget_button(s.ui, "a", button_rect, "Dot", false, true);
    fake_end(s.fake);
    assert_true(draw_hash(&s.fake->list) != at_rest);
    fake_move(s.fake, 500, 500);
    fake_begin(s.fake);
    widget_button(s.ui, "a", button_rect, "Dot", true, true);
    fake_end(s.fake);
    assert_non_null(fake_find(s.fake, DRAW_FILL, style->accent));
    text = draw_find_text(&s.fake->list, "Dot");
    assert_true(same_color(text->color, style->on_accent));
    assert_int_equal(text->font, FONT_MEDIUM);
}

static void a_small_link_is_easy_to_hit(void **state)
{
    (void)state;
    static const struct {
        float x, y;
        bool hit;
    } cases[] = {{905, 22, true}, {894, 11, true}, {916, 33, true}, {880, 22, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        press(cases[i].x, cases[i].y, 1);
        release();
        assert_int_equal(s.linked, cases[i].hit);
    }
}

static void a_label_that_is_cut_is_told_in_full_on_hover(void **state)
{
    (void)state;
    static const char label[] = "A very long name of a model";
    for (int i = 0; i < 2; i++) {
        fake_move(s.fake, i == 0 ? 500 : 20, 20);
        fake_begin(s.fake);
        widget_button(s.ui, "a", button_rect, label, false, true);
        fake_end(s.fake);
        assert_int_equal(draw_find_text(&s.fake->list, label) != NULL, i == 1);
    }
}

// ---- choice

static void a_choice_follows_clicks(void **state)
{
    (void)state;
    press(150, 210, 1);
    release();
    assert_true(s.chose);
    assert_int_equal(s.chosen, 1);
    press(150, 210, 1);
    release();
    assert_false(s.chose);
    press(20, 210, 1); // pressed on one, released on the other
    drag(150, 210);
    release();
    assert_int_equal(s.chosen, 1);
    press(20, 210, 1);
    release();
    assert_int_equal(s.chosen, 0);
}

static void a_choice_follows_arrows_and_stops_at_its_ends(void **state)
{
    (void)state;
    static const struct {
        enum key key;
        int chosen;
    } cases[] = {{KEY_RIGHT, 1}, {KEY_RIGHT, 1}, {KEY_LEFT, 0}, {KEY_UP, 0},
                 {KEY_DOWN, 1},  {KEY_HOME, 0},  {KEY_END, 1}};
    focus("mode");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int before = s.chosen;
        key(cases[i].key, 0);
        assert_int_equal(s.chosen, cases[i].chosen);
        assert_int_equal(s.chose, s.chosen != before);
    }
    focus("tau");
    key(KEY_HOME, 0);
    assert_int_equal(s.chosen, 1);
}

static void a_choice_gives_long_labels_more_room(void **state)
{
    (void)state;
    static const char *const labels[] = {"a", "a much longer label", "b"};
    int chosen = 0;
    fake_begin(s.fake);
    widget_choice(s.ui, "c", rect_make(0, 0, 230, 30), labels, 3, &chosen);
    fake_end(s.fake);
    assert_non_null(draw_find_text(&s.fake->list, "a much longer label"));
}

// ---- slider

static void a_slider_jumps_to_a_press_on_its_track(void **state)
{
    (void)state;
    press(150, 315, 1);
    assert_true(s.slid);
    assert_float_equal(s.position, 0.25, 1e-5);
    drag(175, 315);
    assert_float_equal(s.position, 0.375, 1e-5);
    frame();
    assert_false(s.slid);
}

static void a_drag_from_the_knob_keeps_its_distance(void **state)
{
    (void)state;
    press(206, 315, 1); // the knob's centre is at 200
    assert_false(s.slid);
    assert_float_equal(s.position, 0.5, 0);
    drag(226, 315);
    assert_float_equal(s.position, 0.6, 1e-5);
    release();
    assert_float_equal(s.position, 0.6, 1e-5);
}

static void a_drag_that_leaves_the_slider_goes_on(void **state)
{
    (void)state;
    press(200, 315, 1);
    drag(250, 590);
    assert_float_equal(s.position, 0.75, 1e-5);
    drag(20, 20); // over the button, which must not light up
    assert_float_equal(s.position, 0, 0);
    assert_false(ui_is_hot(s.ui, ui_hash("dot")));
    drag(5000, -50);
    assert_float_equal(s.position, 1, 0);
    release();
    assert_false(s.pressed);
    drag(150, 315);
    assert_float_equal(s.position, 1, 0);
}

static void a_slider_follows_the_wheel_while_hot(void **state)
{
    (void)state;
    fake_move(s.fake, 150, 315);
    s.fake->input.wheel_y = 2;
    frame();
    assert_float_equal(s.position, 0.75, 1e-5);
    s.fake->input.wheel_y = -9;
    frame();
    assert_float_equal(s.position, 0, 0);
    fake_move(s.fake, 150, 500);
    s.fake->input.wheel_y = 1;
    frame();
    assert_float_equal(s.position, 0, 0);
}

static void a_slider_follows_keys_while_focused(void **state)
{
    (void)state;
    static const struct {
        enum key key;
        unsigned mods;
        double position;
    } cases[] = {{KEY_RIGHT, 0, 0.625}, {KEY_UP, 0, 0.75},   {KEY_LEFT, 0, 0.625},
                 {KEY_DOWN, 0, 0.5},    {KEY_PAGE_UP, 0, 1}, {KEY_PAGE_DOWN, 0, 0.375},
                 {KEY_HOME, 0, 0},      {KEY_LEFT, 0, 0},    {KEY_RIGHT, MOD_CTRL, 0},
                 {KEY_END, 0, 1}};
    focus("tau");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        key(cases[i].key, cases[i].mods);
        assert_float_equal(s.position, cases[i].position, 1e-5);
    }
    focus("text");
    key(KEY_PAGE_DOWN, 0);
    assert_float_equal(s.position, 1, 0);
}

static void a_slider_survives_a_position_that_is_none(void **state)
{
    (void)state;
    s.position = NAN;
    frame();
    assert_true(isnan(s.position) || s.position >= 0);
    press(200, 315, 1);
    assert_float_equal(s.position, 0.5, 1e-5);
}

// ---- together

static void tab_visits_every_widget_once(void **state)
{
    (void)state;
    static const char *const order[] = {"mode", "tau", "dot", "help", "text"};
    for (int i = 0; i < 5; i++) {
        key(KEY_TAB, 0);
        assert_true(ui_has_focus(s.ui, ui_hash(order[i])));
        frame();
        bool ring = fake_find(s.fake, DRAW_FRAME, s.fake->style->ring) != NULL;
        assert_int_equal(ring, i < 4); // the field shows its accent frame instead
    }
    for (int i = 3; i >= 0; i--) {
        key(KEY_TAB, MOD_SHIFT);
        assert_true(ui_has_focus(s.ui, ui_hash(order[i])));
    }
}

static void escape_and_clicks_give_the_focus_back_to_the_text(void **state)
{
    (void)state;
    key(KEY_TAB, 0);
    key(KEY_TAB, 0);
    key(KEY_ESCAPE, 0);
    assert_true(ui_has_focus(s.ui, ui_hash("text")));
    assert_false(s.ui->keyboard_focus);
    key(KEY_TAB, 0);
    press(20, 20, 1); // a press elsewhere than on the focused widget
    release();
    assert_true(s.pressed);
    assert_true(ui_has_focus(s.ui, ui_hash("text")));
    press(200, 315, 1);
    release();
    assert_true(ui_has_focus(s.ui, ui_hash("tau"))); // the slider keeps it, for arrows
}

static void an_empty_frame_keeps_the_focus(void **state)
{
    (void)state;
    focus("text");
    frame();
    fake_begin(s.fake); // a blanked screen
    fake_end(s.fake);
    fake_text(s.fake, "x");
    frame();
    check("x", 1, 1);
}

static void focus_of_a_vanished_widget_goes_home(void **state)
{
    (void)state;
    press(200, 315, 1);
    release();
    fake_begin(s.fake);
    widget_text(s.ui, "text", field_rect, 20, "", s.edit, &s.scroll);
    fake_end(s.fake);
    assert_true(ui_has_focus(s.ui, ui_hash("text")));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_button_fires_when_released_inside),
        CASE(a_button_fires_by_key_when_focused),
        CASE(a_click_on_a_button_leaves_the_focus_in_the_text),
        CASE(a_disabled_button_does_nothing),
        CASE(a_button_shows_its_states),
        CASE(a_small_link_is_easy_to_hit),
        CASE(a_label_that_is_cut_is_told_in_full_on_hover),
        CASE(a_choice_follows_clicks),
        CASE(a_choice_follows_arrows_and_stops_at_its_ends),
        CASE(a_choice_gives_long_labels_more_room),
        CASE(a_slider_jumps_to_a_press_on_its_track),
        CASE(a_drag_from_the_knob_keeps_its_distance),
        CASE(a_drag_that_leaves_the_slider_goes_on),
        CASE(a_slider_follows_the_wheel_while_hot),
        CASE(a_slider_follows_keys_while_focused),
        CASE(a_slider_survives_a_position_that_is_none),
        CASE(tab_visits_every_widget_once),
        CASE(escape_and_clicks_give_the_focus_back_to_the_text),
        CASE(an_empty_frame_keeps_the_focus),
        CASE(focus_of_a_vanished_widget_goes_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
