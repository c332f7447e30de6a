// SPDX-License-Identifier: MIT
// From the state of the window to a session, and back. Everything that a session holds
// beside text, model and τ is a line of the command table, since everything that a user
// can do is one: whoever adds a way to look adds a row here that says its lines.
//
// Back, the lines are carried out one by one, each when the picture that the ones before
// it lead to is complete: a row can only be chosen once it is there.
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/saving.h"
#include "app/state.h"
#include "base/file.h"

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
    if (app->checkpoint < app->history.count - 1)
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

enum list { VIEW, EDITS };

// The commands that a session may hold, in the order in which it says them.
static const struct {
    const char *command;
    enum list list;
    void (*say)(const struct app *app, struct saved *session);
} parts[] = {
    {"theme", VIEW, say_theme},
    {"map", VIEW, say_map},
    {"shade", VIEW, say_shade},
    {"beside", VIEW, say_beside},
    {"difference", VIEW, say_difference}, // of what is beside
    {"checkpoint", VIEW, say_checkpoint},
    {"dropout", VIEW, say_dropout},
    {"beam", VIEW, say_beam},
    {"attention", VIEW, say_attention},
    {"view", VIEW, say_clear},
    {"reveal", VIEW, say_reveal},
    {"select", VIEW, say_rows},
    {"column", VIEW, say_columns},
    {"view", VIEW, say_look},
    {"matrix", VIEW, say_port},
    {"cells", VIEW, say_cells},
    {"readings", VIEW, say_remarking},
    {"word-list", VIEW, say_word_list},
    {"model1", VIEW, say_model1},
    {"microscope", VIEW, say_scope},
    {"beam", VIEW, say_tree},
    {"attention", VIEW, say_heads},
    {"block", VIEW, say_block},
    {"what-if", EDITS, say_edits},
};

enum { PARTS = sizeof parts / sizeof *parts };

// The directory part of a path with its slash, as bytes; 0: none.
static int directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

// A model beside or below the session moves with it; another one is where it is.
static void say_path(struct saved *session, const char *model, const char *path)
{
    char real_model[PATH_MAX], folder[PATH_MAX], real_folder[PATH_MAX];
    int length = directory_length(path);
    snprintf(folder, sizeof folder, "%.*s", length ? length : 1, length ? path : ".");
    if (!realpath(model, real_model) || !realpath(folder, real_folder))
        return;
    size_t n = strlen(real_folder);
    const char *shown = real_model;
    if (!strncmp(real_model, real_folder, n) && real_model[n] == '/')
        shown = real_model + n + 1;
    session->path = arena_copy(&session->arena, shown, strlen(shown));
}

// What the file that will be replaced says and this program does not understand. What is
// no session at all is replaced like any other file.
static bool keep_unknown(struct saved *session, const char *path, struct error *err)
{
    struct saved old;
    struct error why;
    bool known = saved_read(&old, path, &why), newer = old.version > SAVED_VERSION;
    bool ok = true;
    if (known) {
        session->kept = arena_copy(&session->arena, old.kept, strlen(old.kept));
        session->kept_in_model =
            arena_copy(&session->arena, old.kept_in_model, strlen(old.kept_in_model));
        ok = (session->kept && session->kept_in_model) || fail_nomem(err, path);
    }
    saved_finish(&old);
    return ok &&
           (!newer || fail_with(err, why.code, "%s; it is left as it is", why.text));
}

static bool write_session(struct saved *session, const char *path, struct error *err)
{
    struct buf out;
    buf_init(&out, SAVED_MAX_BYTES);
    bool ok = keep_unknown(session, path, err) && saved_write(&out, session, err) &&
              file_write(path, out.data, out.length, err);
    buf_finish(&out);
    return ok;
}

bool app_session_write(struct app *app, const char *path, struct error *err)
{
    char hash[MODEL_HASH_BYTES];
    if (app->model < 0)
        return fail_with(err, ERR_USAGE,
                         "no model is open yet: there is nothing to save");
    const struct library_entry *entry = &app->library.entries[app->model];
    struct saved session = {.text = textedit_text(app->edit),
                            .id = entry->listing.id,
                            .path = "",
                            .hash = hash,
                            .tau = app->tau,
                            .reread = app->reread,
                            .kept = "",
                            .kept_in_model = ""};
    if (!model_dir_hash(entry->dir, hash, err))
        return false;
    arena_init(&session.arena, SAVED_MAX_BYTES);
    if (!library_is_bundled(&app->library, app->model))
        say_path(&session, entry->listing.path, path);
    for (int i = 0; i < PARTS; i++)
        parts[i].say(app, &session);
    bool ok = session.path || fail_nomem(err, path);
    ok = ok && write_session(&session, path, err);
    saved_finish(&session);
    return ok;
}

static bool is_part(const char *line, enum list list)
{
    size_t length = strcspn(line, " ");
    for (int i = 0; i < PARTS; i++)
        if (parts[i].list == list && strlen(parts[i].command) == length &&
            !strncmp(parts[i].command, line, length))
            return true;
    return false;
}

// Nothing else than looking at a picture may stand in a session.
static bool check_lines(const char *const *lines, int count, enum list list,
                        const char *path, struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!is_part(lines[i], list))
            return fail_with(err, ERR_FORMAT,
                             "%s: field '%s' has the line '%.60s', which is not for a "
                             "session",
                             path, list == EDITS ? "edits" : "view", lines[i]);
    return true;
}

