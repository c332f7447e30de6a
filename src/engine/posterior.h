// SPDX-License-Identifier: MIT
// Where a word came from, once it is known. α_i says how much of h_i the decoder blends
// before it knows y; Bayes' rule says which single h_i would have led to y (Shankar and
// Sarawagi 2019, Posterior Attention Models for Sequence to Sequence Learning, ICLR):
//
//   p(i | y) = α_i p(y | c = h_i) / Σ_j α_j p(y | c = h_j)
//
// p(y | c = h_i) is the same step with all of α at i. Nothing new is learnt for it.
#pragma once

#include "engine/decoder.h"

struct posterior {
    struct decoder decoder; // takes the step again, some positions at a time
    float *kept;            // what the step began with
    int step, previous;     // which it was, and y_{t-1}
    int first;              // position of the first hypothesis
    float *log_p;           // (n_src)
};

// Whether a network has one: it is recurrent and attends.
bool posterior_known(const struct model_config *config);
// Everything from the arena, which must outlive it. options: of the decoder whose words
// are looked at; what alters its α does not act here. Only for a network that has one.
MUST_CHECK bool posterior_init(struct posterior *posterior, struct arena *arena,
                               const struct network *network,
                               const struct encoding *encoding, int steps,
                               struct run_options options, struct error *err);
// From here on with other options; nothing is allocated.
void posterior_restart(struct posterior *posterior, struct run_options options);
// Ahead of a step of the decoder, which has one hypothesis.
void posterior_before(struct posterior *posterior, const struct decoder *decoder);
// p(i | token) into out (n_src), from α (n_src) of that step; where no position leads to
// the token at all, α itself. False: a number was not finite.
MUST_CHECK bool posterior_of(struct posterior *posterior, const float *alpha, int token,
                             float *out);
