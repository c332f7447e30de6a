// SPDX-License-Identifier: MIT
// Tokenised text as people write it: "l' heure , c' est -" with its spaces where they are
// not written taken out. A model that never saw such spaces reads it as other words.
#pragma once

#include <stddef.h>

struct natural_word { // bytes of the joined text: [begin, end)
    int begin, end;
};

// Joins the tokens that single spaces part into out, which has room for length + 1 bytes,
// and says where each of the first max tokens went. language: "fr" and "en" have rules of
// their own. Returns the number of tokens.
int natural_join(const char *tokens, size_t length, const char *language, char *out,
                 size_t *out_length, struct natural_word *words, int max);
