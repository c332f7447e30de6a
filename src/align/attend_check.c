// SPDX-License-Identifier: MIT
// Names of the parts, and whether they fit together. See attend_check.h.
#include "align/attend_check.h"

#include <math.h>

const char *attend_score_name(enum attend_score score)
{
    static const char *const names[ATTEND_SCORES] = {"dot", "scaled-dot", "cosine",
                                                     "additive"};
    return names[score];
}

const char *attend_mask_name(enum attend_mask mask)
{
    static const char *const names[ATTEND_MASKS] = {"none", "causal", "given"};
    return names[mask];
}

const char *attend_part_name(enum attend_part part)
{
    static const char *const names[ATTEND_PARTS] = {"Q",   "K",    "V",         "W_Q",
                                                    "W_K", "W_V",  "W_q",       "W_k",
                                                    "v",   "mask", "positions", "order"};
    return names[part];
}

static bool check_numbers(const struct attend *input, enum attend_part part,
                          struct error *err)
{
    const struct attend_matrix *m = &input->part[part];
    const char *name = attend_part_name(part);
    if (m->rows < 0 || m->rows > ATTEND_MAX || m->columns > ATTEND_MAX ||
        (m->rows && m->columns < 1))
        return fail_with(err, ERR_LIMIT,
                         "%s is %d × %d, expected at most %d rows and columns", name,
                         m->rows, m->columns, ATTEND_MAX);
    for (int i = 0; i < m->rows * m->columns; i++)
        if (!isfinite(m->at[i]))
            return fail_with(err, ERR_FORMAT,
                             "%s: row %d, column %d is not a finite number", name,
                             i / m->columns + 1, i % m->columns + 1);
    return true;
}

// Sizes of `part` must be these; 0: any.
static bool check_size(const struct attend *input, enum attend_part part, int rows,
                       int columns, const char *why, struct error *err)
{
    const struct attend_matrix *m = &input->part[part];
    if (!m->rows || ((!rows || m->rows == rows) && (!columns || m->columns == columns)))
        return true;
    if (rows && columns)
        return fail_with(err, ERR_FORMAT, "%s is %d × %d, expected %d × %d: %s",
                         attend_part_name(part), m->rows, m->columns, rows, columns, why);
    return fail_with(err, ERR_FORMAT, "%s is %d × %d, expected %d %s%s: %s",
                     attend_part_name(part), m->rows, m->columns, rows ? rows : columns,
                     rows ? "row" : "column", (rows ? rows : columns) == 1 ? "" : "s",
                     why);
}

static bool check_order(const struct attend *input, int keys, struct error *err)
{
    const struct attend_matrix *order = &input->part[ATTEND_ORDER];
    bool seen[ATTEND_MAX] = {false};
    if (!check_size(input, ATTEND_ORDER, 1, keys, "it says which row stands where", err))
        return false;
    for (int i = 0; order->rows && i < keys; i++) {
        double row = order->at[i];
        bool good = row >= 1 && row <= keys && !(row > floor(row));
        if (!good || seen[(int)row - 1])
            return fail_with(err, ERR_FORMAT,
                             "order has %g at place %d, expected each number from 1 to "
                             "%d once",
                             row, i + 1, keys);
        seen[(int)row - 1] = true;
    }
    return true;
}

static bool check_mask(const struct attend *input, int queries, int keys,
                       struct error *err)
{
    const struct attend_matrix *mask = &input->part[ATTEND_MASK];
    if (input->mask != ATTEND_ALLOWED)
        return true;
    if (!mask->rows)
        return fail_with(
            err, ERR_FORMAT,
            "mask is empty, expected %d × %d numbers, 1: may be read, 0: not", queries,
            keys);
    for (int i = 0; i < mask->rows * mask->columns; i++)
        if ((mask->at[i] < 0 || mask->at[i] > 0) && (mask->at[i] < 1 || mask->at[i] > 1))
            return fail_with(err, ERR_FORMAT,
                             "mask: row %d, column %d is %g, expected 1 or 0",
                             i / mask->columns + 1, i % mask->columns + 1, mask->at[i]);
    return check_size(input, ATTEND_MASK, queries, keys,
                      "a row for each query, a column for each key", err);
}

bool attend_check(const struct attend *input, struct error *err)
{
    const struct attend_matrix *part = input->part;
    const struct attend_matrix *q = &part[ATTEND_Q];
    const struct attend_matrix *k = part[ATTEND_K].rows ? &part[ATTEND_K] : q;
    const struct attend_matrix *v = part[ATTEND_V].rows ? &part[ATTEND_V] : k;
    for (int i = 0; i < ATTEND_PARTS; i++)
        if (!check_numbers(input, (enum attend_part)i, err))
            return false;
    if (!q->rows)
        return fail_with(err, ERR_FORMAT, "Q is empty, expected rows of numbers");
    if (!(input->tau >= 0))
        return fail_with(err, ERR_USAGE, "tau is %g, expected a number from 0",
                         input->tau);
    return check_size(input, ATTEND_V, k->rows, 0, "each key has a value", err) &&
           check_size(input, ATTEND_W_Q, q->columns, 0, "Q has as many columns", err) &&
           check_size(input, ATTEND_W_K, k->columns, 0, "K has as many columns", err) &&
           check_size(input, ATTEND_W_V, v->columns, 0, "V has as many columns", err) &&
           check_size(input, ATTEND_POSITIONS, k->rows, k->columns, "they are added to K",
                      err) &&
           check_order(input, k->rows, err) && check_mask(input, q->rows, k->rows, err);
}

static bool check_additive(const struct attend *input, int q, int k, struct error *err)
{
    const struct attend_matrix *part = input->part;
    if (!check_size(input, ATTEND_SCORE_Q, 0, q, "queries are so wide", err) ||
        !check_size(input, ATTEND_SCORE_K, 0, k, "keys are so wide", err))
        return false;
    int from_q = part[ATTEND_SCORE_Q].rows ? part[ATTEND_SCORE_Q].rows : q;
    int from_k = part[ATTEND_SCORE_K].rows ? part[ATTEND_SCORE_K].rows : k;
    if (from_q != from_k)
        return fail_with(err, ERR_FORMAT,
                         "W_q q has %d numbers and W_k k has %d: the additive score adds "
                         "them (one that is not given is the identity)",
                         from_q, from_k);
    return check_size(input, ATTEND_SCORE_V, 1, from_q, "W_q q has as many numbers", err);
}

bool attend_check_width(const struct attend *input, int q, int k, struct error *err)
{
    if (input->score == ATTEND_ADDITIVE)
        return check_additive(input, q, k, err);
    if (q != k)
        return fail_with(err, ERR_FORMAT,
                         "a query has %d number%s and a key %d: the %s score needs "
                         "equally many",
                         q, q == 1 ? "" : "s", k, attend_score_name(input->score));
    return true;
}
