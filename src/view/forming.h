// SPDX-License-Identifier: MIT
// The strip over a training's checkpoints: a slider, play, and how entropy and exactness
// went from checkpoint to checkpoint.
#pragma once

#include "ui/ui.h"

#include <stdint.h>

struct forming_point {
    int64_t step;
    float entropy_bits, exact; // NAN: not measured
};

struct forming {
    const struct forming_point *points; // (count), by step
    int count, at;
    bool playing;
};
struct forming_result {
    int at;    // chosen; forming.at when nothing happened
    bool play; // play or pause was pressed
};

enum { FORMING_HEIGHT = 78, FORMING_LOW = 42 }; // in a low window: one line

struct forming_result forming_draw(struct ui *ui, struct rect at,
                                   const struct forming *forming);
