// SPDX-License-Identifier: MIT
// From the state of the window to a session, and back. Everything that a session holds
// beside text, model and τ is a line of the command table, since everything that a user
// can do is one: see session_lines.h.
//
// Back, the lines are carried out one by one, each when the picture that the ones before
// it lead to is complete: a row can only be chosen once it is there. The page of the
// equation needs no picture: it is made first, and a line of it that fails refuses the
// session while there is still nothing lost.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/saving.h"
#include "app/session_lines.h"
#include "app/state.h"
#include "base/file.h"

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
    session_say(app, &session);
    bool ok = session.path || fail_nomem(err, path);
    ok = ok && write_session(&session, path, err);
    saved_finish(&session);
    return ok;
}

static const char *const field_names[] = {"view", "edits", "equation"};

// Nothing else than looking at a picture may stand in a session.
static bool check_lines(const char *const *lines, int count, enum session_list list,
                        const char *path, struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!session_may_hold(lines[i], list))
            return fail_with(err, ERR_FORMAT,
                             "%s: field '%s' has the line '%.60s', which is not for a "
                             "session",
                             path, field_names[list], lines[i]);
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

static bool make_page(struct app *app, struct reopening *next, const char *path,
                      struct error *err)
{
    struct error why;
    return equation_make(app, &next->session, &next->page, &why) ||
           fail_with(err, why.code, "%.280s: field '%s': %.200s", path,
                     field_names[SESSION_EQUATION], why.text);
}

static bool read_session(struct app *app, struct reopening *next, const char *path,
                         struct error *err)
{
    struct saved *session = &next->session;
    snprintf(next->path, sizeof next->path, "%s", path);
    return saved_read(session, path, err) &&
           check_lines(session->view, session->n_view, SESSION_VIEW, path, err) &&
           check_lines(session->edits, session->n_edits, SESSION_EDITS, path, err) &&
           check_lines(session->equation, session->n_equation, SESSION_EQUATION, path,
                       err) &&
           find_model(app, session, path, next->model, sizeof next->model, err) &&
           make_page(app, next, path, err);
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
    equation_finish(&app->reopening.page);
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
    edits_forget(&what_if->edits);
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
    if (app->reopening.page.open)
        equation_show(app, &app->reopening.page);
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

// Edits come first: a row may be there only with them. NULL: that was the last line.
static const char *next_line(struct reopening *reopening, enum session_list *list)
{
    const struct saved *session = &reopening->session;
    int line = reopening->line++;
    *list = SESSION_EDITS;
    if (line < session->n_edits)
        return session->edits[line];
    line -= session->n_edits;
    *list = SESSION_VIEW;
    return line < session->n_view ? session->view[line] : NULL;
}

static void carry_out(struct app *app, const char *line, enum session_list list)
{
    struct error err;
    struct scene scene;
    struct reopening *reopening = &app->reopening;
    if (!app_command(app, line, &err) && !reopening->trouble[0])
        snprintf(reopening->trouble, sizeof reopening->trouble,
                 "%.280s: field '%s': %.200s", reopening->path, field_names[list],
                 err.text);
    app_scene(app, &scene);
    look_scene(app, &app->show, &scene); // the next line may speak of what is shown now
}

void app_session_update(struct app *app)
{
    struct reopening *reopening = &app->reopening;
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
        enum session_list list;
        const char *line = next_line(reopening, &list);
        if (line)
            carry_out(app, line, list);
        else
            finish(app);
    }
}
