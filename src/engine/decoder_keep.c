// SPDX-License-Identifier: MIT
// A recurrent decoder's state between two steps, kept and taken up again.
#include "engine/family.h"

#include <assert.h>
#include <string.h>

enum { MAX_PARTS = 2 * MODEL_MAX_LAYERS + 3 };

struct kept_part {
    float *at;
    int n;
};

// The arrays of the first hypothesis, in one order.
static int parts_of(const struct decoder *decoder, struct kept_part *parts)
{
    const struct model_config *c = &decoder->network->config;
    const struct carried *now = &decoder->now;
    int count = 0;
    if (decoder->transformer)
        return 0;
    for (int l = 0; l < c->decoder_layers; l++) {
        parts[count++] = (struct kept_part){now->state[l], c->decoder_hidden};
        parts[count++] = (struct kept_part){now->memory[l], c->decoder_hidden};
    }
    parts[count++] = (struct kept_part){now->context, model_context_width(c)};
    parts[count++] = (struct kept_part){now->feed, model_readout_width(c)};
    parts[count++] = (struct kept_part){now->coverage, decoder->encoding->n_src};
    return count;
}

int decoder_kept_floats(const struct decoder *decoder)
{
    struct kept_part parts[MAX_PARTS];
    int count = parts_of(decoder, parts), floats = 0;
    for (int i = 0; i < count; i++)
        floats += parts[i].at ? parts[i].n : 0;
    return floats;
}

void decoder_keep(const struct decoder *decoder, float *kept)
{
    struct kept_part parts[MAX_PARTS];
    int count = parts_of(decoder, parts);
    assert(decoder->n == 1);
    for (int i = 0; i < count; i++)
        if (parts[i].at) {
            memcpy(kept, parts[i].at, (size_t)parts[i].n * sizeof *kept);
            kept += parts[i].n;
        }
}

void decoder_go_on(struct decoder *decoder, int step, int previous, const float *kept)
{
    struct kept_part parts[MAX_PARTS];
    int count = parts_of(decoder, parts);
    assert(decoder->n == 1 && count && step >= 0 && step < decoder->steps);
    for (int i = 0; i < count; i++)
        if (parts[i].at) {
            memcpy(parts[i].at, kept, (size_t)parts[i].n * sizeof *kept);
            kept += parts[i].n;
        }
    decoder->step = step;
    decoder->previous[0] = previous;
}

void decoder_spread(struct decoder *decoder, int n)
{
    const int parents[DECODER_MAX_HYPOTHESES] = {0};
    assert(decoder->n == 1 && n >= 1 && n <= decoder->max);
    for (int i = 1; i < n; i++)
        decoder->previous[i] = decoder->previous[0];
    family_of(&decoder->network->config)->adopt(decoder, parents, n);
    decoder->n = n;
}
