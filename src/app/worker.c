// SPDX-License-Identifier: MIT
// Worker thread: what is asked of it, in which order it is done, and what comes of it.
// One mutex, two conditions, a ring of events. See worker.h.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/worker_state.h"

bool worker_push(struct worker *worker, const struct worker_event *event)
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

void worker_release(struct worker_event *event)
{
    drop_task(event->task);
    alignment_destroy(event->alignment);
    beam_found_finish(&event->found);
    model_dir_close(event->model);
}

static struct worker_task *take_task(struct worker *worker)
{
    return atomic_load(&worker->task) ? atomic_exchange(&worker->task, NULL) : NULL;
}

void worker_run_task(struct worker *worker)
{
    struct worker_task *task = take_task(worker);
    if (!task)
        return;
    struct worker_event event = {.kind = EVENT_TASK, .task = task};
    task->run(task);
    if (!worker_push(worker, &event))
        worker_release(&event);
    worker->wake(worker->context);
}

static void run_open(struct worker *worker, const char *path)
{
    struct worker_event event = {.kind = EVENT_OPENED};
    memcpy(event.path, path, sizeof event.path);
    event.model = model_dir_open(path, &event.error);
    if (!worker_push(worker, &event))
        worker_release(&event);
    worker->wake(worker->context);
}

static void run_forget(struct worker *worker, const struct forget *forget)
{
    struct worker_event event = {.kind = EVENT_FORGOTTEN, .slot = forget->slot};
    worker_drop_session(worker, forget->slot);
    if (worker->forming.dir == forget->dir)
        worker_drop_forming(&worker->forming);
    if (worker_push(worker, &event))
        worker->wake(worker->context);
}

// Takes one piece of work under the mutex and does it without. A task may read the model
// that is to be forgotten.
static void run_one(struct worker *worker)
{
    if (worker->task) {
        pthread_mutex_unlock(&worker->mutex);
        worker_run_task(worker);
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
        worker_run(worker, &job, generation);
        edits_destroy(job.edits);
    }
    pthread_mutex_lock(&worker->mutex);
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
                worker_measure_one(worker);
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
        worker_release(&worker->events[(worker->first_event + i) % EVENTS]);
    for (int i = 0; i < WORKER_SLOTS; i++)
        session_destroy(worker->sessions[i]);
    worker_drop_forming(&worker->forming);
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

void worker_compute(struct worker *worker, struct worker_task *task)
{
    pthread_mutex_lock(&worker->mutex);
    struct worker_task *old = atomic_exchange(&worker->task, task);
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
