// SPDX-License-Identifier: MIT
// The memory of the maps, and how several become one. See maps.h.
//
// Each kind is one block of fresh memory, which the system zeroes only when it is
// touched: a translation that ends early costs what it used. The rows of the decoder's
// own attention lie packed, row t behind t (t + 1) / 2 numbers.
#include "align/maps.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows_of(const struct map_shape *shape, enum map_kind kind)
{
    return kind == MAP_ENCODER ? shape->n_src : shape->max_tgt;
}

// Numbers before row `row` of one head.
static size_t offset(const struct map_shape *shape, enum map_kind kind, int row)
{
    size_t t = (size_t)row;
    return kind == MAP_DECODER ? t * (t + 1) / 2 : t * (size_t)shape->n_src;
}

static size_t size_of(const struct map_shape *shape, enum map_kind kind)
{
    return (size_t)shape->layers[kind] * (size_t)shape->heads[kind] *
           offset(shape, kind, rows_of(shape, kind));
}

static bool take_kind(struct maps *maps, enum map_kind kind, size_t *left)
{
    size_t count = size_of(&maps->shape, kind);
    if (count > *left)
        return true;
    *left -= count;
    maps->score[kind] = arena_alloc(&maps->arena, count, sizeof(float));
    maps->alpha[kind] = arena_alloc(&maps->arena, count, sizeof(float));
    return maps->score[kind] && maps->alpha[kind];
}

struct maps *maps_create(const struct map_shape *shape, const char *start, int start_id,
                         struct error *err)
{
    struct maps *maps = calloc(1, sizeof *maps);
    size_t left = MAPS_MAX_BYTES / (2 * sizeof(float));
    bool ok = maps != NULL;
    if (maps) {
        arena_init(&maps->arena, (size_t)MAPS_MAX_BYTES + (1 << 20));
        maps->holders = 1;
        maps->shape = *shape;
        maps->start_id = start_id;
        maps->start = arena_copy(&maps->arena, start, strlen(start));
        ok = maps->start != NULL;
    }
    for (int kind = 0; ok && kind < MAP_KINDS; kind++)
        ok = take_kind(maps, (enum map_kind)kind, &left);
    if (ok)
        return maps;
    maps_release(maps);
    fail_nomem(err, "the attention of every head");
    return NULL;
}

void maps_hold(struct maps *maps)
{
    if (maps)
        atomic_fetch_add(&maps->holders, 1);
}

void maps_release(struct maps *maps)
{
    if (!maps || atomic_fetch_sub(&maps->holders, 1) > 1)
        return;
    arena_finish(&maps->arena);
    free(maps);
}

bool maps_kept(const struct maps *maps, enum map_kind kind)
{
    return maps->score[kind] != NULL;
}

int maps_columns(const struct maps *maps, enum map_kind kind, int row)
{
    return kind == MAP_DECODER ? row + 1 : maps->shape.n_src;
}

static float *place(const struct maps *maps, float *all, enum map_kind kind, int layer,
                    int head, int row)
{
    const struct map_shape *shape = &maps->shape;
    assert(all && layer >= 0 && layer < shape->layers[kind]);
    assert(head >= 0 && head < shape->heads[kind]);
    assert(row >= 0 && row < rows_of(shape, kind));
    size_t at = (size_t)layer * (size_t)shape->heads[kind] + (size_t)head;
    return all + at * offset(shape, kind, rows_of(shape, kind)) +
           offset(shape, kind, row);
}

float *maps_alpha(const struct maps *maps, enum map_kind kind, int layer, int head,
                  int row)
{
    return place(maps, maps->alpha[kind], kind, layer, head, row);
}

float *maps_score(const struct maps *maps, enum map_kind kind, int layer, int head,
                  int row)
{
    return place(maps, maps->score[kind], kind, layer, head, row);
}

static bool there_is(int place, int count)
{
    return place >= MAP_MAX && place < count;
}

bool map_valid(const struct maps *maps, struct map_choice choice)
{
    return choice.kind >= MAP_CROSS && choice.kind < MAP_KINDS &&
           maps_kept(maps, choice.kind) &&
           there_is(choice.layer, maps->shape.layers[choice.kind]) &&
           there_is(choice.head, maps->shape.heads[choice.kind]);
}

bool map_same(struct map_choice a, struct map_choice b)
{
    return a.kind == b.kind && a.layer == b.layer && a.head == b.head;
}

