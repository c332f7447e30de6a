// SPDX-License-Identifier: MIT
// Lines of the command table that mean the page of the equation while it is open. See
// equation.h.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"
#include "view/tau.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

// The word's place among the names; NOWHERE.
static int among(const char *word, const char *(*name_of)(int), int count)
{
    for (int i = 0; i < count; i++)
        if (is(word, name_of(i)))
            return i;
    return NOWHERE;
}

static const char *score_name(int i)
{
    return attend_score_name((enum attend_score)i);
}

static const char *mask_name(int i)
{
    return attend_mask_name((enum attend_mask)i);
}

static const char *beside_name(int i)
{
    return attend_beside_name((enum attend_beside)i);
}

static const char *bundled_name(int i)
{
    return attend_sheet_bundled[i];
}

static bool bad(struct error *err, const char *command, const char *found,
                const char *expected)
{
    return fail_with(err, ERR_USAGE, "%s: found '%.100s', expected %s", command, found,
                     expected);
}

// ---- what is chosen

static bool choose_score(struct app *app, const char *word, struct error *err)
{
    int at = among(word, score_name, ATTEND_SCORES);
    if (at == NOWHERE)
        return bad(err, "sheet score", word, "dot, scaled-dot, cosine or additive");
    app->equation.choices.input.score = (enum attend_score)at;
    equation_changed(app);
    return true;
}

static bool choose_mask(struct app *app, const char *word, struct error *err)
{
    int at = among(word, mask_name, ATTEND_MASKS);
    if (at == NOWHERE)
        return bad(err, "sheet mask", word, "none, causal or given");
    app->equation.choices.input.mask = (enum attend_mask)at;
    equation_changed(app);
    return true;
}

static bool choose_beside(struct app *app, const char *word, struct error *err)
{
    int at = among(word, beside_name, BESIDE_COUNT);
    if (at == NOWHERE)
        return bad(err, "sheet beside", word, "nothing, hard, in-order or naive");
    app->equation.choices.beside = (enum attend_beside)at;
    equation_changed(app);
    return true;
}

static bool choose_normalise(struct app *app, const char *word, struct error *err)
{
    bool *normalise = &app->equation.choices.input.normalise;
    if (!is(word, "on") && !is(word, "off") && !is(word, "toggle"))
        return bad(err, "sheet normalise", word, "on, off or toggle");
    *normalise = is(word, "toggle") ? !*normalise : is(word, "on");
    equation_changed(app);
    return true;
}

// "Q 1 0; 0 1": the text of a field; a row ends with a semicolon.
static bool set_field(struct app *app, const char *rest, struct error *err)
{
    char name[32] = "";
    int used = 0;
    if (sscanf(rest, "%31s %n", name, &used) != 1)
        return bad(err, "sheet set", rest, "a matrix and its rows");
    int field = equation_field_of(name);
    if (field == NOWHERE)
        return bad(err, "sheet set", name, "Q, K, V, W_Q, ..., queries, keys or values");
    struct buf text;
    buf_init(&text, ATTEND_SHEET_BYTES);
    for (const char *c = rest + used; *c; c++) {
        buf_append(&text, *c == ';' ? "\n" : c, 1);
        c += *c == ';' && c[1] == ' ';
    }
    bool ok = !text.failed || fail_nomem(err, "the rows of a matrix");
    if (ok) {
        textedit_set(app->equation.fields[field].edit, buf_text(&text), text.length);
        textedit_select(app->equation.fields[field].edit, 0, 0);
        equation_changed(app);
    }
    buf_finish(&text);
    return ok;
}

static bool step_sheet(struct app *app, int by, struct error *err)
{
    int count = attend_sheet_bundled_count, at = app->equation.bundled;
    at = at == NOWHERE ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
    return equation_load_bundled(app, at, err);
}

static bool choose_view(struct app *app, const char *word, struct error *err)
{
    int n = 0;
    if (sscanf(word, "%d", &n) != 1 || n < 1 || n > EQUATION_VIEWS)
        return bad(err, "sheet view", word, "a number from 1 to 4");
    app->equation.view = n - 1;
    return true;
}

