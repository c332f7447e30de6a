// SPDX-License-Identifier: MIT
// The sentences of `alphascope trace`, from their texts to the bytes that are written for
// them: what is done in each of its threads.
#pragma once

#include "base/buf.h"
#include "cli/lines.h"
#include "cli/trace_options.h"
#include "formats/model_dir.h"

struct trace_job {                  // owned by one thread at a time
    struct sentence source, target; // target: with --force
    long number;                    // of the sentence, from 0
    struct buf out;                 // what to write; see trace_job_bytes
    int tokens_cut;
    bool broken; // a number was not finite: why says it, and out is still to be written
    bool failed; // why says it, and there is nothing to write
    struct error why;
};

struct tracer; // one thread at a time

struct job_queue { // called in the thread of tracer_run
    // NULL: there is none; wait: and there will be none.
    struct trace_job *(*next)(void *context, bool wait);
    void (*done)(void *context, struct trace_job *job); // in any order
    void *context;
};

// All borrowed.
struct tracer *tracer_create(const struct trace_options *options,
                             const struct model_dir *dir, struct error *err);
void tracer_destroy(struct tracer *tracer); // NULL is fine
// Of each job out and what follows it, until there is none. A picture needs the main
// thread.
void tracer_run(struct tracer *tracer, const struct job_queue *queue);

void trace_job_init(struct trace_job *job);
void trace_job_finish(struct trace_job *job);
