// SPDX-License-Identifier: MIT
// Threads that work through numbered slots, handed over and given back in one order: the
// results of many threads are those of one. There are as many slots as are given, so a
// stream of any length takes no more memory. One thread owns the pool and calls these,
// but for the two that its threads call.
#pragma once

#include "base/error.h"

struct pool;

// run(context, thread, pool) is called once in each thread, 0 to threads - 1, and returns
// when pool_take has nothing more. The pool has at least one thread, and may have fewer
// than asked for where the system refuses more.
struct pool *pool_create(int threads, int slots,
                         void (*run)(void *context, int thread, struct pool *pool),
                         void *context, struct error *err);
// Waits for what is running; what has not begun is dropped. NULL is fine.
void pool_destroy(struct pool *pool);
int pool_free(const struct pool *pool); // the slot to fill next; -1: all are in use
void pool_put(struct pool *pool);       // hands that slot over
int pool_oldest(struct pool *pool);     // waits until it is done; -1: none was put
void pool_release(struct pool *pool);   // the oldest may be filled again

// In a thread of the pool: the next slot, which is the thread's own until it is done. A
// thread may hold several. -1: the pool ends or, for one that does not wait, there is
// none but what idle threads are about to take.
int pool_take(struct pool *pool, bool wait);
void pool_done(struct pool *pool, int slot);
