// SPDX-License-Identifier: MIT
// Worker thread: one mutex, two conditions, a ring of events. The only things shared
// without the mutex are an alignment's published rows and the generation of the newest
// job, which the decoding loop reads between two steps. See worker.h.
#include "app/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EVENTS = 16, OPENS = 8, WAKE_EVERY_MS = 12, IDLE_BYTES = 4 << 20 };

struct worker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t work; // something to do, room for an event, or time to quit
    pthread_cond_t idle; // an event was pushed or a job ended
    void (*wake)(void *);
    void *context;
    bool quit, busy, has_job;
    struct decode_job job; // text points to job_text
    char job_text[TEXT_MAX_BYTES + 1];
    _Atomic uint64_t newest; // generation of the newest posted job
    char opens[OPENS][4096];
    int n_opens;
    struct forget {
        int slot;
        const struct model_dir *dir;
    } forgets[OPENS];
    int n_forgets;
    const struct measure_unit *units; // to be measured, from next_unit on
    int n_units, next_unit;
    uint64_t measure_run;
    struct worker_task *task; // to be run; NULL: none
    struct arena scratch;     // the worker thread's own
    struct worker_event events[EVENTS];
    int first_event, n_events;
    struct session *sessions[WORKER_SLOTS]; // the worker thread's own
    char running_text[TEXT_MAX_BYTES + 1];  // the worker thread's own
    char unit_text[TEXT_MAX_BYTES + 1];     // the worker thread's own
    char unit_reference[TEXT_MAX_BYTES + 1];
    char job_checkpoint[256], running_checkpoint[256];
    struct forming_weights { // the worker thread's own: the checkpoint used last
        char file[256];
        const struct model_dir *dir;
        struct checkpoint *checkpoint;
        struct translator translator;
        struct session *session;
    } forming;
};

static int64_t now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

// Hands an event over; waits while the ring is full. False: quitting, the event is still
// the caller's.
static bool push_event(struct worker *worker, const struct worker_event *event)
{
    pthread_mutex_lock(&worker->mutex);
    while (worker->n_events == EVENTS && !worker->quit)
        pthread_cond_wait(&worker->work, &worker->mutex);
    bool taken = !worker->quit;
    if (taken) {
        worker->events[(worker->first_event + worker->n_events++) % EVENTS] = *event;
        pthread_cond_broadcast(&worker->idle);
    }
    pthread_mutex_unlock(&worker->mutex);
    return taken;
}

static void drop_task(struct worker_task *task)
{
    if (task)
        task->destroy(task);
}

static void release_event(struct worker_event *event)
{
    drop_task(event->task);
    alignment_destroy(event->alignment);
    beam_found_finish(&event->found);
    model_dir_close(event->model);
}

static struct worker_task *take_task(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    struct worker_task *task = worker->task;
    worker->task = NULL;
    pthread_mutex_unlock(&worker->mutex);
    return task;
}

static void run_task(struct worker *worker)
{
    struct worker_task *task = take_task(worker);
    if (!task)
        return;
    struct worker_event event = {.kind = EVENT_TASK, .task = task};
    task->run(task);
    if (!push_event(worker, &event))
        release_event(&event);
    worker->wake(worker->context);
}

static void run_open(struct worker *worker, const char *path)
{
    struct worker_event event = {.kind = EVENT_OPENED};
    memcpy(event.path, path, sizeof event.path);
    event.model = model_dir_open(path, &event.error);
    if (!push_event(worker, &event))
        release_event(&event);
    worker->wake(worker->context);
}

static void drop_forming(struct forming_weights *forming)
{
    session_destroy(forming->session);
    checkpoint_close(forming->checkpoint);
    *forming = (struct forming_weights){0};
}

static void drop_session(struct worker *worker, int slot)
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
    drop_forming(forming);
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

static struct session *session_of(struct worker *worker, const struct decode_job *job,
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
        run_task(worker);
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
        run_task(worker);
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
    struct worker_event event = {
        .kind = pass.kind, .generation = generation, .rival = pass.rival};
    struct session *session = session_of(worker, job, pass.target, &event.error);
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
    if (!push_event(worker, &event)) {
        if (!ended)
            session_cancel(session, alignment);
        release_event(&event);
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
            drop_session(worker, slot);
    }
}

static void run_decode(struct worker *worker, const struct decode_job *job,
                       uint64_t generation)
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

static void run_forget(struct worker *worker, const struct forget *forget)
{
    struct worker_event event = {.kind = EVENT_FORGOTTEN, .slot = forget->slot};
    drop_session(worker, forget->slot);
    if (worker->forming.dir == forget->dir)
        drop_forming(&worker->forming);
    if (push_event(worker, &event))
        worker->wake(worker->context);
}

