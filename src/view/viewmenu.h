// SPDX-License-Identifier: MIT
// The switches of the picture, in a small sheet under the top bar: each with its key.
// They report a line of the command table; they change nothing themselves.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

enum compare { COMPARE_NONE, COMPARE_BESIDE, COMPARE_DIFFERENCE };

struct viewmenu { // as they stand
    struct lens_options lens;
    bool hard, ribbon;
    enum shade shade;
    bool readings, list, model1;
    enum compare compare;
};
struct viewmenu_result {
    const char *line; // of the command table, static; NULL: nothing was chosen
    bool outside;     // there was a press outside
};

struct viewmenu_result viewmenu_draw(struct ui *ui, const struct viewmenu *menu);
