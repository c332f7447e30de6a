// SPDX-License-Identifier: MIT
// What differs between the families of networks, as a table of functions for each: how a
// sentence is encoded and what a step of the decoder does. encoder.c and decoder.c are
// what they share. Inside the engine only.
#pragma once

#include "engine/decoder.h"

// Arrays from one arena; stays false after the first that did not fit.
struct taking {
    struct arena *arena;
    bool ok;
};
float *take_floats(struct taking *taking, int rows, int cols);
double *take_doubles(struct taking *taking, int count);
int *take_ints(struct taking *taking, int count);
bool *take_bools(struct taking *taking, int count);

struct encode_job { // of ids that are all in range
    const struct kernels *kernels;
    struct encoder_cache *cache; // NULL: none; of one sentence only
    struct arena *arena;         // of what is given up afterwards
    const struct network *network;
    const struct encode_item *items; // (count) the longest first
    int count;
};

struct family_table {
    // Fills what each item has of an encoding, of which n_src is set.
    bool (*encode)(const struct encode_job *job, struct error *err);
    // See encoder_reorder. False: the arena is full.
    bool (*reorder)(struct encoding *encoding, struct arena *arena,
                    const struct model_config *config, const int *order);
    bool (*encoding_finite)(const struct encoding *encoding,
                            const struct model_config *config);
    // What is the family's own of a decoder. False: the arena is full.
    bool (*take_memory)(struct decoder *decoder, struct arena *arena);
    // And of a workspace; of_one: for its own decoder alone.
    void (*take_workspace)(struct workspace *work, struct taking *taking,
                           const struct model_config *config, bool of_one);
    void (*restart)(struct decoder *decoder);
    // Fills e, alpha and the norms of all the decoders; gives the vectors (n, R) that the
    // logits are made of.
    const float *(*step)(struct decoder *const *decoders, int count,
                         struct workspace *work);
    // There are n hypotheses now, the i-th is what parents[i] was.
    void (*adopt)(struct decoder *decoder, const int *parents, int n);
    const float *(*state)(const struct decoder *decoder, int hypothesis);
    bool (*attention_finite)(const struct decoder *decoder, int hypothesis);
};

extern const struct family_table family_recurrent, family_transformer;

static inline const struct family_table *family_of(const struct model_config *config)
{
    return config->family == FAMILY_TRANSFORMER ? &family_transformer : &family_recurrent;
}

// As encoder_run checks them.
bool encoder_ids_valid(const struct network *network, const int *ids, int n_src,
                       struct error *err);
// α (n_src) of a hypothesis from its e as the rest of the step reads it: τ, then dropout,
// then what alters it.
void decoder_weigh(const struct decoder *decoder, const float *e, float *alpha);
