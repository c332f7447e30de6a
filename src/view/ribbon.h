// SPDX-License-Identifier: MIT
// The alignment as two lines of words, columns above and rows below, joined by ribbons as
// wide as their α.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

struct ribbon_word {
    float x, w; // middle and room of the word, from the left end of its line
    float node; // width of what its ribbons take together
};

struct ribbon {
    struct rect area;  // all of it
    struct rect bands; // between the two lines
    float gutter;      // left of the lines, for the names of the numbers
    float size;        // of the words
    float width;       // of the longer line; more than bands.w: it is scrolled
    float outside;     // so much of it lies left of the room
    float unit;        // width of α = 1
    float least;       // smaller α are not drawn
    struct ribbon_word top[ALIGNMENT_MAX_SRC], bottom[ALIGNMENT_MAX_TGT];
};

// The scene has rows and attention. The legend keeps its place: it is not in area.
void ribbon_layout(struct ribbon *ribbon, struct ui *ui, const struct scene *scene,
                   struct rect area, float gutter);
void ribbon_draw(struct ui *ui, const struct scene *scene, const struct ribbon *ribbon);
// The word at x, y: a row below or a column above; NOWHERE.
void ribbon_hit(const struct ribbon *ribbon, const struct scene *scene, float x, float y,
                int *row, int *column);
// The port that brings a word of the scene into sight; row NOWHERE: a column.
struct grid_port ribbon_reveal(const struct ribbon *ribbon, const struct scene *scene,
                               int row, int column);
