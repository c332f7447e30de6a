// SPDX-License-Identifier: MIT
// The sets of kernels that some processors run. Inside the engine only: everybody else
// asks kernels_best.
#pragma once

#include "engine/kernels.h"

#if defined(__x86_64__)
extern const struct kernels kernels_avx2, kernels_avx512;
bool kernels_avx2_runs(void); // on this processor
bool kernels_avx512_runs(void);
void small_product_avx2(int32_t *out, const int8_t *w, int cols, const uint8_t *u, int n);
void small_product_avx512(int32_t *out, const int8_t *w, int cols, const uint8_t *u,
                          int n);
#elif defined(__aarch64__)
extern const struct kernels kernels_neon;
#endif