bool map_single(struct map_choice choice)
{
    return choice.layer >= 0 && choice.head >= 0;
}

bool map_keeps_sums(const struct maps *maps, struct map_choice choice)
{
    const struct map_shape *shape = &maps->shape;
    return (choice.layer != MAP_MAX || shape->layers[choice.kind] == 1) &&
           (choice.head != MAP_MAX || shape->heads[choice.kind] == 1);
}

struct map_pooling map_pool_begin(const struct map_shape *shape, struct map_choice choice,
                                  int n, float *out, float *layer)
{
    memset(out, 0, (size_t)n * sizeof *out);
    memset(layer, 0, (size_t)n * sizeof *layer);
    return (struct map_pooling){
        .choice = choice,
        .layers = choice.layer < 0 ? shape->layers[choice.kind] : 1,
        .heads = choice.head < 0 ? shape->heads[choice.kind] : 1,
        .n = n,
        .out = out,
        .layer = layer,
    };
}

bool map_pool_next(const struct map_pooling *pooling, int *layer, int *head)
{
    const struct map_choice *choice = &pooling->choice;
    int at = pooling->done;
    *layer = choice->layer < 0 ? at / pooling->heads : choice->layer;
    *head = choice->head < 0 ? at % pooling->heads : choice->head;
    return at < pooling->layers * pooling->heads;
}

static void pool(float *into, const float *from, int n, int how)
{
    for (int i = 0; i < n; i++)
        into[i] = how == MAP_MAX ? fmaxf(into[i], from[i]) : into[i] + from[i];
}

static void finish(float *row, int n, int how, int count)
{
    for (int i = 0; how == MAP_MEAN && i < n; i++)
        row[i] /= (float)count;
}

void map_pool_add(struct map_pooling *pooling, const float *weights)
{
    const struct map_choice *choice = &pooling->choice;
    int n = pooling->n, layers = pooling->layers, heads = pooling->heads;
    pool(pooling->layer, weights, n, choice->head);
    if (++pooling->done % heads)
        return;
    finish(pooling->layer, n, choice->head, heads);
    pool(pooling->out, pooling->layer, n, choice->layer);
    memset(pooling->layer, 0, (size_t)n * sizeof *pooling->layer);
    if (pooling->done == layers * heads)
        finish(pooling->out, n, choice->layer, layers);
}

const char *map_kind_word(enum map_kind kind)
{
    static const char *const words[] = {"cross", "encoder", "decoder"};
    return words[kind];
}

// "layer 2 of 3", "mean of 4 heads", "" for the only one.
static void say_place(int place, int count, const char *what, char *out, size_t size)
{
    if (place >= 0)
        snprintf(out, size, ", %s %d of %d", what, place + 1, count);
    else
        snprintf(out, size, ", %s of %d %s%s", place == MAP_MEAN ? "mean" : "maximum",
                 count, what, count > 1 ? "s" : "");
}

void map_say(const struct maps *maps, struct map_choice choice, char *out, size_t size)
{
    static const char *const names[] = {"cross-attention", "encoder self-attention",
                                        "decoder self-attention"};
    char layer[48], head[48];
    int layers = maps->shape.layers[choice.kind], heads = maps->shape.heads[choice.kind];
    say_place(choice.layer, layers, "layer", layer, sizeof layer);
    say_place(choice.head, heads, "head", head, sizeof head);
    if (choice.layer == choice.head && choice.layer < 0)
        snprintf(out, size, "%s, %s of %d layers × %d heads", names[choice.kind],
                 choice.layer == MAP_MEAN ? "mean" : "maximum", layers, heads);
    else
        snprintf(out, size, "%s%s%s", names[choice.kind], layer, head);
}

bool map_place_read(const char *word, int count, int *place)
{
    char *end;
    if (strcmp(word, "mean") == 0 || strcmp(word, "max") == 0) {
        *place = strcmp(word, "mean") == 0 ? MAP_MEAN : MAP_MAX;
        return true;
    }
    long number = word[0] >= '1' && word[0] <= '9' ? strtol(word, &end, 10) : 0;
    if (number < 1 || *end || number > count)
        return false;
    *place = (int)number - 1;
    return true;
}

void map_place_print(int place, char *out, size_t size)
{
    if (place >= 0)
        snprintf(out, size, "%d", place + 1);
    else
        snprintf(out, size, "%s", place == MAP_MEAN ? "mean" : "max");
}
