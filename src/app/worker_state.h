// SPDX-License-Identifier: MIT
// The inside of the worker, for its own files. The only things shared without the mutex
// are an alignment's published rows, and the generation of the newest job and the task,
// which the decoding loop reads between two steps.
#pragma once

#include "app/worker.h"

#include <pthread.h>
#include <stdatomic.h>

enum { EVENTS = 16, OPENS = 8 };

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
    struct worker_task *_Atomic task; // to be run; NULL: none. Looked at between two
                                      // rows, without the mutex
    struct arena scratch;             // the worker thread's own
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

// worker.c: hands an event over; waits while the ring is full. False: quitting, the event
// is still the caller's.
bool worker_push(struct worker *worker, const struct worker_event *event);
void worker_release(struct worker_event *event);
// The task that waits, if one does.
void worker_run_task(struct worker *worker);

// worker_decode.c: a whole job.
void worker_run(struct worker *worker, const struct decode_job *job, uint64_t generation);
// The session that the target of a job is decoded by; NULL: it cannot be made.
struct session *worker_session(struct worker *worker, const struct decode_job *job,
                               const struct decode_target *target, struct error *err);
void worker_drop_session(struct worker *worker, int slot);
void worker_drop_forming(struct forming_weights *forming);

// worker_measure.c: the next unit. Called and left with the mutex held; the unit is done
// without it.
void worker_measure_one(struct worker *worker);
