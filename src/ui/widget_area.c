// SPDX-License-Identifier: MIT
// A text field of several lines. Lines are not wrapped: a row of a matrix is a line, and
// stays one. Only the lines in sight are measured. The line with the caret is shown with
// the input method's preedit put in, in a copy. See widgets.h.
#include "ui/widgets.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "ui/text_input.h"
#include "ui/text_line.h"

static const float caret_width = 2, half_cap = 0.35f, pad = 10, line_step = 1.45f;

struct field {
    struct ui *ui;
    ui_id id;
    struct rect rect, inner; // inner: where text shows
    float size, step;        // step: from line to line
    struct text_area *area;
    struct textedit *edit;
    struct buf shown; // the caret's line with the preedit
};

struct row { // a line of the text
    size_t begin, end;
};

static struct row row_at(const struct field *field, size_t at)
{
    return (struct row){textedit_line_begin(field->edit, at),
                        textedit_line_end(field->edit, at)};
}

static struct row nth_row(const struct field *field, int n)
{
    struct row row = row_at(field, 0);
    for (; n > 0 && row.end < textedit_length(field->edit); n--)
        row = row_at(field, row.end + 1);
    return row;
}

static int rows_before(const struct field *field, size_t at)
{
    int n = 0;
    const char *text = textedit_text(field->edit);
    for (size_t i = 0; i < at; i++)
        n += text[i] == '\n';
    return n;
}

static void measure(const struct field *field, struct row row, struct text_line *line)
{
    text_line_measure(line, field->ui, FONT_TEXT, field->size,
                      textedit_text(field->edit) + row.begin, row.end - row.begin);
}

static float x_of(const struct field *field, size_t at)
{
    struct text_line line;
    struct row row = row_at(field, at);
    measure(field, row, &line);
    return text_line_x(&line, at - row.begin);
}

// ---- keys

static size_t near(const struct field *field, struct row row, float x)
{
    struct text_line line;
    measure(field, row, &line);
    return row.begin + text_line_near(&line, x);
}

// A row up or down, to the column where the first of such moves began; beyond the first
// and the last row, to the end of the text.
static void move_row(struct field *field, int by, bool extend)
{
    struct text_area *area = field->area;
    size_t caret = textedit_caret(field->edit), to = caret;
    struct row row = row_at(field, caret);
    if (area->goal_at != caret)
        area->goal_x = x_of(field, caret);
    if (by < 0)
        to = row.begin == 0 ? 0 : near(field, row_at(field, row.begin - 1), area->goal_x);
    else
        to = row.end == textedit_length(field->edit)
                 ? row.end
                 : near(field, row_at(field, row.end + 1), area->goal_x);
    textedit_select(field->edit, extend ? textedit_anchor(field->edit) : to, to);
    area->goal_at = textedit_caret(field->edit);
}

static bool take_key(void *of, const struct key_event *key)
{
    struct field *field = of;
    bool shift = key->mods == MOD_SHIFT;
    if (text_input_composing(field->ui, field->id) || (key->mods && !shift))
        return false;
    if (key->key == KEY_UP || key->key == KEY_DOWN)
        move_row(field, key->key == KEY_UP ? -1 : 1, shift);
    else if (key->key == KEY_ENTER)
        textedit_insert(field->edit, "\n", 1);
    else
        return false;
    return true;
}

// ---- scrolling

static float most_scroll(const struct field *field)
{
    int rows = rows_before(field, textedit_length(field->edit)) + 1;
    return fmaxf(0, (float)rows * field->step - field->inner.h);
}

static float into(float scroll, float at, float size, float room)
{
    if (scroll < at + size - room)
        scroll = at + size - room;
    return scroll > at ? at : scroll;
}

