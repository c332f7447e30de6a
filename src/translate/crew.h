// SPDX-License-Identifier: MIT
// Many sentences with one model: they are decoded together, so that a step of the network
// is one product for all of them and reads each weight once. One that has ended makes
// room for others. What becomes of a sentence does not depend on its company, bit for
// bit. Of a Transformer only the output layer is shared.
#pragma once

#include "translate/beam.h"

struct task {    // a sentence; text and target are borrowed until it is done
    void *owner; // the caller's
    const char *text;
    size_t length;
    const char *target; // a translation that is given; NULL: none
    size_t target_length;
    bool failed; // why says it
    struct error why;
    struct nbest nbest; // owned by whom it is done for; empty where it failed
};

struct crew_orders { // the same for all; borrowed
    struct run_options options;
    struct beam beam; // width 0: greedy
    int most;         // results of a beam
    bool posterior;   // of greedy and given translations: see session_want_posterior
};

struct crew_work { // both called in the thread of crew_run
    // The next sentence. False: there is none; wait: and there will be none.
    bool (*next)(void *context, struct task *task, bool wait);
    void (*done)(void *context, struct task *task); // in any order
    void *context;
};

struct crew; // one thread at a time

struct crew *crew_create(const struct translator *translator,
                         const struct crew_orders *orders, struct error *err);
void crew_destroy(struct crew *crew); // NULL is fine
// Until there is no next sentence and all are done.
void crew_run(struct crew *crew, const struct crew_work *work);
