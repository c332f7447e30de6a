// SPDX-License-Identifier: MIT
// Which installed font has a character, asked of fontconfig. Nothing is loaded until the
// first question, as most sentences never ask one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fallback;

struct fallback_font {
    const char *path; // lives with the fallback
    int index;        // face within the file
    bool bitmap;      // has one size only: scale what it draws
};

struct fallback *fallback_create(void); // NULL: no memory
void fallback_destroy(struct fallback *fallback);
// The best-liked installed font that has all of the code points. emoji: only fonts in
// colour; otherwise those without colour come first. False: nobody has them.
bool fallback_find(struct fallback *fallback, const int32_t *points, int count,
                   bool emoji, struct fallback_font *out);
