// SPDX-License-Identifier: MIT
// The output layer in small integers, for who asks for the best word alone. A row w is
// s q + d and a readout r is t a + e, with q and a whole numbers from -63 to 63. So
//
//   w r + b = s t (q a) + b + s q e + d r,   |s q e + d r| <= |s q| |e| + |d| |r|
//
// (Cauchy-Schwarz). q a is half the bytes of F16 and a third of the time. Only the rows
// whose upper bound reaches the greatest lower bound can be the best, and those few are
// computed as the output layer computes them: the winner is the same, bit for bit. Into
// the bounds goes what rounding to F32 can do, there and here.
#pragma once

#include "engine/model.h"

struct screen; // constant, shareable

// Of the output layer of a network, which borrows it as network->screen. NULL: there is
// none, for want of memory, of a kernel, or of use where tokens are masked.
struct screen *screen_create(const struct network *network);
void screen_destroy(struct screen *screen); // NULL is fine
// best (n) of readouts (n, R), n of any size. A readout that it cannot say anything of,
// or not faster than by computing all, gets -1.
void screen_best(const struct screen *screen, const struct kernels *kernels,
                 const struct tensor *output, const struct tensor *bias,
                 const float *readout, int n, int *best);
