// SPDX-License-Identifier: MIT
// The decoder: one target token a step. All memory is taken in decoder_init; a step
// allocates nothing, so it can be called until the cows come home.
#pragma once

#include "engine/encoder.h"

struct decoder {
    const struct network *network;
    const struct encoding *encoding;
    const struct kernels *kernels;
    float tau;
    int previous;     // y_{t-1}; starts at bos
    float *state;     // (D)
    float *feed;      // (E) r of the last step
    float *scratch;   // (6D) gates
    float *input;     // (E + max(E, M)) what the cell reads; E_tgt y_{t-1} comes first
    float *joined;    // (D + M + E) what the readout reads
    float *query;     // (A) projected query
    float *context;   // (M)
    float *e, *alpha; // (S) of the last step; untouched for score none
    float *logits;    // (V) of the last step
    int best;         // first maximum of the logits
    float log_sum;    // log Σ exp(logits): log p(v) = logits[v] - log_sum
};

// tau must be valid (tau_valid). Everything from the arena, which must outlive the
// decoder.
MUST_CHECK bool decoder_init(struct decoder *decoder, struct arena *arena,
                             const struct network *network,
                             const struct encoding *encoding, float tau,
                             struct error *err);
// Back to step 0 with another tau; nothing is allocated.
void decoder_restart(struct decoder *decoder, float tau);
// One step from y_{t-1}: fills e, alpha, logits, log_sum. The caller chooses y_t ...
void decoder_step(struct decoder *decoder);
// ... and says which it was. Greedy: decoder_best.
void decoder_feed(struct decoder *decoder, int token);
int decoder_best(const struct decoder *decoder); // first maximum of the logits
// The k best ids, best first (ties: the lower id), with log-probabilities.
void decoder_top(const struct decoder *decoder, int k, int *ids, float *log_p);