static bool choose_group(struct app *app, const char *word, struct error *err)
{
    int n = 0;
    if (is(word, "next"))
        n = (app->equation.group + 1) % EQUATION_GROUPS + 1;
    else if (sscanf(word, "%d", &n) != 1 || n < 1 || n > EQUATION_GROUPS)
        return bad(err, "sheet group", word, "a number from 1 to 5, or next");
    app->equation.group = n - 1;
    return true;
}

// ---- where one is

static int rows_of(const struct app *app)
{
    return app->equation.result ? app->equation.result->now.queries : 0;
}

static bool select_row(struct app *app, const char *argument, struct error *err)
{
    int rows = rows_of(app), at = app->equation.selected, n = 0;
    if (is(argument, "next"))
        at = at + 1 < rows ? at + 1 : rows - 1;
    else if (is(argument, "back"))
        at = at > 0 ? at - 1 : 0;
    else if (is(argument, "first"))
        at = 0;
    else if (is(argument, "last"))
        at = rows - 1;
    else if (is(argument, "none"))
        at = NOWHERE;
    else if (sscanf(argument, "%d", &n) == 1 && n >= 1)
        at = n <= rows ? n - 1 : rows - 1;
    else
        return bad(err, "select", argument,
                   "a number from 1, next, back, first, last or none");
    app->equation.selected = rows ? at : NOWHERE;
    return true;
}

// A remote goes through the microscope where it is large, else through the rows, and
// from the last one to the next sheet.
static bool step(struct app *app, const char *argument, struct error *err)
{
    struct equation *equation = &app->equation;
    int by = is(argument, "next") ? 1 : is(argument, "back") ? -1 : 0;
    if (!by)
        return bad(err, "step", argument, "next or back");
    if (equation->scope.page != SCOPE_PANEL) {
        equation->scope = scope_move(equation->scope, by);
        return true;
    }
    bool end = by > 0 ? equation->selected >= rows_of(app) - 1 : equation->selected <= 0;
    return end ? step_sheet(app, by, err) : select_row(app, argument, err);
}

static bool set_tau(struct app *app, const char *argument, struct error *err)
{
    struct attend *input = &app->equation.choices.input;
    const float by = 0.02f;
    float tau = (float)input->tau, position = tau_to_position(tau);
    if (is(argument, "up"))
        tau = tau_of_position(position + by);
    else if (is(argument, "down"))
        tau = tau_of_position(position - by);
    else if (!tau_parse(argument, &tau))
        return bad(err, "tau", argument, TAU_EXPECTED ", inf, up or down");
    // As it is written, not as the nearest float: "0.1".
    double value = strtod(argument, NULL);
    input->tau =
        value > 0 && (float)value >= tau && (float)value <= tau ? value : (double)tau;
    equation_changed(app);
    return true;
}

static bool microscope(struct app *app, const char *argument, struct error *err)
{
    struct scope *scope = &app->equation.scope;
    int n = 0;
    if (is(argument, "next") || is(argument, "back"))
        *scope = scope_move(*scope, is(argument, "next") ? 1 : -1);
    else if (is(argument, "open"))
        *scope = scope_toggle(*scope);
    else if (is(argument, "close"))
        scope->page = SCOPE_PANEL;
    else if (is(argument, "overview"))
        scope->step = SCOPE_OVERVIEW;
    else if (is(argument, "up") || is(argument, "down"))
        scope->first += is(argument, "down") ? 1 : -1;
    else if (is(argument, "steps") || is(argument, "lookup") || is(argument, "gradient"))
        scope->page = is(argument, "steps")    ? SCOPE_TABLE
                      : is(argument, "lookup") ? SCOPE_LOOKUP
                                               : SCOPE_GRADIENT;
    else if (sscanf(argument, "%d", &n) == 1 && n >= 1 && n < SCOPE_STEPS)
        scope->step = (enum scope_step)n;
    else
        return bad(err, "microscope", argument, "next, back, open or close");
    if (scope->page != SCOPE_PANEL && scope->step == SCOPE_OVERVIEW)
        scope->step = SCOPE_SCORE;
    return true;
}

// ---- sheet

