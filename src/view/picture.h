// SPDX-License-Identifier: MIT
// The heatmap with labels, readouts, coverage and colour scale as a picture that stands
// alone: what `alphascope trace --format png` saves and a slide shows.
#pragma once

#include "align/lens.h"
#include "ui/ui.h"
#include "view/colormap.h"

struct picture {
    const struct alignment *alignment; // finished
    const float *alpha; // (rows, n_src) as shown; ignored without attention
    float tau;
    const char *mode;         // "re-read" or "re-decode"
    struct lens_options lens; // what was done to the alignment, for the words about it
    bool hard, ribbon;
    enum shade shade;
    enum colormap map;
    const char *title; // "RNNsearch · English → French"
};

// The logical size at which nothing is crowded, within sane bounds.
void picture_size(const struct picture *picture, float *width, float *height);
// Draws it over 0, 0, width, height of picture_size, between ui_begin and ui_end.
void picture_draw(struct ui *ui, const struct picture *picture, float width,
                  float height);
