// SPDX-License-Identifier: MIT
// The one thread beside the window. It opens models and decodes; the newest decoding
// wins: a job that has not begun is replaced, one that has is cancelled between two
// target steps.
//
// Alignments change hands when they begin: the taker owns them, reads published rows
// while the worker still appends, and may destroy them once alignment_ended says so.
#pragma once

#include "align/alignment.h"
#include "align/edits.h"
#include "evaluate/bleu.h"
#include "formats/history.h"
#include "formats/model_dir.h"
#include "translate/beam.h"

enum { WORKER_SLOTS = 96, WORKER_RIVALS = 5 };

struct worker;

struct decode_target {
    const struct translator *translator; // must outlive the worker; NULL: nobody
    int slot;                            // its session, 0 .. WORKER_SLOTS - 1
};

struct decode_rival { // decodes the same text afterwards
    unsigned id;      // the asker's
    struct decode_target
        target;  // translator NULL: the job's own, with its checkpoint ...
    bool edited; // ... and its edits
    float tau;
};

struct decode_job {
    struct decode_target target;
    const struct model_dir *dir; // the target's; must outlive the worker
    const char *checkpoint;      // copied: weights of its history/ instead; NULL: its own
    struct decode_rival rivals[WORKER_RIVALS]; // in order
    int n_rivals;
    const char *text; // copied; at most TEXT_MAX_BYTES
    size_t length;
    int tag; // the asker's
    float tau;
    float dropout; // of α, in all that the job decodes
    unsigned seed;
    struct beam beam;    // of all that the job decodes; width 0: greedy
    struct edits *edits; // of the target alone; becomes the worker's; NULL: none
    bool baseline;       // also decode without edits, before, to compare with ...
    float baseline_tau;  // ... at this τ
};

enum worker_event_kind {
    EVENT_BEGAN,
    EVENT_BASELINE,
    EVENT_RIVAL,
    EVENT_FAILED,
    EVENT_OPENED,
    EVENT_MEASURED,
    EVENT_FORGOTTEN,
    EVENT_TASK
};

struct measure_unit { // one sentence to translate and to judge, when nothing else is to
                      // do
    struct decode_target target;
    const char *text, *reference; // at most TEXT_MAX_BYTES of them count
    int tag;                      // the asker's
};

struct worker_task {                       // something else to compute
    void (*run)(struct worker_task *task); // on the worker's thread
    void (*destroy)(struct worker_task *task);
};

struct worker_event {
    enum worker_event_kind kind;
    uint64_t generation;         // of the job; 0 for EVENT_OPENED
    unsigned rival;              // RIVAL, and FAILED where one did: its id; else 0
    struct alignment *alignment; // BEGAN, BASELINE, RIVAL: now the taker's
    struct beam_found found;     // BEGAN by a beam, now the taker's: the other results
                                 // and the tree; the first result is the alignment
    struct model_dir *model;     // OPENED: now the taker's; NULL: error says why
    char path[4096];             // OPENED: as asked for
    struct error error;          // FAILED, OPENED without model
    uint64_t run;                // MEASURED: as worker_measure gave it
    int tag;                     // MEASURED: the unit's; BEGAN: the job's
    struct bleu bleu;            // MEASURED: the sums of this one sentence
    int slot;                    // FORGOTTEN: as worker_forget gave it
    struct worker_task *task;    // TASK: has run, now the taker's
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
// Measures units in order, one at a time, whenever no other work waits; each gives an
// EVENT_MEASURED. Replaces what was being measured; count 0 ends it. Returns the run's
// number. units and their texts are borrowed until the next call has returned.
uint64_t worker_measure(struct worker *worker, const struct measure_unit *units,
                        int count);
// Runs a task as soon as it can, also between two steps of a decoding; then comes
// EVENT_TASK. It becomes the worker's, and one that has not begun is destroyed. What it
// reads of a model may be forgotten afterwards.
void worker_compute(struct worker *worker, struct worker_task *task);
// Ends what was made for a slot and its model, after the work that is running; nobody may
// ask for work with them any more. Then comes EVENT_FORGOTTEN, and the model may be
// closed. False when too many wait already.
bool worker_forget(struct worker *worker, int slot, const struct model_dir *dir);
// The next event, in order; false: none.
bool worker_take(struct worker *worker, struct worker_event *event);
// Waits until nothing but measuring is queued or running, or timeout_ms passed; true:
// idle.
bool worker_wait(struct worker *worker, int timeout_ms);
