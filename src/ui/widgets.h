// SPDX-License-Identifier: MIT
// Buttons, segmented choices, the text field, a slider. Each draws itself and says what
// happened. Every one works by keyboard: Tab to it, Enter or Space to press, arrows to
// move. A click on a button, a link or a choice leaves the focus where it is, so that
// typing goes on in the text field.
#pragma once

#include "ui/textedit.h"
#include "ui/ui.h"

// True when pressed. `selected` draws it in the accent colour.
bool widget_button(struct ui *ui, const char *id, struct rect rect, const char *label,
                   bool selected, bool enabled);
// Like a button, without a ground: for the quiet words at the top right.
bool widget_link(struct ui *ui, const char *id, struct rect rect, const char *label);
// count labels side by side in one frame; *chosen moves by click, arrows, Home, End.
// True when *chosen changed.
bool widget_choice(struct ui *ui, const char *id, struct rect rect,
                   const char *const *labels, int count, int *chosen);
// A track over the whole width of rect (the knob stands out by its radius at the ends),
// on its middle line, with a knob, *position in 0..1. Drag, wheel (± step), arrows (±
// step), PageUp and PageDown (± 5 steps), Home, End. True when *position changed.
bool widget_slider(struct ui *ui, const char *id, struct rect rect, float step,
                   float *position);
// The text field: draws text, caret, selection, preedit; handles keys, mouse (click,
// drag, double and triple), clipboard (Ctrl+C, X, V). size: font size. hint: shown when
// empty. scroll_x: kept by the caller (starts at 0). True when the text changed.
bool widget_text(struct ui *ui, const char *id, struct rect rect, float size,
                 const char *hint, struct textedit *edit, float *scroll_x);
// The same on several lines: Enter, Up and Down (which keep their column), the wheel; a
// triple click selects a line. wrong: framed in the colour of warnings.
struct text_area {
    struct textedit *edit;    // of textedit_create_lines
    float scroll_x, scroll_y; // kept by the widget; all zeroed at first
    float goal_x;             // the column that Up and Down keep
    size_t goal_at, seen_at;  // the caret that it belongs to; that was last in sight
    uint64_t seen;            // revision that was last in sight
};
bool widget_area(struct ui *ui, const char *id, struct rect rect, float size,
                 const char *hint, bool wrong, struct text_area *area);
// widget_text with room kept free inside the field's right end, for a readout.
bool widget_text_beside(struct ui *ui, const char *id, struct rect rect, float reserve,
                        float size, const char *hint, struct textedit *edit,
                        float *scroll_x);
