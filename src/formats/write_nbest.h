// SPDX-License-Identifier: MIT
// The parts of n-best lists. Inside the room only.
#pragma once

#include "formats/write.h"

// The object of reading, with the n readings as "hypotheses"; 0: without.
MUST_CHECK bool write_json_nbest(struct buf *out, const struct reading *reading,
                                 const struct reading *readings, int n,
                                 struct error *err);
// The pieces of the translation as the words of a line; returns how many.
int write_words(struct buf *out, const struct alignment *alignment);
// " 0-0 2-1", " 0.9,0.1": what follows "|||" in a line of that format.
void write_pairs(struct buf *out, const struct reading *reading);
void write_weights(struct buf *out, const struct reading *reading);
