// SPDX-License-Identifier: MIT
// Drives the application as a person would, with made-up input and a fixed-width font.
#pragma once

#include "align/alignment.h"
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
// The same of target labels, which stand at the right end of their gutter.
int driver_labels(const struct driver *driver, const char *text);
// What is on the stage, by its tokens, whatever lens it is seen through.
const struct alignment *driver_now(const struct driver *driver);
// The word of a row of it, from 1.
const char *driver_word(const struct driver *driver, int row);
// Whether every row of it stands in the last frame with its word.
bool driver_sees_rows(const struct driver *driver);
// Words made as by printf, good until the eighth next call.
const char *driver_words(const char *format, ...) PRINTF_LIKE(1, 2);
uint64_t driver_hash(const struct driver *driver);
// The same of what is printed so.
bool driver_shows(const struct driver *driver, const char *format, ...) PRINTF_LIKE(2, 3);

struct driver_row {         // a row of what is on the stage, by hand, at τ = 1
    const char *word;       // its label
    const char *read;       // that of the column with the largest score
    const float *e, *alpha; // (n)
    int n, best, next;      // the columns of the largest score and of the next
    double most, gap;       // the largest score, and what the next one is less it
    double power, sum;      // exp of gap, and Σ of all that are made so
};
struct driver_row driver_row(const struct driver *driver, int t);
// The weight of h of the column s (from 0), "0.774 h₅", until the next call.
const char *driver_term(const struct driver_row *row, int s);
