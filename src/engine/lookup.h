// SPDX-License-Identifier: MIT
// What a matrix makes of an embedding follows from the token alone:
//
//   W [E y ; x] + b = W_x x + (W_E E y + b)
//
// W_E E y + b is the row of token y. A row is kept when its token first comes, as long as
// there is room, and whoever finds it kept is spared the product. It is summed apart
// everywhere, so that the bits are the same whether it was kept or not.
#pragma once

#include "engine/model.h"

enum lookup {       // who reads an embedding
    LOOKUP_FORWARD, // the first layer of the encoder, in each direction
    LOOKUP_BACKWARD,
    LOOKUP_DECODER, // the first cell of the decoder
    LOOKUP_READOUT,
    LOOKUP_COUNT
};

enum { LOOKUP_MAX_BYTES = 32 << 20 }; // of all rows that are kept of a network
enum { LOOKUP_MAX_COPY = 8 << 20 };   // of a matrix without some of its columns

struct lookups; // the rows of a network; may be used from several threads

// Room for them, of which as good as nothing is used yet; the network borrows it as
// network->lookups. NULL: there is no memory, or the network reads no embedding apart.
struct lookups *lookups_create(const struct network *network);
void lookups_destroy(struct lookups *lookups); // NULL is fine

// The columns of the embedding among all that a reader has. It is taken apart where it
// stands at an end; elsewhere cols is 0. The others begin at `rest`.
struct lookup_columns {
    int first, cols, rest;
};
struct lookup_columns lookup_columns(const struct model_config *config,
                                     enum lookup lookup);
// A reader's matrix, or the one of its candidate, without the columns of the embedding.
// With network->lookups its rows lie together, if they are not too large to be copied.
struct tensor lookup_rest(const struct network *network, enum lookup lookup,
                          bool candidate);
// The row of a token, -1 being the zero vector: of a cell in the order of cell_project of
// one vector. Where it is kept, or in `spare` (as long).
const float *lookup_row(const struct network *network, const struct kernels *kernels,
                        enum lookup lookup, int token, float *spare);
