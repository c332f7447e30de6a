// SPDX-License-Identifier: MIT
// Command lines at random. See lines.h. # becomes a number from 1, % a weight.
#include "lines.h"

#include <stdio.h>
#include <string.h>

static const char *const lines[] = {
    "select #",
    "select extend next",
    "select none",
    "column #",
    "column extend back",
    "column none",
    "view merge next",
    "view special toggle",
    "view top #",
    "view top all",
    "view hard toggle",
    "view transpose toggle",
    "view ribbon toggle",
    "view menu toggle",
    "more toggle",
    "view reset",
    "matrix zoom in",
    "matrix zoom out",
    "matrix zoom %",
    "matrix pan # #",
    "matrix port % # #",
    "readings toggle",
    "readings row",
    "word-list toggle",
    "model1 toggle",
    "dropout % #",
    "dropout off",
    "what-if cell # # %",
    "what-if cell here # +%",
    "what-if pin #",
    "what-if unpin #",
    "what-if mute #",
    "what-if boost # %",
    "what-if hard on #",
    "what-if hard off",
    "what-if shuffle #",
    "what-if shuffle off",
    "what-if shuffle-words #",
    "what-if word # #",
    "what-if word # \"chat\"",
    "what-if prefix Le chat",
    "what-if undo",
    "what-if undo",
    "what-if redo",
    "what-if clear",
    "what-if keep #",
    "what-if toggle mute",
    "what-if type",
    "what-if mode on",
    "what-if list on",
    "what-if before on",
    "what-if before off",
    "beam #",
    "beam off",
    "beam tree toggle",
    "beam wider",
    "beam show #",
    "beam show next",
    "beam node #",
    "beam node child",
    "beam node down",
    "step next",
    "step back",
    "reveal start",
    "reveal next",
    "reveal all",
    "reveal off",
    "reveal play",
    "microscope open",
    "microscope close",
    "microscope next",
    "microscope #",
    "microscope steps",
    "microscope gradient",
    "microscope lookup",
    "beside tau %",
    "beside before",
    "beside all",
    "beside button #",
    "beside toggle",
    "beside off",
    "difference toggle",
    "copy matrix",
    "cells # #",
    "cells 0 0",
    "select #",
    "map next",
    "shade next",
    "help",
    "blank",
};

const char *random_line(struct random *random)
{
    static char out[128];
    const char *line = random_of(random, lines, sizeof lines / sizeof *lines);
    size_t n = 0;
    for (; *line && n + 16 < sizeof out; line++) {
        if (*line == '#')
            n += (size_t)snprintf(out + n, 16, "%d", 1 + random_below(random, 12));
        else if (*line == '%')
            n += (size_t)snprintf(out + n, 16, "%.2f",
                                  (double)random_between(random, 0, 3));
        else
            out[n++] = *line;
    }
    out[n] = '\0';
    return out;
}
