// SPDX-License-Identifier: MIT
// Rows of tokens. See lookup.h. A table has a number for each token: 0 for nothing,
// MAKING, or where its row is, counted from 1. Who changes 0 to MAKING fills a row and
// then says where; who meets MAKING, or finds no room left, makes the row for himself.
#include "engine/lookup.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/cells.h"

enum { MAKING = -1, MAX_BYTES = LOOKUP_COUNT * (LOOKUP_MAX_BYTES + 8 * MODEL_MAX_VOCAB) };

struct table {
    int width, rows;    // floats of a row; room
    float *values;      // (rows, width)
    _Atomic int *where; // (V + 1) of the zero vector, then of each token
    _Atomic int used;
};

struct lookups {
    struct arena arena;
    struct table tables[LOOKUP_COUNT];
};

struct reader { // a matrix, or one and that of the candidate, with their biases
    const struct tensor *embedding;
    struct tensor w[2], bias[2];
};

struct lookup_columns lookup_columns(const struct model_config *config,
                                     enum lookup lookup)
{
    const struct parts *parts =
        lookup == LOOKUP_DECODER ? &config->decoder_input : &config->readout_input;
    int e = config->target_embedding, all = model_parts_width(config, parts);
    if (lookup == LOOKUP_FORWARD || lookup == LOOKUP_BACKWARD)
        return (struct lookup_columns){0, config->source_embedding, 0};
    if (lookup == LOOKUP_READOUT && config->readout == READOUT_NONE)
        return (struct lookup_columns){0};
    if (parts->at[0] == PART_EMBEDDING)
        return (struct lookup_columns){0, e, e};
    if (parts->at[parts->count - 1] == PART_EMBEDDING)
        return (struct lookup_columns){all - e, e, 0};
    return (struct lookup_columns){0};
}

static void take_matrix(struct reader *reader, const struct tensor *w,
                        const struct tensor *bias, struct lookup_columns columns)
{
    int at = reader->w[0].data ? 1 : 0;
    if (!w->data || !columns.cols)
        return;
    reader->w[at] = tensor_columns(w, columns.first, columns.cols);
    reader->bias[at] = *bias;
}

static void take_cell(struct reader *reader, enum cell_kind kind,
                      const struct cell_weights *w, struct lookup_columns columns)
{
    const struct tensor none = {0};
    take_matrix(reader, &w->w_ih, &w->b_ih, columns);
    take_matrix(reader, &w->candidate_ih,
                cell_facts(kind)->bias == BIAS_CANDIDATE_OUTSIDE ? &w->candidate_b
                                                                 : &none,
                columns);
}

static struct reader reader_of(const struct network *network, enum lookup lookup)
{
    const struct model_config *c = &network->config;
    const struct lookup_columns columns = lookup_columns(c, lookup);
    struct reader reader = {.embedding = &network->src_embed};
    if (lookup == LOOKUP_DECODER || lookup == LOOKUP_READOUT)
        reader.embedding = &network->tgt_embed;
    if (lookup == LOOKUP_FORWARD)
        take_cell(&reader, c->encoder_cell, &network->forward[0], columns);
    else if (lookup == LOOKUP_BACKWARD)
        take_cell(&reader, c->encoder_cell, &network->backward[0], columns);
    else if (lookup == LOOKUP_DECODER)
        take_cell(&reader, c->decoder_cell, &network->decoder[0], columns);
    else
        take_matrix(&reader, &network->readout_w, &network->readout_b, columns);
    return reader;
}

static bool take_table(struct table *table, struct arena *arena,
                       const struct reader *reader)
{
    int tokens = reader->embedding->rows + 1;
    table->width = reader->w[0].rows + reader->w[1].rows;
    if (!table->width)
        return true;
    size_t row = (size_t)table->width * sizeof(float);
    int most = (int)(LOOKUP_MAX_BYTES / row);
    table->rows = tokens < most ? tokens : most;
    table->values = arena_alloc(arena, (size_t)table->rows, row);
    table->where = arena_alloc(arena, (size_t)tokens, sizeof *table->where);
    return table->values && table->where;
}

struct lookups *lookups_create(const struct network *network)
{
    struct lookups *lookups = NULL;
    if (network->config.family == FAMILY_RECURRENT)
        lookups = calloc(1, sizeof *lookups);
    if (lookups)
        arena_init(&lookups->arena, MAX_BYTES);
    for (int i = 0; lookups && i < LOOKUP_COUNT; i++) {
        const struct reader reader = reader_of(network, (enum lookup)i);
        if (!take_table(&lookups->tables[i], &lookups->arena, &reader)) {
            lookups_destroy(lookups);
            lookups = NULL;
        }
    }
    return lookups;
}

void lookups_destroy(struct lookups *lookups)
{
    if (!lookups)
        return;
    arena_finish(&lookups->arena);
    free(lookups);
}

static void make_row(const struct reader *reader, const struct kernels *kernels,
                     int token, float *out)
{
    float embedding[MODEL_MAX_WIDTH];
    memset(embedding, 0, (size_t)reader->embedding->cols * sizeof *embedding);
    if (token >= 0)
        tensor_row(embedding, reader->embedding, token);
    for (int i = 0; i < 2 && reader->w[i].data; out += reader->w[i++].rows)
        kernels->product(out, &reader->w[i], embedding, 1, &reader->bias[i]);
}

static float *row_at(const struct table *table, int at)
{
    return table->values + (size_t)at * (size_t)table->width;
}

// Where the row of a token is to be kept, from 0; -1: nowhere, or somebody is at it.
static int claim(struct table *table, int token)
{
    int nothing = 0;
    if (atomic_load_explicit(&table->used, memory_order_relaxed) >= table->rows ||
        !atomic_compare_exchange_strong(&table->where[token + 1], &nothing, MAKING))
        return -1;
    int at = atomic_fetch_add(&table->used, 1);
    return at < table->rows ? at : -1;
}

const float *lookup_row(const struct network *network, const struct kernels *kernels,
                        enum lookup lookup, int token, float *spare)
{
    struct table *table = network->lookups ? &network->lookups->tables[lookup] : NULL;
    int at =
        table ? atomic_load_explicit(&table->where[token + 1], memory_order_acquire) : 0;
    if (at > 0)
        return row_at(table, at - 1);
    const struct reader reader = reader_of(network, lookup);
    at = table && !at ? claim(table, token) : -1;
    float *row = at < 0 ? spare : row_at(table, at);
    make_row(&reader, kernels, token, row);
    if (at >= 0)
        atomic_store_explicit(&table->where[token + 1], at + 1, memory_order_release);
    return row;
}
