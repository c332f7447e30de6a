// SPDX-License-Identifier: MIT
// What of the window a session holds, as lines of the command table: whoever adds a way
// to look adds a row here that says the lines which bring it back.
#include "app/session_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"

static void say(struct saved *session, const char *format, ...) PRINTF_LIKE(2, 3);

// Adds a line to the view.
static void say(struct saved *session, const char *format, ...)
{
    char line[200];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const char *kept = NULL;
    if (length > 0 && (size_t)length < sizeof line && session->n_view < SAVED_MAX_LINES)
        kept = arena_copy(&session->arena, line, (size_t)length);
    if (kept)
        session->view[session->n_view++] = kept;
}

static void say_theme(const struct app *app, struct saved *session)
{
    say(session, "theme %s", app->theme == THEME_DARK ? "dark" : "light");
}

static void say_map(const struct app *app, struct saved *session)
{
    say(session, "map %s", colormap_name(app->map));
}

static void say_shade(const struct app *app, struct saved *session)
{
    say(session, "shade %s", shade_name(app->shade));
}

static void say_checkpoint(const struct app *app, struct saved *session)
{
    if (app_is_forming(app))
        say(session, "checkpoint %d", app->checkpoint + 1);
}

static void say_beside(const struct app *app, struct saved *session)
{
    say(session, "beside off");
    for (int i = 0; i < app->rivals.count; i++) {
        struct rival_what what = app->rivals.list[i]->what;
        if (what.kind == RIVAL_MODEL)
            say(session, "beside %s", app->library.entries[what.model].listing.id);
        else if (what.kind == RIVAL_TAU)
            say(session, "beside tau %.9g", (double)what.tau);
        else
            say(session, "beside before");
    }
}

static void say_difference(const struct app *app, struct saved *session)
{
    if (rivals_show_difference(app))
        say(session, "difference on");
}

