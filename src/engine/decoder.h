// SPDX-License-Identifier: MIT
// The decoder: one target token a step, for n hypotheses at once. All memory is taken in
// decoder_init; a step allocates nothing, so it can be called until the cows come home.
//
// Every array is (n, ·), the hypotheses one after the other, and no hypothesis' numbers
// depend on how many there are. Greedy decoding is n = 1. Decoders of many sentences can
// make their steps together: each weight is then read once for all of them.
#pragma once

#include "engine/encoder.h"

enum { DECODER_MAX_HYPOTHESES = 16 };

struct run_options { // how the loop runs; where zero, nothing is changed but τ
    float tau;       // temperature of the softmax, 0 to infinity
    bool words_only; // no log_sum, and no logits that last: only the best is asked for
    bool mean_only;  // of a Transformer α alone: the maps of its heads are not kept
    float dropout;   // of α: 0 (none) to below 1; see engine/dropout.h
    unsigned seed;   // of the dropout
    // Changes α (n), of each hypothesis at each step (from 0), after softmax and dropout
    // and before anything reads it; e stays. NULL: α stays.
    void (*alter)(void *context, int step, float *alpha, int n);
    void *alter_context;
};
// The model as it was trained, but for τ; all else off.
static inline struct run_options run_at(float tau)
{
    return (struct run_options){.tau = tau};
}
// False with a sentence about the first that is out of range.
MUST_CHECK bool run_options_check(const struct run_options *options, struct error *err);

struct carried { // what a hypothesis of a recurrent decoder takes to the next step
    float *state[MODEL_MAX_LAYERS];  // (n, D) each
    float *memory[MODEL_MAX_LAYERS]; // (n, D) each, of LSTMs; else NULL
    float *context;                  // (n, C) c of the last step; m for score none
    float *feed;                     // (n, R) r of the last step
    float *coverage;                 // (n, S); NULL without
};

struct workspace { // what a step needs beside what it carries on, for so many hypotheses
    int max;
    int n;          // in this step, of all decoders
    float *logits;  // (n, V)
    int *best;      // (n)
    bool *finite;   // (n) of the logits, where they do not last
    float *vectors; // (n, R) of a Transformer
    // Of a recurrent network
    struct carried rows; // what is carried, of all decoders; of one: its own
    int *tokens;         // (n) y_{t-1}
    float *before;       // (n, D) s_{t-1} of the top layer, where the readout reads it
    float *embedded;     // (n, E) E_tgt y_{t-1}, where it is not looked up
    float *joined;       // (n, ·) what the cell or the readout reads
    float *in;           // (n, gates * D)
    float *scratch;      // of the cells and the readout
    float *query;        // (n, A or D)
};

struct decoder {
    const struct network *network;
    const struct encoding *encoding;
    const struct kernels *kernels;
    struct run_options options;
    int n, max;    // hypotheses: now, at most
    int step;      // the one that decoder_step does next, from 0
    int steps;     // at most; fewer than asked for where the model has no more positions
    int *previous; // (n) y_{t-1}; -1 for the zero vector
    float *e, *alpha;    // (n, S) of the last step; untouched for score none
    float *query_norm;   // (n) ‖s‖ of the state that asked in the last step
    float *context_norm; // (n) ‖c‖ of what it read; both 0 for score none
    float *logits;       // (n, V) of the last step, until the workspace has another
    int *best;           // (n) first maximum of the logits
    bool *finite;        // (n) the logits were, where they did not last
    float *log_sum; // (n) log Σ exp(logits): log p(v) = logits[v] - log_sum; not with
                    // words_only
    // A Transformer's: alpha is the mean over all heads of all layers, e is NAN, and the
    // norms are 0; the heads' own are here.
    struct transformer_decoder *transformer; // else NULL
    // A recurrent one's
    struct carried now, spare;
    float *moved; // (S, A) keys with the coverage; NULL without
    struct workspace own;
};

// max: 1 to DECODER_MAX_HYPOTHESES. steps: how many will be made at most. Everything from
// the arena, which must outlive the decoder. ERR_USAGE for options out of range.
MUST_CHECK bool decoder_init(struct decoder *decoder, struct arena *arena,
                             const struct network *network,
                             const struct encoding *encoding, int max, int steps,
                             struct run_options options, struct error *err);
// Back to step 0 and one hypothesis, with other options (in range); nothing is allocated.
void decoder_restart(struct decoder *decoder, struct run_options options);
// One step from y_{t-1}: fills e, alpha, logits, best, log_sum. The caller chooses y_t
// ...
void decoder_step(struct decoder *decoder);
// ... and says which it was: there are n hypotheses now, the i-th is what hypothesis
// parents[i] was, followed by tokens[i].
void decoder_continue(struct decoder *decoder, const int *parents, const int *tokens,
                      int n);
// The same for one hypothesis; greedy: its best.
void decoder_feed(struct decoder *decoder, int token);
int decoder_best(const struct decoder *decoder, int hypothesis);
// A workspace for `max` hypotheses of any number of decoders. Everything from the arena.
MUST_CHECK bool workspace_init(struct workspace *work, struct arena *arena,
                               const struct network *network, int max, struct error *err);
// decoder_step of several decoders of one network, alike in words_only, in a workspace
// with room for all their hypotheses: bit for bit what each would do alone.
void decoders_step(struct decoder *const *decoders, int count, struct workspace *work);
// What one hypothesis of a recurrent decoder takes to its next step, as so many floats;
// 0: a Transformer has a cache instead, which cannot be kept.
int decoder_kept_floats(const struct decoder *decoder);
void decoder_keep(const struct decoder *decoder, float *kept);
// After decoder_restart: goes on before `step`, after y_{t-1} = previous, from what was
// kept there. The same numbers follow, bit for bit.
void decoder_go_on(struct decoder *decoder, int step, int previous, const float *kept);
// The one hypothesis there is becomes n of them, all alike.
void decoder_spread(struct decoder *decoder, int n);
// s_t (D) of the top layer, after the last step.
const float *decoder_state(const struct decoder *decoder, int hypothesis);
// All that the last step gave is finite: scores, α, logits, log_sum.
bool decoder_finite(const struct decoder *decoder, int hypothesis);
// The k best ids, best first (ties: the lower id), with log-probabilities.
void decoder_top(const struct decoder *decoder, int hypothesis, int k, int *ids,
                 float *log_p);
