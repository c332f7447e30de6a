// SPDX-License-Identifier: MIT
// Readings of a whole matrix: confidence, order, diagonal, shares. See readings.h.
//
// Confidence is that of Rikters and Fishel 2017, over J columns and I rows, all logs
// natural, with the signs of their tool, which make each part a penalty:
//   CDP    = -1/J Σ_j log(1 + |1 - Σ_i α_ij|^w)       w = 2 in the paper, 6 in the tool
//   AP_out = 1/I Σ_i Σ_j a log a,  a = α_ij / Σ_j α_ij
//   AP_in  = 1/J Σ_j Σ_i a log a,  a = α_ij / Σ_i α_ij
//   percent = 100 exp(-0.05 (CDP + AP_out + AP_in)²)  the tool's
// A column that nothing reads adds 0 to AP_in. The tool forgets its sum at such a column,
// and lowers the total of translations that resemble their source: neither is done here.
//
// Monotonicity is the gamma of Goodman and Kruskal 1954 between the order of the rows and
// that of their peaks: of all pairs of rows whose peaks differ, those in order less those
// reversed. The diagonal distance is a mean of |centre of the row - centre of the
// column|, both from 0 to 1, weighted by α; Tachibana, Uenoyama, Aihara 2018 train
// against such a distance.
#include "align/readings.h"

#include <assert.h>
#include <math.h>

struct sums { // over the rows that can be read
    int rows;
    double entropy, drift, diagonal;
    double mass, special, punctuation, last;
};

static const float *row_at(const struct attention *of, int t)
{
    return of->alpha + (size_t)t * (size_t)of->n_src;
}

// Σ a log a of the weights at a stride, normalised; 0 when they sum to 0.
static double order_of(const float *alpha, int n, size_t stride, double sum)
{
    double total = 0;
    for (int i = 0; i < n && sum > 0; i++) {
        double a = (double)alpha[(size_t)i * stride] / sum;
        total += a > 0 ? a * log(a) : 0;
    }
    return total;
}

static double row_sum(const float *alpha, int n)
{
    double sum = 0;
    for (int s = 0; s < n; s++)
        sum += (double)alpha[s];
    return sum;
}

// Of the rows that can be read: how often each column is read, and Σ α log α of it.
static int column_sums(const struct attention *of, double *sums, double *logs)
{
    int n = of->n_src, rows = 0;
    for (int t = 0; t < of->rows; t++) {
        const float *alpha = row_at(of, t);
        if (!readings_can_read(alpha, n))
            continue;
        rows++;
        for (int s = 0; s < n; s++) {
            double a = (double)alpha[s];
            sums[s] += a;
            logs[s] += a > 0 ? a * log(a) : 0;
        }
    }
    return rows;
}

static double absent_out(const struct attention *of)
{
    double total = 0;
    for (int t = 0; t < of->rows; t++) {
        const float *alpha = row_at(of, t);
        if (readings_can_read(alpha, of->n_src))
            total += order_of(alpha, of->n_src, 1, row_sum(alpha, of->n_src));
    }
    return total;
}

struct parts { // of the confidence, whatever its exponent
    int rows, n;
    double sums[ALIGNMENT_MAX_SRC]; // of the columns
    double out, in;
};

static struct parts parts_of(const struct attention *of)
{
    struct parts parts = {.n = of->n_src};
    double logs[ALIGNMENT_MAX_SRC] = {0}, in = 0;
    assert(of->n_src <= ALIGNMENT_MAX_SRC);
    parts.rows = column_sums(of, parts.sums, logs);
    // Σ (α/c) log(α/c) = (Σ α log α)/c - log c
    for (int s = 0; s < parts.n; s++)
        in += parts.sums[s] > 0 ? logs[s] / parts.sums[s] - log(parts.sums[s]) : 0;
    parts.in = fmin(in / parts.n, 0);
    parts.out = parts.rows ? absent_out(of) / parts.rows : 0;
    return parts;
}

static struct confidence confidence_of(const struct parts *parts, int exponent)
{
    double deviation = 0;
    if (!parts->rows)
        return (struct confidence){NAN, NAN, NAN, NAN, NAN};
    for (int s = 0; s < parts->n; s++)
        deviation -= log1p(pow(fabs(1 - parts->sums[s]), exponent));
    deviation /= parts->n;
    double total = deviation + parts->out + parts->in;
    return (struct confidence){(float)deviation, (float)parts->out, (float)parts->in,
                               (float)total, (float)(100 * exp(-0.05 * total * total))};
}

struct confidence readings_confidence(const struct attention *of, int exponent)
{
    struct parts parts = parts_of(of);
    return confidence_of(&parts, exponent);
}

// The mean distance of this row's α from the diagonal.
static double diagonal_of(const struct attention *of, int t)
{
    const float *alpha = row_at(of, t);
    double here = (t + 0.5) / of->rows, sum = 0, distance = 0;
    for (int s = 0; s < of->n_src; s++) {
        sum += (double)alpha[s];
        distance += (double)alpha[s] * fabs(here - (s + 0.5) / of->n_src);
    }
    return distance / sum;
}

static int last_column(const struct attention *of)
{
    int s = of->n_src - 1;
    while (s >= 0 && of->source && of->source[s].special)
        s--;
    return s;
}

static void add_shares(struct sums *sums, const struct attention *of, int t, int last)
{
    const float *alpha = row_at(of, t);
    for (int s = 0; s < of->n_src; s++) {
        double a = (double)alpha[s];
        bool special = of->source && of->source[s].special;
        bool mark = of->source && of->source[s].punctuation;
        sums->mass += a;
        sums->special += special ? a : 0;
        sums->punctuation += mark ? a : 0;
        sums->last += s == last ? a : 0;
    }
}

// seen: (n_src) how many earlier rows have their peak at each column.
static void add_pairs(const int *seen, int n, int peak, double *before, double *after)
{
    for (int s = 0; s < n; s++) {
        *before += s < peak ? seen[s] : 0;
        *after += s > peak ? seen[s] : 0;
    }
}

struct matrix_reading readings_matrix(const struct attention *of)
{
    float read[ALIGNMENT_MAX_SRC] = {0};
    int seen[ALIGNMENT_MAX_SRC] = {0}, last = last_column(of);
    double before = 0, after = 0;
    struct parts parts = parts_of(of);
    struct sums sums = {0};
    for (int t = 0; t < of->rows; t++) {
        struct row_reading row = readings_row(of, t, read);
        if (row.argmax < 0)
            continue;
        sums.rows++;
        sums.entropy += (double)row.entropy_bits;
        sums.drift += (double)row.drift;
        sums.diagonal += diagonal_of(of, t);
        add_shares(&sums, of, t, last);
        add_pairs(seen, of->n_src, row.argmax, &before, &after);
        seen[row.argmax]++;
    }
    double pairs = before + after;
    return (struct matrix_reading){
        .entropy_bits = (float)(sums.entropy / sums.rows),
        .drift = (float)(sums.drift / sums.rows),
        .paper = confidence_of(&parts, CONFIDENCE_PAPER),
        .tool = confidence_of(&parts, CONFIDENCE_TOOL),
        .monotonicity = pairs > 0 ? (float)((before - after) / pairs) : NAN,
        .diagonal = (float)(sums.diagonal / sums.rows),
        .share_special = (float)(sums.special / sums.mass),
        .share_punctuation = (float)(sums.punctuation / sums.mass),
        .share_last = (float)(sums.last / sums.mass),
    };
}
