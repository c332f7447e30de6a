// SPDX-License-Identifier: MIT
// Commands of a lecture: the microscope's steps, rows revealed one at a time, and the one
// step forward that a presenter's remote asks for. See command.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

// In a window without room for the panel the microscope opens large.
static void move_scope(struct app *app, int by)
{
    bool unseen = app->scope.page == SCOPE_PANEL && !app->scope_has_room;
    app->scope = unseen ? scope_toggle(app->scope) : scope_move(app->scope, by);
}

static bool open_page(struct app *app, const char *name)
{
    static const char *const names[SCOPE_PAGES] = {"close", "steps", "lookup",
                                                   "gradient"};
    for (int i = 0; i < SCOPE_PAGES; i++) {
        if (!is(name, names[i]))
            continue;
        if (app->scope.page == SCOPE_PANEL && i != SCOPE_PANEL)
            app->scope = scope_toggle(app->scope);
        app->scope.page = (enum scope_page)i;
        return true;
    }
    return false;
}

bool command_microscope(struct app *app, const char *argument, struct error *err)
{
    int n = 0;
    if (is(argument, "next") || is(argument, "back"))
        move_scope(app, is(argument, "next") ? 1 : -1);
    else if (is(argument, "up") || is(argument, "down"))
        app->scope.first += is(argument, "down") ? 4 : -4;
    else if (is(argument, "open"))
        app->scope = scope_toggle(app->scope);
    else if (is(argument, "overview"))
        app->scope = (struct scope){.first = app->scope.first};
    else if (sscanf(argument, "%d", &n) == 1 && n >= SCOPE_SCORE && n < SCOPE_STEPS)
        app->scope.step = (enum scope_step)n;
    else if (!open_page(app, argument))
        return fail_with(
            err, ERR_USAGE,
            "microscope: found '%.100s', expected next, back, open, close, "
            "overview, steps, lookup, gradient, up, down or a step from 1 to "
            "%d",
            argument, SCOPE_STEPS - 1);
    if (app->scope.page != SCOPE_PANEL && app->bottleneck.open)
        bottleneck_close(app);
    app->beaming.open = app->beaming.open && app->scope.page == SCOPE_PANEL;
    app->heading.open = app->heading.open && app->scope.page == SCOPE_PANEL;
    app->blocking.open = app->blocking.open && app->scope.page == SCOPE_PANEL;
    return true;
}

static bool set_speed(struct app *app, const char *argument, struct error *err)
{
    float speed = app->reveal.speed;
    char *end = NULL;
    if (is(argument, "faster"))
        speed *= 2;
    else if (is(argument, "slower"))
        speed /= 2;
    else
        speed = strtof(argument, &end);
    if ((end && (*end || end == argument)) || !(speed > 0))
        return fail_with(err, ERR_USAGE,
                         "reveal speed: found '%.100s', expected rows a second from 0.25 "
                         "to 4, faster or slower",
                         argument);
    reveal_speed(app, speed);
    return true;
}

bool command_reveal(struct app *app, const char *argument, struct error *err)
{
    if (is(argument, "start"))
        reveal_start(app);
    else if (is(argument, "next"))
        reveal_move(app, 1);
    else if (is(argument, "back"))
        reveal_move(app, -1);
    else if (is(argument, "all"))
        reveal_all(app);
    else if (is(argument, "off"))
        reveal_off(app);
    else if (is(argument, "toggle") && app->reveal.on)
        reveal_off(app);
    else if (is(argument, "toggle"))
        reveal_start(app);
    else if (is(argument, "play"))
        reveal_play(app);
    else if (!strncmp(argument, "speed ", 6))
        return set_speed(app, argument + 6, err);
    else
        return fail_with(err, ERR_USAGE,
                         "reveal: found '%.100s', expected start, next, back, all, off, "
                         "toggle, play or speed",
                         argument);
    return true;
}

bool command_step(struct app *app, const char *argument, struct error *err)
{
    char line[32];
    bool next = is(argument, "next");
    if (!next && !is(argument, "back"))
        return fail_with(err, ERR_USAGE, "step: found '%.100s', expected next or back",
                         argument);
    if (beam_takes(app, argument, true) || block_takes(app, argument))
        return true;
    if (app->scope.page != SCOPE_PANEL && !app->bottleneck.open)
        return command_microscope(app, argument, err);
    snprintf(line, sizeof line, "select %s", next ? "next" : "back");
    return app_command(app, line, err);
}
