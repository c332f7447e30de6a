// SPDX-License-Identifier: MIT
// Edits on their way into the loop. Inside the room only.
#pragma once

#include "align/edits.h"

// α (n) of step t as edits have it. order (n): the token at each place; NULL: in order.
// True when nothing was left of the row, so that it was spread evenly.
bool what_if_row(const struct edits *edits, const int *order, int t, float *alpha, int n);
// The words that edits force, in a vocabulary of so many tokens.
bool what_if_check(const struct edits *edits, int vocab, struct error *err);
