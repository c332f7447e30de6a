// SPDX-License-Identifier: MIT
// The command table and its functions. See command.h.
#include "app/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/middle.h"
#include "app/state.h"
#include "view/overlay.h"
#include "view/tau.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static bool bad_argument(struct error *err, const char *command, const char *found,
                         const char *expected)
{
    return fail_with(err, ERR_USAGE, "%s: found '%.100s', expected %s", command, found,
                     expected);
}

static bool set_text(struct app *app, const char *text, struct error *err)
{
    (void)err;
    textedit_set(app->edit, text, strlen(text));
    app_text_changed(app);
    return true;
}

static bool set_model(struct app *app, const char *name, struct error *err)
{
    if (!*name)
        return bad_argument(err, "model", name, "a model's id or path");
    int entry = library_find(&app->library, name);
    if (entry >= 0)
        app_open(app, entry);
    else
        app_open_path(app, name);
    return true;
}

// Steps through the scorers of the same languages.
static bool step_model(struct app *app, const char *argument, struct error *err)
{
    int step = is(argument, "next") ? 1 : is(argument, "back") ? -1 : 0;
    if (!step)
        return bad_argument(err, "scorer", argument, "next or back");
    int group[LIBRARY_MAX];
    int base = app->wanted >= 0 ? app->wanted : app->model;
    if (base < 0)
        return true;
    int count = library_group(&app->library, base, group, LIBRARY_MAX), at = 0;
    if (!count)
        return true; // its place was opened anew, with other languages
    for (int i = 0; i < count; i++)
        if (group[i] == base)
            at = i;
    app_open(app, group[(at + step + count) % count]);
    return true;
}

// The n-th scorer button, from 1.
static bool nth_model(struct app *app, const char *argument, struct error *err)
{
    int group[LIBRARY_MAX], n = 0;
    if (sscanf(argument, "%d", &n) != 1 || n < 1)
        return bad_argument(err, "button", argument, "a number from 1");
    if (app->model < 0)
        return true;
    if (n <= library_group(&app->library, app->model, group, LIBRARY_MAX))
        app_open(app, group[n - 1]);
    return true;
}

static bool next_languages(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    if (app->model >= 0)
        app_open(app, library_next_group(&app->library, app->model));
    return true;
}

static bool set_tau(struct app *app, const char *argument, struct error *err)
{
    const float step = 0.02f;
    float position = tau_to_position(app->tau), tau = app->tau;
    if (is(argument, "up"))
        tau = tau_of_position(position + step);
    else if (is(argument, "down"))
        tau = tau_of_position(position - step);
    else if (!tau_parse(argument, &tau))
        return bad_argument(err, "tau", argument, TAU_EXPECTED ", inf, up or down");
    app->tau = tau;
    app_request(app);
    return true;
}

static bool type_tau(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    app->typing_tau = true;
    app->typed_tau[0] = '\0';
    ui_set_focus(&app->ui, ui_hash("tau value"));
    return true;
}

static bool set_mode(struct app *app, const char *argument, struct error *err)
{
    if (is(argument, "re-read"))
        app->reread = true;
    else if (is(argument, "re-decode"))
        app->reread = false;
    else if (is(argument, "toggle"))
        app->reread = !app->reread;
    else
        return bad_argument(err, "mode", argument, "re-read, re-decode or toggle");
    app_request(app);
    return true;
}

static bool set_checkpoint(struct app *app, const char *argument, struct error *err)
{
    int at = app->checkpoint, n = 0;
    if (is(argument, "next"))
        at++;
    else if (is(argument, "back"))
        at--;
    else if (is(argument, "first"))
        at = 0;
    else if (is(argument, "last"))
        at = app->history.count - 1;
    else if (sscanf(argument, "%d", &n) == 1 && n >= 1)
        at = n - 1;
    else
        return bad_argument(err, "checkpoint", argument,
                            "a number from 1, next, back, first or last");
    if (!app->history.count)
        return fail_with(err, ERR_USAGE,
                         "this model has no history/ of its training to step through");
    app->playing = false;
    app_use_checkpoint(app, at);
    return true;
}

