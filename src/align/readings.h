// SPDX-License-Identifier: MIT
// What a matrix of attention says of itself, by row, by column and as a whole; each
// formula and its source is on the page assets/readings.md.
//
// What cannot be read is NAN, never a number that looks like one: all of a row that holds
// a NaN, a negative weight or nothing (trust.h says so in words), and the whole of a
// matrix without such rows. Rows that cannot be read are left out of every sum. Matrices
// are [t * n_src + s]; n_src is at most ALIGNMENT_MAX_SRC. Nothing is allocated.
#pragma once

#include "align/alignment.h"
#include "base/buf.h"

struct attention {      // all borrowed
    const float *alpha; // (rows, n_src)
    int rows, n_src;
    const struct label *source; // (n_src); NULL: no column is special or punctuation
};

enum row_says { // heuristics
    ROW_COLLAPSED = 1,
    ROW_DIFFUSE = 2,
    ROW_DRIFTING = 4,
};

struct row_reading {
    float entropy_bits, entropy_nats; // H of α / Σ α
    float effective;                  // 2^H words
    float sum;                        // Σ α
    float peak;                       // the largest α
    int argmax;                       // its column, the first of equals; -1: none
    float peak_read; // how much earlier rows have read of that column: Σ α
    float position;  // Σ s α / Σ α, in columns from 0
    float drift;     // columns between what was read and what this row reads
    unsigned says;   // row_says
};

struct column_reading {
    float coverage;  // Σ_t α
    float deviation; // coverage - 1
};

// Rikters and Fishel 2017, in nats. Each part is 0 at best and falls below it.
struct confidence {
    float coverage_deviation;                        // CDP
    float absentmindedness_out, absentmindedness_in; // AP_out, by row; AP_in, by column
    float total;                                     // the sum of the three
    float percent;                                   // 100 exp(-0.05 total²)
};
// The exponent of |1 - coverage| in CDP: that of the paper, and that of the authors' tool
// SoftAlignments (getCP, w = 6).
enum { CONFIDENCE_PAPER = 2, CONFIDENCE_TOOL = 6 };

struct matrix_reading {
    float entropy_bits; // mean over the rows
    float drift;        // the same
    struct confidence paper, tool;
    float monotonicity; // heuristic: -1 backwards, 0 no order, 1 forwards
    float diagonal;     // heuristic: mean distance from the diagonal, 0 to 1
    float share_special, share_punctuation; // of all mass, on such columns
    float share_last; // of all mass, on the last column that is not special
};

// Finite, nothing below 0, and not all 0.
bool readings_can_read(const float *alpha, int n);
// Row t. read: (n_src), what rows 0 to t - 1 have read of each column: zeros before the
// first row, and row t is added here.
struct row_reading readings_row(const struct attention *of, int t, float *read);
void readings_columns(const struct attention *of, struct column_reading *out); // (n_src)
struct confidence readings_confidence(const struct attention *of, int exponent);
struct matrix_reading readings_matrix(const struct attention *of);

// "collapsed", "diffuse", "drifting"; static.
const char *readings_says_name(enum row_says says);
// One of what the row says as a sentence.
void readings_explain(struct buf *out, const struct attention *of,
                      const struct row_reading *row, enum row_says says);
