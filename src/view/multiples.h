// SPDX-License-Identifier: MIT
// Several alignments of one sentence as small multiples: one size of cells, one colour
// scale, each with its name, its translation and its mean entropy.
#pragma once

#include "ui/ui.h"
#include "view/panel.h"
#include "view/scene.h"

enum { MULTIPLES_MAX = 6 };

struct multiples {                 // where they go
    struct rect at[MULTIPLES_MAX]; // of the first `shown`; the others find no room
    int shown, columns, lines;     // lines: of words under the name
    float labels;                  // room for source labels above the cells
    bool shared;                   // only the upper ones have source labels
    struct rect legend, rest; // rest: a line that names the others; .h 0: all are shown
};

struct multiples_cells { // what all of them have room for
    int n_src, rows;
    struct cell_size keep; // of the frame before
};

struct multiple {
    const char *name, *note; // note: "τ = 0.3", "without edits" or ""
    const char *words;       // the translation
    float head_w; // that the longest name and note of all take: all say the rest alike
};

float multiples_head_width(struct ui *ui, const struct multiple *multiple);

// wide: for ribbons, which are lines of words, rather than for matrices. same: all have
// the same columns; then in a low area those below another one go without source labels,
// and all cells are higher.
struct multiples multiples_place(struct rect area, int count, bool wide, bool same);
// The matrix of one of them, for panel_hit and for what follows.
struct panel multiples_panel(struct ui *ui, const struct multiples *m, int i,
                             const struct scene *scene,
                             const struct multiples_cells *cells);
void multiples_draw(struct ui *ui, const struct multiples *m, int i,
                    const struct scene *scene, const struct panel *panel,
                    const struct multiple *multiple);
// Name, note and, at the right, mean entropy; the translation in `lines` lines under it,
// or with 0 on the same line, as far as it has room.
void multiples_head(struct ui *ui, struct rect at, const struct scene *scene,
                    const struct multiple *multiple, int lines);
