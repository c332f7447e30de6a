// SPDX-License-Identifier: MIT
// What every text field does with an event: typed text, keys, the clipboard, and what
// belongs to the input method while it composes. Internal to ui/.
#pragma once

#include "ui/textedit.h"
#include "ui/ui.h"

enum { TEXT_PREEDIT_MAX = 3 * (int)sizeof(((struct input *)0)->preedit) };

bool text_input_composing(const struct ui *ui, ui_id id);
// The selection's ends; equal without one.
size_t text_input_begin(const struct textedit *edit);
size_t text_input_end(const struct textedit *edit);
// Takes the events of this frame that mean something, up to a Tab by which the focus
// leaves: what follows is not for this field. `special`, if there is one, is asked first.
void text_input_take(struct ui *ui, ui_id id, struct textedit *edit,
                     bool (*special)(void *field, const struct key_event *key),
                     void *field);
// What the input method composes, cleaned, into out (TEXT_PREEDIT_MAX + 1), and its caret
// in it. Returns the length.
size_t text_input_preedit(const struct ui *ui, char *out, size_t *caret);

// The box of a field, by its state; the colour of what is selected in it; and for the
// input method, where the caret of the field that has the keyboard is.
void text_input_box(const struct ui *ui, ui_id id, struct rect rect, float radius,
                    bool wrong);
struct color text_input_selected(const struct ui *ui, ui_id id);
void text_input_place(const struct ui *ui, ui_id id, struct rect caret);
