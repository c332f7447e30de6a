// SPDX-License-Identifier: MIT
// Memory by lifetime: everything that dies together comes from one arena.
// An arena grows by blocks up to a maximum that is set when it is made, so that no size
// from outside can take the machine down. Not for use from two threads at once.
#pragma once

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *head; // newest block first
    size_t used_bytes;        // over all blocks
    size_t max_bytes;
};

void arena_init(struct arena *arena, size_t max_bytes);
// Frees every block. A zeroed arena is fine.
void arena_finish(struct arena *arena);
// Forgets everything but keeps the largest block for reuse.
void arena_reset(struct arena *arena);
// Bytes of its blocks, used or not.
size_t arena_held(const struct arena *arena);
// count * size bytes, zeroed, aligned to 64. NULL when the maximum is reached, the
// product overflows, or the system has no memory. A zero-byte request gives a valid
// pointer.
void *arena_alloc(struct arena *arena, size_t count, size_t size);
// A NUL-terminated copy of length bytes; NULL as above.
char *arena_copy(struct arena *arena, const char *text, size_t length);
