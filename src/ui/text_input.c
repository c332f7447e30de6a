// SPDX-License-Identifier: MIT
// What text fields have in common. See text_input.h.
#include "ui/text_input.h"

#include <string.h>

#include "base/buf.h"
#include "text/utf8.h"

bool text_input_composing(const struct ui *ui, ui_id id)
{
    return ui_has_focus(ui, id) && ui->input->preedit[0] != '\0';
}

size_t text_input_begin(const struct textedit *edit)
{
    size_t anchor = textedit_anchor(edit), caret = textedit_caret(edit);
    return anchor < caret ? anchor : caret;
}

size_t text_input_end(const struct textedit *edit)
{
    size_t anchor = textedit_anchor(edit), caret = textedit_caret(edit);
    return anchor > caret ? anchor : caret;
}

static bool copy_selection(struct ui *ui, struct textedit *edit)
{
    struct buf text;
    size_t begin = text_input_begin(edit), end = text_input_end(edit);
    if (begin == end)
        return false;
    buf_init(&text, end - begin);
    bool copied = buf_append(&text, textedit_text(edit) + begin, end - begin);
    if (copied && ui->host->clipboard_set != NULL)
        ui->host->clipboard_set(ui->host->context, buf_text(&text));
    buf_finish(&text);
    return copied;
}

static bool cut_selection(struct ui *ui, struct textedit *edit)
{
    if (!copy_selection(ui, edit))
        return false;
    textedit_insert(edit, "", 0);
    return true;
}

static bool paste(struct ui *ui, struct textedit *edit)
{
    const char *text = NULL;
    if (ui->host->clipboard_get != NULL)
        text = ui->host->clipboard_get(ui->host->context);
    if (text != NULL && text[0] != '\0')
        textedit_insert(edit, text, strlen(text));
    return true;
}

// Copy and cut mean nothing without a selection; the key is then left to others.
static bool clipboard_key(struct ui *ui, struct textedit *edit,
                          const struct key_event *key)
{
    bool ctrl = key->mods == MOD_CTRL, shift = key->mods == MOD_SHIFT;
    char ch = key->key == KEY_CHAR && ctrl ? key->ch : '\0';
    if (ch == 'c' || (key->key == KEY_INSERT && ctrl))
        return copy_selection(ui, edit);
    if (ch == 'x' || (key->key == KEY_DELETE && shift))
        return cut_selection(ui, edit);
    if (ch == 'v' || (key->key == KEY_INSERT && shift))
        return paste(ui, edit);
    return false;
}

// Keys that the input method owns while it composes, on systems that report them too.
static bool owned_by_preedit(const struct key_event *key)
{
    switch (key->key) {
    case KEY_LEFT:
    case KEY_RIGHT:
    case KEY_UP:
    case KEY_DOWN:
    case KEY_HOME:
    case KEY_END:
    case KEY_BACKSPACE:
    case KEY_DELETE:
    case KEY_ENTER:
        return true;
    default:
        return false;
    }
}

// A printable key without Ctrl or Alt: what it types comes as text.
static bool types_text(const struct key_event *key)
{
    bool printable = key->key == KEY_CHAR || key->key == KEY_SPACE;
    return printable && (key->mods & (MOD_CTRL | MOD_ALT)) == 0;
}

// True when the event meant something.
static bool take(struct ui *ui, ui_id id, struct textedit *edit,
                 const struct edit_event *event)
{
    const struct key_event *key = &event->key;
    if (key->key == KEY_NONE) {
        textedit_insert(edit, event->text, strnlen(event->text, sizeof(event->text)));
        return true;
    }
    return types_text(key) || (text_input_composing(ui, id) && owned_by_preedit(key)) ||
           clipboard_key(ui, edit, key) || textedit_key(edit, *key);
}

static bool leaves(const struct edit_event *event)
{
    return event->key.key == KEY_TAB && (event->key.mods & (MOD_CTRL | MOD_ALT)) == 0;
}

void text_input_take(struct ui *ui, ui_id id, struct textedit *edit,
                     bool (*special)(void *field, const struct key_event *key),
                     void *field)
{
    for (int i = 0; i < ui->input->n_edits; i++) {
        const struct edit_event *event = &ui->input->edits[i];
        if (ui->consumed[i])
            continue;
        if (leaves(event))
            return;
        ui->consumed[i] =
            (special && special(field, &event->key)) || take(ui, id, edit, event);
    }
}

size_t text_input_preedit(const struct ui *ui, char *out, size_t *caret)
{
    const struct input *input = ui->input;
    size_t raw = strnlen(input->preedit, sizeof(input->preedit)), at = 0;
    size_t wanted = input->preedit_caret > 0 ? (size_t)input->preedit_caret : 0;
    size_t count = utf8_clean(out, TEXT_PREEDIT_MAX + 1, input->preedit, raw, NULL);
    while (at < count && utf8_next(out, count, at) <= wanted)
        at = utf8_next(out, count, at);
    *caret = at;
    return count;
}

void text_input_box(const struct ui *ui, ui_id id, struct rect rect, float radius,
                    bool wrong)
{
    const struct style *style = ui->style;
    bool focused = ui_has_focus(ui, id);
    struct color line = style->line;
    if (wrong)
        line = style->warn;
    else if (focused)
        line = style->accent;
    else if (ui_is_hot(ui, id))
        line = color_mix(line, style->ink, 0.25f);
    draw_fill(ui->list, rect, radius, style->panel);
    draw_frame(ui->list, rect, radius, focused || wrong ? 1.5f : 1, line);
}

struct color text_input_selected(const struct ui *ui, ui_id id)
{
    return color_fade(ui->style->accent, ui_has_focus(ui, id) ? 0.3f : 0.15f);
}

void text_input_place(const struct ui *ui, ui_id id, struct rect caret)
{
    if (ui_has_focus(ui, id) && ui->host->text_rect != NULL)
        ui->host->text_rect(ui->host->context, caret);
}
