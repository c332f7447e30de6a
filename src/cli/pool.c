// SPDX-License-Identifier: MIT
// A ring of slots between one owner and several threads. See pool.h.
//
//   released ≤ started ≤ put ≤ released + slots, counted since the beginning: slot i %
//   slots
#include "cli/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct thread {
    struct pool *pool;
    pthread_t id;
    int number;
};

struct pool {
    void (*run)(void *context, int thread, struct pool *pool);
    void *context;
    int slots, n_threads;
    _Atomic int idle; // threads that wait
    int awaited;      // the slot that the owner waits for; -1: none
    struct thread *threads;
    pthread_mutex_t mutex;
    pthread_cond_t work; // something was put, or time to quit
    pthread_cond_t done; // the awaited slot was finished
    bool quit;
    bool *finished; // (slots)
    _Atomic long started;
    _Atomic long put; // written by the owner only, as is released
    long released;
};

// A thread that does not wait asks at every step of its sentences: without the mutex.
int pool_take(struct pool *pool, bool wait)
{
    int slot = -1;
    if (!wait && pool->put - pool->started <= pool->idle)
        return -1;
    pthread_mutex_lock(&pool->mutex);
    pool->idle += wait;
    while (wait && !pool->quit && pool->started == pool->put)
        pthread_cond_wait(&pool->work, &pool->mutex);
    pool->idle -= wait;
    if (!pool->quit && pool->put - pool->started > (wait ? 0 : pool->idle))
        slot = (int)(pool->started++ % pool->slots);
    pthread_mutex_unlock(&pool->mutex);
    return slot;
}

void pool_done(struct pool *pool, int slot)
{
    pthread_mutex_lock(&pool->mutex);
    pool->finished[slot] = true;
    if (slot == pool->awaited)
        pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
}

static void *thread_main(void *argument)
{
    struct thread *thread = argument;
    thread->pool->run(thread->pool->context, thread->number, thread->pool);
    return NULL;
}

// Signals belong to the main thread.
static int start(struct pool *pool, int threads)
{
    int failed = 0;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (pool->n_threads < threads && !failed) {
        struct thread *thread = &pool->threads[pool->n_threads];
        *thread = (struct thread){.pool = pool, .number = pool->n_threads};
        failed = pthread_create(&thread->id, NULL, thread_main, thread);
        pool->n_threads += failed ? 0 : 1;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return failed;
}

struct pool *pool_create(int threads, int slots,
                         void (*run)(void *context, int thread, struct pool *pool),
                         void *context, struct error *err)
{
    struct pool *pool = calloc(1, sizeof *pool);
    struct thread *list = calloc((size_t)threads, sizeof *list);
    bool *finished = calloc((size_t)slots, sizeof *finished);
    if (!pool || !list || !finished) {
        free(pool);
        free(list);
        free(finished);
        fail_nomem(err, "the threads");
        return NULL;
    }
    *pool = (struct pool){.run = run,
                          .context = context,
                          .slots = slots,
                          .awaited = -1,
                          .threads = list,
                          .finished = finished};
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    int failed = start(pool, threads);
    if (pool->n_threads)
        return pool;
    pool_destroy(pool);
    fail_with(err, ERR_NOMEM, "no thread can be started: %s", strerror(failed));
    return NULL;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->n_threads; i++)
        pthread_join(pool->threads[i].id, NULL);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->threads);
    free(pool->finished);
    free(pool);
}

int pool_free(const struct pool *pool)
{
    return pool->put - pool->released < pool->slots ? (int)(pool->put % pool->slots) : -1;
}

void pool_put(struct pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->finished[pool->put % pool->slots] = false;
    pool->put++;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
}

int pool_oldest(struct pool *pool)
{
    if (pool->put == pool->released)
        return -1;
    int slot = (int)(pool->released % pool->slots);
    pthread_mutex_lock(&pool->mutex);
    pool->awaited = slot;
    while (!pool->finished[slot])
        pthread_cond_wait(&pool->done, &pool->mutex);
    pool->awaited = -1;
    pthread_mutex_unlock(&pool->mutex);
    return slot;
}

void pool_release(struct pool *pool)
{
    pool->released++;
}
