// SPDX-License-Identifier: MIT
// The best next words of a row, each with a bar for its probability.
#pragma once

#include "ui/ui.h"
#include "view/specimen.h"

// line: height of one of the ALIGNMENT_TOP lines; letters grow with it. Returns the y
// below.
float candidates_draw(struct ui *ui, const struct specimen *row, struct rect at,
                      float line);
// What the one at k of n candidates is called: its text, or "…une" where another has the
// same letters and begins a word, so that no two look alike. In out, or the text itself.
const char *candidate_name(const struct candidate *of, int n, int k, char *out,
                           size_t size);
// The one that a click has chosen in this frame, from 0; -1: none.
int candidates_clicked(const struct ui *ui);
