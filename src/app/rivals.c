// SPDX-License-Identifier: MIT
// The list of what stands beside, and its commands. See rivals.h.
#include "app/rivals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"
#include "view/tau.h"

void rivals_init(struct rivals *rivals)
{
    *rivals = (struct rivals){.count = 0};
    for (int i = 0; i < RIVALS_MAX; i++)
        rivals->posted[i] = NOWHERE;
}

void rivals_finish(struct rivals *rivals)
{
    for (int i = 0; i < rivals->count; i++) {
        show_finish(&rivals->list[i]->show);
        free(rivals->list[i]);
    }
    difference_destroy(rivals->made);
    rivals_init(rivals);
}

static struct rival *rival_create(struct rivals *rivals, struct rival_what what)
{
    struct rival *rival = calloc(1, sizeof *rival);
    if (!rival)
        return NULL;
    rival->id = ++rivals->last_id;
    rival->what = what;
    show_init(&rival->show);
    return rival;
}

static void changed(struct app *app)
{
    struct rivals *rivals = &app->rivals;
    rivals->changes++;
    if (rivals->count != 1)
        rivals->difference = false;
    app->dirty = true;
}

// What the worker may still be writing is kept by the main show until it has ended.
static void take_away(struct app *app, int i)
{
    struct rivals *rivals = &app->rivals;
    struct rival *rival = rivals->list[i];
    show_leave(&rival->show, &app->show);
    free(rival);
    rivals->count--;
    memmove(rivals->list + i, rivals->list + i + 1,
            (size_t)(rivals->count - i) * sizeof *rivals->list);
    changed(app);
}

static bool same_what(struct rival_what a, struct rival_what b)
{
    if (a.kind != b.kind)
        return false;
    return a.kind == RIVAL_MODEL ? a.model == b.model
           : a.kind == RIVAL_TAU ? !(a.tau < b.tau) && !(a.tau > b.tau)
                                 : true;
}

static int find(const struct rivals *rivals, struct rival_what what)
{
    for (int i = 0; i < rivals->count; i++)
        if (same_what(rivals->list[i]->what, what))
            return i;
    return NOWHERE;
}

static bool is_open(const struct app *app, const struct rival *rival)
{
    return rival->what.kind != RIVAL_MODEL || app->library.entries[rival->what.model].dir;
}

static bool same_languages(const struct app *app, int a, int b)
{
    const struct library_entry *entries = app->library.entries;
    return !strcmp(entries[a].listing.config.languages,
                   entries[b].listing.config.languages);
}

bool rivals_toggle(struct app *app, struct rival_what what, struct error *err)
{
    struct rivals *rivals = &app->rivals;
    int at = find(rivals, what);
    if (at >= 0) {
        take_away(app, at);
        app_request(app);
        return true;
    }
    int main = app->wanted >= 0 ? app->wanted : app->model;
    if (what.kind == RIVAL_MODEL && what.model == main)
        return fail_with(err, ERR_USAGE, "beside: %s is in use: it stands there already",
                         app->library.entries[what.model].listing.id);
    if (what.kind == RIVAL_MODEL && main >= 0 && !same_languages(app, what.model, main))
        return fail_with(err, ERR_USAGE, "beside: %s reads another language",
                         app->library.entries[what.model].listing.id);
    if (rivals->count == RIVALS_MAX)
        return fail_with(err, ERR_USAGE, "beside: no more than %d can stand side by side",
                         RIVALS_MAX + 1);
    if (what.kind == RIVAL_MODEL && !app->library.entries[what.model].dir &&
        !app_ask_for(app, what.model))
        return true; // too many wait: it was said
    struct rival *rival = rival_create(rivals, what);
    if (!rival)
        return fail_nomem(err, "another alignment beside this one");
    rivals->list[rivals->count++] = rival;
    changed(app);
    app_request(app);
    return true;
}

void rivals_clear(struct app *app)
{
    bool any = app->rivals.count > 0;
    while (app->rivals.count)
        take_away(app, app->rivals.count - 1);
    if (any)
        app_request(app);
}

void rivals_suit(struct app *app, int model)
{
    for (int i = app->rivals.count - 1; i >= 0; i--) {
        struct rival_what what = app->rivals.list[i]->what;
        if (what.kind != RIVAL_MODEL)
            continue;
        if (what.model == model || !same_languages(app, what.model, model))
            take_away(app, i);
    }
}

