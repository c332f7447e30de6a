// SPDX-License-Identifier: MIT
// A short text as runs that one face can draw, in the order in which they stand.
#pragma once

#include "ui/draw.h"

enum { RUNS_MAX_BYTES = 256, FACE_BOX = -1 };

struct faces;

struct run {
    int begin, end; // bytes
    int face;       // FACE_BOX: a hollow box for each cluster
    int clusters;
    bool rtl;
    const char *script; // OpenType tag for shaping
};

// At most RUNS_MAX_BYTES of valid text into out (RUNS_MAX_BYTES of them); their number.
int runs_split(struct faces *faces, enum font font, int px, const char *text,
               size_t length, struct run *out);
// The first letter with a direction reads from right to left.
bool runs_right_to_left(const char *text, size_t length);
