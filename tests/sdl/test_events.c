// SPDX-License-Identifier: MIT
// What reaches the program of keys, text, composing, pointer and drops: by pushed events,
// which take the same way as a user's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "opened.h"

#include <SDL.h>
#include <stdio.h>
#include <string.h>

static void push_key(SDL_Keycode code, Uint16 mod)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.sym = code;
    event.key.keysym.mod = mod;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void push_text(const char *text)
{
    SDL_Event event = {.type = SDL_TEXTINPUT};
    snprintf(event.text.text, sizeof event.text.text, "%s", text);
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void push_motion(int x, int y)
{
    SDL_Event event = {.type = SDL_MOUSEMOTION};
    event.motion.x = x;
    event.motion.y = y;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void push_button(bool down, int button, int clicks, int x, int y)
{
    SDL_Event event = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP};
    event.button.button = (Uint8)button;
    event.button.clicks = (Uint8)clicks;
    event.button.x = x;
    event.button.y = y;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void push_editing(const char *text, int caret)
{
    SDL_Event event = {.type = SDL_TEXTEDITING};
    snprintf(event.edit.text, sizeof event.edit.text, "%s", text);
    event.edit.start = caret;
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void assert_key(int at, enum key key, char ch, unsigned mods)
{
    assert_int_equal(input.edits[at].key.key, key);
    assert_int_equal(input.edits[at].key.ch, ch);
    assert_int_equal(input.edits[at].key.mods, mods);
    assert_string_equal(input.edits[at].text, "");
}

static void assert_text(int at, const char *text)
{
    assert_int_equal(input.edits[at].key.key, KEY_NONE);
    assert_string_equal(input.edits[at].text, text);
}

static void typing_comes_as_text(void **state)
{
    (void)state;
    push_key(SDLK_e, 0);
    push_text("é");
    push_key(SDLK_SPACE, 0);
    push_text(" ");
    push_text("👩‍🔬");
    push_key(SDLK_a, KMOD_LSHIFT);
    push_text("A");
    push_key(SDLK_e, KMOD_RALT);
    push_text("€");
    assert_true(window_wait(window, &input, -1));
    assert_int_equal(input.n_edits, 5);
    assert_text(0, "é");
    assert_text(1, " ");
    assert_text(2, "👩‍🔬");
    assert_text(3, "A");
    assert_text(4, "€");
}

static void keys_are_named(void **state)
{
    (void)state;
    static const struct {
        SDL_Keycode code;
        Uint16 mod;
        enum key key;
        unsigned mods;
    } cases[] = {
        {SDLK_LEFT, 0, KEY_LEFT, 0},
        {SDLK_RIGHT, KMOD_LSHIFT, KEY_RIGHT, MOD_SHIFT},
        {SDLK_HOME, KMOD_RCTRL, KEY_HOME, MOD_CTRL},
        {SDLK_END, KMOD_LGUI, KEY_END, MOD_CTRL},
        {SDLK_PAGEUP, 0, KEY_PAGE_UP, 0},
        {SDLK_PAGEDOWN, 0, KEY_PAGE_DOWN, 0},
        {SDLK_BACKSPACE, KMOD_LCTRL, KEY_BACKSPACE, MOD_CTRL},
        {SDLK_DELETE, 0, KEY_DELETE, 0},
        {SDLK_RETURN, 0, KEY_ENTER, 0},
        {SDLK_KP_ENTER, 0, KEY_ENTER, 0},
        {SDLK_TAB, KMOD_RSHIFT, KEY_TAB, MOD_SHIFT},
        {SDLK_ESCAPE, 0, KEY_ESCAPE, 0},
        {SDLK_F1, 0, KEY_F1, 0},
        {SDLK_F12, KMOD_LALT, KEY_F12, MOD_ALT},
        {SDLK_KP_4, 0, KEY_LEFT, 0},
        {SDLK_KP_7, KMOD_LSHIFT, KEY_HOME, MOD_SHIFT},
    };
    const int n = sizeof cases / sizeof cases[0];
    for (int i = 0; i < n; i++)
        push_key(cases[i].code, cases[i].mod);
    assert_true(window_wait(window, &input, 0));
    assert_int_equal(input.n_edits, n);
    for (int i = 0; i < n; i++)
        assert_key(i, cases[i].key, 0, cases[i].mods);
}

static void shortcuts_come_as_keys_once(void **state)
{
    (void)state;
    push_key(SDLK_a, KMOD_LCTRL);
    push_key(SDLK_x, KMOD_LALT);
    push_text("x"); // some systems send it
    push_key(SDLK_EQUALS, KMOD_LCTRL | KMOD_LSHIFT);
    push_text("+");
    push_key(SDLK_0, KMOD_LCTRL);
    push_text("0");
    push_key(SDLK_SPACE, KMOD_LCTRL);
    push_key(SDLK_KP_PLUS, KMOD_LCTRL);
    push_key(SDLK_KP_4, KMOD_NUM);
    push_text("4");
    push_key(SDLK_LCTRL, KMOD_LCTRL);
    assert_true(window_wait(window, &input, 0));
    assert_int_equal(input.n_edits, 7);
    assert_key(0, KEY_CHAR, 'a', MOD_CTRL);
    assert_key(1, KEY_CHAR, 'x', MOD_ALT);
    assert_key(2, KEY_CHAR, '=', MOD_CTRL | MOD_SHIFT);
    assert_key(3, KEY_CHAR, '0', MOD_CTRL);
    assert_key(4, KEY_SPACE, 0, MOD_CTRL);
    assert_key(5, KEY_CHAR, '+', MOD_CTRL);
    assert_text(6, "4");
    assert_int_equal(input.mods, MOD_CTRL);
    push_window(SDL_WINDOWEVENT_FOCUS_LOST);
    assert_true(window_wait(window, &input, 0));
    assert_int_equal(input.mods, 0);
    assert_true(input.focus_lost);
}

static void shortcuts_work_on_other_layouts(void **state)
{
    (void)state;
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.sym = 0x441; // Cyrillic es, on the C key
    event.key.keysym.scancode = SDL_SCANCODE_C;
    event.key.keysym.mod = KMOD_LCTRL;
    assert_int_equal(SDL_PushEvent(&event), 1);
    assert_true(window_wait(window, &input, 0));
    assert_int_equal(input.n_edits, 1);
    assert_key(0, KEY_CHAR, 'c', MOD_CTRL);
}

static void two_hundred_keys_arrive_in_order(void **state)
{
    (void)state;
    char text[16];
    for (int i = 0; i < 200; i++) {
        snprintf(text, sizeof text, "%d", i);
        if (i % 3 == 2)
            push_key(SDLK_BACKSPACE, 0);
        else
            push_text(text);
    }
    int seen = 0, frames = 0;
    while (window_wait(window, &input, 0)) {
        frames++;
        for (int i = 0; i < input.n_edits; i++, seen++) {
            snprintf(text, sizeof text, "%d", seen);
            if (seen % 3 == 2)
                assert_key(i, KEY_BACKSPACE, 0, 0);
            else
                assert_text(i, text);
        }
    }
    assert_int_equal(seen, 200);
    assert_int_equal(frames, 4);
}

static void pushed_text_is_whole(void **state)
{
    (void)state;
    const char *text = "Les élèves étaient là, près de la forêt; "
                       "注意力注意力注意力注意力 👩‍🔬👩‍🔬";
    char all[1024] = "";
    window_push_text(window, text);
    assert_true(window_wait(window, &input, 0));
    size_t length = 0;
    for (int i = 0; i < input.n_edits; i++) {
        assert_true(((unsigned char)input.edits[i].text[0] & 0xC0) != 0x80);
        size_t n = strlen(input.edits[i].text);
        memcpy(all + length, input.edits[i].text, n);
        length += n;
    }
    assert_string_equal(all, text);
}

static void composing_stays_out_of_the_text(void **state)
{
    (void)state;
    push_editing("にほ", 1);
    push_key(SDLK_RETURN, 0); // the input method's own
    push_key(SDLK_BACKSPACE, 0);
    assert_true(window_wait(window, &input, 0));
    assert_string_equal(input.preedit, "にほ");
    assert_int_equal(input.preedit_caret, 3);
    assert_int_equal(input.n_edits, 0);
    assert_false(window_wait(window, &input, 0));
    assert_string_equal(input.preedit, "にほ"); // lasts
    push_text("日本");
    push_key(SDLK_RETURN, 0);
    assert_true(window_wait(window, &input, 0));
    assert_string_equal(input.preedit, "");
    assert_int_equal(input.n_edits, 2);
    assert_text(0, "日本");
    assert_key(1, KEY_ENTER, 0, 0);
}

static void long_composing_is_cut_whole(void **state)
{
    (void)state;
    SDL_Event event = {.type = SDL_TEXTEDITING_EXT};
    size_t length = 3 * 200;
    event.editExt.text = SDL_malloc(length + 1);
    for (size_t i = 0; i < length; i += 3)
        memcpy(event.editExt.text + i, "注", 3);
    event.editExt.text[length] = '\0';
    event.editExt.start = 150;
    assert_int_equal(SDL_PushEvent(&event), 1);
    assert_true(window_wait(window, &input, 0));
    assert_int_equal(strlen(input.preedit), 255);
    assert_int_equal(input.preedit_caret, 255);
}

static void motions_are_one_and_clicks_are_apart(void **state)
{
    (void)state;
    for (int i = 0; i <= 50; i++)
        push_motion(i, 2 * i);
    push_button(true, SDL_BUTTON_RIGHT, 1, 9, 9);
    push_button(true, SDL_BUTTON_LEFT, 1, 60, 70);
    push_motion(300, 300);
    push_button(false, SDL_BUTTON_LEFT, 1, 300, 300);
    push_button(true, SDL_BUTTON_LEFT, 2, 310, 300);
    push_button(false, SDL_BUTTON_LEFT, 2, 310, 300);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.pressed && input.down && !input.released);
    assert_int_equal((int)input.x, 60);
    assert_int_equal((int)input.y, 70);
    assert_int_equal(input.clicks, 1);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.released && !input.pressed && !input.down);
    assert_int_equal((int)input.x, 300);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.pressed && input.down);
    assert_int_equal(input.clicks, 2);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.released);
    assert_false(window_wait(window, &input, 0));
    assert_false(input.pressed || input.released || input.down);
    assert_int_equal((int)input.x, 310);
    push_window(SDL_WINDOWEVENT_LEAVE);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.x < -1e5f && input.y < -1e5f);
}

