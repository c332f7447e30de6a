// SPDX-License-Identifier: MIT
// A script is the command table's lines, one a line, and four words of its own:
//   wait        until the picture is complete and rests: nothing fades, nothing plays
//   sleep MS    lets the window live that long
//   shot FILE   saves what was last painted as PNG
//   # ...       a comment
// It is a demonstration, and the same thing again is a test.
#pragma once

#include "app/app.h"
#include "base/buf.h"
#include "sdl/window.h"

struct script {
    struct buf text;
    const char *path; // borrowed
    size_t at;
    int number; // of the last line that ran, from 1
    bool waiting;
    uint64_t until_ms; // sleeping until then
};

// path "-": standard input is not read; a script is a file. A line has at most 8191
// bytes.
MUST_CHECK bool script_load(struct script *script, const char *path, struct error *err);
void script_finish(struct script *script);
// Its own words, as app_say_commands says the table's.
void script_say_words(struct buf *out);
// Runs lines until one has to wait. Returns how long to wait at most, in ms; -1: as long
// as the window likes (nothing left, or waiting for the picture). False with *err, which
// names file and line: a bad one.
MUST_CHECK bool script_run(struct script *script, struct app *app, struct window *window,
                           uint64_t now_ms, int *wait_ms, struct error *err);
