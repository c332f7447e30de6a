// SPDX-License-Identifier: MIT
// The recurrent cell: one step of PyTorch's GRU.
#pragma once

#include "engine/model.h"

// state (h) <- GRU(x (in), state); gates: (6h) of scratch.
void gru_step(const struct kernels *kernels, const struct gru_weights *weights,
              const float *x, float *state, float *gates);