static void typing_before_a_click_stays_before_it(void **state)
{
    (void)state;
    push_text("a");
    push_button(true, SDL_BUTTON_LEFT, 1, 5, 5);
    push_text("b");
    assert_true(window_wait(window, &input, 0));
    assert_text(0, "a");
    assert_false(input.pressed);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.pressed);
    assert_int_equal(input.n_edits, 0);
    assert_true(window_wait(window, &input, 0));
    assert_text(0, "b");
}

static void pointer_follows_the_zoom(void **state)
{
    (void)state;
    window_set_scale(window, 2);
    push_motion(100, 50);
    assert_true(window_wait(window, &input, 0));
    assert_int_equal((int)input.x, 50);
    assert_int_equal((int)input.y, 25);
}

static void wheels_add_up(void **state)
{
    (void)state;
    SDL_Event event = {.type = SDL_MOUSEWHEEL};
    event.wheel.y = 1;
    event.wheel.preciseY = 1;
    event.wheel.x = 2;
    event.wheel.preciseX = 2;
    SDL_PushEvent(&event);
    event.wheel.preciseY = 0.25f;
    event.wheel.y = 0;
    SDL_PushEvent(&event);
    event.wheel.direction = SDL_MOUSEWHEEL_FLIPPED;
    SDL_PushEvent(&event);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.wheel_y > 0.99f && input.wheel_y < 1.01f);
    assert_true(input.wheel_x > -2.01f && input.wheel_x < -1.99f);
    assert_false(window_wait(window, &input, 0));
    assert_true(input.wheel_y < 0.01f);
}

