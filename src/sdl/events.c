// SPDX-License-Identifier: MIT
// A key that types comes as text only; a key with Ctrl or Alt comes as a key only, and
// the text that some systems send for it too (Alt+x, Ctrl+0) is dropped. While an input
// method composes, plain keys are its own. A frame holds at most one press or release and
// one drop; nothing is typed before a press or after it in the same frame, and the
// pointer does not move on. What does not fit stays in SDL's queue for the next frame, so
// that a fast click is never merged with what follows, what is typed goes where it was
// meant, and nothing is lost.
#include "sdl/events.h"

#include <SDL.h>
#include <ctype.h>
#include <string.h>

void events_init(struct events *events, uint32_t wake_type)
{
    memset(events, 0, sizeof *events);
    events->wake_type = wake_type;
    events->zoom = 1;
    events->now.x = events->now.y = -1e6f;
}

void events_finish(struct events *events)
{
    SDL_free(events->drop);
    events->drop = NULL;
}

void events_begin(struct events *events, struct input *input)
{
    SDL_free(events->drop);
    events->drop = NULL;
    events->took_press = events->took_release = events->took_drop = false;
    *input = events->now;
}

void events_end(struct events *events, const struct input *input)
{
    struct input *now = &events->now;
    now->x = input->x;
    now->y = input->y;
    now->down = input->down;
    now->mods = input->mods;
    now->clicks = input->clicks;
    memcpy(now->preedit, input->preedit, sizeof now->preedit);
    now->preedit_caret = input->preedit_caret;
}

static bool is_left(const SDL_Event *event)
{
    return event->button.button == SDL_BUTTON_LEFT;
}

bool events_fits(const struct events *events, const struct input *input,
                 const SDL_Event *event)
{
    bool clicked = events->took_press || events->took_release;
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_TEXTINPUT:
        return !clicked && input->n_edits < INPUT_MAX_EDITS;
    case SDL_MOUSEMOTION:
        return !clicked;
    case SDL_MOUSEBUTTONDOWN:
        return !is_left(event) || (!clicked && input->n_edits == 0);
    case SDL_MOUSEBUTTONUP:
        return !is_left(event) || !clicked;
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
        return !events->took_drop;
    default:
        return true;
    }
}

// Right Alt is AltGr on most keyboards and types.
static unsigned mods_of(Uint16 mod)
{
    unsigned mods = 0;
    mods |= mod & KMOD_SHIFT ? MOD_SHIFT : 0;
    mods |= mod & (KMOD_CTRL | KMOD_GUI) ? MOD_CTRL : 0;
    mods |= mod & KMOD_LALT ? MOD_ALT : 0;
    return mods;
}

static const struct {
    SDL_Keycode code;
    enum key key;
} keys[] = {
    {SDLK_LEFT, KEY_LEFT},
    {SDLK_RIGHT, KEY_RIGHT},
    {SDLK_UP, KEY_UP},
    {SDLK_DOWN, KEY_DOWN},
    {SDLK_HOME, KEY_HOME},
    {SDLK_END, KEY_END},
    {SDLK_PAGEUP, KEY_PAGE_UP},
    {SDLK_PAGEDOWN, KEY_PAGE_DOWN},
    {SDLK_BACKSPACE, KEY_BACKSPACE},
    {SDLK_DELETE, KEY_DELETE},
    {SDLK_INSERT, KEY_INSERT},
    {SDLK_RETURN, KEY_ENTER},
    {SDLK_KP_ENTER, KEY_ENTER},
    {SDLK_RETURN2, KEY_ENTER},
    {SDLK_TAB, KEY_TAB},
    {SDLK_ESCAPE, KEY_ESCAPE},
    {SDLK_F1, KEY_F1},
    {SDLK_F2, KEY_F2},
    {SDLK_F3, KEY_F3},
    {SDLK_F4, KEY_F4},
    {SDLK_F5, KEY_F5},
    {SDLK_F6, KEY_F6},
    {SDLK_F7, KEY_F7},
    {SDLK_F8, KEY_F8},
    {SDLK_F9, KEY_F9},
    {SDLK_F10, KEY_F10},
    {SDLK_F11, KEY_F11},
    {SDLK_F12, KEY_F12},
};

