// SPDX-License-Identifier: MIT
// What happened since the last frame, as data. sdl/events fills it; tests fill it by
// hand.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key {
    KEY_NONE,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_BACKSPACE,
    KEY_DELETE,
    KEY_INSERT,
    KEY_ENTER,
    KEY_TAB,
    KEY_ESCAPE,
    KEY_SPACE,
    KEY_F1,
    KEY_F2,
    KEY_F3,
    KEY_F4,
    KEY_F5,
    KEY_F6,
    KEY_F7,
    KEY_F8,
    KEY_F9,
    KEY_F10,
    KEY_F11,
    KEY_F12,
    KEY_CHAR, // a printable key: its lower-case ASCII character is in `ch`
};
enum mod { MOD_SHIFT = 1, MOD_CTRL = 2, MOD_ALT = 4 }; // CTRL is Command on macOS

struct key_event {
    enum key key;
    char ch;
    unsigned mods;
};

enum { INPUT_MAX_KEYS = 64, INPUT_MAX_EDITS = 64, INPUT_MAX_CLICKS = 16 };

// Keys and committed text keep their order: edits[i] is either a key or a piece of text.
struct edit_event {
    struct key_event key; // key.key == KEY_NONE: text instead
    char text[64];        // UTF-8, NUL-terminated (SDL sends pieces of at most 31 bytes)
};

struct input {
    float width, height;    // of the window, logical units
    float scale;            // physical pixels per logical unit
    uint64_t now_ms;        // monotonic
    float x, y;             // pointer; far outside (-1e6) when it has left the window
    bool down;              // left button is held
    bool pressed, released; // went down / up since the last frame
    int clicks;             // of the press: 1, 2 (double), 3 (triple)
    unsigned mods;          // held now
    float wheel_x, wheel_y; // notches, up and left positive
    struct edit_event edits[INPUT_MAX_EDITS];
    int n_edits;
    char preedit[256]; // what the input method is composing; never part of the text
    int preedit_caret; // bytes into preedit
    char drop[4096];   // a dropped file's path; "" when none
    bool dropped_text; // the drop is text, in drop_text (borrowed until the next frame)
    const char *drop_text;
    size_t drop_text_length;
    bool quit, resized, exposed, focus_gained, focus_lost, wake;
};