// The caret comes into sight when it moved; the wheel may take it out again.
static void scroll(struct field *field)
{
    struct text_area *area = field->area;
    struct textedit *edit = field->edit;
    size_t caret = textedit_caret(edit);
    if (caret != area->seen_at || textedit_revision(edit) != area->seen) {
        float y = (float)rows_before(field, caret) * field->step;
        area->scroll_x =
            into(area->scroll_x, x_of(field, caret), caret_width + 8, field->inner.w);
        area->scroll_y = into(area->scroll_y, y, field->step, field->inner.h);
    } else if (ui_is_hot(field->ui, field->id)) {
        area->scroll_y -= field->ui->input->wheel_y * field->step;
        area->scroll_x -= field->ui->input->wheel_x * field->step;
    }
    area->seen_at = caret;
    area->seen = textedit_revision(edit);
    area->scroll_x = fmaxf(0, area->scroll_x);
    area->scroll_y = fminf(fmaxf(0, area->scroll_y), most_scroll(field));
}

// ---- pointer

static struct row pointed_row(const struct field *field)
{
    float y = field->ui->input->y - field->inner.y + field->area->scroll_y;
    return nth_row(field, (int)fmaxf(0, floorf(y / field->step)));
}

static float pointed_x(const struct field *field)
{
    return field->ui->input->x - field->inner.x + field->area->scroll_x;
}

static void press(struct field *field)
{
    struct textedit *edit = field->edit;
    struct row row = pointed_row(field);
    size_t at = near(field, row, pointed_x(field));
    field->ui->drag_clicks = field->ui->input->clicks;
    if (field->ui->drag_clicks >= 3)
        textedit_select(edit, row.begin, row.end);
    else if (field->ui->drag_clicks == 2)
        textedit_select_word(edit, at);
    else
        textedit_select(
            edit, field->ui->input->mods & MOD_SHIFT ? textedit_anchor(edit) : at, at);
}

static void take_pointer(struct field *field)
{
    struct ui *ui = field->ui;
    if (!ui_is_active(ui, field->id))
        return;
    if (ui->input->pressed) {
        press(field);
    } else if (ui->drag_clicks < 2) {
        size_t caret = textedit_caret(field->edit);
        textedit_select(field->edit, textedit_anchor(field->edit),
                        near(field, pointed_row(field), pointed_x(field)));
        // Held outside, the text goes on scrolling until its end is reached.
        if (!rect_contains(field->rect, ui->input->x, ui->input->y) &&
            textedit_caret(field->edit) != caret)
            ui->animating = true;
    }
}

// ---- drawing

static size_t within(size_t at, struct row row)
{
    return (at < row.begin ? row.begin : at > row.end ? row.end : at) - row.begin;
}

static void draw_selection(const struct field *field, struct row row,
                           const struct text_line *line, float y)
{
    size_t begin = text_input_begin(field->edit), end = text_input_end(field->edit);
    if (begin == end || end < row.begin || begin > row.end)
        return;
    float from = text_line_x(line, within(begin, row));
    float to = text_line_x(line, within(end, row)) + (end > row.end ? 6 : 0);
    draw_fill(field->ui->list,
              rect_make(field->inner.x - field->area->scroll_x + from, y, to - from,
                        field->step),
              0, text_input_selected(field->ui, field->id));
}

// The caret's line with what is being composed, and a line under that.
static void draw_composed(struct field *field, struct row row, float y, float baseline)
{
    struct ui *ui = field->ui;
    struct text_line line;
    char preedit[TEXT_PREEDIT_MAX + 1];
    size_t at = 0, caret = within(textedit_caret(field->edit), row);
    size_t count = text_input_preedit(ui, preedit, &at);
    const char *text = textedit_text(field->edit) + row.begin;
    float x = field->inner.x - field->area->scroll_x;
    buf_init(&field->shown, row.end - row.begin + sizeof preedit);
    buf_append(&field->shown, text, caret);
    buf_append(&field->shown, preedit, count);
    buf_append(&field->shown, text + caret, row.end - row.begin - caret);
    text_line_measure(&line, ui, FONT_TEXT, field->size, buf_text(&field->shown),
                      field->shown.length);
    text_line_draw(&line, ui->list, x, baseline, field->rect.x,
                   field->rect.x + field->rect.w, ui->style->ink);
    if (!field->shown.failed) {
        float from = text_line_x(&line, caret), to = text_line_x(&line, caret + count);
        draw_fill(ui->list,
                  rect_make(x + from, baseline + field->size * 0.14f, to - from, 1.5f), 0,
                  ui->style->ink);
        draw_fill(ui->list,
                  rect_make(x + text_line_x(&line, caret + at) - caret_width / 2, y + 1,
                            caret_width, field->step - 2),
                  0, ui->style->accent);
    }
    buf_finish(&field->shown);
}