// The keypad without Num Lock.
static const struct {
    SDL_Keycode code;
    enum key key;
} keypad[] = {
    {SDLK_KP_1, KEY_END},  {SDLK_KP_2, KEY_DOWN},    {SDLK_KP_3, KEY_PAGE_DOWN},
    {SDLK_KP_4, KEY_LEFT}, {SDLK_KP_6, KEY_RIGHT},   {SDLK_KP_7, KEY_HOME},
    {SDLK_KP_8, KEY_UP},   {SDLK_KP_9, KEY_PAGE_UP}, {SDLK_KP_PERIOD, KEY_DELETE},
};

// The sign on a keypad key, for shortcuts such as Ctrl and plus; 0 for others.
static char keypad_char(SDL_Keycode code)
{
    switch (code) {
    case SDLK_KP_PLUS:
        return '+';
    case SDLK_KP_MINUS:
        return '-';
    case SDLK_KP_0:
        return '0';
    default:
        return 0;
    }
}

// What a shortcut calls the key: its ASCII character, or where the layout types another
// script the Latin letter in its place; 0 for none.
static char char_of(const SDL_Keysym *sym)
{
    if (sym->sym >= 32 && sym->sym < 127)
        return (char)tolower(sym->sym);
    if (sym->sym < SDLK_SCANCODE_MASK && sym->scancode >= SDL_SCANCODE_A &&
        sym->scancode <= SDL_SCANCODE_Z)
        return (char)('a' + (int)sym->scancode - SDL_SCANCODE_A);
    return keypad_char(sym->sym);
}

static enum key key_of(const SDL_Keysym *sym)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].code == sym->sym)
            return keys[i].key;
    for (size_t i = 0; i < sizeof keypad / sizeof keypad[0]; i++)
        if (keypad[i].code == sym->sym && !(sym->mod & KMOD_NUM))
            return keypad[i].key;
    return KEY_NONE;
}

static bool add_key(struct input *input, enum key key, char ch)
{
    struct edit_event *edit = &input->edits[input->n_edits++];
    memset(edit, 0, sizeof *edit);
    edit->key = (struct key_event){key, ch, input->mods};
    return true;
}

static bool take_key(struct events *events, struct input *input,
                     const SDL_KeyboardEvent *event)
{
    const SDL_Keysym *sym = &event->keysym;
    unsigned before = input->mods;
    input->mods = mods_of(sym->mod);
    events->swallow = false;
    if (event->type == SDL_KEYUP)
        return input->mods != before;
    bool shortcut = (input->mods & (MOD_CTRL | MOD_ALT)) != 0;
    if (input->preedit[0] && !shortcut)
        return input->mods != before;
    enum key key = key_of(sym);
    if (key != KEY_NONE)
        return add_key(input, key, 0);
    char ch = char_of(sym);
    if (!ch || !shortcut)
        return input->mods != before; // its text follows
    events->swallow = true;
    events->swallow_any = (input->mods & MOD_SHIFT) != 0;
    events->swallow_ch = ch;
    return ch == ' ' ? add_key(input, KEY_SPACE, 0) : add_key(input, KEY_CHAR, ch);
}

// The text of the shortcut that came just before.
static bool is_echo(const struct events *events, const char *text)
{
    return events->swallow && text[0] && !text[1] && (unsigned char)text[0] < 128 &&
           (events->swallow_any || tolower(text[0]) == events->swallow_ch);
}

static bool take_text(struct events *events, struct input *input, const char *text)
{
    bool echo = is_echo(events, text);
    events->swallow = false;
    if (echo || !text[0])
        return false;
    struct edit_event *edit = &input->edits[input->n_edits++];
    memset(edit, 0, sizeof *edit);
    SDL_strlcpy(edit->text, text, sizeof edit->text);
    input->preedit[0] = '\0';
    input->preedit_caret = 0;
    return true;
}

