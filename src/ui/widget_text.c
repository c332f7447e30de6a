// SPDX-License-Identifier: MIT
// The text field: a textedit seen through a window of its line. What is shown is the text
// with the input method's preedit put in at the caret, in a copy: the preedit never gets
// into the model. The caret does not blink, so an idle window has nothing to draw.
#include "ui/widgets.h"

#include <string.h>

#include "ui/text_input.h"
#include "ui/text_line.h"

static const float caret_width = 2, half_cap = 0.35f;

struct field {
    struct ui *ui;
    ui_id id;
    struct rect rect, inner; // inner: where text shows
    float size;
    struct textedit *edit;
    float *scroll_x;
    char shown[TEXTEDIT_MAX_BYTES + TEXT_PREEDIT_MAX + 1];
    size_t length, caret, preedit_begin, preedit_length; // in shown
    struct text_line line;
};

// ---- layout

static void put(struct field *field, const char *bytes, size_t count)
{
    memcpy(field->shown + field->length, bytes, count);
    field->length += count;
    field->shown[field->length] = '\0';
}

static void put_preedit(struct field *field)
{
    char clean[TEXT_PREEDIT_MAX + 1];
    size_t at = 0, count = text_input_preedit(field->ui, clean, &at);
    put(field, clean, count);
    field->preedit_length = count;
    field->caret += at;
}

static void lay_out(struct field *field)
{
    const char *text = textedit_text(field->edit);
    size_t caret = textedit_caret(field->edit);
    field->length = 0;
    field->caret = caret;
    field->preedit_begin = caret;
    field->preedit_length = 0;
    put(field, text, caret);
    if (text_input_composing(field->ui, field->id))
        put_preedit(field);
    put(field, text + caret, textedit_length(field->edit) - caret);
    text_line_measure(&field->line, field->ui, FONT_MEDIUM, field->size, field->shown,
                      field->length);
}

// The caret is always in view, and no room is wasted at the right end.
static void follow_caret(struct field *field)
{
    float room = field->inner.w - caret_width;
    float caret = text_line_x(&field->line, field->caret);
    float most = text_line_width(&field->line) - room;
    float scroll = *field->scroll_x;
    if (scroll < caret - room)
        scroll = caret - room;
    if (scroll > caret)
        scroll = caret;
    if (scroll > most)
        scroll = most;
    *field->scroll_x = scroll > 0 ? scroll : 0;
}

// ---- pointer

static float pointer_in_line(const struct field *field)
{
    return field->ui->input->x - field->inner.x + *field->scroll_x;
}

// From an offset in what is shown to one in the text.
static size_t to_text(const struct field *field, size_t at)
{
    if (at <= field->preedit_begin)
        return at;
    if (at <= field->preedit_begin + field->preedit_length)
        return field->preedit_begin;
    return at - field->preedit_length;
}

static void press(struct field *field)
{
    struct ui *ui = field->ui;
    struct textedit *edit = field->edit;
    float x = pointer_in_line(field);
    size_t near = to_text(field, text_line_near(&field->line, x));
    ui->drag_clicks = ui->input->clicks;
    if (ui->drag_clicks >= 3)
        textedit_select_all(edit);
    else if (ui->drag_clicks == 2)
        textedit_select_word(edit, to_text(field, text_line_under(&field->line, x)));
    else
        textedit_select(edit,
                        (ui->input->mods & MOD_SHIFT) != 0 ? textedit_anchor(edit) : near,
                        near);
    ui->drag_from = text_input_begin(edit);
    ui->drag_to = text_input_end(edit);
}

// A drag after a double click goes on by words, and keeps the first word.
static void extend_words(struct field *field)
{
    struct textedit *edit = field->edit;
    size_t from = field->ui->drag_from, to = field->ui->drag_to;
    float x = pointer_in_line(field);
    textedit_select_word(edit, to_text(field, text_line_under(&field->line, x)));
    size_t begin = text_input_begin(edit), end = text_input_end(edit);
    if (begin < from)
        textedit_select(edit, to, begin);
    else
        textedit_select(edit, from, end > to ? end : to);
}

