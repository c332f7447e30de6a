// SPDX-License-Identifier: MIT
// Pieces and ids, found by bisection. See vocabulary.h.
#include "text/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { MAX_BYTES = 1 << 29 };

struct named {
    const char *piece;
    int id;
};

struct vocabulary {
    struct arena arena;
    int count, eos, unk;
    const char **pieces;  // by id
    struct named *sorted; // (count) by piece
};

static int order(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t least = a_length < b_length ? a_length : b_length;
    int by_bytes = memcmp(a, b, least);
    return by_bytes ? by_bytes : (a_length > b_length) - (a_length < b_length);
}

static int by_piece(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    return order(a->piece, strlen(a->piece), b->piece, strlen(b->piece));
}

static bool sort(struct vocabulary *vocabulary)
{
    size_t count = (size_t)vocabulary->count;
    vocabulary->sorted =
        arena_alloc(&vocabulary->arena, count, sizeof *vocabulary->sorted);
    if (!vocabulary->sorted)
        return false;
    for (int id = 0; id < vocabulary->count; id++)
        vocabulary->sorted[id] = (struct named){vocabulary->pieces[id], id};
    qsort(vocabulary->sorted, count, sizeof *vocabulary->sorted, by_piece);
    return true;
}

struct vocabulary *vocabulary_create(const char *const *pieces, int count, int eos,
                                     int unk)
{
    struct vocabulary *vocabulary = calloc(1, sizeof *vocabulary);
    if (!vocabulary)
        return NULL;
    arena_init(&vocabulary->arena, MAX_BYTES);
    vocabulary->count = count;
    vocabulary->eos = eos;
    vocabulary->unk = unk;
    vocabulary->pieces =
        arena_alloc(&vocabulary->arena, (size_t)count, sizeof *vocabulary->pieces);
    bool ok = vocabulary->pieces != NULL;
    for (int id = 0; ok && id < count; id++) {
        vocabulary->pieces[id] =
            arena_copy(&vocabulary->arena, pieces[id], strlen(pieces[id]));
        ok = vocabulary->pieces[id] != NULL;
    }
    if (ok && sort(vocabulary))
        return vocabulary;
    vocabulary_destroy(vocabulary);
    return NULL;
}

void vocabulary_destroy(struct vocabulary *vocabulary)
{
    if (!vocabulary)
        return;
    arena_finish(&vocabulary->arena);
    free(vocabulary);
}

const char *vocabulary_piece(const struct vocabulary *vocabulary, int id)
{
    return vocabulary->pieces[id];
}

int vocabulary_find(const struct vocabulary *vocabulary, const char *piece, size_t length)
{
    int low = 0, high = vocabulary->count;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct named *its = &vocabulary->sorted[middle];
        int where = order(its->piece, strlen(its->piece), piece, length);
        if (where == 0)
            return its->id;
        if (where < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int vocabulary_id(const struct vocabulary *vocabulary, const char *piece, size_t length)
{
    int id = vocabulary_find(vocabulary, piece, length);
    return id < 0 ? vocabulary->unk : id;
}

int vocabulary_eos(const struct vocabulary *vocabulary)
{
    return vocabulary->eos;
}

int vocabulary_unk(const struct vocabulary *vocabulary)
{
    return vocabulary->unk;
}

bool vocabulary_is_control(const struct vocabulary *vocabulary, int id)
{
    const char *piece = vocabulary->pieces[id];
    size_t length = strlen(piece), code = vocabulary_code(piece, length);
    return id == vocabulary->eos || strcmp(piece, "<pad>") == 0 ||
           strcmp(piece, "<s>") == 0 || (code > 0 && code == length);
}

size_t vocabulary_code(const char *text, size_t length)
{
    if (length < 5 || memcmp(text, ">>", 2) != 0)
        return 0;
    for (size_t at = 3; at + 2 <= length; at++)
        if (memcmp(text + at, "<<", 2) == 0)
            return at + 2;
    return 0;
}
