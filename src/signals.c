// SPDX-License-Identifier: MIT
// Signals as wake-ups. See signals.h.
#include "signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct signals {
    pthread_t thread;
    sigset_t set;
    void (*wake)(void *);
    void *context;
    atomic_bool came, over;
};

// SIGUSR1 only ends the waiting; it comes from signals_destroy.
static void *wait_for_signals(void *argument)
{
    struct signals *signals = argument;
    int number = 0;
    while (!atomic_load(&signals->over)) {
        if (sigwait(&signals->set, &number) != 0 || number == SIGUSR1)
            continue;
        atomic_store(&signals->came, true);
        signals->wake(signals->context);
    }
    return NULL;
}

struct signals *signals_create(void (*wake)(void *context), void *context,
                               struct error *err)
{
    struct signals *signals = calloc(1, sizeof *signals);
    if (!signals) {
        fail_nomem(err, "the signals");
        return NULL;
    }
    signals->wake = wake;
    signals->context = context;
    sigemptyset(&signals->set);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&signals->set, numbers[i]);
    pthread_sigmask(SIG_BLOCK, &signals->set, NULL);
    int failed = pthread_create(&signals->thread, NULL, wait_for_signals, signals);
    if (!failed)
        return signals;
    pthread_sigmask(SIG_UNBLOCK, &signals->set, NULL);
    fail_with(err, ERR_NOMEM, "cannot start the thread for signals: %s",
              strerror(failed));
    free(signals);
    return NULL;
}

void signals_destroy(struct signals *signals)
{
    if (!signals)
        return;
    atomic_store(&signals->over, true);
    pthread_kill(signals->thread, SIGUSR1);
    pthread_join(signals->thread, NULL);
    free(signals);
}

bool signals_came(const struct signals *signals)
{
    return atomic_load(&signals->came);
}