static void extend(struct field *field)
{
    struct ui *ui = field->ui;
    size_t caret = textedit_caret(field->edit);
    float x = ui->input->x;
    bool outside = x < field->inner.x || x >= field->inner.x + field->inner.w;
    bool moved = x < ui->drag_x || x > ui->drag_x;
    if (ui->drag_clicks >= 3 || (!moved && !outside))
        return;
    if (ui->drag_clicks == 2)
        extend_words(field);
    else
        textedit_select(
            field->edit, textedit_anchor(field->edit),
            to_text(field, text_line_near(&field->line, pointer_in_line(field))));
    // Held outside, the text goes on scrolling until its end is reached.
    if (outside && textedit_caret(field->edit) != caret)
        ui->animating = true;
}

static void take_pointer(struct field *field)
{
    struct ui *ui = field->ui;
    if (!ui_is_active(ui, field->id))
        return;
    lay_out(field);
    if (ui->input->pressed)
        press(field);
    else
        extend(field);
    ui->drag_x = ui->input->x;
}

// ---- drawing

static struct rect caret_rect(const struct field *field, size_t at)
{
    float x = field->inner.x - *field->scroll_x + text_line_x(&field->line, at);
    float height = field->size * 1.15f;
    float middle = field->rect.y + field->rect.h / 2;
    return rect_make(x - caret_width / 2, middle - height / 2, caret_width, height);
}

static void draw_selection(const struct field *field)
{
    size_t begin = text_input_begin(field->edit), end = text_input_end(field->edit);
    if (begin == end || field->preedit_length > 0)
        return;
    struct rect from = caret_rect(field, begin), to = caret_rect(field, end);
    struct rect all = {from.x + caret_width / 2, from.y, to.x - from.x, from.h};
    draw_fill(field->ui->list, all, 2, text_input_selected(field->ui, field->id));
}

static void draw_preedit_line(const struct field *field, float baseline)
{
    if (field->preedit_length == 0)
        return;
    size_t begin = field->preedit_begin, end = begin + field->preedit_length;
    float left = caret_rect(field, begin).x, right = caret_rect(field, end).x;
    struct rect line = {left + caret_width / 2, baseline + field->size * 0.14f,
                        right - left, 1.5f};
    draw_fill(field->ui->list, line, 0, field->ui->style->ink);
}

static void draw_content(const struct field *field, const char *hint)
{
    struct ui *ui = field->ui;
    struct rect clip = rect_inset(field->inner, -caret_width);
    float baseline = field->rect.y + field->rect.h / 2 + half_cap * field->size;
    draw_clip(ui->list, clip);
    draw_selection(field);
    if (field->length == 0 && hint != NULL)
        ui_text_fit(ui, FONT_TEXT, field->size, field->inner, -1, ui->style->dim, hint);
    text_line_draw(&field->line, ui->list, field->inner.x - *field->scroll_x, baseline,
                   clip.x, clip.x + clip.w, ui->style->ink);
    draw_preedit_line(field, baseline);
    if (ui_has_focus(ui, field->id))
        draw_fill(ui->list, caret_rect(field, field->caret), 0, ui->style->accent);
    draw_clip(ui->list, rect_make(0, 0, -1, -1));
}

static void take_default_focus(struct ui *ui, ui_id id)
{
    if (ui->home == 0)
        ui->home = id;
    if (!ui->focus_chosen && ui->focus == 0)
        ui->focus = id;
}

bool widget_text_beside(struct ui *ui, const char *id, struct rect rect, float reserve,
                        float size, const char *hint, struct textedit *edit,
                        float *scroll_x)
{
    float pad = rect.h >= 40 ? 20 : 10;
    struct field field = {
        .ui = ui,
        .id = ui_hash(id),
        .rect = rect,
        .inner = {rect.x + pad, rect.y, rect.w - 2 * pad - reserve, rect.h},
        .size = size,
        .edit = edit,
        .scroll_x = scroll_x,
    };
    uint64_t before = textedit_revision(edit);
    textedit_clock(edit, ui->input->now_ms);
    take_default_focus(ui, field.id);
    ui_behave(ui, field.id, rect);
    take_pointer(&field);
    if (ui_has_focus(ui, field.id))
        text_input_take(ui, field.id, edit, NULL, NULL);
    lay_out(&field);
    follow_caret(&field);
    text_input_box(ui, field.id, rect, 8, false);
    draw_content(&field, hint);
    text_input_place(ui, field.id, caret_rect(&field, field.caret));
    return textedit_revision(edit) != before;
}

bool widget_text(struct ui *ui, const char *id, struct rect rect, float size,
                 const char *hint, struct textedit *edit, float *scroll_x)
{
    return widget_text_beside(ui, id, rect, 0, size, hint, edit, scroll_x);
}
