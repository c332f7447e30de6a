// SPDX-License-Identifier: MIT
// ui/widgets through a window without pixels: one button, one choice, one slider and one
// text field, driven by hand-made input and read from results and draw list.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "fake.h"
#include "ui/widgets.h"

#define ACUTE "\xcc\x81"

// Size 20: a column is 10 wide. Text begins at x = 120 and has 360 of room: 36 columns.
static const struct rect field_rect = {100, 100, 400, 56};
static const struct rect button_rect = {10, 10, 80, 30}, choice_rect = {10, 200, 200, 32};
static const struct rect slider_rect = {100, 300, 200, 30};
static const float field_y = 130, text_x = 120, column = 10;

static const char *const modes[] = {"re-read", "re-decode"};

struct scene {
    struct fake *fake;
    struct ui *ui;
    struct textedit *edit;
    float scroll, position, step;
    int chosen;
    bool pressed, linked, chose, slid, changed; // what the last frame gave
};

static struct scene s;

static int set_up(void **state)
{
    (void)state;
    s = (struct scene){.fake = fake_create(), .edit = textedit_create()};
    s.ui = &s.fake->ui;
    s.position = 0.5f;
    s.step = 0.125f;
    return s.edit == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    textedit_destroy(s.edit);
    fake_destroy(s.fake);
    return 0;
}

// In the Tab order: button, link, field, choice, slider. The disabled button is not.
static void frame(void)
{
    fake_begin(s.fake);
    s.pressed = widget_button(s.ui, "dot", button_rect, "Dot", s.chosen == 1, true);
    s.linked = widget_link(s.ui, "help", rect_make(900, 16, 10, 12), "?");
    s.changed = widget_text(s.ui, "text", field_rect, 20, "type here", s.edit, &s.scroll);
    s.chose = widget_choice(s.ui, "mode", choice_rect, modes, 2, &s.chosen);
    s.slid = widget_slider(s.ui, "tau", slider_rect, s.step, &s.position);
    assert_false(
        widget_button(s.ui, "off", rect_make(600, 10, 80, 30), "Off", false, false));
    fake_end(s.fake);
    assert_int_equal(s.fake->list.dropped, 0);
}

static void set_text(const char *text)
{
    textedit_set(s.edit, text, strlen(text));
    frame();
}

static void check(const char *text, size_t anchor, size_t caret)
{
    assert_string_equal(textedit_text(s.edit), text);
    assert_int_equal(textedit_anchor(s.edit), anchor);
    assert_int_equal(textedit_caret(s.edit), caret);
}

static void press(float x, float y, int clicks)
{
    fake_press(s.fake, x, y, clicks);
    frame();
}

static void drag(float x, float y)
{
    fake_move(s.fake, x, y);
    frame();
}

static void release(void)
{
    fake_release(s.fake);
    frame();
}

static void key(enum key which, unsigned mods)
{
    fake_key(s.fake, which, mods);
    frame();
}

static void focus(const char *id)
{
    ui_set_focus(s.ui, ui_hash(id));
}

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
        CASE(tab_visits_every_widget_once),
        CASE(escape_and_clicks_give_the_focus_back_to_the_text),
        CASE(an_empty_frame_keeps_the_focus),
        CASE(focus_of_a_vanished_widget_goes_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
