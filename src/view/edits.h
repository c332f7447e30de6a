// SPDX-License-Identifier: MIT
// What was edited, on the matrix and in a strip above it: the list of edits, what can be
// done to it and, while one asks "what if", what can be edited.
#pragma once

#include "ui/textedit.h"
#include "ui/ui.h"
#include "view/grid.h"
#include "view/ribbon.h"
#include "view/scene.h"

// Solid marks: the cell, a row or column with more than the model gave, a pinned row, a
// word that must be said. Hollow ones: a muted column, a hard row.
void edits_mark(struct ui *ui, const struct scene *scene, const struct grid *grid);
// The same on ribbons: bars at the words; of a cell, at both.
void edits_mark_ribbons(struct ui *ui, const struct scene *scene,
                        const struct ribbon *ribbon);

enum { EDITS_STRIP_H = 26 };

extern const char edits_field[]; // the widget in which the beginning is typed

struct edits_strip {
    const char *const *edits; // (count) in words, the newest last
    int count;                // in force
    int total;                // with those that were undone
    bool asks;                // what can be edited is offered, on a line of its own
    bool before;              // the picture is the one without edits
    const char *note;         // what does not hold of them; "": nothing
    struct textedit *typed;   // what the sentence must begin with; NULL: not typed now
    float *scroll_x;
};

struct edits_result {
    const char *line; // the command that was pressed; NULL: none
    bool typed;       // the beginning has changed
    bool entered;     // and is complete
};

float edits_strip_height(const struct edits_strip *strip); // 0: nothing is to be drawn
struct edits_result edits_strip_draw(struct ui *ui, struct rect at,
                                     const struct edits_strip *strip);
// The whole list, below the strip at `at`; what was undone is dim. A press on an edit
// goes back or forth to it: *to is how many are in force then, else -1. True: there was
// a press outside.
bool edits_list_draw(struct ui *ui, struct rect at, const struct edits_strip *strip,
                     int *to);
