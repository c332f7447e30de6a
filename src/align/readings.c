// SPDX-License-Identifier: MIT
// Readings of a matrix: entropy and drift by row, coverage by column. See readings.h.
//
// Drift is the mean distance of a row from what earlier rows have read. A column counts
// as read from a running coverage of one half on (Tu et al. 2016 keep the same sum); the
// place before the first column is read from the start, and the next column after what
// was read is at distance 0:
//   drift_t = Σ_s α_ts · max(0, min over read r of |s - r| - 1), s not special
// so that reading on, word by word, or looking back costs nothing. Special columns are
// left out: α that rests on </s> is no step ahead (it has a share of its own).
#include "align/readings.h"

#include <assert.h>
#include <math.h>

#include "align/telemetry.h"

enum { FEWEST_COLUMNS = 3 }; // with fewer, every row is collapsed or diffuse

static const float read_from = 0.5f; // a column is read from this coverage on
static const float collapsed_peak = 0.9f, collapsed_read = 3;
static const float diffuse_share = 0.9f; // of log2 n
static const float drifting_from = 3;    // columns

bool readings_can_read(const float *alpha, int n)
{
    double sum = 0;
    for (int s = 0; s < n; s++) {
        if (!isfinite(alpha[s]) || alpha[s] < 0)
            return false;
        sum += (double)alpha[s];
    }
    return sum > 0;
}

static bool special(const struct attention *of, int s)
{
    return of->source && of->source[s].special;
}

// distance: (n) columns to the nearest one that was read, less one.
static void distances(const float *read, int n, int *distance)
{
    int last = -1;
    for (int s = 0; s < n; s++) {
        last = read[s] >= read_from ? s : last;
        distance[s] = s - last - 1;
    }
    for (int s = n - 1, next = -1; s >= 0; s--) {
        next = read[s] >= read_from ? s : next;
        if (next >= 0 && next - s - 1 < distance[s])
            distance[s] = next - s - 1;
        distance[s] = distance[s] > 0 ? distance[s] : 0;
    }
}

static float drift_of(const struct attention *of, const float *alpha, const float *read)
{
    int distance[ALIGNMENT_MAX_SRC];
    double drift = 0;
    distances(read, of->n_src, distance);
    for (int s = 0; s < of->n_src; s++)
        if (!special(of, s))
            drift += (double)alpha[s] * distance[s];
    return (float)drift;
}

static float position_of(const float *alpha, int n)
{
    double sum = 0, moment = 0;
    for (int s = 0; s < n; s++) {
        sum += (double)alpha[s];
        moment += (double)alpha[s] * s;
    }
    return (float)(moment / sum);
}

static unsigned says_of(const struct row_reading *row, int n)
{
    unsigned says = 0;
    if (n < FEWEST_COLUMNS)
        return 0;
    if (row->peak >= collapsed_peak && row->peak_read >= collapsed_read)
        says |= ROW_COLLAPSED;
    if (row->entropy_bits >= diffuse_share * log2f((float)n))
        says |= ROW_DIFFUSE;
    if (row->drift >= drifting_from)
        says |= ROW_DRIFTING;
    return says;
}

struct row_reading readings_row(const struct attention *of, int t, float *read)
{
    int n = of->n_src;
    const float *alpha = of->alpha + (size_t)t * (size_t)n;
    assert(t >= 0 && t < of->rows && n <= ALIGNMENT_MAX_SRC);
    if (!readings_can_read(alpha, n))
        return (struct row_reading){NAN, NAN, NAN, NAN, NAN, -1, NAN, NAN, NAN, 0};
    struct row_stats stats = telemetry_row(alpha, n);
    struct row_reading row = {.entropy_bits = stats.entropy_bits,
                              .entropy_nats = stats.entropy_bits * (float)M_LN2,
                              .effective = stats.effective,
                              .sum = stats.sum,
                              .peak = stats.max,
                              .argmax = stats.argmax,
                              .peak_read = read[stats.argmax],
                              .position = position_of(alpha, n),
                              .drift = drift_of(of, alpha, read)};
    row.says = says_of(&row, n);
    for (int s = 0; s < n; s++)
        read[s] += alpha[s];
    return row;
}

void readings_columns(const struct attention *of, struct column_reading *out)
{
    int n = of->n_src;
    double sums[ALIGNMENT_MAX_SRC] = {0};
    assert(n <= ALIGNMENT_MAX_SRC);
    for (int t = 0; t < of->rows; t++) {
        const float *alpha = of->alpha + (size_t)t * (size_t)n;
        bool counts = readings_can_read(alpha, n);
        for (int s = 0; s < n && counts; s++)
            sums[s] += (double)alpha[s];
    }
    for (int s = 0; s < n; s++)
        out[s] = (struct column_reading){(float)sums[s], (float)(sums[s] - 1)};
}

const char *readings_says_name(enum row_says says)
{
    return says == ROW_COLLAPSED ? "collapsed"
           : says == ROW_DIFFUSE ? "diffuse"
                                 : "drifting";
}

void readings_explain(struct buf *out, const struct attention *of,
                      const struct row_reading *row, enum row_says says)
{
    if (says == ROW_COLLAPSED) {
        const char *text = of->source ? of->source[row->argmax].text : NULL;
        buf_printf(out,
                   "Collapsed: %.0f %% of this row is on column %d (%s), which earlier "
                   "rows have already read %.1f times.",
                   100 * (double)row->peak, row->argmax + 1, text ? text : "?",
                   (double)row->peak_read);
    } else if (says == ROW_DIFFUSE) {
        buf_printf(out, "Diffuse: this row reads %.1f of %d columns about alike.",
                   (double)row->effective, of->n_src);
    } else {
        buf_printf(out,
                   "Drifting: this row reads %.1f columns away from what earlier rows "
                   "have read.",
                   (double)row->drift);
    }
}