void rivals_opened(struct app *app, int asked, int entry)
{
    struct rival_what what = {.kind = RIVAL_MODEL, .model = asked};
    int at = asked >= 0 ? find(&app->rivals, what) : NOWHERE;
    if (at < 0)
        return;
    if (entry < 0 || entry == app->model) {
        take_away(app, at);
    } else {
        app->rivals.list[at]->what.model = entry;
        changed(app);
    }
    app_request(app);
}

float rivals_tau(const struct app *app, const struct rival *rival)
{
    return rival->what.kind == RIVAL_TAU ? rival->what.tau : app->tau;
}

void rivals_fill(struct app *app, struct decode_job *job)
{
    struct rivals *rivals = &app->rivals;
    for (int i = 0; i < RIVALS_MAX; i++)
        rivals->posted[i] = NOWHERE;
    for (int i = 0; i < rivals->count; i++) {
        const struct rival *rival = rivals->list[i];
        if (!is_open(app, rival))
            continue; // its turn comes when it is
        struct decode_rival *next = &job->rivals[job->n_rivals];
        *next = (struct decode_rival){.id = rival->id,
                                      .edited = rival->what.kind == RIVAL_TAU,
                                      .tau = app->reread ? 1 : rivals_tau(app, rival)};
        if (rival->what.kind == RIVAL_MODEL) {
            int model = rival->what.model;
            next->target =
                (struct decode_target){&app->library.entries[model].translator, model};
            rivals->posted[job->n_rivals] = model;
        }
        job->n_rivals++;
    }
}

static int by_id(const struct rivals *rivals, unsigned id)
{
    for (int i = 0; i < rivals->count; i++)
        if (rivals->list[i]->id == id)
            return i;
    return NOWHERE;
}

void rivals_take(struct app *app, const struct worker_event *event)
{
    int at = by_id(&app->rivals, event->rival);
    if (at < 0) { // taken away since
        show_drop(&app->show, event->alignment);
        return;
    }
    show_begin(&app->rivals.list[at]->show, event->alignment);
    app->rivals.list[at]->shown = event->generation;
}

void rivals_failed(struct app *app, unsigned id)
{
    int at = by_id(&app->rivals, id);
    if (at < 0)
        return;
    take_away(app, at);
    app_request(app);
}

void rivals_update(struct app *app, bool fade)
{
    for (int i = 0; i < app->rivals.count; i++) {
        struct rival *rival = app->rivals.list[i];
        struct show *show = &rival->show;
        heads_choose(app, show);
        show->edits = show->now && show->now->edited ? what_if_now(app) : NULL;
        float tau = app->reread ? rivals_tau(app, rival) : -1;
        if (show_update(show, tau, app->now_ms, fade))
            app->dirty = true;
    }
}

bool rivals_stand(const struct app *app)
{
    for (int i = 0; i < app->rivals.count; i++) {
        const struct rival *rival = app->rivals.list[i];
        if (!is_open(app, rival) || rival->shown != app->generation || !rival->show.told)
            return false;
    }
    return true;
}

bool rivals_beside(const struct app *app, int entry)
{
    return find(&app->rivals, (struct rival_what){RIVAL_MODEL, entry, 0}) >= 0;
}

bool rivals_use(const struct app *app, int entry)
{
    for (int i = 0; i < RIVALS_MAX; i++)
        if (app->rivals.posted[i] == entry)
            return true;
    return rivals_beside(app, entry);
}

bool rivals_show_difference(const struct app *app)
{
    return app->rivals.difference && app->rivals.count == 1;
}

bool rivals_first(const struct rival *rival)
{
    return rival->what.kind == RIVAL_UNEDITED;
}

static struct difference_side side_of(const struct show *show)
{
    struct scene scene;
    show_scene(show, &scene);
    return (struct difference_side){scene.now, scene.alpha, scene.rows};
}

static bool same_key(const struct difference_key *a, const struct difference_key *b)
{
    return a->shown[0] == b->shown[0] && a->shown[1] == b->shown[1] && a->id == b->id &&
           a->model == b->model && a->readings[0] == b->readings[0] &&
           a->readings[1] == b->readings[1] && a->begun == b->begun &&
           a->lens.merge == b->lens.merge && a->lens.hide_special == b->lens.hide_special;
}