// caret counts code points.
static bool take_preedit(struct input *input, const char *text, int caret)
{
    SDL_utf8strlcpy(input->preedit, text ? text : "", sizeof input->preedit);
    int at = 0;
    for (; caret > 0 && input->preedit[at]; caret--) {
        at++;
        while (((unsigned char)input->preedit[at] & 0xC0) == 0x80)
            at++;
    }
    input->preedit_caret = at;
    return true;
}

static void move_to(const struct events *events, struct input *input, int x, int y)
{
    input->x = (float)x / events->zoom;
    input->y = (float)y / events->zoom;
}

static bool take_button(struct events *events, struct input *input,
                        const SDL_MouseButtonEvent *event)
{
    if (event->button != SDL_BUTTON_LEFT)
        return false;
    move_to(events, input, event->x, event->y);
    if (event->type == SDL_MOUSEBUTTONDOWN) {
        events->took_press = input->pressed = input->down = true;
        input->clicks = event->clicks ? event->clicks : 1;
    } else {
        events->took_release = input->released = true;
        input->down = false;
    }
    return true;
}

static bool take_wheel(struct input *input, const SDL_MouseWheelEvent *event)
{
    float x = event->preciseX, y = event->preciseY;
    x = event->x != 0 && !(x < 0 || x > 0) ? (float)event->x : x;
    y = event->y != 0 && !(y < 0 || y > 0) ? (float)event->y : y;
    float sign = event->direction == SDL_MOUSEWHEEL_FLIPPED ? -1.0f : 1.0f;
    input->wheel_x -= sign * x; // SDL counts right as positive
    input->wheel_y += sign * y;
    return true;
}

static bool take_drop(struct events *events, struct input *input,
                      const SDL_DropEvent *event)
{
    if (!event->file)
        return false;
    events->took_drop = true;
    events->drop = event->file;
    if (event->type == SDL_DROPTEXT) {
        input->dropped_text = true;
        input->drop_text = event->file;
        input->drop_text_length = strlen(event->file);
    } else {
        SDL_strlcpy(input->drop, event->file, sizeof input->drop);
    }
    return true;
}

static bool take_window(struct input *input, const SDL_WindowEvent *event)
{
    switch (event->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        return input->resized = true;
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
        return input->exposed = true;
    case SDL_WINDOWEVENT_LEAVE:
        input->x = input->y = -1e6f;
        return true;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
        return input->focus_gained = true;
    case SDL_WINDOWEVENT_FOCUS_LOST:
        input->mods = 0;
        input->preedit[0] = '\0';
        input->preedit_caret = 0;
        return input->focus_lost = true;
    default:
        return false;
    }
}

static bool take_composition(struct input *input, const SDL_Event *event)
{
    if (event->type == SDL_TEXTEDITING)
        return take_preedit(input, event->edit.text, event->edit.start);
    take_preedit(input, event->editExt.text, event->editExt.start);
    SDL_free(event->editExt.text);
    return true;
}

bool events_take(struct events *events, struct input *input, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        return input->quit = true;
    case SDL_WINDOWEVENT:
        return take_window(input, &event->window);
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return take_key(events, input, &event->key);
    case SDL_TEXTINPUT:
        return take_text(events, input, event->text.text);
    case SDL_TEXTEDITING:
    case SDL_TEXTEDITING_EXT:
        return take_composition(input, event);
    case SDL_MOUSEMOTION:
        move_to(events, input, event->motion.x, event->motion.y);
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return take_button(events, input, &event->button);
    case SDL_MOUSEWHEEL:
        return take_wheel(input, &event->wheel);
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
        return take_drop(events, input, &event->drop);
    default:
        if (event->type == events->wake_type)
            return input->wake = true;
        return false;
    }
}
