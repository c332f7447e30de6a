// SPDX-License-Identifier: MIT
// From knobs to jobs, and from the worker's events to the screen. The picture on the
// screen is only ever replaced by a newer one that exists: a model or a text that fails
// leaves it standing and puts one sentence into the banner.
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "text/utf8.h"

void app_say(struct app *app, const char *sentence)
{
    char clean[sizeof app->banner];
    // It may name a file, and a file's name may be any bytes.
    utf8_clean(clean, sizeof clean, sentence, strlen(sentence), NULL);
    app->banner_done = app->banner_passes = false;
    app->banner_said++;
    if (strcmp(clean, app->banner) != 0) {
        memcpy(app->banner, clean, sizeof clean);
        app->dirty = true; // every key says "nothing": that alone draws nothing anew
    }
    if (*sentence)
        report_event(app, "banner", "text", app->banner);
}

void app_say_done(struct app *app, const char *sentence)
{
    app_say(app, sentence);
    app->banner_done = app->banner_passes = true;
}

static float reread_tau(const struct app *app)
{
    return app->reread ? app->tau : -1;
}

// The temperature inside the loop: re-reading needs the scores of τ = 1.
static float loop_tau(const struct app *app)
{
    return app->reread ? 1 : app->tau;
}

bool app_is_forming(const struct app *app)
{
    return app->checkpoint < app->history.count - 1;
}

bool app_stage(const struct app *app, struct stage *stage)
{
    const struct history_entry *entries = app->history.entries;
    if (app->shown_checkpoint >= app->history.count - 1)
        return false;
    *stage = (struct stage){entries[app->shown_checkpoint].step,
                            entries[app->history.count - 1].step};
    return true;
}

// Where nothing is edited words are compared with those of τ = 1, else with those of the
// same τ without the edits.
static void want_baseline(const struct app *app, struct decode_job *job)
{
    job->baseline_tau = job->edits ? job->tau : 1;
    job->baseline = (job->edits || job->tau != 1) &&
                    !show_has_baseline(&app->show, job->text, job->baseline_tau);
}

void app_request(struct app *app)
{
    struct error err;
    const struct edits *edits = what_if_now(app);
    if (app->model < 0)
        return;
    const struct translator *translator = &app->library.entries[app->model].translator;
    if (app->model != app->posted_model || app->checkpoint != app->posted_checkpoint)
        show_baseline(&app->show, NULL); // it was made by other weights
    bool same_dropout = app->dropout == app->posted_dropout &&
                        (app->dropout == 0 || app->seed == app->posted_seed);
    if (!same_dropout)
        show_baseline(&app->show, NULL); // it was made with another
    const char *text = textedit_text(app->edit);
    float tau = loop_tau(app);
    const struct beam *beam = &app->beaming.beam;
    bool same_beam = beam->width == app->posted_beam.width &&
                     (!beam->width || beam->length == app->posted_beam.length);
    if (!same_beam)
        show_baseline(&app->show, NULL); // it was found by another search
    bool same = app->generation && same_beam && app->posted_model == app->model &&
                app->posted_rivals == app->rivals.changes &&
                app->posted_checkpoint == app->checkpoint && app->posted_tau == tau &&
                app->posted_edits == what_if_stamp(app) && same_dropout &&
                !strcmp(app->posted_text, text);
    if (same)
        return;
    struct decode_job job = {
        .target = {translator, app->model},
        .dir = app->library.entries[app->model].dir,
        .checkpoint =
            app_is_forming(app) ? app->history.entries[app->checkpoint].file : NULL,
        .tag = app->checkpoint,
        .text = text,
        .length = textedit_length(app->edit),
        .tau = tau,
        .dropout = app->dropout,
        .seed = app->seed,
        .beam = *beam,
        .edits = edits ? edits_create(edits, &err) : NULL,
    };
    if (edits && !job.edits) {
        app_say(app, err.text); // the picture without them would lie
        return;
    }
    want_baseline(app, &job);
    rivals_fill(app, &job);
    app->generation = worker_decode(app->worker, &job);
    app->posted_model = app->model;
    app->posted_checkpoint = app->checkpoint;
    app->posted_rivals = app->rivals.changes;
    app->posted_tau = tau;
    app->posted_dropout = app->dropout;
    app->posted_seed = app->seed;
    app->posted_beam = *beam;
    app->posted_edits = what_if_stamp(app);
    snprintf(app->posted_text, sizeof app->posted_text, "%s", text);
}