// From the end it begins anew.
static bool play(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    if (!app->history.count)
        return set_checkpoint(app, "first", err);
    app->playing = !app->playing;
    if (app->playing && !app_is_forming(app))
        app_use_checkpoint(app, 0);
    return true;
}

static bool toggle_bottleneck(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    app->beaming.open = app->heading.open = app->blocking.open = false;
    if (!app->bottleneck.open)
        return bottleneck_open(app, err);
    bottleneck_close(app);
    return true;
}

static bool measure(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    return (app->bottleneck.open || bottleneck_open(app, err)) &&
           bottleneck_measure(app, err);
}

static bool set_example(struct app *app, const char *argument, struct error *err)
{
    const struct examples *examples = &app->examples;
    int at = examples_at(examples, textedit_text(app->edit)), n = 0;
    if (is(argument, "next"))
        at = at + 1;
    else if (is(argument, "back"))
        at = at < 0 ? examples->count - 1 : at + examples->count - 1;
    else if (sscanf(argument, "%d", &n) == 1 && n >= 1)
        at = n - 1;
    else
        return bad_argument(err, "example", argument, "a number from 1, next or back");
    if (!examples->count)
        return fail_with(err, ERR_USAGE, "there are no examples for these models");
    const char *text = examples->list[at % examples->count].text;
    textedit_set(app->edit, text, strlen(text));
    app->kept_languages[0] = '\0'; // its cells fit it, whatever was there
    app_text_changed(app);
    return true;
}

static bool set_theme(struct app *app, const char *argument, struct error *err)
{
    if (is(argument, "dark"))
        app->theme = THEME_DARK;
    else if (is(argument, "light"))
        app->theme = THEME_LIGHT;
    else if (is(argument, "toggle"))
        app->theme = app->theme == THEME_DARK ? THEME_LIGHT : THEME_DARK;
    else
        return bad_argument(err, "theme", argument, "dark, light or toggle");
    return true;
}

static bool set_map(struct app *app, const char *argument, struct error *err)
{
    if (is(argument, "next")) {
        app->map = (enum colormap)((app->map + 1) % MAP_COUNT);
        return true;
    }
    for (int i = 0; i < MAP_COUNT; i++)
        if (is(argument, colormap_name((enum colormap)i))) {
            app->map = (enum colormap)i;
            return true;
        }
    return bad_argument(err, "map", argument, "theme, cividis, grey or next");
}

static bool set_shade(struct app *app, const char *argument, struct error *err)
{
    if (is(argument, "next")) {
        app->shade = (enum shade)((app->shade + 1) % SHADE_COUNT);
        return true;
    }
    for (int i = 0; i < SHADE_COUNT; i++)
        if (is(argument, shade_name((enum shade)i))) {
            app->shade = (enum shade)i;
            return true;
        }
    return bad_argument(err, "shade", argument,
                        "0 to 1, row maximum, matrix maximum, logarithm or next");
}

static bool set_zoom(struct app *app, const char *argument, struct error *err)
{
    float zoom = app->zoom;
    char *end = NULL;
    if (is(argument, "in"))
        zoom *= 1.1f;
    else if (is(argument, "out"))
        zoom /= 1.1f;
    else
        zoom = strtof(argument, &end);
    if ((end && (*end || end == argument)) || !isfinite(zoom))
        return bad_argument(err, "zoom", argument, "a factor from 0.5 to 4, in or out");
    zoom = fminf(fmaxf(zoom, 0.5f), 4);
    app->zoom = fabsf(zoom - 1) < 0.04f ? 1 : zoom;
    return true;
}

static bool toggle_help(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    // A low window shows the page in two parts.
    int pages = overlay_help_pages(app->ui.input ? app->ui.input->width : 1440,
                                   app->ui.input ? app->ui.input->height : 900,
                                   keys_help(NULL, 1 << 10));
    app->help = app->help >= pages ? 0 : app->help + 1;
    return true;
}

static bool toggle_blank(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    app->blank = !app->blank;
    return true;
}

static bool toggle_fullscreen(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    app->fullscreen = !app->fullscreen;
    return true;
}

