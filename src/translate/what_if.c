// SPDX-License-Identifier: MIT
// Edits on their way into the loop. Their columns are tokens of the text, whatever order
// the memory has. See what_if.h.
#include "translate/what_if.h"

#include "align/alignment.h"

bool what_if_row(const struct edits *edits, const int *order, int t, float *alpha, int n)
{
    float tokens[ALIGNMENT_MAX_SRC];
    if (!order || n > ALIGNMENT_MAX_SRC)
        return edits_apply(edits, t, alpha, n);
    for (int s = 0; s < n; s++)
        tokens[order[s]] = alpha[s];
    bool spread = edits_apply(edits, t, tokens, n);
    for (int s = 0; s < n; s++)
        alpha[s] = tokens[order[s]];
    return spread;
}

bool what_if_check(const struct edits *edits, int vocab, struct error *err)
{
    for (int i = 0; i < edits->count; i++) {
        struct edit edit = edits_at(edits, i);
        for (int k = 0; k < edit.n_tokens; k++)
            if (edit.tokens[k] < 0 || edit.tokens[k] >= vocab)
                return fail_with(err, ERR_FORMAT,
                                 "a word that must be said has the id %d, expected one "
                                 "from 0 to %d",
                                 edit.tokens[k], vocab - 1);
    }
    return true;
}
