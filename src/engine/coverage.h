// SPDX-License-Identifier: MIT
// Coverage: how much of each source position the steps before have already attended to,
// as an input to the score (Tu, Lu, Liu, Liu, Li 2016, "Modeling Coverage for Neural
// Machine Translation", the linguistic coverage of section 3.1; with Φ = 1 that of See,
// Liu, Manning 2017).
//
//   C_0,i = 0,  C_t,i = C_{t-1,i} + α_t,i / Φ_i
//   Φ_i = N σ(u h_i)  for coverage "fertility",  1 for "sum"
//   e_t,i = vᵀ tanh(W q_t + U h_i + w C_{t-1,i})
#pragma once

#include "engine/encoder.h"

// fertility (S) = Φ.
void coverage_fertility(const struct kernels *kernels, const struct network *network,
                        struct encoding *encoding);
// coverage (S) += alpha / Φ
void coverage_add(const struct encoding *encoding, const float *alpha, float *coverage);
