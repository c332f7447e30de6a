// SPDX-License-Identifier: MIT
// Immediate-mode core: which widget is hot (under the pointer), active (pressed) and
// focused (gets keys). After the architecture of rxi's microui; no SDL, no tensors.
#pragma once

#include "ui/draw.h"
#include "ui/input.h"
#include "ui/style.h"

// What the core needs from the outside. Functions may be called at any time in a frame.
struct ui_host {
    void *context;
    // Width in logical units of text at size; measured with the fonts that will draw it.
    float (*text_width)(void *context, enum font font, float size, const char *text,
                        size_t length);
    // Clipboard as UTF-8 (not necessarily valid!); the result lives until the next call.
    const char *(*clipboard_get)(void *context);
    void (*clipboard_set)(void *context, const char *text);
    // Where the input method should put its window.
    void (*text_rect)(void *context, struct rect caret);
};

typedef uint32_t ui_id;

enum { UI_MAX_FOCUS = 64, UI_MAX_AREAS = 128 };

struct ui_area { // where a widget was, to find the topmost one under the pointer
    ui_id id;
    struct rect rect;
};

struct ui {
    const struct ui_host *host;
    const struct input *input;
    const struct style *style;
    struct draw_list *list;
    ui_id hot, active, focus;
    ui_id focus_order[UI_MAX_FOCUS]; // widgets of this frame in order, for Tab
    int n_focus;
    ui_id press_origin;  // who took the press
    bool keyboard_focus; // focus came from the keyboard: draw the ring
    bool animating;      // somebody wants another frame soon
    bool paper; // what is drawn is kept: what only asks to be pressed is left out
    bool consumed[INPUT_MAX_EDITS]; // keys that somebody has taken
    struct rect tooltip_at;         // set by ui_tooltip, drawn last by ui_end
    char tooltip[512];
    struct ui_area areas[UI_MAX_AREAS], old_areas[UI_MAX_AREAS]; // this frame, the last
    int n_areas, n_old_areas;
    ui_id old_focus_order[UI_MAX_FOCUS];
    int n_old_focus;
    bool hot_is_new;   // hot came from a widget that the last frame did not have
    ui_id home;        // has the focus unless somebody else was given it: the text
    bool focus_chosen; // somebody was
    float grab;        // slider: pointer minus knob when the drag began
    size_t drag_from, drag_to; // text: the word that a double click began with
    float drag_x;              // text: where the pointer was last seen
    int drag_clicks;           // text: of the press that began the drag
};

void ui_init(struct ui *ui, const struct ui_host *host);
void ui_begin(struct ui *ui, const struct input *input, const struct style *style,
              struct draw_list *list);
// Handles Tab and Shift+Tab that nobody took. Escape, taken or not, ends a drag and drops
// the focus ring; the focus then goes to the home widget, unless whoever took the key has
// set it. Draws the tooltip.
void ui_end(struct ui *ui);

ui_id ui_hash(const char *name); // FNV-1a; never 0
// Registers a focusable widget; tells whether it is hot; a press in it makes it active
// and focused.
bool ui_behave(struct ui *ui, ui_id id, struct rect rect);
// The same for what only the pointer uses: no place in the Tab order, takes no focus.
bool ui_hover(struct ui *ui, ui_id id, struct rect rect);
// Only the place in the Tab order: for what a press must not give the focus.
void ui_focusable(struct ui *ui, ui_id id);
bool ui_is_hot(const struct ui *ui, ui_id id);
bool ui_is_active(const struct ui *ui, ui_id id);
bool ui_has_focus(const struct ui *ui, ui_id id);
void ui_set_focus(struct ui *ui, ui_id id);
// Released inside after being pressed inside.
bool ui_clicked(const struct ui *ui, ui_id id, struct rect rect);
// Takes the first untaken key event that matches (exact modifiers); false when none.
bool ui_take_key(struct ui *ui, enum key key, unsigned mods);
bool ui_take_char(struct ui *ui, char ch, unsigned mods);

float ui_text_width(const struct ui *ui, enum font font, float size, const char *text,
                    int length);
// Draws text between x and x + width: whole, or cut at a cluster boundary with "…".
// align: -1 left, 0 centred, 1 right. Returns true when it was cut.
bool ui_text_fit(struct ui *ui, enum font font, float size, struct rect rect, int align,
                 struct color color, const char *text);
// The cut itself: text that fits width into out (NUL-terminated); true when it was cut.
bool ui_elide(const struct ui *ui, enum font font, float size, float width,
              const char *text, char *out, size_t out_size);
// A short text beside `at`, drawn above everything at the end of the frame.
void ui_tooltip(struct ui *ui, struct rect at, const char *text);
void ui_focus_ring(struct ui *ui, ui_id id, struct rect rect, float radius);
