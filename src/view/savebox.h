// SPDX-License-Identifier: MIT
// The sheet that asks where to save: a name, a format, and where that will be.
#pragma once

#include "ui/textedit.h"
#include "ui/ui.h"

struct savebox {
    struct textedit *name;
    float *scroll_x;           // of the field
    const char *const *labels; // of the formats, (count)
    int count, chosen;         // chosen -1: the name's ending is none of them
    const char *place;         // the whole path
    bool replaces;             // there is such a file
};
struct savebox_result {
    int format;                // newly chosen; -1: none
    bool typed;                // the name has changed: the rest is of the one before
    bool save, close, outside; // outside: a press beside it
};

extern const char savebox_field[]; // the field's name, for the focus
struct savebox_result savebox_draw(struct ui *ui, const struct savebox *box);