// Escape lets go of one thing after the other, the topmost first.
static bool dismiss(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    if (app->blank)
        app->blank = false;
    else if (app->help)
        app->help = 0;
    else if (app->more.open)
        app->more.open = false;
    else if (app->look.menu)
        app->look.menu = false;
    else if (app->saving.open)
        saving_close(app);
    else if (app->typing_tau)
        app_end_typing(app);
    else if (middle_has_matrix(app) && what_if_dismiss(app))
        app->dirty = true;
    else if (*app->banner)
        app_say(app, "");
    else if (app->equation.open && app->equation.scope.page != SCOPE_PANEL)
        app->equation.scope.page = SCOPE_PANEL;
    else if (app->equation.open && app->ui.focus)
        ui_set_focus(&app->ui, 0);
    else if (app->equation.open)
        equation_close(app);
    else if (app->playing)
        app->playing = false;
    else if (app->bottleneck.open)
        bottleneck_close(app);
    else if (app->beaming.open)
        app->beaming.open = false;
    else if (app->heading.open)
        app->heading.open = false;
    else if (app->blocking.open)
        app->blocking.open = false;
    else if (app->scope.page != SCOPE_PANEL)
        app->scope.page = SCOPE_PANEL;
    else if (rivals_show_difference(app))
        app->rivals.difference = false;
    else if (app->rivals.count)
        rivals_clear(app);
    else if (app->ui.focus)
        ui_set_focus(&app->ui, 0);
    else if (app->look.column >= 0)
        look_select_column(app, NOWHERE, false);
    else if (app->scope.step != SCOPE_OVERVIEW)
        app->scope.step = SCOPE_OVERVIEW;
    else if (app->reveal.on)
        reveal_off(app);
    else
        look_select(app, NOWHERE, false);
    return true;
}

static bool focus_text(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    ui_set_focus(&app->ui, ui_hash("sentence"));
    return true;
}

static bool quit(struct app *app, const char *argument, struct error *err)
{
    (void)argument;
    (void)err;
    app->quit = true;
    return true;
}

