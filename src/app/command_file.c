// SPDX-License-Identifier: MIT
// The commands that save, copy and open, and one that a session needs. See command.h.
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"

enum { CELL_MAX = 1000 };

bool command_cells(struct app *app, const char *size, struct error *err)
{
    struct cell_size cells = {0};
    int used = 0;
    if (sscanf(size, "%f %f%n", &cells.w, &cells.h, &used) != 2 || size[used] ||
        !(cells.w >= 0 && cells.w <= CELL_MAX) || !(cells.h >= 0 && cells.h <= CELL_MAX))
        return fail_with(err, ERR_USAGE,
                         "cells: found '%.100s', expected a width and a height", size);
    app->kept_cells = cells;
    app->kept_room.w = -1;
    return true;
}

bool command_save(struct app *app, const char *path, struct error *err)
{
    if (*path)
        return saving_write(app, path, err);
    if (app->saving.open)
        saving_close(app);
    else
        saving_ask(app);
    return true;
}

bool command_copy(struct app *app, const char *what, struct error *err)
{
    if (strcmp(what, "matrix") != 0)
        return fail_with(err, ERR_USAGE, "copy: found '%.100s', expected matrix", what);
    return saving_copy(app, err);
}

bool command_open(struct app *app, const char *path, struct error *err)
{
    if (!*path)
        return fail_with(err, ERR_USAGE,
                         "open: expected the path of a session, a sheet or a model");
    if (saved_is(path))
        return app_session_open(app, path, err);
    app_open_path(app, path);
    return true;
}
