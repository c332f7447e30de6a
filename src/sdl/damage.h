// SPDX-License-Identifier: MIT
// Where a picture differs from the one painted before it. The picture is cut into square
// tiles, and each tile has a hash of what is drawn on it, in order: a tile with another
// hash is painted anew, the others stand. Typing a letter changes one tile of a thousand.
#pragma once

#include "base/arena.h"
#include "ui/pixels.h"

#include <stdint.h>

struct damage { // zeroed: nothing was painted
    struct arena arena;
    int w, h;
    int columns, rows;
    bool known;         // `was` is what stands there
    uint64_t *was, *is; // (rows, columns)
    struct box *boxes;  // (rows) of the last damage_end
};

// A picture of w by h pixels begins. ground: what lies below all. False: memory is short.
bool damage_begin(struct damage *damage, int w, int h, uint64_t ground);
// Something with this hash is drawn on the box, which is inside the picture.
void damage_add(struct damage *damage, struct box box, uint64_t hash);
// The picture is complete: how many of damage->boxes must be painted. They do not
// overlap.
int damage_end(struct damage *damage);
void damage_forget(struct damage *damage); // what was painted is gone
void damage_finish(struct damage *damage);
