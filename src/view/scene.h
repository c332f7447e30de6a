// SPDX-License-Identifier: MIT
// The scene: which rows stand on the screen, whose α they show, what is pointed at.
// The application fills it each frame; the views only read it.
#pragma once

#include "align/difference.h"
#include "align/lens.h"
#include "align/telemetry.h"
#include "view/colormap.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stdint.h>

enum { NOWHERE = -1 };

struct edit_mark { // of what was edited, in words that are shown; .first NOWHERE: all
    struct lens_span rows, columns;
    bool hollow; // what takes away from α
    bool word;   // of a row: its word, not its α
};

struct remarks;

struct scene {
    const struct alignment *now; // the newest decoding; NULL: none yet
    const float *alpha;          // (rows, n_src) as shown: decoded, or re-read at tau
    int rows;                    // rows of now to show
    int reserved; // rows that room is kept for, though they are not shown yet
    const struct row_stats *stats; // (rows) as scene_row_stats would say; or NULL
    // Rows of the sentence before, standing dimmed below `rows` until they are replaced.
    const struct alignment *before;
    const float *before_alpha; // (before_rows, before->n_src)
    int before_rows;
    const bool *changed; // of target words: which differ from those at τ = 1; or NULL
    const uint64_t
        *row_born; // (rows) when a row appeared, ms; 0: stands already; or NULL
    uint64_t now_ms;
    int selected;   // row; NOWHERE
    int selected_s; // column, where the target words are columns; NOWHERE
    struct lens_span marked_rows, marked_columns; // framed; .first NOWHERE: none
    struct cell_size keep;                        // of the frame before, in the same room
    struct grid_port port;                        // what of the matrix is in sight
    int hover_t, hover_s;          // cell or label under the pointer; NOWHERE
    struct lens_options lens;      // what was done to the alignment that now came from
    bool ribbon;                   // lines of words instead of a matrix
    const struct edit_mark *marks; // (n_marks)
    int n_marks;
    const struct remarks *remarks; // doubts, readings, the word list; NULL: not known
    bool edited;                   // now was decoded with what-if edits
    bool hard;                     // frame the largest α of each target word
    enum colormap map;
    enum shade shade;
    float all_max; // SHADE_MAX: the largest of all that stand side by side; 0: its own
    const struct difference *difference; // now is its `shown`; NULL: now is an alignment
    const int *row_of;    // of a difference: the row of the matrix in use that stands at
                          // each; -1: none. NULL: each is its own
    const char *names[2]; // of its two sides
};

// A scene in which nothing is selected or pointed at.
void scene_init(struct scene *scene);
// A row's opacity while it fades in: 0..1.
float scene_row_opacity(const struct scene *scene, int row);
// True while some row is still fading.
bool scene_fading(const struct scene *scene);
// Rows to make room for: those of now and the standing ones of before.
int scene_rows(const struct scene *scene);
// Whether what stands on the screen for a target word sums to 1.
bool scene_keeps_sums(const struct scene *scene);
// Of row t of what is shown. Where rows need not sum to 1, it is of the row scaled so.
struct row_stats scene_row_stats(const struct scene *scene, int t);
// The entropy of a column, for target words that are columns.
float scene_column_bits(const struct scene *scene, int s);
// The largest α of a target word: of row `index`, or of that column where target words
// are columns. NOWHERE when all are 0.
int scene_argmax(const struct scene *scene, int index);
