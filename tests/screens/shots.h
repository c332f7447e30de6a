// SPDX-License-Identifier: MIT
// What the pictures in this folder show.
#pragma once

#include "ui/style.h"

struct shot {
    const char *name;
    float width, height, scale;
    enum theme theme;
    const char *model, *text;
    const char *commands[6];
    float pointer_x, pointer_y; // 0, 0: outside
};

extern const struct shot shots[];
extern const int n_shots;
