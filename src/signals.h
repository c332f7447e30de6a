// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP end the window as its close button does. SDL's own handler
// only sets a flag, and a flag that is set just before SDL goes to sleep is not seen
// until something else happens; here a thread waits for the signals and wakes the loop.
#pragma once

#include "base/error.h"

struct signals;

// Call it before any other thread is started: they inherit what is blocked here. wake is
// called from the waiting thread.
struct signals *signals_create(void (*wake)(void *context), void *context,
                               struct error *err);
void signals_destroy(struct signals *signals); // NULL is fine
// A signal has come.
bool signals_came(const struct signals *signals);