static struct rect caret_rect(const struct field *field)
{
    size_t caret = textedit_caret(field->edit);
    float y = (float)rows_before(field, caret) * field->step - field->area->scroll_y;
    return rect_make(field->inner.x - field->area->scroll_x + x_of(field, caret) -
                         caret_width / 2,
                     field->inner.y + y + 1, caret_width, field->step - 2);
}

static void draw_rows(struct field *field)
{
    struct ui *ui = field->ui;
    float left = field->inner.x - field->area->scroll_x;
    int first = (int)(field->area->scroll_y / field->step);
    float y = field->inner.y - field->area->scroll_y + (float)first * field->step;
    size_t length = textedit_length(field->edit), caret = textedit_caret(field->edit);
    struct row row = nth_row(field, first);
    for (; y < field->rect.y + field->rect.h; y += field->step) {
        float baseline = y + field->step / 2 + half_cap * field->size;
        struct text_line line;
        measure(field, row, &line);
        draw_selection(field, row, &line, y);
        if (text_input_composing(ui, field->id) && caret >= row.begin && caret <= row.end)
            draw_composed(field, row, y, baseline);
        else
            text_line_draw(&line, ui->list, left, baseline, field->rect.x,
                           field->rect.x + field->rect.w, ui->style->ink);
        if (row.end == length)
            break;
        row = row_at(field, row.end + 1);
    }
}

static void draw_thumb(const struct field *field)
{
    float most = most_scroll(field), all = most + field->inner.h;
    if (most <= 0)
        return;
    float unit = field->inner.h / all, h = fmaxf(12, field->inner.h * unit);
    float y = field->inner.y + (field->inner.h - h) * field->area->scroll_y / most;
    draw_fill(field->ui->list, rect_make(field->rect.x + field->rect.w - 6, y, 3, h),
              1.5f, field->ui->style->dim);
}

static void draw_content(struct field *field, const char *hint)
{
    struct ui *ui = field->ui;
    struct rect inside = rect_inset(field->rect, 2);
    draw_clip(ui->list, inside);
    if (textedit_length(field->edit) == 0 && hint != NULL)
        ui_text_fit(
            ui, FONT_TEXT, field->size,
            rect_make(field->inner.x, field->inner.y, field->inner.w, field->step), -1,
            ui->style->dim, hint);
    draw_rows(field);
    if (ui_has_focus(ui, field->id) && !text_input_composing(ui, field->id))
        draw_fill(ui->list, caret_rect(field), 0, ui->style->accent);
    draw_thumb(field);
    draw_clip(ui->list, rect_make(0, 0, -1, -1));
}

bool widget_area(struct ui *ui, const char *id, struct rect rect, float size,
                 const char *hint, bool wrong, struct text_area *area)
{
    struct field field = {
        .ui = ui,
        .id = ui_hash(id),
        .rect = rect,
        .inner = {rect.x + pad, rect.y + 6, rect.w - 2 * pad, fmaxf(1, rect.h - 12)},
        .size = size,
        .step = roundf(size * line_step),
        .area = area,
        .edit = area->edit,
    };
    uint64_t before = textedit_revision(area->edit);
    textedit_clock(area->edit, ui->input->now_ms);
    ui_behave(ui, field.id, rect);
    take_pointer(&field);
    if (ui_has_focus(ui, field.id))
        text_input_take(ui, field.id, area->edit, take_key, &field);
    scroll(&field);
    text_input_box(ui, field.id, rect, 6, wrong);
    draw_content(&field, hint);
    text_input_place(ui, field.id, caret_rect(&field));
    return textedit_revision(area->edit) != before;
}