static void say_tokens(struct saved *session, const char *command, int from, int to)
{
    if (to < 0) {
        say(session, "%s none", command);
        return;
    }
    say(session, "%s %d", command, (from < 0 ? to : from) + 1);
    if (from >= 0 && from != to)
        say(session, "%s extend %d", command, to + 1);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// By tokens: these lines come while no lens is in the way.
static void say_rows(const struct app *app, struct saved *session)
{
    int last = app->show.rows - 1;
    say_tokens(session, "select", least(app->look.row_anchor, last),
               least(app->selected, last));
}

static void say_columns(const struct app *app, struct saved *session)
{
    int last = app->show.now ? app->show.now->n_src - 1 : NOWHERE;
    say_tokens(session, "column", least(app->look.column, last),
               least(app->look.column_end, last));
}

static void say_dropout(const struct app *app, struct saved *session)
{
    if (app->dropout > 0)
        say(session, "dropout %.9g %u", (double)app->dropout, app->seed);
    else
        say(session, "dropout off");
}

static void say_beam(const struct app *app, struct saved *session)
{
    const struct beaming *beaming = &app->beaming;
    if (!beaming->beam.width) {
        say(session, "beam off");
        return;
    }
    say(session, "beam %d %.9g", beaming->beam.width, (double)beaming->beam.length);
    if (beaming->found.nbest.n && beaming->shown > 0)
        say(session, "beam show %d", beaming->shown + 1);
}

static void say_tree(const struct app *app, struct saved *session)
{
    if (!app->beaming.open)
        return;
    say(session, "beam tree on");
    if (app->beaming.node >= 0)
        say(session, "beam node %d", app->beaming.node + 1);
}

static void say_attention(const struct app *app, struct saved *session)
{
    const struct heading *heading = &app->heading;
    char layer[16], head[16];
    if (!heads_there(app))
        return;
    map_place_print(heading->choice.layer, layer, sizeof layer);
    map_place_print(heading->choice.head, head, sizeof head);
    say(session, "attention sort %s", heads_sort_word(heading->sort));
    say(session, "attention pool %s", heading->pool == MAP_MEAN ? "mean" : "max");
    say(session, "attention %s %s %s", map_kind_word(heading->choice.kind), layer, head);
}

static void say_heads(const struct app *app, struct saved *session)
{
    if (app->heading.open && heads_there(app))
        say(session, "attention page on");
}

static void say_block(const struct app *app, struct saved *session)
{
    if (app->blocking.open && heads_there(app))
        say(session, "block %d", app->blocking.step + 1);
}

static void say_clear(const struct app *app, struct saved *session)
{
    (void)app;
    say(session, "view reset");
}

static void say_look(const struct app *app, struct saved *session)
{
    static const char *const merges[] = {"off", "sum", "max"};
    const struct lens_options *lens = &app->look.lens;
    if (lens->merge)
        say(session, "view merge %s", merges[lens->merge]);
    if (lens->hide_special)
        say(session, "view special hide");
    if (lens->top)
        say(session, "view top %d", lens->top);
    if (lens->transpose)
        say(session, "view transpose on");
    if (app->look.hard)
        say(session, "view hard on");
    if (app->look.ribbon)
        say(session, "view ribbon on");
}

static void say_port(const struct app *app, struct saved *session)
{
    const struct grid_port *port = &app->look.port;
    if (port->zoom > 1)
        say(session, "matrix port %.9g %.9g %.9g", (double)port->zoom,
            (double)port->column, (double)port->row);
}

// While one types, cells keep their size: what they had is a part of the picture.
static void say_cells(const struct app *app, struct saved *session)
{
    say(session, "cells %.9g %.9g", (double)app->kept_cells.w, (double)app->kept_cells.h);
}

static void say_edit(struct saved *session, const struct edit *edit)
{
    struct buf line;
    buf_init(&line, SAVED_MAX_BYTES);
    buf_add(&line, "what-if ");
    const char *kept = NULL;
    if (edit_print(edit, &line))
        kept = arena_copy(&session->arena, line.data, line.length);
    if (kept)
        session->edits[session->n_edits++] = kept;
    buf_finish(&line);
}

static void say_edits(const struct app *app, struct saved *session)
{
    const struct edits *edits = &app->what_if.edits;
    int total = what_if_is_here(app) ? edits->total : 0;
    for (int i = 0; i < total; i++) {
        struct edit edit = edits_at(edits, i);
        say_edit(session, &edit);
    }
    if (total > edits->count) { // the others were undone
        char line[40];
        int length = snprintf(line, sizeof line, "what-if keep %d", edits->count);
        const char *kept = arena_copy(&session->arena, line, (size_t)length);
        if (kept)
            session->edits[session->n_edits++] = kept;
    }
    if (session->n_edits && app->what_if.before)
        session->edits[session->n_edits++] = "what-if before on";
    if (app->what_if.asks)
        session->edits[session->n_edits++] = "what-if mode on";
}

static void say_reveal(const struct app *app, struct saved *session)
{
    if (app->reveal.on && reveal_hides(app)) {
        say(session, "reveal start");
        for (int i = 0; i < app->reveal.rows; i++)
            say(session, "reveal next");
    }
}

static void say_scope(const struct app *app, struct saved *session)
{
    static const char *const pages[SCOPE_PAGES] = {"", "steps", "lookup", "gradient"};
    for (int i = 0; i < app->scope.first / 4; i++)
        say(session, "microscope down");
    if (app->scope.page != SCOPE_PANEL)
        say(session, "microscope %s", pages[app->scope.page]);
    if (app->scope.step > 0)
        say(session, "microscope %d", (int)app->scope.step);
}

static void say_remarking(const struct app *app, struct saved *session)
{
    const struct remarking *remarking = &app->remarking;
    if (remarking->readings)
        say(session, "readings %s", remarking->tab == READINGS_ROW ? "row" : "matrix");
    else
        say(session, "readings off");
}

static void say_word_list(const struct app *app, struct saved *session)
{
    say(session, "word-list %s", app->remarking.list ? "on" : "off");
}

static void say_model1(const struct app *app, struct saved *session)
{
    say(session, "model1 %s", app->remarking.model1 ? "on" : "off");
}

// The commands that a session may hold, in the order in which it says them.
static const struct {
    const char *command;
    enum session_list list;
    void (*say)(const struct app *app, struct saved *session);
} parts[] = {
    {"theme", SESSION_VIEW, say_theme},
    {"map", SESSION_VIEW, say_map},
    {"shade", SESSION_VIEW, say_shade},
    {"beside", SESSION_VIEW, say_beside},
    {"difference", SESSION_VIEW, say_difference}, // of what is beside
    {"checkpoint", SESSION_VIEW, say_checkpoint},
    {"dropout", SESSION_VIEW, say_dropout},
    {"beam", SESSION_VIEW, say_beam},
    {"attention", SESSION_VIEW, say_attention},
    {"view", SESSION_VIEW, say_clear},
    {"reveal", SESSION_VIEW, say_reveal},
    {"select", SESSION_VIEW, say_rows},
    {"column", SESSION_VIEW, say_columns},
    {"view", SESSION_VIEW, say_look},
    {"matrix", SESSION_VIEW, say_port},
    {"cells", SESSION_VIEW, say_cells},
    {"readings", SESSION_VIEW, say_remarking},
    {"word-list", SESSION_VIEW, say_word_list},
    {"model1", SESSION_VIEW, say_model1},
    {"microscope", SESSION_VIEW, say_scope},
    {"beam", SESSION_VIEW, say_tree},
    {"attention", SESSION_VIEW, say_heads},
    {"block", SESSION_VIEW, say_block},
    {"what-if", SESSION_EDITS, say_edits},
    {"sheet", SESSION_EQUATION, equation_say},
};

enum { PARTS = sizeof parts / sizeof *parts };

void session_say(const struct app *app, struct saved *session)
{
    for (int i = 0; i < PARTS; i++)
        parts[i].say(app, session);
}

bool session_may_hold(const char *line, enum session_list list)
{
    size_t length = strcspn(line, " ");
    for (int i = 0; i < PARTS; i++)
        if (parts[i].list == list && strlen(parts[i].command) == length &&
            !strncmp(parts[i].command, line, length))
            return list != SESSION_EQUATION || equation_may_hold(line + length);
    return false;
}