// While one of them is still being decoded the difference of before stays: that of half
// a sentence would be none.
const struct difference *rivals_subtract(struct app *app)
{
    struct rivals *rivals = &app->rivals;
    const struct rival *rival = rivals->list[0];
    struct difference_key key = {{app->shown, rival->shown},
                                 rival->id,
                                 app->model,
                                 {app->show.readings, rival->show.readings},
                                 app->show.begun,
                                 app->look.lens};
    bool whole = app->show.told && rival->show.told && app->shown == rival->shown;
    bool known = rivals->made || rivals->refused.text[0];
    if (!whole) // of other models it would lie
        return key.id == rivals->key.id && app->model == rivals->key.model ? rivals->made
                                                                           : NULL;
    if (known && same_key(&key, &rivals->key))
        return rivals->made;
    struct difference_side main = side_of(&app->show), other = side_of(&rival->show);
    bool first = rivals_first(rival);
    difference_destroy(rivals->made);
    rivals->made = difference_create(first ? &other : &main, first ? &main : &other,
                                     &app->look.lens, &rivals->refused);
    rivals->key = key;
    if (rivals->made)
        rivals->refused.text[0] = '\0';
    return rivals->made;
}

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

// As many of these languages as have room.
static bool put_all(struct app *app, struct error *err)
{
    int group[LIBRARY_MAX], count = 0;
    if (app->model >= 0)
        count = library_group(&app->library, app->model, group, LIBRARY_MAX);
    for (int i = 0; i < count && app->rivals.count < RIVALS_MAX; i++) {
        struct rival_what what = {.kind = RIVAL_MODEL, .model = group[i]};
        if (group[i] != app->model && find(&app->rivals, what) < 0 &&
            !rivals_toggle(app, what, err))
            return false;
    }
    return app->rivals.count > 0 ||
           fail_with(err, ERR_USAGE,
                     "beside all: there is no other model of these "
                     "languages");
}

// A model by its id, or by its button; NOWHERE: there is none.
static int model_of(const struct app *app, const char *argument)
{
    int group[LIBRARY_MAX], n = 0;
    char rest;
    if (strncmp(argument, "button ", 7) != 0)
        return library_find(&app->library, argument);
    if (app->model < 0 || sscanf(argument + 7, "%d%c", &n, &rest) != 1 || n < 1)
        return NOWHERE;
    int count = library_group(&app->library, app->model, group, LIBRARY_MAX);
    return n <= count ? group[n - 1] : NOWHERE;
}

bool command_beside(struct app *app, const char *argument, struct error *err)
{
    struct rival_what what = {.kind = RIVAL_MODEL, .model = NOWHERE};
    if (is(argument, "toggle"))
        argument = app->rivals.count ? "off" : "all";
    if (is(argument, "off")) {
        rivals_clear(app);
        return true;
    }
    if (is(argument, "all"))
        return put_all(app, err);
    if (is(argument, "before"))
        what.kind = RIVAL_UNEDITED;
    else if (!strncmp(argument, "tau ", 4) && tau_parse(argument + 4, &what.tau))
        what.kind = RIVAL_TAU;
    else if ((what.model = model_of(app, argument)) < 0)
        return fail_with(err, ERR_USAGE,
                         "beside: found '%.100s', expected a model's id, button N, all, "
                         "tau X, before, toggle or off",
                         argument);
    return rivals_toggle(app, what, err);
}

// The next model of these languages that has attention.
static bool put_next(struct app *app, struct error *err)
{
    int group[LIBRARY_MAX], count = 0, at = 0;
    if (app->model >= 0)
        count = library_group(&app->library, app->model, group, LIBRARY_MAX);
    for (int i = 0; i < count; i++)
        at = group[i] == app->model ? i : at;
    for (int i = 1; i < count; i++) {
        int next = group[(at + i) % count];
        struct rival_what what = {.kind = RIVAL_MODEL, .model = next};
        if (app->library.entries[next].listing.config.score != SCORE_NONE)
            return rivals_toggle(app, what, err);
    }
    return fail_with(err, ERR_USAGE,
                     "difference: put something beside first, as with "
                     "'beside tau 0.5'");
}

bool command_difference(struct app *app, const char *argument, struct error *err)
{
    struct rivals *rivals = &app->rivals;
    bool on = is(argument, "on") || (!is(argument, "off") && !rivals->difference);
    if (*argument && !is(argument, "on") && !is(argument, "off") &&
        !is(argument, "toggle"))
        return fail_with(err, ERR_USAGE,
                         "difference: found '%.100s', expected on, off or toggle",
                         argument);
    if (on && rivals->count > 1)
        return fail_with(err, ERR_USAGE,
                         "difference: it is of two, and %d stand side by side",
                         rivals->count + 1);
    if (on && !rivals->count && !put_next(app, err))
        return false;
    rivals->difference = on && rivals->count == 1;
    app->dirty = true;
    return true;
}