static void push_drop(Uint32 type, const char *what)
{
    SDL_Event event = {.type = type};
    event.drop.file = SDL_strdup(what);
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void drops_come_one_a_frame(void **state)
{
    (void)state;
    push_drop(SDL_DROPFILE, "/tmp/a model/config.json");
    push_drop(SDL_DROPTEXT, "Bonjour é");
    assert_true(window_wait(window, &input, 0));
    assert_string_equal(input.drop, "/tmp/a model/config.json");
    assert_false(input.dropped_text);
    assert_true(window_wait(window, &input, 0));
    assert_string_equal(input.drop, "");
    assert_true(input.dropped_text);
    assert_int_equal(input.drop_text_length, strlen("Bonjour é"));
    assert_memory_equal(input.drop_text, "Bonjour é", input.drop_text_length);
    assert_false(window_wait(window, &input, 0));
    assert_false(input.dropped_text);
    assert_null(input.drop_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WINDOW(typing_comes_as_text),
        WITH_WINDOW(keys_are_named),
        WITH_WINDOW(shortcuts_come_as_keys_once),
        WITH_WINDOW(shortcuts_work_on_other_layouts),
        WITH_WINDOW(two_hundred_keys_arrive_in_order),
        WITH_WINDOW(pushed_text_is_whole),
        WITH_WINDOW(composing_stays_out_of_the_text),
        WITH_WINDOW(long_composing_is_cut_whole),
        WITH_WINDOW(motions_are_one_and_clicks_are_apart),
        WITH_WINDOW(typing_before_a_click_stays_before_it),
        WITH_WINDOW(pointer_follows_the_zoom),
        WITH_WINDOW(wheels_add_up),
        WITH_WINDOW(drops_come_one_a_frame),
    };
    return cmocka_run_group_tests_name("events", tests, open_fonts, close_fonts);
}