// What is done to the sheet that is open.
static const struct act {
    const char *word;
    bool (*run)(struct app *app, const char *rest, struct error *err);
} acts[] = {
    {"set", set_field},         {"view", choose_view},   {"group", choose_group},
    {"score", choose_score},    {"mask", choose_mask},   {"normalise", choose_normalise},
    {"beside", choose_beside},  {"tau", set_tau},        {"row", select_row},
    {"microscope", microscope}, {"type", equation_type}, {"clear", equation_clear},
    {"title", equation_title},  {"note", equation_note}, {"random", equation_random},
    {"keep", equation_keep},    {"done", equation_done},
};

static const struct act *act_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strlen(acts[i].word) == length && !strncmp(acts[i].word, word, length))
            return &acts[i];
    return NULL;
}

bool equation_acts(const char *word, size_t length)
{
    return act_of(word, length) != NULL;
}

bool command_sheet(struct app *app, const char *argument, struct error *err)
{
    int used = 0, n = 0;
    if (is(argument, "next") || is(argument, "back"))
        return step_sheet(app, is(argument, "next") ? 1 : -1, err);
    int named = among(argument, bundled_name, attend_sheet_bundled_count);
    if (named >= 0)
        return equation_load_bundled(app, named, err);
    if (sscanf(argument, "%d%n", &n, &used) == 1 && !argument[used] && n >= 1 &&
        n <= attend_sheet_bundled_count)
        return equation_load_bundled(app, n - 1, err);
    size_t word = strcspn(argument, " ");
    const char *rest = argument + word + strspn(argument + word, " ");
    const struct act *act = act_of(argument, word);
    if (act && !app->equation.result)
        return fail_with(err, ERR_USAGE, "sheet: no sheet is open");
    if (act)
        return act->run(app, rest, err);
    if (word == 3 && !strncmp(argument, "new", word))
        return equation_new(app, rest, err);
    if (!*argument)
        return bad(err, "sheet", argument, "a number, a name, new, next, back or a path");
    return equation_load(app, argument, err);
}

bool command_equation(struct app *app, const char *argument, struct error *err)
{
    bool close = is(argument, "off") || (!*argument && app->equation.open);
    if (*argument && !is(argument, "on") && !is(argument, "off"))
        return bad(err, "equation", argument, "on, off or nothing");
    if (!close)
        return equation_open(app, err);
    equation_close(app);
    return true;
}

// ---- lines that mean the page

static bool copy(struct app *app, const char *argument, struct error *err)
{
    struct buf out;
    (void)argument;
    buf_init(&out, ATTEND_SHEET_BYTES);
    bool ok = equation_write(app, true, &out, err);
    if (ok && app->ui.host->clipboard_set)
        app->ui.host->clipboard_set(app->ui.host->context, buf_text(&out));
    if (ok)
        app_say_done(app, "what the sheet comes to is on the clipboard, as text");
    buf_finish(&out);
    return ok;
}

static bool edit(struct app *app, const char *argument, struct error *err)
{
    char id[32];
    int fields[3];
    (void)argument;
    (void)err;
    equation_group(app->equation.group, fields);
    equation_field_id(fields[0], id);
    ui_set_focus(&app->ui, ui_hash(id));
    return true;
}

bool equation_takes(struct app *app, const char *name, const char *argument, bool *ok,
                    struct error *err)
{
    static const struct {
        const char *name;
        bool (*run)(struct app *app, const char *argument, struct error *err);
    } rows[] = {{"select", select_row},
                {"step", step},
                {"tau", set_tau},
                {"microscope", microscope},
                {"example", command_sheet},
                {"copy", copy},
                {"edit", edit}};
    // The lines of a session that is being opened are not for the page.
    bool here = app->equation.open && !app->reopening.busy;
    for (size_t i = 0; here && i < sizeof rows / sizeof *rows; i++)
        if (is(name, rows[i].name)) {
            *ok = rows[i].run(app, argument, err);
            return true;
        }
    return false;
}

bool equation_knows(const char *line)
{
    static const char *const known[] = {
        "select", "step",       "tau",   "type-tau", "microscope", "example", "copy",
        "sheet",  "equation",   "theme", "map",      "shade",      "zoom",    "help",
        "blank",  "fullscreen", "quit",  "dismiss",  "save",       "edit",
    };
    size_t length = strcspn(line, " ");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && !strncmp(line, known[i], length))
            return true;
    return false;
}
