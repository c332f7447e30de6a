// SPDX-License-Identifier: MIT
// The encoder: a sentence to its memory H, once, with the keys the scorer needs and the
// states the decoder begins with.
#pragma once

#include "base/arena.h"
#include "engine/encoder_cache.h"

struct encoding {
    int n_src;        // S
    float *memory;    // (S, M) h_i
    float *keys;      // (S, key_width); the memory itself where the score needs no other
    float *fertility; // (S) Φ; NULL without
    float *summary;   // m
    float *state0;    // (L, D) s_0
    float *memory0;   // (L, D) c_0 of an LSTM; else NULL
    float *v;         // (A) of additive and concat, as floats; else NULL
    float *cover;     // (A) the weights of the coverage; NULL without
    float energy_bias;
    struct transformer_encoding *transformer; // of a Transformer, which has of all this
                                              // only the memory; else NULL
};

struct encode_item { // one of several sentences
    const int *ids;  // (n_src)
    int n_src;
    struct arena *arena; // that the encoding comes from
    struct encoding *out;
};

// Everything comes from the arena. ids: (n_src), all in range (checked: ERR_FORMAT).
// n_src >= 1.
MUST_CHECK bool encoder_run(struct encoding *out, struct arena *arena,
                            const struct network *network, const int *ids, int n_src,
                            struct error *err);
// The same, bit for bit, without doing again what the sentence before it did; the cache
// keeps this one for the next.
MUST_CHECK bool encoder_run_again(struct encoder_cache *cache, struct encoding *out,
                                  struct arena *arena, const struct network *network,
                                  const int *ids, int n_src, struct error *err);
// Several sentences at once, each as encoder_run does it, bit for bit: each weight is
// read once for all. Items are put in another order. scratch: what is given up
// afterwards.
MUST_CHECK bool encoder_run_together(struct encode_item *items, int count,
                                     struct arena *scratch, const struct network *network,
                                     struct error *err);
// With a chosen set of kernels, for tests and benchmarks.
MUST_CHECK bool encoder_run_with(const struct kernels *kernels, struct encoding *out,
                                 struct arena *arena, const struct network *network,
                                 const int *ids, int n_src, struct error *err);
// The same memory with the position order[i] of it at i, with its keys and Φ; what the
// decoder begins with stays. order: (n_src), each position once. Memory for it comes from
// the arena.
MUST_CHECK bool encoder_reorder(struct encoding *encoding, struct arena *arena,
                                const struct model_config *config, const int *order,
                                struct error *err);
// Finite weights may still be so large that their sums are not.
bool encoding_finite(const struct encoding *encoding, const struct model_config *config);
