// SPDX-License-Identifier: MIT
// What people call a network: by the papers that its facts come from.
#pragma once

#include "engine/model.h"

struct naming {
    const char *label;   // short, for a button: "General"
    const char *name;    // "Luong general", "RNNsearch", "RNNencdec"
    const char *paper;   // "Luong, Pham, Manning 2015"
    const char *formula; // of its score: "e = sᵀ W h"
};

struct naming model_naming(const struct model_config *config);
