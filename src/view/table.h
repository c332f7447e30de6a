// SPDX-License-Identifier: MIT
// A table with a line for each source position, large enough to be read from the last
// row of a lecture hall; it scrolls.
#pragma once

#include "ui/ui.h"
#include "view/specimen.h"

enum { TABLE_MAX_COLUMNS = 8 };

struct table_column {
    const char *head;
    bool shown;   // false: still to come, its head alone is there
    bool current; // marked
    bool bars;
    void (*text)(const struct specimen *row, int column, int s, char *out, size_t size);
    double (*value)(const struct specimen *row, int column, int s); // for the bars
    void (*total)(const struct specimen *row, int column, char *out, size_t size);
};

struct table {
    const struct table_column *columns;
    int count;
    int pointed; // out: position under the pointer; NOWHERE
};

// first: position of the top line. Returns it, within bounds and after the wheel.
int table_draw(struct ui *ui, const struct specimen *row, struct rect at,
               struct table *table, int first);
