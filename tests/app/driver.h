// SPDX-License-Identifier: MIT
// Drives the application as a person would, with made-up input and a fixed-width font.
#pragma once

#include "app/app.h"
#include "ui/input.h"

struct driver {
    struct app *app;
    struct ui_host host;
    struct input input;
    char clipboard[1 << 18];
};

// model, text: NULL for what the program opens with. NULL when it cannot be made.
struct driver *driver_open(const char *model, const char *text);
// The same, settled; NULL also when the picture is never complete.
struct driver *driver_ready(const char *model, const char *text);
void driver_close(struct driver *driver);
// One frame with what was put into the input; then the events are forgotten. Whatever is
// drawn must be fit to be painted (drawn.h).
void driver_frame(struct driver *driver);
// Frames until the picture is complete; false when it never is.
bool driver_settle(struct driver *driver);
void driver_key(struct driver *driver, enum key key, char ch, unsigned mods);
// Types UTF-8 text, a piece a frame, without waiting for the engine.
void driver_type(struct driver *driver, const char *text);
void driver_click(struct driver *driver, float x, float y);
void driver_move(struct driver *driver, float x, float y);
void driver_drop(struct driver *driver, const char *path);
bool driver_command(struct driver *driver, const char *line);
// Whether some text of the last frame contains this.
bool driver_sees(const struct driver *driver, const char *text);
// How many texts of the last frame are exactly this.
int driver_count(const struct driver *driver, const char *text);
uint64_t driver_hash(const struct driver *driver);
