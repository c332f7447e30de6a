// SPDX-License-Identifier: MIT
// Revealing: the rows of a decoding come to the screen one at a time, by key or at a
// chosen speed. They are computed already; only how many are shown changes.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct app;
struct scene;

struct reveal {
    bool on, playing;
    int rows;    // shown; may be more than there are yet
    float speed; // rows a second
    uint64_t moved_ms;
};

void reveal_start(struct app *app); // no row yet
void reveal_off(struct app *app);   // all rows, and no longer one at a time
void reveal_all(struct app *app);   // to the end
void reveal_move(struct app *app, int by);
void reveal_play(struct app *app); // or pause; from the end it begins anew
void reveal_speed(struct app *app, float rows_a_second);
// While it is on, a step through the rows reveals and hides: "next", "back", "first",
// "last". False: it is for somebody else.
bool reveal_takes(struct app *app, const char *step);
// Takes the hidden rows off a scene.
void reveal_limit(const struct app *app, struct scene *scene);
bool reveal_hides(const struct app *app); // some rows
// Rows as they are shown, of the longest decoding when several are side by side: those
// that are revealed, and all of them.
int reveal_words(const struct app *app);
int reveal_all_words(const struct app *app);
// Lets a playing one go on. Returns when it wants to be called again, in ms; -1: never.
int reveal_tick(struct app *app);