static const struct command commands[] = {
    {"set-text", "TEXT", "replace the sentence", set_text},
    {"edit", "", "put the caret into the sentence", focus_text},
    {"model", "ID | PATH", "use a model", set_model},
    {"scorer", "next | back", "the next model of these languages", step_model},
    {"button", "N", "the N-th model of these languages", nth_model},
    {"languages", "", "the next group of models", next_languages},
    {"tau", "X | up | down", "set the temperature", set_tau},
    {"type-tau", "", "type a temperature", type_tau},
    {"mode", "re-read | re-decode | toggle", "what τ acts on", set_mode},
    {"dropout", "P [SEED] | toggle | again | off",
     "drop weights of α inside the loop, as training does", command_dropout},
    {"beam",
     "WIDTH [LENGTH] | wider | narrower | off, tree on | off | toggle, "
     "show N | next | back, node N | child | parent | first | last | up | down",
     "search with a beam; its tree; the hypothesis on the heatmap", command_beam},
    {"attention",
     "cross | encoder | decoder | kind [LAYER HEAD], layer N | mean | max, "
     "head N | mean | max, next | back, page on | off | toggle, "
     "sort grid | entropy | diagonal | special | next, pool mean | max | toggle",
     "which attention of a Transformer is seen", command_attention},
    {"block", "on | off | toggle | next | back | STEP",
     "a layer of the encoder, step by step", command_block},
    {"select", "[extend] N | next | back | first | last | none",
     "choose a row, or extend the choice to it", command_select},
    {"column", "[extend] N | next | back | first | last | none",
     "the same with columns of the source", command_column},
    {"view",
     "merge off | sum | max | next, special show | hide | toggle, top K | all | next, "
     "hard | transpose | ribbon | menu on | off | toggle, reset",
     "choose how the alignment is shown", command_view},
    {"matrix", "zoom X | in | out | fit, pan DX DY, port ZOOM COLUMN ROW",
     "look at a part of the matrix", command_matrix},
    {"readings", "on | off | toggle | matrix | row", "numbers of the matrix and its rows",
     command_readings},
    {"word-list", "on | off | toggle", "where a word list and the attention agree",
     command_word_list},
    {"model1", "on | off | toggle", "the alignment of IBM Model 1 over the matrix",
     command_model1},
    {"what-if",
     "cell ROW COLUMN V, pin ROW, unpin ROW, mute COLUMN, boost COLUMN [X], "
     "hard on | off [ROW], shuffle N | off, shuffle-words N | off, "
     "word ROW N | \"TEXT\", prefix TEXT, undo, redo, clear, keep N, "
     "toggle WHAT, type, mode | list | before [on | off]",
     "edit the alignment, and let the decoder carry on", command_what_if},
    {"step", "next | back", "what a presenter's remote does", command_step},
    {"reveal", "start | next | back | all | off | toggle | play | speed X | speed faster",
     "rows one at a time", command_reveal},
    {"microscope",
     "next | back | N | overview | open | close | steps | lookup | gradient | up | down",
     "look into a row", command_microscope},
    {"beside", "ID | button N | all | tau X | before | toggle | off",
     "the same sentence under other models, at another τ, or without its edits",
     command_beside},
    {"difference", "on | off | toggle", "two of them as their signed difference",
     command_difference},
    {"example", "N | next | back", "a sentence worth looking at", set_example},
    {"bottleneck", "", "BLEU by source length, with and without attention",
     toggle_bottleneck},
    {"equation", "[on | off]", "Attention(Q, K, V) of matrices that are typed",
     command_equation},
    {"sheet",
     "N | NAME | new [NAME] | next | back | PATH, set FIELD ROWS, type FIELD TEXT, "
     "clear, "
     "score X, mask X, normalise on | off | toggle, beside X, tau X, title TEXT, note "
     "TEXT, random SEED QUERIES KEYS, done, keep, row N, microscope X, group N | next, "
     "view N",
     "the equation's sheets and what is chosen on them", command_sheet},
    {"measure", "", "measure the bottleneck on a bundled sample", measure},
    {"checkpoint", "N | next | back | first | last", "weights of a step of the training",
     set_checkpoint},
    {"play", "", "run through the training, or pause", play},
    {"theme", "dark | light | toggle", "choose the theme", set_theme},
    {"map", "NAME | next", "choose the colour map", set_map},
    {"shade", "NAME | next", "choose what full colour means", set_shade},
    {"zoom", "X | in | out", "scale the interface", set_zoom},
    {"more", "on | off | toggle", "what the bar at the top has no room for",
     command_more},
    {"help", "", "show or hide the keys", toggle_help},
    {"blank", "", "blank the screen, or bring it back", toggle_blank},
    {"fullscreen", "", "fill the screen, or leave it", toggle_fullscreen},
    {"dismiss", "", "let go of the topmost thing", dismiss},
    {"cells", "WIDTH HEIGHT", "the size of cells, as long as all have room",
     command_cells},
    {"save", "[PATH]", "what is on the screen as a file, by its ending", command_save},
    {"copy", "matrix", "the matrix to the clipboard", command_copy},
    {"open", "PATH", "a session, a sheet or a model", command_open},
    {"quit", "", "end the program", quit},
};

void app_say_commands(struct buf *out)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        buf_printf(out, "%s%s%s\n    %s\n", commands[i].name,
                   *commands[i].arguments ? " " : "", commands[i].arguments,
                   commands[i].help);
}

bool app_command(struct app *app, const char *line, struct error *err)
{
    size_t name = strcspn(line, " ");
    const char *argument = line + name;
    while (*argument == ' ')
        argument++;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct command *command = &commands[i];
        if (strlen(command->name) != name || strncmp(command->name, line, name))
            continue;
        bool ok = false;
        app->dirty = true;
        if (equation_takes(app, command->name, argument, &ok, err))
            return ok;
        return command->run(app, argument, err);
    }
    return fail_with(err, ERR_USAGE, "unknown command '%.*s'",
                     (int)(name < 60 ? name : 60), line);
}

bool app_run(struct app *app, const char *line)
{
    struct error err;
    unsigned said = app->banner_said;
    bool passes = app->banner_passes, ok = app_command(app, line, &err);
    if (!ok)
        app_say(app, err.text);
    else if (passes && app->banner_said == said)
        app_say(app, "");
    app->banner_passes = app->banner_passes || !ok;
    return ok;
}
