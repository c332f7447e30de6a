// SPDX-License-Identifier: MIT
// Life of the application. See app.h.
#include "app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "base/file.h"

static void no_wake(void *context)
{
    (void)context;
}

static const struct ui_host no_host;

static bool create_parts(struct app *app, const struct app_options *options,
                         struct error *err)
{
    app->edit = textedit_create();
    app->saving.name = textedit_create();
    app->what_if.typed = textedit_create();
    if (!app->edit || !app->saving.name || !app->what_if.typed ||
        !draw_init(&app->list, APP_MAX_CMDS, APP_MAX_BYTES))
        return fail_nomem(err, "the window's state");
    library_init(&app->library, options->models_root);
    app->worker = worker_create(options->wake ? options->wake : no_wake,
                                options->wake_context, err);
    return app->worker != NULL;
}

static void set_knobs(struct app *app, const struct app_options *options)
{
    app->tau = options->tau >= 0 ? options->tau : 1;
    app->reread = !options->redecode;
    app->model = app->wanted = NOWHERE;
    app->selected = 3;
    app->beaming.node = NOWHERE;
    heads_init(&app->heading);
    block_init(&app->blocking);
    look_init(&app->look);
    app->reveal.speed = 1;
    app->theme = options->theme;
    app->zoom = options->zoom > 0 ? options->zoom : 1;
    app->report = options->report;
    app->hide_times = options->hide_times;
    app->files = options->files;
}

static void unknown_model(struct app *app, const char *name)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "'%.80s' is no bundled model and no file or directory", name);
    app_say(app, sentence);
}

// What the program opens with. A sheet lies over the first model.
static void open_first(struct app *app, const char *named)
{
    bool sheet = named && attend_sheet_is(named);
    const char *model = sheet ? NULL : named;
    int entry = model ? library_find(&app->library, model) : app->library.first;
    if (entry >= 0 && entry < app->library.count)
        app_open(app, entry);
    else if (model && !strchr(model, '/') && !file_exists(model))
        unknown_model(app, model);
    else if (model)
        app_open_path(app, model);
    else
        app_say(app, "no model was found: drop a model directory on this window");
    if (sheet)
        app_open_path(app, named);
}

struct app *app_create(const struct app_options *options, struct error *err)
{
    struct app *app = calloc(1, sizeof *app);
    if (!app) {
        fail_nomem(err, "the window's state");
        return NULL;
    }
    show_init(&app->show);
    rivals_init(&app->rivals);
    buf_init(&app->reports, 64 << 20);
    set_knobs(app, options);
    if (!create_parts(app, options, err)) {
        app_destroy(app);
        return NULL;
    }
    ui_init(&app->ui, &no_host);
    ui_set_focus(&app->ui, ui_hash("sentence"));
    app->own_text = options->text != NULL;
    if (options->text) {
        textedit_set(app->edit, options->text, strlen(options->text));
        app_text_changed(app);
    }
    open_first(app, options->model);
    return app;
}

void app_destroy(struct app *app)
{
    if (!app)
        return;
    worker_destroy(app->worker);
    show_finish(&app->show);
    rivals_finish(&app->rivals);
    library_finish(&app->library);
    bottleneck_finish(&app->bottleneck);
    equation_finish(&app->equation);
    beam_finish(&app->beaming);
    heads_finish(&app->heading);
    block_finish(&app->blocking);
    app_session_forget(app);
    textedit_destroy(app->edit);
    textedit_destroy(app->saving.name);
    textedit_destroy(app->what_if.typed);
    edits_finish(&app->what_if.edits);
    remarking_finish(&app->remarking);
    draw_finish(&app->list);
    buf_finish(&app->reports);
    free(app);
}

bool app_settle(struct app *app, int timeout_ms)
{
    // Opening leads to a decoding, and so may each line of a session: rounds until
    // nothing is left to do.
    for (int round = 0; round < (app->reopening.busy ? SAVED_MAX_LINES : 8); round++) {
        if (!worker_wait(app->worker, timeout_ms) && !app->library.count)
            return false;
        app_update(app, false);
        if (app_is_complete(app))
            return true;
    }
    return false;
}

bool app_picture_stands(const struct app *app)
{
    const struct show *show = &app->show;
    if (app->model < 0 || app->wanted >= 0 || app->wanted_path[0] || !show->now)
        return false;
    return rivals_stand(app) && app->shown == app->generation && show->told;
}

bool app_picture_failed(const struct app *app)
{
    return app->wanted < 0 && !app->wanted_path[0] && app->generation &&
           app->failed == app->generation;
}

bool app_is_complete(const struct app *app)
{
    bool stands = app_picture_stands(app) && block_stands(app);
    return (stands || app_picture_failed(app)) && !app->reopening.busy;
}

bool app_is_at_rest(const struct app *app)
{
    bool moves =
        app->animating || app->ui.animating || app->playing || app->reveal.playing;
    return !moves && app_is_complete(app) && worker_wait(app->worker, 0);
}

const struct draw_list *app_list(const struct app *app)
{
    return &app->list;
}

struct color app_ground(const struct app *app)
{
    return app->blank ? (struct color){0, 0, 0, 255} : style_of(app->theme)->ground;
}

float app_zoom(const struct app *app)
{
    return app->zoom;
}

bool app_wants_quit(const struct app *app)
{
    return app->quit;
}

bool app_wants_fullscreen(const struct app *app)
{
    return app->fullscreen;
}

const char *app_title(struct app *app)
{
    if (app->model < 0)
        return "alphascope";
    char languages[128];
    const struct model_dir *dir = app->library.entries[app->model].dir;
    model_dir_languages(dir, languages, sizeof languages);
    snprintf(app->title, sizeof app->title, "alphascope · %s · %s", model_dir_name(dir),
             languages);
    return app->title;
}

const char *app_banner(const struct app *app)
{
    return app->banner;
}

void app_take_report(struct app *app, struct buf *out)
{
    buf_append(out, buf_text(&app->reports), app->reports.length);
    buf_clear(&app->reports);
}
