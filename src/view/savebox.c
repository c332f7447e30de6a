// SPDX-License-Identifier: MIT
// Asking where to save. See savebox.h.
#include "view/savebox.h"

#include <math.h>
#include <string.h>

#include "ui/widgets.h"

const char savebox_field[] = "save name";

enum { PAD = 16, BOX_W = 640, FIELD_H = 36, BUTTON_H = 30, GAP = 6, LINE_H = 22 };

static float label_width(const struct ui *ui, const char *label)
{
    return ui_text_width(ui, FONT_MEDIUM, 13.5f, label, -1) + 24;
}

// The buttons in as many lines as they need; their height. draw false: only that.
static float draw_formats(struct ui *ui, struct rect at, const struct savebox *box,
                          bool draw, int *chosen)
{
    float x = at.x, y = at.y;
    for (int i = 0; i < box->count; i++) {
        float w = label_width(ui, box->labels[i]);
        if (x > at.x && x + w > at.x + at.w) {
            x = at.x;
            y += BUTTON_H + GAP;
        }
        if (draw && widget_button(ui, box->labels[i], rect_make(x, y, w, BUTTON_H),
                                  box->labels[i], i == box->chosen, true))
            *chosen = i;
        x += w + GAP;
    }
    return y + BUTTON_H - at.y;
}

// Long paths show their end, where the name is.
static void draw_place(struct ui *ui, struct rect at, const struct savebox *box)
{
    const char *place = box->place;
    float room = at.w - ui_text_width(ui, FONT_TEXT, 13, "…", -1);
    bool cut = ui_text_width(ui, FONT_TEXT, 13, place, -1) > at.w;
    while (cut && *place && ui_text_width(ui, FONT_TEXT, 13, place, -1) > room) {
        const char *slash = strchr(place + 1, '/');
        if (!slash)
            break;
        place = slash;
    }
    float x = at.x;
    if (place != box->place) {
        draw_text(ui->list, FONT_TEXT, 13, x, at.y + 15, 0, ui->style->dim, "…", -1);
        x += at.w - room;
    }
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(x, at.y, at.x + at.w - x, LINE_H), -1,
                ui->style->dim, place);
}

struct savebox_result savebox_draw(struct ui *ui, const struct savebox *box)
{
    struct savebox_result result = {.format = -1};
    float w = fminf(BOX_W, ui->input->width - 16);
    float x = fmaxf(8, ui->input->width - w - (ui->input->width >= 1000 ? 24 : 14));
    struct rect at = rect_make(x + PAD, 50 + PAD, w - 2 * PAD, 0);
    float formats = draw_formats(ui, at, box, false, NULL);
    float h = 2 * PAD + 28 + formats + FIELD_H + LINE_H + BUTTON_H + 3 * 10;
    struct rect frame = rect_make(x, 50, w, h);
    ui_hover(ui, ui_hash("save box"), frame); // what lies under it is out of reach
    draw_fill(ui->list, frame, 10, ui->style->panel);
    draw_frame(ui->list, frame, 10, 1, ui->style->dim);
    ui_text_fit(ui, FONT_BOLD, 15, rect_make(at.x, at.y - 2, at.w, 22), -1,
                ui->style->ink, "Save what is on the screen");
    at.y += 28;
    draw_formats(ui, at, box, true, &result.format);
    at.y += formats + 10;
    result.typed = widget_text(ui, savebox_field, rect_make(at.x, at.y, at.w, FIELD_H),
                               15, "name of the file", box->name, box->scroll_x);
    at.y += FIELD_H + 10;
    draw_place(ui, rect_make(at.x, at.y, at.w, LINE_H), box);
    at.y += LINE_H + 10;
    const char *verb = box->replaces ? "Replace the file" : "Save";
    float save_w = label_width(ui, verb), right = at.x + at.w;
    result.save =
        widget_button(ui, "save file", rect_make(right - save_w, at.y, save_w, BUTTON_H),
                      verb, !box->replaces, true);
    float close_w = label_width(ui, "Cancel");
    result.close =
        widget_button(ui, "save cancel",
                      rect_make(right - save_w - GAP - close_w, at.y, close_w, BUTTON_H),
                      "Cancel", false, true);
    if (ui_has_focus(ui, ui_hash(savebox_field)) && ui_take_key(ui, KEY_ENTER, 0))
        result.save = true;
    result.outside =
        ui->input->pressed && !rect_contains(frame, ui->input->x, ui->input->y);
    return result;
}
