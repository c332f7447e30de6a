// SPDX-License-Identifier: MIT
// Euclidean lengths, summed in double. See lengths.h.
#include "translate/lengths.h"

#include <math.h>

static float length_of(const float *vector, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)vector[i] * (double)vector[i];
    return (float)sqrt(sum);
}

void lengths_memory(const struct encoding *encoding, const struct model_config *config,
                    struct alignment *alignment)
{
    int width = model_memory_width(config);
    for (int s = 0; s < alignment->n_src; s++)
        alignment->memory_norm[s] =
            length_of(encoding->memory + (size_t)s * (size_t)width, width);
}

float lengths_state(const struct decoder *decoder)
{
    return length_of(decoder_state(decoder, 0), decoder->network->config.decoder_hidden);
}

// A query between two cells is not kept.
void lengths_row(const struct decoder *decoder, float before, struct alignment *alignment,
                 int t)
{
    const struct model_config *config = &decoder->network->config;
    if (config->query == QUERY_PREVIOUS)
        alignment->query_norm[t] = before;
    else if (config->query == QUERY_CURRENT)
        alignment->query_norm[t] = lengths_state(decoder);
    if (alignment->has_attention)
        alignment->context_norm[t] =
            length_of(decoder->now.context, model_context_width(config));
}