// Another group of models reads other text: put the old one by, bring the new one's.
static void change_text(struct app *app, const char *from, const char *to)
{
    if (from)
        examples_keep(&app->examples, from, textedit_text(app->edit));
    const char *text = examples_kept(&app->examples, to);
    if (!text && app->examples.count)
        text = app->examples.list[0].text;
    if (text)
        textedit_set(app->edit, text, strlen(text));
}

static void use_model(struct app *app, int entry)
{
    const char *to = app->library.entries[entry].listing.config.languages;
    const char *from = NULL;
    if (app->model >= 0)
        from = app->library.entries[app->model].listing.config.languages;
    if (!from || strcmp(from, to) != 0)
        examples_load(&app->examples, to);
    if (from)
        app_say(app, ""); // what another model was refused for
    if (from ? strcmp(from, to) != 0 : !app->own_text)
        change_text(app, from, to);
    rivals_suit(app, entry);
    struct error err;
    app->model = entry;
    app->playing = false;
    if (!history_read(&app->history, app->library.entries[entry].dir, &err))
        app_say(app, err.text);
    app->checkpoint = app->history.count ? app->history.count - 1 : 0;
    app->shown_checkpoint = app->checkpoint;
    app->wanted = NOWHERE;
    app->wanted_path[0] = '\0';
    app->dirty = true;
    report_event(app, "model", "id", app->library.entries[entry].listing.id);
    app_request(app);
}

static bool too_many_wait(struct app *app)
{
    app_say(app, "too many models are waiting to be opened: try again in a moment");
    return false;
}

bool app_ask_for(struct app *app, int entry)
{
    struct library_entry *wanted = &app->library.entries[entry];
    if (!wanted->opening)
        wanted->opening = worker_open(app->worker, wanted->listing.path);
    return wanted->opening || too_many_wait(app);
}

void app_open(struct app *app, int entry)
{
    if (app->library.entries[entry].dir) {
        use_model(app, entry);
        return;
    }
    app->dirty = true;
    if (!app_ask_for(app, entry))
        return;
    app->wanted = entry;
    app->wanted_path[0] = '\0'; // the newest choice wins
}

// Of a model's JSON only config.json opens; what of another one's format is broken is not
// known, for it does not name one.
static bool may_be_model(struct app *app, const char *path)
{
    size_t length;
    const char *base = file_basename(path, &length);
    bool json = length > 5 && !strncmp(base + length - 5, ".json", 5) &&
                strncmp(base, "config.json", length) != 0;
    struct error err;
    if (!json || !file_exists(path) || file_is_directory(path))
        return true;
    fail_with(&err, ERR_FORMAT,
              "%s: names neither the format of a session nor that of a sheet, and is no "
              "model's config.json",
              path);
    app_say(app, err.text);
    return false;
}

void app_open_path(struct app *app, const char *path)
{
    struct error err;
    if (saved_is(path)) {
        if (!app_session_open(app, path, &err))
            app_say(app, err.text);
        return;
    }
    if (attend_sheet_is(path)) {
        if (!equation_load(app, path, &err))
            app_say(app, err.text);
        return;
    }
    if (!may_be_model(app, path))
        return;
    if (!worker_open(app->worker, path)) {
        too_many_wait(app);
        return;
    }
    equation_leave(app);
    app->wanted = NOWHERE;
    snprintf(app->wanted_path, sizeof app->wanted_path, "%s", path);
}

// What was to come on the screen first did not open: better an earlier choice than none.
static void use_what_is_open(struct app *app)
{
    for (int i = 0; i < app->library.count && app->model < 0; i++)
        if (app->library.entries[i].dir && !app->library.entries[i].replaced)
            use_model(app, i);
}

static void take_opened(struct app *app, struct worker_event *event)
{
    int listed = -1;
    for (int i = 0; i < app->library.count; i++)
        if (app->library.entries[i].opening &&
            !strcmp(app->library.entries[i].listing.path, event->path)) {
            app->library.entries[i].opening = false;
            listed = i;
        }
    bool wanted = (listed >= 0 && listed == app->wanted) ||
                  (app->wanted_path[0] && !strcmp(event->path, app->wanted_path));
    if (!event->model) {
        if (wanted) {
            app->wanted = NOWHERE;
            app->wanted_path[0] = '\0';
            use_what_is_open(app);
        }
        rivals_opened(app, listed, NOWHERE);
        app_say(app, event->error.text);
        return;
    }
    int entry = library_take(&app->library, event->model);
    if (entry < 0)
        app_say(app, "no room for another model: the limit is 96 open models");
    else if (wanted) {
        app_session_opened(app, event->path, app->library.entries[entry].listing.path);
        use_model(app, entry);
    }
    rivals_opened(app, listed, entry);
}

