// SPDX-License-Identifier: MIT
// Block arena. See arena.h.
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_BLOCK = 16 * 1024 };

struct arena_block {
    struct arena_block *next;
    void *raw;         // what calloc gave; this header sits at its first aligned byte
    size_t size, used; // bytes after the header
    _Alignas(ALIGNMENT) unsigned char data[];
};

void arena_init(struct arena *arena, size_t max_bytes)
{
    *arena = (struct arena){.max_bytes = max_bytes};
}

static void free_blocks(struct arena_block *block)
{
    while (block) {
        struct arena_block *next = block->next;
        free(block->raw);
        block = next;
    }
}

void arena_finish(struct arena *arena)
{
    free_blocks(arena->head);
    arena->head = NULL;
    arena->used_bytes = 0;
}

void arena_reset(struct arena *arena)
{
    if (!arena->head)
        return;
    // Blocks only grow, so the newest is the largest.
    free_blocks(arena->head->next);
    arena->head->next = NULL;
    memset(arena->head->data, 0, arena->head->used);
    arena->head->used = 0;
    arena->used_bytes = 0;
}

size_t arena_held(const struct arena *arena)
{
    size_t bytes = 0;
    for (const struct arena_block *block = arena->head; block; block = block->next)
        bytes += block->size;
    return bytes;
}

// Fresh pages come from calloc: the system zeroes them only when they are touched.
static struct arena_block *add_block(struct arena *arena, size_t need)
{
    size_t size = arena->head ? arena->head->size * 2 : FIRST_BLOCK;
    size_t left = arena->max_bytes - arena->used_bytes;
    if (size > left)
        size = left / ALIGNMENT * ALIGNMENT;
    if (size < need)
        size = need;
    unsigned char *raw = calloc(1, sizeof(struct arena_block) + size + ALIGNMENT);
    if (!raw)
        return NULL;
    size_t slack = (ALIGNMENT - (uintptr_t)raw % ALIGNMENT) % ALIGNMENT;
    struct arena_block *block = (struct arena_block *)(void *)(raw + slack);
    block->raw = raw;
    block->size = size;
    block->next = arena->head;
    arena->head = block;
    return block;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 2) / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    if (bytes > arena->max_bytes - arena->used_bytes)
        return NULL;
    struct arena_block *block = arena->head;
    if (!block || bytes > block->size - block->used)
        block = add_block(arena, bytes);
    if (!block)
        return NULL;
    void *result = block->data + block->used;
    block->used += bytes;
    arena->used_bytes += bytes;
    return result;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}
