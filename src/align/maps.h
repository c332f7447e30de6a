// SPDX-License-Identifier: MIT
// All attention of one run of a Transformer (Vaswani et al. 2017): cross-attention, the
// encoder's and the decoder's self-attention, of every layer and head its weights α and
// raw scores e. An alignment that has maps shows one choice of them; map_view makes the
// alignment of another choice, with its own labels, and whoever draws, reads or exports
// an alignment takes it like any other.
//
//   kind          row (what asks)          column (what is read)
//   MAP_CROSS     target token t           source token s
//   MAP_ENCODER   source token             source token
//   MAP_DECODER   target token t           what the decoder was given: its start, and
//                                          target tokens 0 to t - 1. The mask leaves
//                                          columns 0 to t; the others are not allowed.
//
// Row t of MAP_DECODER and of MAP_CROSS belongs to the step that emits token t. The
// engine fills the rows of MAP_ENCODER before the alignment is handed out and those of
// step t before row t of the alignment is published; published rows never change again.
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>

enum map_kind { MAP_CROSS, MAP_ENCODER, MAP_DECODER, MAP_KINDS };
enum map_pool { MAP_MEAN = -1, MAP_MAX = -2 }; // in the place of a layer or a head

struct map_choice { // the heads of each layer are pooled first, then the layers
    enum map_kind kind;
    int layer, head; // from 0, or MAP_MEAN, MAP_MAX over all
};

struct map_shape { // by kind
    int layers[MAP_KINDS], heads[MAP_KINDS];
    int n_src, max_tgt;
};

enum { MAPS_MAX_BYTES = 512 << 20 };

struct alignment;

struct maps {
    struct arena arena;
    _Atomic int holders;
    struct map_shape shape;
    const char *start;       // what the decoder was given first, as it is shown: "<s>"
    int start_id;            // its token; -1: none, a zero vector
    float *score[MAP_KINDS]; // raw e; NULL: not kept, the maps of a long sentence do not
    float *alpha[MAP_KINDS]; // fit. α as it was read, by layer, head, row
};

// Of all that fits in MAPS_MAX_BYTES, MAP_CROSS first; one holder. NULL when memory is
// short.
struct maps *maps_create(const struct map_shape *shape, const char *start, int start_id,
                         struct error *err);
void maps_hold(struct maps *maps);    // NULL is fine
void maps_release(struct maps *maps); // the last holder's frees; NULL is fine

bool maps_kept(const struct maps *maps, enum map_kind kind);
// The columns that row t may read: n_src, or t + 1.
int maps_columns(const struct maps *maps, enum map_kind kind, int row);
// α and e of one row of one head, (maps_columns). The kind is kept; e is finite.
float *maps_alpha(const struct maps *maps, enum map_kind kind, int layer, int head,
                  int row);
float *maps_score(const struct maps *maps, enum map_kind kind, int layer, int head,
                  int row);

// A layer and a head there are, or pooled; the kind is kept.
bool map_valid(const struct maps *maps, struct map_choice choice);
bool map_same(struct map_choice a, struct map_choice b);
// One head of one layer: a score stands behind each of its weights.
bool map_single(struct map_choice choice);
// Rows sum to 1: nothing of it is a maximum over several.
bool map_keeps_sums(const struct maps *maps, struct map_choice choice);
// How the heads of a choice become one row: for each of its layers and heads in turn
//     map_pool_add(&pooling, weights)
// and then out (n) is theirs. weights: (n)
struct map_pooling {
    struct map_choice choice;
    int layers, heads; // of the choice
    int n, done;       // columns; heads so far
    float *out, *layer;
};
// layer: (n), scratch.
struct map_pooling map_pool_begin(const struct map_shape *shape, struct map_choice choice,
                                  int n, float *out, float *layer);
// The layer and head whose weights come next; false: out is complete.
bool map_pool_next(const struct map_pooling *pooling, int *layer, int *head);
void map_pool_add(struct map_pooling *pooling, const float *weights);

// The alignment of a choice, of the rows that are published (MAP_ENCODER: all rows, which
// are source tokens). Its maps are those of `of`, held too; `attention` is the choice,
// and of another kind than `of` shows, τ is 1. score is NAN where several heads are
// pooled; p is NAN and there are no candidates where rows are no target tokens. What the
// mask of MAP_DECODER does not allow is `blocked`, its α 0 and its score NAN. NULL with
// *err for a choice that is not valid, and when memory is short.
struct alignment *map_view(const struct alignment *of, struct map_choice choice,
                           struct error *err);

// Words: "cross", "encoder", "decoder"; static.
const char *map_kind_word(enum map_kind kind);
// "cross-attention, layer 2 of 3, mean of 4 heads", for a title.
void map_say(const struct maps *maps, struct map_choice choice, char *out, size_t size);
// "3" (from 1), "mean", "max" as a layer or a head of so many.
MUST_CHECK bool map_place_read(const char *word, int count, int *place);
void map_place_print(int place, char *out, size_t size);
