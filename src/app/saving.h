// SPDX-License-Identifier: MIT
// Everything that leaves the window as a file or comes back as a session.
#pragma once

#include "app/equation.h"
#include "formats/saved.h"
#include "ui/textedit.h"

struct app;
struct ui;

struct saving { // the sheet that asks for a name
    bool open;
    struct textedit *name;
    float scroll_x;
};

struct reopening { // a session on its way to the screen
    bool busy;     // there is one
    struct saved session;
    char path[4096];      // its file
    char model[4096];     // what is opened for it
    bool begun;           // the model is there
    int line;             // next of its lines of edits and of the view
    struct equation page; // that its lines of the equation lead to; not open: none
    char trouble[512];    // the first line that could not be carried out
};

// saving.c
MUST_CHECK bool saving_write(struct app *app, const char *path, struct error *err);
// The matrix with its labels, as it is shown, on the clipboard.
MUST_CHECK bool saving_copy(struct app *app, struct error *err);
void saving_ask(struct app *app); // opens the sheet with a name that is free
void saving_close(struct app *app);
void saving_draw(struct app *app);

// session.c
MUST_CHECK bool app_session_write(struct app *app, const char *path, struct error *err);
// Refuses, and nothing is changed; or begins: the picture stays until the model is open.
MUST_CHECK bool app_session_open(struct app *app, const char *path, struct error *err);
// What was opened as `asked` is the model at `path`.
void app_session_opened(struct app *app, const char *asked, const char *path);
void app_session_update(struct app *app); // goes on as far as it can
void app_session_forget(struct app *app);
