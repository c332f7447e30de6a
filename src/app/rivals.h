// SPDX-License-Identifier: MIT
// What stands beside the model in use: the same sentence under other models, under the
// same one at another τ, or without its edits. The worker decodes them after the main
// one, in order.
#pragma once

#include "align/difference.h"
#include "app/show.h"
#include "app/worker.h"
#include "view/grid.h"

struct app;

enum { RIVALS_MAX = WORKER_RIVALS };

enum rival_kind { RIVAL_MODEL, RIVAL_TAU, RIVAL_UNEDITED };

struct rival_what {
    enum rival_kind kind;
    int model; // RIVAL_MODEL: its entry; it may still be opening
    float tau; // RIVAL_TAU
};

struct rival {
    unsigned id; // what the worker's events call it
    struct rival_what what;
    struct show show;
    uint64_t shown; // generation of what it shows
};

struct difference_key { // what a difference was made of
    uint64_t shown[2];
    unsigned id;
    int model;
    int readings[2], begun;
    struct lens_options lens;
};

struct rivals {
    struct rival *list[RIVALS_MAX]; // owned
    int count;
    unsigned last_id;
    unsigned changes;       // one more whenever something else is to be decoded
    int posted[RIVALS_MAX]; // entries that the worker may still be using; NOWHERE

    bool difference;         // instead of two panels, while there is one rival
    struct difference *made; // owned; NULL: none yet, or it was refused
    struct difference_key key;
    struct error refused; // why there is none; .text "": nothing to say

    struct cell_size kept; // of small multiples, in this room
    struct rect kept_room;
    bool shared; // all of them have the same columns
};

void rivals_init(struct rivals *rivals);
void rivals_finish(struct rivals *rivals); // the worker must be gone

// Puts it beside the others, or takes it away where it stands already. False, with a
// sentence, when it cannot be: too many, itself, or memory is short.
bool rivals_toggle(struct app *app, struct rival_what what, struct error *err);
void rivals_clear(struct app *app);
// Takes away what has no meaning beside the model that is in use from now on.
void rivals_suit(struct app *app, int model);
// An asked-for entry has opened as `entry`; NOWHERE: it could not.
void rivals_opened(struct app *app, int asked, int entry);

void rivals_fill(struct app *app, struct decode_job *job);
void rivals_take(struct app *app, const struct worker_event *event); // RIVAL
void rivals_failed(struct app *app, unsigned id);
void rivals_update(struct app *app, bool fade);
bool rivals_stand(const struct app *app); // all of them show what was asked for last
bool rivals_use(const struct app *app, int entry);    // they, or the worker for them
bool rivals_beside(const struct app *app, int entry); // it stands there as a model
float rivals_tau(const struct app *app, const struct rival *rival);
bool rivals_show_difference(const struct app *app);
// The main alignment's difference and that of its one rival, made anew when both are
// there. NULL: see `refused`, or nothing is there yet.
const struct difference *rivals_subtract(struct app *app);
// Whether the rival is the first of two sides: "before" stands before "after".
bool rivals_first(const struct rival *rival);

// rivals_page.c
struct scene;
void rivals_draw(struct app *app, struct rect at, struct scene *scene);
bool rivals_fading(struct app *app);
