// SPDX-License-Identifier: MIT
// Alignment error rate from sums over the corpus. See aer.h.
#include "evaluate/aer.h"

#include <math.h>

void aer_add(struct aer *aer, const struct gold *gold, const int *best)
{
    aer->pairs++;
    for (int t = 0; t < gold->n_tgt; t++) {
        const unsigned char *row = gold->links + t * gold->n_src;
        for (int s = 0; s < gold->n_src; s++)
            aer->sure += row[s] == LINK_SURE;
        if (best[t] < 0)
            continue;
        aer->links++;
        aer->in_sure += row[best[t]] == LINK_SURE;
        aer->in_possible += row[best[t]] != LINK_NONE;
    }
}

void aer_sum(struct aer *sum, const struct aer *part)
{
    sum->pairs += part->pairs;
    sum->links += part->links;
    sum->sure += part->sure;
    sum->in_sure += part->in_sure;
    sum->in_possible += part->in_possible;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

double aer_rate(const struct aer *aer)
{
    return 1 - share(aer->in_sure + aer->in_possible, aer->links + aer->sure);
}

double aer_precision(const struct aer *aer)
{
    return share(aer->in_possible, aer->links);
}

double aer_recall(const struct aer *aer)
{
    return share(aer->in_sure, aer->sure);
}

int aer_best(const float *weights, int n, float threshold)
{
    int best = 0;
    for (int s = 1; s < n; s++)
        best = weights[s] > weights[best] ? s : best;
    return n && weights[best] > threshold ? best : -1;
}
