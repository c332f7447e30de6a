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

enum { MAKING = -1, UNIT = 16 }; // floats in a cache line; a row has whole ones
enum {
    MAX_BYTES =
        LOOKUP_MAX_BYTES + LOOKUP_COUNT * (8 * MODEL_MAX_VOCAB + 2 * LOOKUP_MAX_COPY)
};

struct table {
    int width;          // of a row
    _Atomic int *where; // (V + 1) of the zero vector, then of each token
    struct tensor rest[2];
};

// The rows of all tables lie one behind the other as they come, so that no more memory is
// touched than they need.
struct lookups {
    struct arena arena;
    float *values; // (room) units
    int room;      // for all rows, or LOOKUP_MAX_BYTES
    _Atomic int used;
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

static const struct tensor *matrix_of(const struct network *network, enum lookup lookup,
                                      bool candidate)
{
    static const struct tensor none;
    const struct cell_weights *cell = &network->decoder[0];
    if (lookup == LOOKUP_READOUT)
        return candidate ? &none : &network->readout_w;
    if (lookup != LOOKUP_DECODER)
        cell = lookup == LOOKUP_FORWARD ? &network->forward[0] : &network->backward[0];
    return candidate ? &cell->candidate_ih : &cell->w_ih;
}

static struct tensor columns_of_rest(const struct network *network, enum lookup lookup,
                                     bool candidate)
{
    const struct lookup_columns of = lookup_columns(&network->config, lookup);
    const struct tensor *w = matrix_of(network, lookup, candidate);
    return tensor_columns(w, of.rest, w->cols - of.cols);
}

// False: there is no memory.
static bool bring_together(struct tensor *w, struct arena *arena)
{
    size_t row = (size_t)w->cols * dtype_size(w->type), rows = (size_t)w->rows;
    if (!w->skip || rows * row > LOOKUP_MAX_COPY)
        return true;
    unsigned char *copy = arena_alloc(arena, rows, row);
    for (int r = 0; copy && r < w->rows; r++)
        memcpy(copy + (size_t)r * row, tensor_rows(w, r, 1).data, row);
    if (copy)
        *w = (struct tensor){copy, w->type, w->rows, w->cols, 0};
    return copy != NULL;
}

static bool take_table(struct table *table, struct arena *arena,
                       const struct reader *reader)
{
    size_t tokens = (size_t)reader->embedding->rows + 1;
    table->width = reader->w[0].rows + reader->w[1].rows;
    if (!table->width)
        return true;
    table->where = arena_alloc(arena, tokens, sizeof *table->where);
    return table->where != NULL;
}

static int units_of(const struct table *table)
{
    return (table->width + UNIT - 1) / UNIT;
}

static bool take_tables(struct lookups *lookups, const struct network *network)
{
    struct arena *arena = &lookups->arena;
    const size_t unit = UNIT * sizeof(float), most = LOOKUP_MAX_BYTES / unit;
    size_t units = 0;
    arena_init(arena, MAX_BYTES);
    for (int i = 0; i < LOOKUP_COUNT; i++) {
        const struct reader reader = reader_of(network, (enum lookup)i);
        struct table *table = &lookups->tables[i];
        if (!take_table(table, arena, &reader))
            return false;
        units += ((size_t)reader.embedding->rows + 1) * (size_t)units_of(table);
        for (int k = 0; k < 2; k++) {
            table->rest[k] = columns_of_rest(network, (enum lookup)i, k);
            if (!bring_together(&table->rest[k], arena))
                return false;
        }
    }
    lookups->room = (int)(units < most ? units : most);
    lookups->values = arena_alloc(arena, (size_t)lookups->room, unit);
    return lookups->values != NULL;
}

struct lookups *lookups_create(const struct network *network)
{
    struct lookups *lookups = NULL;
    if (network->config.family == FAMILY_RECURRENT)
        lookups = calloc(1, sizeof *lookups);
    if (!lookups || take_tables(lookups, network))
        return lookups;
    lookups_destroy(lookups);
    return NULL;
}

void lookups_destroy(struct lookups *lookups)
{
    if (!lookups)
        return;
    arena_finish(&lookups->arena);
    free(lookups);
}

static void make_row(const struct network *network, const struct kernels *kernels,
                     enum lookup lookup, int token, float *out)
{
    const struct reader reader = reader_of(network, lookup);
    float embedding[MODEL_MAX_WIDTH];
    memset(embedding, 0, (size_t)reader.embedding->cols * sizeof *embedding);
    if (token >= 0)
        tensor_row(embedding, reader.embedding, token);
    for (int i = 0; i < 2 && reader.w[i].data; out += reader.w[i++].rows)
        kernels->product(out, &reader.w[i], embedding, 1, &reader.bias[i]);
}

struct tensor lookup_rest(const struct network *network, enum lookup lookup,
                          bool candidate)
{
    return network->lookups ? network->lookups->tables[lookup].rest[candidate]
                            : columns_of_rest(network, lookup, candidate);
}

// Where a row is to be kept, from 0; -1: nowhere, or somebody is at it.
static int claim(struct lookups *lookups, const struct table *table, int token)
{
    int units = units_of(table), room = lookups->room, nothing = 0;
    if (atomic_load_explicit(&lookups->used, memory_order_relaxed) + units > room ||
        !atomic_compare_exchange_strong(&table->where[token + 1], &nothing, MAKING))
        return -1;
    int at = atomic_fetch_add(&lookups->used, units);
    return at + units <= room ? at : -1;
}

static float *row_at(const struct lookups *lookups, int at)
{
    return lookups->values + (size_t)at * UNIT;
}

const float *lookup_row(const struct network *network, const struct kernels *kernels,
                        enum lookup lookup, int token, float *spare)
{
    struct lookups *lookups = network->lookups;
    if (!lookups) {
        make_row(network, kernels, lookup, token, spare);
        return spare;
    }
    const struct table *table = &lookups->tables[lookup];
    int at = atomic_load_explicit(&table->where[token + 1], memory_order_acquire);
    if (at > 0)
        return row_at(lookups, at - 1);
    at = at ? -1 : claim(lookups, table, token);
    float *row = at < 0 ? spare : row_at(lookups, at);
    make_row(network, kernels, lookup, token, row);
    if (at >= 0)
        atomic_store_explicit(&table->where[token + 1], at + 1, memory_order_release);
    return row;
}
