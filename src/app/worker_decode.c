// SPDX-License-Identifier: MIT
// What the worker decodes a job with, and how: the sessions of its slots, the passes of a
// job, each greedy or by a beam, given up between two steps when a newer job exists.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/worker_state.h"

enum { WAKE_EVERY_MS = 12, IDLE_BYTES = 4 << 20 };

static int64_t now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void worker_drop_forming(struct forming_weights *forming)
{
    session_destroy(forming->session);
    checkpoint_close(forming->checkpoint);
    *forming = (struct forming_weights){0};
}

void worker_drop_session(struct worker *worker, int slot)
{
    session_destroy(worker->sessions[slot]);
    worker->sessions[slot] = NULL;
}

static struct session *forming_session(struct worker *worker,
                                       const struct decode_job *job, struct error *err)
{
    struct forming_weights *forming = &worker->forming;
    if (forming->session && forming->dir == job->dir &&
        !strcmp(forming->file, job->checkpoint))
        return forming->session;
    worker_drop_forming(forming);
    forming->checkpoint = checkpoint_open(job->dir, job->checkpoint, err);
    if (!forming->checkpoint)
        return NULL;
    snprintf(forming->file, sizeof forming->file, "%s", job->checkpoint);
    forming->dir = job->dir;
    forming->translator = *job->target.translator;
    forming->translator.network = &forming->checkpoint->network;
    forming->session = session_create(&forming->translator, err);
    return forming->session;
}

struct session *worker_session(struct worker *worker, const struct decode_job *job,
                               const struct decode_target *target, struct error *err)
{
    if (target == &job->target && job->checkpoint)
        return forming_session(worker, job, err);
    struct session **session = &worker->sessions[target->slot];
    if (!*session)
        *session = session_create(target->translator, err);
    return *session;
}

// Steps until the end or until a newer job exists; wakes the window now and then, so that
// rows appear as they are decoded and a short sentence costs a single frame.
static void run_steps(struct worker *worker, struct session *session,
                      struct alignment *alignment, uint64_t generation)
{
    int64_t woken = now_ms();
    while (session_step(session, alignment)) {
        if (atomic_load(&worker->newest) != generation) {
            session_cancel(session, alignment);
            return;
        }
        worker_run_task(worker);
        if (now_ms() - woken >= WAKE_EVERY_MS) {
            worker->wake(worker->context);
            woken = now_ms();
        }
    }
}

struct pass { // what a pass of a job does
    const struct decode_target *target;
    float tau;
    const struct edits *edits;
    enum worker_event_kind kind;
    unsigned rival;
};

// Searches to the end; the best result becomes the event's alignment. False: a newer job
// exists, and there is nothing to say.
static bool run_search(struct worker *worker, const struct decode_job *job,
                       struct session *session, struct run_options options,
                       uint64_t generation, struct worker_event *event)
{
    if (!session_beam_begin(session, job->text, job->length, options, &job->beam,
                            &event->error))
        return true;
    while (session_beam_step(session)) {
        if (atomic_load(&worker->newest) != generation) {
            session_beam_forget(session);
            return false;
        }
        worker_run_task(worker);
    }
    if (!session_beam_found(session, &event->found, &event->error))
        return true;
    event->alignment = event->found.nbest.at[0].alignment;
    event->found.nbest.at[0].alignment = NULL;
    if (event->kind != EVENT_BEGAN)
        beam_found_finish(&event->found);
    return true;
}

// False: it failed, or there is no use going on.
static bool run_pass(struct worker *worker, const struct decode_job *job,
                     struct pass pass, uint64_t generation)
{
    struct worker_event event = {.kind = pass.kind,
                                 .generation = generation,
                                 .rival = pass.rival,
                                 .tag = job->tag};
    struct session *session = worker_session(worker, job, pass.target, &event.error);
    struct run_options options = run_at(pass.tau);
    options.dropout = job->dropout;
    options.seed = job->seed;
    if (session)
        session_edit(session, pass.edits);
    if (session && job->beam.width &&
        !run_search(worker, job, session, options, generation, &event))
        return false;
    if (session && !job->beam.width)
        event.alignment =
            session_begin(session, job->text, job->length, options, &event.error);
    if (!event.alignment)
        event.kind = EVENT_FAILED;
    struct alignment *alignment = event.alignment;
    bool ended = !alignment || alignment_ended(alignment) != ENDED_NOT;
    if (!worker_push(worker, &event)) {
        if (!ended)
            session_cancel(session, alignment);
        worker_release(&event);
        return false;
    }
    if (!ended) // else the taker may have destroyed it by now
        run_steps(worker, session, alignment, generation);
    worker->wake(worker->context);
    return alignment && atomic_load(&worker->newest) == generation;
}

static bool uses(const struct decode_job *job, int slot)
{
    bool used = job->target.slot == slot;
    for (int i = 0; i < job->n_rivals; i++)
        used |= job->rivals[i].target.translator && job->rivals[i].target.slot == slot;
    return used;
}

// A model that is not shown keeps its last sentence, to be there at once when it is; what
// a long one took is given back.
static void drop_idle(struct worker *worker, const struct decode_job *job)
{
    for (int slot = 0; slot < WORKER_SLOTS; slot++) {
        const struct session *session = worker->sessions[slot];
        if (session && !uses(job, slot) && session_held(session) > IDLE_BYTES)
            worker_drop_session(worker, slot);
    }
}

void worker_run(struct worker *worker, const struct decode_job *job, uint64_t generation)
{
    struct pass baseline = {&job->target, job->baseline_tau, NULL, EVENT_BASELINE, 0};
    struct pass pass = {&job->target, job->tau, job->edits, EVENT_BEGAN, 0};
    drop_idle(worker, job);
    if (job->baseline && !run_pass(worker, job, baseline, generation))
        return;
    bool goes_on = run_pass(worker, job, pass, generation);
    for (int i = 0; goes_on && i < job->n_rivals; i++) {
        const struct decode_rival *rival = &job->rivals[i];
        bool own = !rival->target.translator;
        struct pass next = {own ? &job->target : &rival->target, rival->tau,
                            own && rival->edited ? job->edits : NULL, EVENT_RIVAL,
                            rival->id};
        run_pass(worker, job, next, generation); // one that fails stops no other
        goes_on = atomic_load(&worker->newest) == generation;
    }
}
