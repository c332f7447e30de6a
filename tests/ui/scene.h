// SPDX-License-Identifier: MIT
// One of each widget in a window without pixels, driven by hand-made input. Included once
// by a test program, after cmocka.h.
#pragma once

#include "fake.h"
#include "ui/widgets.h"

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

static inline int set_up(void **state)
{
    (void)state;
    s = (struct scene){.fake = fake_create(), .edit = textedit_create()};
    s.ui = &s.fake->ui;
    s.position = 0.5f;
    s.step = 0.125f;
    return s.edit == NULL;
}

static inline int tear_down(void **state)
{
    (void)state;
    textedit_destroy(s.edit);
    fake_destroy(s.fake);
    return 0;
}

// In the Tab order: button, link, field, choice, slider. The disabled button is not.
static inline void frame(void)
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

static inline void set_text(const char *text)
{
    textedit_set(s.edit, text, strlen(text));
    frame();
}

static inline void check(const char *text, size_t anchor, size_t caret)
{
    assert_string_equal(textedit_text(s.edit), text);
    assert_int_equal(textedit_anchor(s.edit), anchor);
    assert_int_equal(textedit_caret(s.edit), caret);
}

static inline void press(float x, float y, int clicks)
{
    fake_press(s.fake, x, y, clicks);
    frame();
}

static inline void drag(float x, float y)
{
    fake_move(s.fake, x, y);
    frame();
}

static inline void release(void)
{
    fake_release(s.fake);
    frame();
}

static inline void key(enum key which, unsigned mods)
{
    fake_key(s.fake, which, mods);
    frame();
}

static inline void focus(const char *id)
{
    ui_set_focus(s.ui, ui_hash(id));
}