// Weights that could not be used are not chosen: the picture is still of the ones before.
static void take_failure(struct app *app, const struct worker_event *event)
{
    app_say(app, event->error.text);
    rivals_failed(app, event->rival);
    if (event->rival)
        return;
    app->failed = event->generation;
    app->checkpoint = app->shown_checkpoint;
    app->playing = false;
}

static void take_event(struct app *app, struct worker_event *event)
{
    switch (event->kind) {
    case EVENT_OPENED:
        take_opened(app, event);
        break;
    case EVENT_BEGAN:
        show_begin(&app->show, event->alignment);
        beam_take(app, &event->found);
        app->shown = event->generation;
        app->shown_checkpoint = event->tag;
        app->played_ms = app->now_ms;
        break;
    case EVENT_BASELINE:
        // An older one may be of other weights; the newest job brings its own.
        if (event->generation == app->generation)
            show_baseline(&app->show, event->alignment);
        else
            show_drop(&app->show, event->alignment);
        break;
    case EVENT_RIVAL:
        rivals_take(app, event);
        break;
    case EVENT_MEASURED:
        bottleneck_take(app, event);
        break;
    case EVENT_TASK:
        block_take(app, event->task);
        break;
    case EVENT_FORGOTTEN:
        library_release(&app->library, event->slot);
        break;
    case EVENT_FAILED:
        if (event->generation != app->generation)
            break;
        take_failure(app, event);
        break;
    }
}

// What the picture on the screen does not show.
static void say_what_lacks(struct app *app)
{
    const struct alignment *now = app->show.now;
    struct error err;
    if (!alignment_check(now, &err)) {
        app_say(app, err.text);
        return;
    }
    char sentence[200];
    if (now->tokens_cut <= 0)
        return;
    snprintf(sentence, sizeof sentence,
             "the sentence has %d tokens: the first %d are shown, %d are left out",
             now->tokens_cut + now->n_src - 1, now->n_src - 1, now->tokens_cut);
    app_say(app, sentence);
}

static bool in_use(struct app *app, int entry)
{
    return entry == app->model || entry == app->posted_model || rivals_use(app, entry) ||
           bottleneck_uses(app, entry);
}

// Models that were opened anew leave when nothing shows them any more.
static void let_go(struct app *app)
{
    for (int i = 0; i < app->library.count; i++) {
        struct library_entry *entry = &app->library.entries[i];
        if (entry->replaced && entry->dir && !entry->leaving && !in_use(app, i))
            entry->leaving = worker_forget(app->worker, i, entry->dir);
    }
}

void app_update(struct app *app, bool fade)
{
    struct worker_event event;
    while (worker_take(app->worker, &event)) {
        take_event(app, &event);
        app->dirty = true;
    }
    let_go(app);
    bool edited = app->show.now && app->show.now->edited;
    app->show.edits = edited ? what_if_now(app) : NULL;
    heads_choose(app, &app->show);
    rivals_update(app, fade);
    if (show_update(&app->show, reread_tau(app), app->now_ms, fade)) {
        report_decoding(app);
        say_what_lacks(app);
        app->dirty = true;
    }
    block_update(app);
    app_session_update(app);
}

void app_use_checkpoint(struct app *app, int index)
{
    int last = app->history.count - 1;
    if (last < 0)
        return;
    app->checkpoint = index < 0 ? 0 : index > last ? last : index;
    app->dirty = true;
    app_request(app);
}

void app_text_changed(struct app *app)
{
    size_t cut = textedit_cut(app->edit);
    int replaced = textedit_replaced(app->edit);
    char sentence[200] = "";
    if (cut)
        snprintf(sentence, sizeof sentence,
                 "the text is full: %zu bytes over the limit of %d were cut off", cut,
                 TEXTEDIT_MAX_BYTES);
    else if (replaced)
        snprintf(sentence, sizeof sentence,
                 "%d ill-formed UTF-8 sequence%s replaced by U+FFFD", replaced,
                 replaced == 1 ? " was" : "s were");
    app_say(app, sentence);
    if (app->reveal.on)
        reveal_start(app); // another sentence begins with no row
    app_request(app);
}
