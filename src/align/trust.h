// SPDX-License-Identifier: MIT
// Whether a matrix can be what it says: each doubt is a flag on its row or on the whole,
// with one sentence that says what was found.
#pragma once

#include "align/alignment.h"
#include "base/buf.h"

enum trust {
    TRUST_NOT_FINITE = 1, // of a row: NaN or infinite
    TRUST_NEGATIVE = 2,
    TRUST_ZERO = 4,        // all of it 0
    TRUST_MASKED = 8,      // all 0, because every score is -inf
    TRUST_SUM = 16,        // does not sum to 1 ± TRUST_TOLERANCE
    TRUST_CROPPED = 32,    // the same, and the rest lay in columns that were cut off
    TRUST_SHAPE = 64,      // of the matrix: other sizes than its labels
    TRUST_TRANSPOSED = 128 // rows and columns seem to be exchanged
};
enum { TRUST_FLAGS = 8 };

#define TRUST_TOLERANCE 0.02f // numbers printed with few digits are within it

struct trust_of {       // all borrowed
    const float *alpha; // (rows, n_src)
    const float *score; // (rows, n_src) raw e; NULL: not known
    const float *lost;  // (rows) mass in columns that a reader cut off; NULL: none known
    int rows, n_src;
    int target_labels, source_labels; // -1: there are none
};

unsigned trust_row(const struct trust_of *of, int t); // flags of a row
unsigned trust_matrix(const struct trust_of *of);     // flags of the matrix
const char *trust_name(enum trust flag);              // "row-sum"; static
// One sentence. t: the row from 0; not used for a flag of the matrix.
void trust_explain(struct buf *out, const struct trust_of *of, int t, enum trust flag);
