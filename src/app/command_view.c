// SPDX-License-Identifier: MIT
// The commands that change how the alignment is looked at and what is selected in it. See
// command.h.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"

enum { LINE_MAX_BYTES = 64, STEPS = 4 };

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static bool bad(struct error *err, const char *command, const char *found,
                const char *expected)
{
    return fail_with(err, ERR_USAGE, "%s: found '%.100s', expected %s", command, found,
                     expected);
}

// "on", "off", "toggle", or nothing, which toggles.
static bool set_switch(bool *on, const char *command, const char *argument,
                       struct error *err)
{
    if (is(argument, "on"))
        *on = true;
    else if (is(argument, "off"))
        *on = false;
    else if (is(argument, "toggle") || !*argument)
        *on = !*on;
    else
        return bad(err, command, argument, "on, off or toggle");
    return true;
}

static bool view_merge(struct app *app, const char *argument, struct error *err)
{
    static const char *const names[] = {"off", "sum", "max"};
    enum lens_merge *merge = &app->look.lens.merge;
    if (is(argument, "next")) {
        *merge = (enum lens_merge)((*merge + 1) % 3);
        return true;
    }
    for (int i = 0; i < 3; i++)
        if (is(argument, names[i])) {
            *merge = (enum lens_merge)i;
            return true;
        }
    return bad(err, "view merge", argument, "off, sum, max or next");
}

static bool view_special(struct app *app, const char *argument, struct error *err)
{
    bool *hide = &app->look.lens.hide_special;
    if (is(argument, "hide"))
        *hide = true;
    else if (is(argument, "show"))
        *hide = false;
    else if (is(argument, "toggle"))
        *hide = !*hide;
    else
        return bad(err, "view special", argument, "hide, show or toggle");
    return true;
}

static bool view_top(struct app *app, const char *argument, struct error *err)
{
    static const int steps[STEPS] = {0, 1, 3, 5};
    int *top = &app->look.lens.top, n = 0;
    char *end = NULL;
    if (is(argument, "all")) {
        *top = 0;
        return true;
    }
    if (is(argument, "next")) {
        int at = 0;
        for (int i = 0; i < STEPS; i++)
            at = steps[i] <= *top ? i : at;
        *top = steps[(at + 1) % STEPS];
        return true;
    }
    n = (int)strtol(argument, &end, 10);
    if (end == argument || *end || n < 1 || n > ALIGNMENT_MAX_SRC)
        return bad(err, "view top", argument, "a number from 1, all or next");
    *top = n;
    return true;
}

static bool view_hard(struct app *app, const char *argument, struct error *err)
{
    return set_switch(&app->look.hard, "view hard", argument, err);
}

static bool view_ribbon(struct app *app, const char *argument, struct error *err)
{
    return set_switch(&app->look.ribbon, "view ribbon", argument, err);
}

static bool view_transpose(struct app *app, const char *argument, struct error *err)
{
    return set_switch(&app->look.lens.transpose, "view transpose", argument, err);
}

static bool view_menu(struct app *app, const char *argument, struct error *err)
{
    return set_switch(&app->look.menu, "view menu", argument, err);
}

static bool view_reset(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    app->look.lens = (struct lens_options){0};
    app->look.hard = app->look.ribbon = false;
    app->look.port = (struct grid_port){0};
    return true;
}

static const struct {
    const char *name;
    bool (*run)(struct app *app, const char *argument, struct error *err);
} views[] = {
    {"merge", view_merge}, {"special", view_special},     {"top", view_top},
    {"hard", view_hard},   {"transpose", view_transpose}, {"ribbon", view_ribbon},
    {"reset", view_reset}, {"menu", view_menu},
};

bool command_view(struct app *app, const char *argument, struct error *err)
{
    size_t name = strcspn(argument, " ");
    const char *rest = argument + name;
    while (*rest == ' ')
        rest++;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strlen(views[i].name) == name && !strncmp(views[i].name, argument, name))
            return views[i].run(app, rest, err);
    return bad(err, "view", argument,
               "merge, special, top, hard, transpose, ribbon, reset or menu");
}

// About the selected row, when it is in sight: that is what is looked at.
static struct grid_port zoomed(const struct app *app, float factor)
{
    const struct grid *grid = &app->look.grid;
    float x = grid->sight.x + grid->sight.w / 2, y = grid->sight.y + grid->sight.h / 2;
    int row = app->look.lens.transpose ? NOWHERE : look_row(app);
    float selected = grid->area.y + ((float)row + 0.5f) * grid->cell_h;
    if (row >= 0 && selected > grid->sight.y && selected < grid->sight.y + grid->sight.h)
        y = selected;
    return grid_zoom(grid, factor, x, y);
}

