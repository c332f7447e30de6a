// SPDX-License-Identifier: MIT
// The sheet of switches. See viewmenu.h. A table says everything about a switch: what it
// is called, its key, its words, and the command line that each word stands for.
#include "view/viewmenu.h"

#include <math.h>

#include "ui/widgets.h"

enum { WORDS = 4, ROW = 36, NAME_W = 104, KEY_W = 62, PAD = 16, SHEET_W = 462 };

struct menu_row {
    const char *name, *key;
    const char *words[WORDS], *lines[WORDS];
    int count;
};

enum {
    ROW_FORM,
    ROW_WORDS,
    ROW_SPECIAL,
    ROW_TOP,
    ROW_HARD,
    ROW_AXES,
    ROW_SHADE,
    ROW_READINGS,
    ROW_LIST,
    ROW_MODEL1,
    ROW_COMPARE,
    ROWS
};

static const struct menu_row rows[ROWS] = {
    [ROW_FORM] = {"drawn as",
                  "Alt+R",
                  {"matrix", "ribbons"},
                  {"view ribbon off", "view ribbon on"},
                  2},
    [ROW_WORDS] = {"sub-words",
                   "Alt+W",
                   {"pieces", "Σ words", "max words"},
                   {"view merge off", "view merge sum", "view merge max"},
                   3},
    [ROW_SPECIAL] = {"special ⏎",
                     "Alt+E",
                     {"shown", "hidden"},
                     {"view special show", "view special hide"},
                     2},
    [ROW_TOP] = {"largest α",
                 "Alt+K",
                 {"all", "1", "3", "5"},
                 {"view top all", "view top 1", "view top 3", "view top 5"},
                 4},
    [ROW_HARD] =
        {"arg max", "Alt+H", {"plain", "outlined"}, {"view hard off", "view hard on"}, 2},
    [ROW_AXES] = {"rows are",
                  "Alt+X",
                  {"target", "source"},
                  {"view transpose off", "view transpose on"},
                  2},
    [ROW_SHADE] = {"full colour",
                   "F4",
                   {"α = 1", "row max", "matrix", "log"},
                   {"shade 0 to 1", "shade row maximum", "shade matrix maximum",
                    "shade logarithm"},
                   4},
    [ROW_READINGS] =
        {"readings", "Alt+N", {"hidden", "shown"}, {"readings off", "readings on"}, 2},
    [ROW_LIST] = {"word list",
                  "Alt+G",
                  {"hidden", "marked"},
                  {"word-list off", "word-list on"},
                  2},
    [ROW_MODEL1] =
        {"IBM Model 1", "Alt+O", {"hidden", "circled"}, {"model1 off", "model1 on"}, 2},
    [ROW_COMPARE] = {"compare",
                     "Alt+A D",
                     {"one model", "side by side", "difference"},
                     {"beside off", "beside all", "difference on"},
                     3},
};

static int chosen_of(const struct viewmenu *menu, int row)
{
    switch (row) {
    case ROW_FORM:
        return menu->ribbon;
    case ROW_WORDS:
        return (int)menu->lens.merge;
    case ROW_SPECIAL:
        return menu->lens.hide_special;
    case ROW_TOP:
        return menu->lens.top <= 0   ? 0
               : menu->lens.top == 1 ? 1
               : menu->lens.top == 3 ? 2
               : menu->lens.top == 5 ? 3
                                     : -1;
    case ROW_HARD:
        return menu->hard;
    case ROW_AXES:
        return menu->lens.transpose;
    case ROW_READINGS:
        return menu->readings;
    case ROW_LIST:
        return menu->list;
    case ROW_MODEL1:
        return menu->model1;
    case ROW_COMPARE:
        return (int)menu->compare;
    default:
        return (int)menu->shade;
    }
}

static void draw_name(struct ui *ui, struct rect at, const char *name, const char *key)
{
    ui_text_fit(ui, FONT_TEXT, 13.5f, rect_make(at.x, at.y, NAME_W, at.h), -1,
                ui->style->ink, name);
    ui_text_fit(ui, FONT_TEXT, 12, rect_make(at.x + at.w - KEY_W, at.y, KEY_W, at.h), 1,
                ui->style->dim, key);
}

static const char *draw_choice(struct ui *ui, struct rect at, const struct viewmenu *menu,
                               int i)
{
    const struct menu_row *row = &rows[i];
    int chosen = chosen_of(menu, i);
    draw_name(ui, at, row->name, row->key);
    struct rect choice =
        rect_make(at.x + NAME_W + 8, at.y + 2, at.w - NAME_W - KEY_W - 16, at.h - 6);
    if (widget_choice(ui, row->name, choice, row->words, row->count, &chosen))
        return row->lines[chosen];
    return NULL;
}

static const char *draw_zoom(struct ui *ui, struct rect at, bool enabled)
{
    static const char *const words[] = {"fit", "smaller", "larger"};
    static const char *const lines[] = {"matrix zoom fit", "matrix zoom out",
                                        "matrix zoom in"};
    const char *line = NULL;
    draw_name(ui, at, "cells", "Alt+F − +");
    float w = (at.w - NAME_W - KEY_W - 16 - 12) / 3;
    for (int i = 0; i < 3; i++) {
        struct rect button =
            rect_make(at.x + NAME_W + 8 + (float)i * (w + 6), at.y + 2, w, at.h - 6);
        if (widget_button(ui, lines[i], button, words[i], false, enabled))
            line = lines[i];
    }
    return line;
}

struct viewmenu_result viewmenu_draw(struct ui *ui, const struct viewmenu *menu)
{
    struct viewmenu_result result = {0};
    float step = fminf(ROW, (ui->input->height - 56 - 2 * PAD) / (ROWS + 1));
    float w = fminf(SHEET_W, ui->input->width - 16);
    float x = fmaxf(8, ui->input->width - w - (ui->input->width >= 1000 ? 24 : 14));
    struct rect box = rect_make(x, 50, w, step * (ROWS + 1) + 2 * PAD);
    struct rect row = rect_make(box.x + PAD, box.y + PAD, box.w - 2 * PAD, step);
    ui_hover(ui, ui_hash("view menu"), box); // what lies under it is out of reach
    draw_fill(ui->list, box, 10, ui->style->panel);
    draw_frame(ui->list, box, 10, 1, ui->style->dim);
    for (int i = 0; i < ROWS; i++) {
        const char *line = draw_choice(ui, row, menu, i);
        result.line = line ? line : result.line;
        row.y += step;
    }
    const char *line = draw_zoom(ui, row, !menu->ribbon);
    result.line = line ? line : result.line;
    result.outside =
        ui->input->pressed && !rect_contains(box, ui->input->x, ui->input->y);
    return result;
}
