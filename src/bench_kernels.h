// SPDX-License-Identifier: MIT
// The kernels against the memory roof: every weight that a target token needs must be
// read once, so reading them and nothing else is what no program can beat.
#pragma once

#include "base/error.h"
#include "engine/model.h"

// Prints the table of `kernels` on the model's own weights. *roof_us: reading them.
MUST_CHECK bool bench_kernels(const struct kernels *kernels,
                              const struct network *network, double *roof_us,
                              struct error *err);
