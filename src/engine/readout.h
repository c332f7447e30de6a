// SPDX-License-Identifier: MIT
// From what a step knows to its readout r and the logits.
#pragma once

#include "engine/model.h"

// readout (n, R) from joined (n, parts of readout_input, but for an embedding that is
// looked up: engine/lookup.h) and tokens (n) y_{t-1}. scratch: (readout_scratch).
void readout_run(const struct kernels *kernels, const struct network *network,
                 const float *joined, const int *tokens, int n, float *readout,
                 float *scratch);
int readout_scratch(int n, const struct model_config *config);
// logits (n, V) from readout (n, R), and best (n), the first maximum of each.
void readout_logits(const struct kernels *kernels, const struct network *network,
                    const float *readout, int n, float *logits, int *best);
const struct tensor *readout_output(const struct network *network); // W_out
// best alone, and whether all of the logits are finite (n); logits (n, V) is scratch.
void readout_best(const struct kernels *kernels, const struct network *network,
                  const float *readout, int n, float *logits, int *best, bool *finite);
