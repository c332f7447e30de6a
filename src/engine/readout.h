// SPDX-License-Identifier: MIT
// From what a step knows to its readout r and the logits.
#pragma once

#include "engine/model.h"

// readout (n, R) from joined (n, parts of readout_input). scratch: (n, 2R) for "maxout",
// else unused.
void readout_run(const struct kernels *kernels, const struct network *network,
                 const float *joined, int n, float *readout, float *scratch);
// logits (n, V) from readout (n, R), and best (n), the first maximum of each.
void readout_logits(const struct kernels *kernels, const struct network *network,
                    const float *readout, int n, float *logits, int *best);
const struct tensor *readout_output(const struct network *network); // W_out
// best alone, and whether all of the logits are finite (n); logits (n, V) is scratch.
void readout_best(const struct kernels *kernels, const struct network *network,
                  const float *readout, int n, float *logits, int *best, bool *finite);