static bool matrix_zoom(struct app *app, const char *argument, struct error *err)
{
    const float step = 1.25f;
    char *end = NULL;
    float zoom = strtof(argument, &end);
    bool number = end != argument && !*end && isfinite(zoom) && zoom >= 1;
    if (!number && !is(argument, "in") && !is(argument, "out") && !is(argument, "fit"))
        return bad(err, "matrix zoom", argument, "a factor from 1, in, out or fit");
    if (app->look.ribbon && !is(argument, "fit"))
        return fail_with(err, ERR_USAGE, "ribbons have no cells to zoom: they are moved");
    if (!(app->look.grid.cell_w > 0)) // nothing was drawn yet
        app->look.port.zoom = number ? zoom : 1;
    else if (is(argument, "fit"))
        app->look.port = (struct grid_port){0};
    else
        app->look.port = zoomed(app, number ? zoom / app->look.grid.port.zoom
                                     : is(argument, "in") ? step
                                                          : 1 / step);
    return true;
}

static bool matrix_pan(struct app *app, const char *argument, struct error *err)
{
    float across = 0, down = 0;
    char rest;
    if (sscanf(argument, "%f %f%c", &across, &down, &rest) != 2 || !isfinite(across) ||
        !isfinite(down))
        return bad(err, "matrix pan", argument, "two numbers of cells, right and down");
    if (app->look.grid.cell_w > 0)
        app->look.port = app->look.grid.port;
    app->look.port.column += across;
    app->look.port.row += down;
    return true;
}

// All of it, as a session keeps it.
static bool matrix_port(struct app *app, const char *argument, struct error *err)
{
    struct grid_port port;
    char rest;
    if (sscanf(argument, "%f %f %f%c", &port.zoom, &port.column, &port.row, &rest) != 3 ||
        !isfinite(port.zoom) || !isfinite(port.column) || !isfinite(port.row))
        return bad(err, "matrix port", argument, "a factor, a column and a row");
    app->look.port = port;
    return true;
}

bool command_matrix(struct app *app, const char *argument, struct error *err)
{
    if (!strncmp(argument, "zoom ", 5))
        return matrix_zoom(app, argument + 5, err);
    if (!strncmp(argument, "pan ", 4))
        return matrix_pan(app, argument + 4, err);
    if (!strncmp(argument, "port ", 5))
        return matrix_port(app, argument + 5, err);
    return bad(err, "matrix", argument, "zoom or pan");
}

bool command_readings(struct app *app, const char *argument, struct error *err)
{
    static const char *const tabs[READINGS_TABS] = {"matrix", "row"};
    bool were = app->remarking.readings;
    int tab = 0;
    while (tab < READINGS_TABS && !is(argument, tabs[tab]))
        tab++;
    if (tab < READINGS_TABS) {
        app->remarking.readings = true;
        app->remarking.tab = (enum readings_tab)tab;
    } else if (!set_switch(&app->remarking.readings, "readings", argument, err)) {
        return false;
    }
    if (app->remarking.readings && !were && app->rivals.count && !app->reopening.busy)
        app_say(app, "readings are of one matrix: they come when the comparison ends");
    return true;
}

bool command_word_list(struct app *app, const char *argument, struct error *err)
{
    return set_switch(&app->remarking.list, "word-list", argument, err);
}

bool command_model1(struct app *app, const char *argument, struct error *err)
{
    return set_switch(&app->remarking.model1, "model1", argument, err);
}

// "extend next" and the like: what is left after the word is the argument.
static bool take_extend(const char **argument)
{
    if (strncmp(*argument, "extend ", 7) != 0)
        return false;
    *argument += 7;
    return true;
}

// From words to a place among count; what is not understood is -2.
static int place(const char *argument, int at, int count)
{
    int n = 0;
    char rest;
    if (is(argument, "none"))
        return NOWHERE;
    if (is(argument, "first"))
        return 0;
    if (is(argument, "last"))
        return count - 1;
    if (is(argument, "next"))
        return at < 0 ? 0 : at + 1 < count ? at + 1 : count - 1;
    if (is(argument, "back"))
        return at < 0 ? count - 1 : at > 0 ? at - 1 : 0;
    if (sscanf(argument, "%d%c", &n, &rest) == 1 && n >= 1)
        return n - 1;
    return -2;
}

bool command_select(struct app *app, const char *argument, struct error *err)
{
    if (beam_takes(app, argument, false) || reveal_takes(app, argument))
        return true;
    bool extend = take_extend(&argument);
    int row = place(argument, look_row(app), look_rows(app));
    if (row < NOWHERE)
        return bad(err, "select", argument,
                   "a row from 1, next, back, first, last or none");
    look_select(app, row, extend);
    return true;
}

bool command_column(struct app *app, const char *argument, struct error *err)
{
    bool extend = take_extend(&argument);
    int column = place(argument, look_column(app), look_columns(app));
    if (column < NOWHERE)
        return bad(err, "column", argument,
                   "a column from 1, next, back, first, last or none");
    look_select_column(app, column, extend);
    return true;
}
