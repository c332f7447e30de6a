// SPDX-License-Identifier: MIT
// The kernels for x86-64 processors with AVX2, FMA and F16C. Inside the engine only:
// everybody else asks kernels_best.
#pragma once

#include "engine/kernels.h"

#if defined(__x86_64__)
extern const struct kernels kernels_avx2;
bool kernels_avx2_runs(void); // on this processor
#endif