// Takes one piece of work under the mutex and does it without. A task may read the model
// that is to be forgotten.
static void run_one(struct worker *worker)
{
    if (worker->task) {
        pthread_mutex_unlock(&worker->mutex);
        run_task(worker);
    } else if (worker->n_forgets) {
        struct forget forget = worker->forgets[--worker->n_forgets];
        pthread_mutex_unlock(&worker->mutex);
        run_forget(worker, &forget);
    } else if (worker->n_opens) {
        char path[sizeof worker->opens[0]];
        memcpy(path, worker->opens[0], sizeof path);
        worker->n_opens--;
        memmove(worker->opens, worker->opens + 1, sizeof path * (size_t)worker->n_opens);
        pthread_mutex_unlock(&worker->mutex);
        run_open(worker, path);
    } else {
        struct decode_job job = worker->job;
        uint64_t generation = atomic_load(&worker->newest);
        memcpy(worker->running_text, worker->job_text, sizeof worker->running_text);
        memcpy(worker->running_checkpoint, worker->job_checkpoint,
               sizeof worker->running_checkpoint);
        job.text = worker->running_text;
        job.checkpoint = job.checkpoint ? worker->running_checkpoint : NULL;
        worker->has_job = false;
        worker->job.edits = NULL;
        pthread_mutex_unlock(&worker->mutex);
        run_decode(worker, &job, generation);
        edits_destroy(job.edits);
    }
    pthread_mutex_lock(&worker->mutex);
}

// The sums for one finished translation; none when memory is short.
static void judge(struct worker *worker, const struct alignment *alignment,
                  const char *reference, struct bleu *bleu)
{
    const char *words = alignment->translation ? alignment->translation : "";
    struct bleu_text hypothesis = {words, strlen(words)};
    struct bleu_text right = {reference, strlen(reference)};
    if (!bleu_add(bleu, &worker->scratch, hypothesis, &right, 1, NULL))
        *bleu = (struct bleu){0};
}

// Translates one unit; true when it was finished, false when a job came in between.
static bool run_unit(struct worker *worker, const struct measure_unit *unit,
                     struct worker_event *event)
{
    struct decode_job job = {.target = unit->target};
    uint64_t generation = atomic_load(&worker->newest);
    struct session *session = session_of(worker, &job, &job.target, NULL);
    struct alignment *alignment = NULL;
    if (session) {
        session_edit(session, NULL);
        alignment =
            session_begin(session, unit->text, strlen(unit->text), run_at(1), NULL);
    }
    if (!alignment)
        return true; // it cannot be translated: no use trying again
    bool whole = true;
    while (whole && session_step(session, alignment))
        whole = atomic_load(&worker->newest) == generation;
    if (!whole)
        session_cancel(session, alignment);
    else
        judge(worker, alignment, unit->reference, &event->bleu);
    alignment_destroy(alignment);
    return whole;
}

// Called and left with the mutex held; the unit is done without it.
static void measure_one(struct worker *worker)
{
    struct measure_unit unit = worker->units[worker->next_unit];
    struct worker_event event = {
        .kind = EVENT_MEASURED, .run = worker->measure_run, .tag = unit.tag};
    snprintf(worker->unit_text, sizeof worker->unit_text, "%s", unit.text);
    snprintf(worker->unit_reference, sizeof worker->unit_reference, "%s", unit.reference);
    unit.text = worker->unit_text;
    unit.reference = worker->unit_reference;
    pthread_mutex_unlock(&worker->mutex);
    bool done = run_unit(worker, &unit, &event);
    if (done && push_event(worker, &event)) {
        worker->wake(worker->context);
    }
    pthread_mutex_lock(&worker->mutex);
    if (done && event.run == worker->measure_run)
        worker->next_unit++;
}

// With the mutex held: work that somebody waits for.
static bool has_work(const struct worker *worker)
{
    return worker->task || worker->n_forgets || worker->n_opens || worker->has_job;
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    pthread_mutex_lock(&worker->mutex);
    while (!worker->quit) {
        if (!has_work(worker)) {
            worker->busy = false;
            pthread_cond_broadcast(&worker->idle);
            if (worker->next_unit < worker->n_units)
                measure_one(worker);
            else
                pthread_cond_wait(&worker->work, &worker->mutex);
            continue;
        }
        worker->busy = true;
        run_one(worker);
    }
    worker->busy = false;
    pthread_cond_broadcast(&worker->idle);
    pthread_mutex_unlock(&worker->mutex);
    return NULL;
}

// Signals belong to the main thread.
static int start_thread(struct worker *worker)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = pthread_create(&worker->thread, NULL, worker_main, worker);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return failed;
}

