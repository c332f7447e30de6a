// SPDX-License-Identifier: MIT
// Coverage. See coverage.h.
#include "engine/coverage.h"

void coverage_fertility(const struct kernels *kernels, const struct network *network,
                        struct encoding *encoding)
{
    const struct model_config *c = &network->config;
    kernels->product(encoding->fertility, &network->fertility_w, encoding->memory,
                     encoding->n_src, NULL);
    kernels->sigmoid(encoding->fertility, encoding->n_src);
    for (int i = 0; i < encoding->n_src; i++)
        encoding->fertility[i] *= c->fertility_max;
}

void coverage_add(const struct encoding *encoding, const float *alpha, float *coverage)
{
    for (int i = 0; i < encoding->n_src; i++)
        coverage[i] += encoding->fertility ? alpha[i] / encoding->fertility[i] : alpha[i];
}
