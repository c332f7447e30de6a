// SPDX-License-Identifier: MIT
// The one thread beside the window. It opens models and decodes; the newest decoding
// wins: a job that has not begun is replaced, one that has is cancelled between two
// target steps.
//
// Alignments change hands when they begin: the taker owns them, reads published rows
// while the worker still appends, and may destroy them once alignment_ended says so.
#pragma once

#include "align/alignment.h"
#include "formats/history.h"
#include "formats/model_dir.h"
#include "translate/translator.h"

enum { WORKER_SLOTS = 96 };

struct worker;

struct decode_job {
    const struct translator *translator; // must outlive the worker
    int slot;                            // its session, 0 .. WORKER_SLOTS - 1
    const struct model_dir *dir;         // the translator's; must outlive the worker
    const char *checkpoint; // copied: weights of its history/ instead; NULL: its own
    const char *text;       // copied; at most TEXT_MAX_BYTES
    size_t length;
    float tau;
    bool baseline; // also decode at τ = 1, before, to compare with
};

enum worker_event_kind { EVENT_BEGAN, EVENT_BASELINE, EVENT_FAILED, EVENT_OPENED };

struct worker_event {
    enum worker_event_kind kind;
    uint64_t generation;         // of the job; 0 for EVENT_OPENED
    struct alignment *alignment; // BEGAN, BASELINE: now the taker's
    struct model_dir *model;     // OPENED: now the taker's; NULL: error says why
    char path[4096];             // OPENED: as asked for
    struct error error;          // FAILED, OPENED without model
};

// wake is called from the worker's thread whenever there is something new to see.
struct worker *worker_create(void (*wake)(void *context), void *context,
                             struct error *err);
// Cancels, waits for the thread, frees what nobody took. NULL is fine.
void worker_destroy(struct worker *worker);
// Posts a job and returns its generation (1, 2, ...).
uint64_t worker_decode(struct worker *worker, const struct decode_job *job);
// Asks for a model to be opened; false when too many wait already.
bool worker_open(struct worker *worker, const char *path);
// The next event, in order; false: none.
bool worker_take(struct worker *worker, struct worker_event *event);
// Waits until nothing is queued or running, or timeout_ms passed; true: idle.
bool worker_wait(struct worker *worker, int timeout_ms);