struct worker *worker_create(void (*wake)(void *), void *context, struct error *err)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        fail_nomem(err, "the worker");
        return NULL;
    }
    worker->wake = wake;
    worker->context = context;
    arena_init(&worker->scratch, 16 << 20);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_cond_init(&worker->work, NULL);
    pthread_cond_init(&worker->idle, &monotonic);
    pthread_condattr_destroy(&monotonic);
    int failed = start_thread(worker);
    if (!failed)
        return worker;
    fail_with(err, ERR_NOMEM, "cannot start the worker thread: %s", strerror(failed));
    free(worker);
    return NULL;
}

void worker_destroy(struct worker *worker)
{
    if (!worker)
        return;
    pthread_mutex_lock(&worker->mutex);
    worker->quit = true;
    atomic_fetch_add(&worker->newest, 1);
    pthread_cond_broadcast(&worker->work);
    pthread_mutex_unlock(&worker->mutex);
    pthread_join(worker->thread, NULL);
    for (int i = 0; i < worker->n_events; i++)
        release_event(&worker->events[(worker->first_event + i) % EVENTS]);
    for (int i = 0; i < WORKER_SLOTS; i++)
        session_destroy(worker->sessions[i]);
    drop_forming(&worker->forming);
    edits_destroy(worker->job.edits);
    drop_task(worker->task);
    arena_finish(&worker->scratch);
    pthread_cond_destroy(&worker->idle);
    pthread_cond_destroy(&worker->work);
    pthread_mutex_destroy(&worker->mutex);
    free(worker);
}

uint64_t worker_decode(struct worker *worker, const struct decode_job *job)
{
    pthread_mutex_lock(&worker->mutex);
    edits_destroy(worker->job.edits);
    worker->job = *job;
    size_t length = job->length < TEXT_MAX_BYTES ? job->length : TEXT_MAX_BYTES;
    memcpy(worker->job_text, job->text, length);
    worker->job_text[length] = '\0';
    worker->job.length = length;
    if (job->checkpoint)
        snprintf(worker->job_checkpoint, sizeof worker->job_checkpoint, "%s",
                 job->checkpoint);
    worker->has_job = true;
    uint64_t generation = atomic_fetch_add(&worker->newest, 1) + 1;
    pthread_cond_broadcast(&worker->work);
    pthread_mutex_unlock(&worker->mutex);
    return generation;
}

bool worker_open(struct worker *worker, const char *path)
{
    pthread_mutex_lock(&worker->mutex);
    size_t length = strlen(path);
    bool room = worker->n_opens < OPENS && length < sizeof worker->opens[0];
    if (room) {
        memcpy(worker->opens[worker->n_opens++], path, length + 1);
        pthread_cond_broadcast(&worker->work);
    }
    pthread_mutex_unlock(&worker->mutex);
    return room;
}

bool worker_forget(struct worker *worker, int slot, const struct model_dir *dir)
{
    pthread_mutex_lock(&worker->mutex);
    bool room = worker->n_forgets < OPENS;
    if (room) {
        worker->forgets[worker->n_forgets++] = (struct forget){slot, dir};
        pthread_cond_broadcast(&worker->work);
    }
    pthread_mutex_unlock(&worker->mutex);
    return room;
}

uint64_t worker_measure(struct worker *worker, const struct measure_unit *units,
                        int count)
{
    pthread_mutex_lock(&worker->mutex);
    worker->units = units;
    worker->n_units = count;
    worker->next_unit = 0;
    uint64_t run = ++worker->measure_run;
    pthread_cond_broadcast(&worker->work);
    pthread_mutex_unlock(&worker->mutex);
    return run;
}

void worker_run(struct worker *worker, struct worker_task *task)
{
    pthread_mutex_lock(&worker->mutex);
    struct worker_task *old = worker->task;
    worker->task = task;
    pthread_cond_broadcast(&worker->work);
    pthread_mutex_unlock(&worker->mutex);
    drop_task(old);
}

bool worker_take(struct worker *worker, struct worker_event *event)
{
    pthread_mutex_lock(&worker->mutex);
    bool any = worker->n_events > 0;
    if (any) {
        *event = worker->events[worker->first_event];
        worker->first_event = (worker->first_event + 1) % EVENTS;
        worker->n_events--;
        pthread_cond_broadcast(&worker->work);
    }
    pthread_mutex_unlock(&worker->mutex);
    return any;
}

// Idle also when the worker waits for room in the ring: only the caller can make it.
bool worker_wait(struct worker *worker, int timeout_ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&worker->mutex);
    int timed_out = 0;
    while (!timed_out && (worker->busy || has_work(worker)) && worker->n_events < EVENTS)
        timed_out = pthread_cond_timedwait(&worker->idle, &worker->mutex, &until);
    bool idle = !worker->busy && !has_work(worker);
    pthread_mutex_unlock(&worker->mutex);
    return idle;
}