// The place of the session's model: the path that it gives, or that of the bundled one.
static bool find_model(const struct app *app, const struct saved *session,
                       const char *path, char *out, size_t size, struct error *err)
{
    int folder = session->path[0] == '/' ? 0 : directory_length(path);
    int length = snprintf(out, size, "%.*s%s", folder, path, session->path);
    if (*session->path && length > 0 && (size_t)length < size && file_exists(out))
        return true;
    int entry = library_bundled(&app->library, session->id);
    if (entry >= 0) {
        snprintf(out, size, "%s", app->library.entries[entry].listing.path);
        return true;
    }
    return *session->path
               ? fail_with(err, ERR_IO, "%s: its model %s is not there", path, out)
               : fail_with(err, ERR_IO, "%s: its model '%s' is not a bundled one", path,
                           session->id);
}

static bool read_session(struct app *app, struct reopening *next, const char *path,
                         struct error *err)
{
    struct saved *session = &next->session;
    snprintf(next->path, sizeof next->path, "%s", path);
    return saved_read(session, path, err) &&
           check_lines(session->view, session->n_view, VIEW, path, err) &&
           check_lines(session->edits, session->n_edits, EDITS, path, err) &&
           find_model(app, session, path, next->model, sizeof next->model, err);
}

bool app_session_open(struct app *app, const char *path, struct error *err)
{
    struct reopening next = {0};
    if (!read_session(app, &next, path, err)) {
        saved_finish(&next.session);
        return false;
    }
    app_session_forget(app);
    equation_leave(app);
    app->reopening = next;
    app->reopening.busy = true;
    int entry = library_find(&app->library, next.model);
    if (entry >= 0)
        app_open(app, entry);
    else
        app_open_path(app, next.model);
    return true;
}

void app_session_forget(struct app *app)
{
    saved_finish(&app->reopening.session);
    app->reopening = (struct reopening){0};
}

void app_session_opened(struct app *app, const char *asked, const char *path)
{
    struct reopening *reopening = &app->reopening;
    if (reopening->busy && !strcmp(reopening->model, asked))
        snprintf(reopening->model, sizeof reopening->model, "%s", path);
}

// The session brings its own.
static void clear(struct app *app)
{
    struct what_if *what_if = &app->what_if;
    app->help = 0;
    app->playing = false;
    app->scope = (struct scope){0};
    app->beaming.open = false;
    app->beaming.beam.width = 0;
    app->heading.open = app->blocking.open = false;
    app->heading.choice = (struct map_choice){MAP_CROSS, MAP_MEAN, MAP_MEAN};
    edits_clear(&what_if->edits);
    what_if->before = what_if->asks = what_if->listed = false;
    reveal_off(app);
    if (app->bottleneck.open)
        bottleneck_close(app);
}

// Text and temperature go into one decoding.
static void begin(struct app *app)
{
    const struct saved *session = &app->reopening.session;
    app->reopening.begun = true;
    app->tau = session->tau;
    app->reread = session->reread;
    clear(app);
    textedit_set(app->edit, session->text, strlen(session->text));
    app_text_changed(app);
}

// An edit of a row that is not there does nothing; that must not pass in silence.
static void check_edits(struct app *app)
{
    struct reopening *reopening = &app->reopening;
    const struct edits *edits = &app->what_if.edits;
    for (int i = 0; i < edits->count && what_if_is_here(app); i++) {
        int row = edits->list[i].row;
        if (row >= app->show.rows && !reopening->trouble[0])
            snprintf(reopening->trouble, sizeof reopening->trouble,
                     "%.300s: an edit is of row %d, the matrix has %d", reopening->path,
                     row + 1, app->show.rows);
    }
}

static void finish(struct app *app)
{
    char sentence[sizeof app->banner], hash[MODEL_HASH_BYTES];
    const struct saved *session = &app->reopening.session;
    const struct library_entry *entry = &app->library.entries[app->model];
    app->look.reveal = false; // the part that is in sight was a choice too
    struct error err;
    check_edits(app);
    if (app->reopening.trouble[0]) {
        app_say(app, app->reopening.trouble);
    } else if (!model_dir_hash(entry->dir, hash, &err)) {
        app_say(app, err.text);
    } else if (*session->hash && strcmp(session->hash, hash) != 0) {
        snprintf(sentence, sizeof sentence,
                 "%.300s was saved with other weights of %s: the picture may differ",
                 app->reopening.path, entry->listing.id);
        app_say(app, sentence);
    }
    app_session_forget(app);
}

static void carry_out(struct app *app, const char *line)
{
    struct error err;
    struct scene scene;
    struct reopening *reopening = &app->reopening;
    if (!app_command(app, line, &err) && !reopening->trouble[0])
        snprintf(reopening->trouble, sizeof reopening->trouble, "%.300s: %.200s",
                 reopening->path, err.text);
    app_scene(app, &scene);
    look_scene(app, &app->show, &scene); // the next line may speak of what is shown now
}

void app_session_update(struct app *app)
{
    struct reopening *reopening = &app->reopening;
    const struct saved *session = &reopening->session;
    while (reopening->busy && app->wanted < 0 && !app->wanted_path[0]) {
        if (app->model < 0 ||
            library_find(&app->library, reopening->model) != app->model) {
            app_session_forget(app); // it could not be opened, or another one was chosen
            return;
        }
        if (!reopening->begun)
            begin(app);
        if (app_picture_failed(app))
            app_session_forget(app); // what is wrong with its text is on the banner
        if (!app_picture_stands(app))
            return;
        int line = reopening->line++;
        if (line < session->n_edits) // first: a row may be there only with them
            carry_out(app, session->edits[line]);
        else if (line < session->n_edits + session->n_view)
            carry_out(app, session->view[line - session->n_edits]);
        else
            finish(app);
    }
}
