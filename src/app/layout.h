// SPDX-License-Identifier: MIT
// Where the parts of the window are.
#pragma once

#include "ui/draw.h"

struct layout {
    struct rect top, sentence, panel, microscope, forming, bottom; // .w 0: no room
    float sentence_size;                                           // font size
};

// has_history: the model brings checkpoints of its training.
struct layout layout_of(float w, float h, bool has_history);
struct rect layout_middle(const struct layout *layout); // matrix and microscope together
struct rect layout_whole(const struct layout *layout);  // from the top bar to the lower
