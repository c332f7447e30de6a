// SPDX-License-Identifier: MIT
// Doubts about a matrix. See trust.h. The kinds are those that people report of such
// matrices: dropout left on, padding that was attended to, cut columns, NaN where all was
// masked, zeros where a fused kernel kept nothing, and rows where columns should be.
#include "align/trust.h"

#include <math.h>

static const float *row_at(const struct trust_of *of, int t)
{
    return of->alpha + (size_t)t * (size_t)of->n_src;
}

static double row_sum(const struct trust_of *of, int t)
{
    const float *alpha = row_at(of, t);
    double sum = 0;
    for (int s = 0; s < of->n_src; s++)
        sum += (double)alpha[s];
    return sum;
}

static bool is_one(double sum)
{
    return fabs(sum - 1) <= (double)TRUST_TOLERANCE;
}

static bool all_masked(const struct trust_of *of, int t)
{
    const float *score = of->score + (size_t)t * (size_t)of->n_src;
    for (int s = 0; s < of->n_src; s++)
        if (!isinf(score[s]) || score[s] > 0)
            return false;
    return true;
}

unsigned trust_row(const struct trust_of *of, int t)
{
    const float *alpha = row_at(of, t);
    unsigned flags = 0;
    bool zero = true;
    for (int s = 0; s < of->n_src; s++) {
        flags |= isfinite(alpha[s]) ? 0 : TRUST_NOT_FINITE;
        flags |= alpha[s] < 0 ? TRUST_NEGATIVE : 0;
        zero = zero && alpha[s] == 0;
    }
    if (flags)
        return flags;
    if (zero)
        return of->score && all_masked(of, t) ? TRUST_MASKED : TRUST_ZERO;
    if (is_one(row_sum(of, t)))
        return 0;
    bool cut = of->lost && is_one(row_sum(of, t) + (double)of->lost[t]);
    return cut ? TRUST_CROPPED : TRUST_SUM;
}

static bool rows_are_one(const struct trust_of *of)
{
    for (int t = 0; t < of->rows; t++)
        if (!is_one(row_sum(of, t)))
            return false;
    return true;
}

static bool columns_are_one(const struct trust_of *of)
{
    for (int s = 0; s < of->n_src; s++) {
        double sum = 0;
        for (int t = 0; t < of->rows; t++)
            sum += (double)row_at(of, t)[s];
        if (!is_one(sum))
            return false;
    }
    return of->n_src > 0 && of->rows > 0;
}

unsigned trust_matrix(const struct trust_of *of)
{
    bool labels = of->source_labels >= 0 && of->target_labels >= 0;
    bool fits = of->rows == of->target_labels && of->n_src == of->source_labels;
    if (labels && !fits) {
        bool turned = of->rows == of->source_labels && of->n_src == of->target_labels;
        return turned ? TRUST_TRANSPOSED : TRUST_SHAPE;
    }
    return columns_are_one(of) && !rows_are_one(of) ? TRUST_TRANSPOSED : 0;
}

const char *trust_name(enum trust flag)
{
    switch (flag) {
    case TRUST_NOT_FINITE:
        return "not-finite";
    case TRUST_NEGATIVE:
        return "negative";
    case TRUST_ZERO:
        return "all-zero";
    case TRUST_MASKED:
        return "masked";
    case TRUST_SUM:
        return "row-sum";
    case TRUST_CROPPED:
        return "cropped";
    case TRUST_SHAPE:
        return "shape";
    case TRUST_TRANSPOSED:
        break;
    }
    return "transposed";
}

static void explain_row(struct buf *out, const struct trust_of *of, int t,
                        enum trust flag)
{
    double sum = row_sum(of, t);
    buf_printf(out, "Row %d ", t + 1);
    if (flag == TRUST_NOT_FINITE)
        buf_add(out, "holds a number that is not finite: nothing can be read from it.");
    else if (flag == TRUST_NEGATIVE)
        buf_add(out, "holds a negative weight: it is no distribution.");
    else if (flag == TRUST_ZERO)
        buf_add(out, "is all zero: no attention was exported for it.");
    else if (flag == TRUST_MASKED)
        buf_add(out, "is fully masked: there was nothing to attend to.");
    else if (flag == TRUST_CROPPED)
        buf_printf(out, "sums to %.3f: %.3f lay in columns that were cut off.", sum,
                   (double)of->lost[t]);
    else if (sum < 1)
        buf_printf(out, "sums to %.3f, not 1: columns may be missing, or dropout was on.",
                   sum);
    else
        buf_printf(out, "sums to %.3f, not 1: it is no softmax, or dropout was on.", sum);
}

void trust_explain(struct buf *out, const struct trust_of *of, int t, enum trust flag)
{
    bool labels = of->source_labels >= 0 && of->target_labels >= 0;
    if (flag == TRUST_SHAPE)
        buf_printf(out,
                   "The matrix has %d rows and %d columns for %d target and %d source "
                   "tokens: </s> or padding may be on one side only.",
                   of->rows, of->n_src, of->target_labels, of->source_labels);
    else if (flag == TRUST_TRANSPOSED && labels && of->rows != of->target_labels)
        buf_printf(out,
                   "The matrix has %d rows and %d columns for %d target and %d source "
                   "tokens: it seems to be transposed.",
                   of->rows, of->n_src, of->target_labels, of->source_labels);
    else if (flag == TRUST_TRANSPOSED)
        buf_add(out, "The columns sum to 1 and the rows do not: the matrix seems to be "
                     "transposed.");
    else
        explain_row(out, of, t, flag);
}
