// SPDX-License-Identifier: MIT
// The gated recurrent unit of Cho et al. 2014, in the variant that PyTorch and cuDNN
// have: the reset gate acts after the recurrent product, and that product has its own
// bias.
//
//   r = σ(W_ir x + b_ir + W_hr h + b_hr)
//   z = σ(W_iz x + b_iz + W_hz h + b_hz)
//   n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn))
//   h' = (1 - z) ⊙ n + z ⊙ h
//
// The three gates are the rows r, z, n of one matrix, so a step is two products.
#include "engine/cells.h"

void gru_step(const struct kernels *kernels, const struct gru_weights *weights,
              const float *x, float *state, float *gates)
{
    int h = weights->w_hh.cols;
    float *in = gates, *rec = gates + 3 * h;
    kernels->product(in, &weights->w_ih, x, 1, &weights->b_ih);
    kernels->product(rec, &weights->w_hh, state, 1, &weights->b_hh);
    kernels->gru(state, in, rec, h);
}
