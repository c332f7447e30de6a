// SPDX-License-Identifier: MIT
// Two decodings of one sentence: which words of the second are new.
#pragma once

#include "align/alignment.h"

// changed[t] is set for each of the first rows target tokens of now that lie outside a
// longest common subsequence with before's target ids. changed: (rows of now).
// False when memory is short; changed is then all false.
MUST_CHECK bool compare_words(const struct alignment *before, const struct alignment *now,
                              bool *changed);
