// SPDX-License-Identifier: MIT
// From the encoder's last states to the decoder's first: the summary m and the bridge.
#pragma once

#include "engine/encoder.h"

struct ends { // what each layer and direction ended with: →h_S and ←h_1
    float *h; // (layers, 2, H): forward, backward
    float *c; // the same of an LSTM's memory, else NULL
};

// Fills encoding->summary, state0 and memory0 from the ends and encoding->memory.
// scratch: model_bridge_scratch floats.
void bridge_cross(const struct kernels *kernels, const struct network *network,
                  const struct ends *ends, struct encoding *encoding, float *scratch);
int model_bridge_scratch(const struct model_config *config);
