// SPDX-License-Identifier: MIT
// The scene: which rows stand on the screen, whose α they show, what is pointed at.
// The application fills it each frame; the views only read it.
#pragma once

#include "align/alignment.h"
#include "view/colormap.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stdint.h>

enum { NOWHERE = -1 };

struct scene {
    const struct alignment *now; // the newest decoding; NULL: none yet
    const float *alpha;          // (rows, n_src) as shown: decoded, or re-read at tau
    int rows;                    // rows of now to show
    // Rows of the sentence before, standing dimmed below `rows` until they are replaced.
    const struct alignment *before;
    const float *before_alpha; // (before_rows, before->n_src)
    int before_rows;
    const bool *changed; // (rows) words that differ from those at τ = 1; or NULL
    const uint64_t
        *row_born; // (rows) when a row appeared, ms; 0: stands already; or NULL
    uint64_t now_ms;
    int selected;          // row; NOWHERE
    struct cell_size keep; // of the frame before, in the same room
    int hover_t, hover_s;  // cell or label under the pointer; NOWHERE
    enum colormap map;
    enum shade shade;
};

// A row's opacity while it fades in: 0..1.
float scene_row_opacity(const struct scene *scene, int row);
// True while some row is still fading.
bool scene_fading(const struct scene *scene);
// Rows to make room for: those of now and the standing ones of before.
int scene_rows(const struct scene *scene);
