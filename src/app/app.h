// SPDX-License-Identifier: MIT
// The application: all mutable state, changed only by commands and worker events, drawn
// once a frame. It knows no SDL: events come in as struct input, pictures go out as a
// draw list, so that a test drives the whole of it without a display.
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "ui/sheet.h"
#include "ui/ui.h"

struct app;

struct app_files {         // where files go, and who makes a picture one
    const char *directory; // that is offered; NULL: the current one
    // Appends the sheet as a file to *out. NULL: no pictures can be saved.
    bool (*picture)(void *context, enum sheet_kind kind, const struct sheet *sheet,
                    struct buf *out, struct error *err);
    void *context;
};

struct app_options {
    const char *models_root; // folder of bundled models; NULL: none
    const char *model;       // id or path to open first; NULL: the first of the library
    const char *text;        // NULL: the example sentence
    float tau;               // start temperature; negative: 1
    bool redecode;           // start in re-decode mode
    enum theme theme;
    float zoom; // 1 = 100 %
    struct app_files files;
    bool report;                 // collect report lines (app_take_report)
    bool hide_times;             // for pictures that must repeat bit for bit
    void (*wake)(void *context); // called from the worker's thread
    void *wake_context;
};

struct app *app_create(const struct app_options *options, struct error *err);
void app_destroy(struct app *app); // NULL is fine
// Waits (at most timeout_ms) until model and decoding are done and takes notice of them,
// so that the next frame is a finished picture, without fading. True: it is.
bool app_settle(struct app *app, int timeout_ms);
// One frame: takes the input, acts, draws. Returns when it wants the next one: 0 now,
// n > 0 in n ms at the latest, -1 when something happens.
int app_frame(struct app *app, const struct ui_host *host, const struct input *input);

const struct draw_list *app_list(const struct app *app); // of the last frame
struct color app_ground(const struct app *app);
float app_zoom(const struct app *app);
bool app_wants_quit(const struct app *app);
bool app_wants_fullscreen(const struct app *app);
// The whole picture stands: a model is open, its decoding has ended and is in the list;
// or there is none of what was asked, and the one before it stands with a sentence.
bool app_is_complete(const struct app *app);
// It stays as the last frame drew it while nobody does anything: the whole picture
// stands, the worker has nothing to do but to measure, and what fades or plays has ended.
bool app_is_at_rest(const struct app *app);
// One line of the command table: "set-text The cat.", "tau 0.3", "select next".
MUST_CHECK bool app_command(struct app *app, const char *line, struct error *err);
// All of the table: a line of usage for each command, and what it does under it.
void app_say_commands(struct buf *out);
// The report so far (JSON, one object a line) is appended to *out and forgotten.
void app_take_report(struct app *app, struct buf *out);
// "alphascope · RNNsearch · English → French"; lives until the next call.
const char *app_title(struct app *app);
// The banner's sentence; "" when there is none.
const char *app_banner(const struct app *app);
