// SPDX-License-Identifier: MIT
// A plot of a few curves with named axes; the point under the pointer is told.
#pragma once

#include "ui/ui.h"

enum { PLOT_MAX_SERIES = 8, PLOT_NOWHERE = -1 };

struct plot_point {
    float x, y;
    float spread; // relative weight of the mark: 1 full; less while it is being measured
};
struct plot_series {
    const char *name;
    const struct plot_point *points; // (count), by x
    int count;
    bool strong; // in the accent colour
    bool hollow; // marks without filling: measured now, not in the report
};
struct plot {
    const char *x_name, *y_name;
    float x_max, y_max; // both axes begin at 0
    bool x_powers;      // x is a power of 2, and its axis says which: 1, 4, 16
    const struct plot_series *series;
    int n_series;
};
struct plot_hit {
    int series, point; // PLOT_NOWHERE when nothing is near
    bool clicked;
};

struct plot_hit plot_draw(struct ui *ui, struct rect at, const struct plot *plot);
