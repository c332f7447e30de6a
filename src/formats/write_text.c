// SPDX-License-Identifier: MIT
// Readings as a table for a terminal: source labels over the columns, target labels at
// the left, two decimals, `*` on each row's maximum, entropy in bits and p(y) at the
// right, coverage below, then what the whole says and every doubt. Widths are terminal
// columns, not bytes: 你 takes two, a combining mark none. Transposed, where rows are the
// source, Σ α stands at the right and the entropy of each target word below.
#include "formats/write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/readings.h"
#include "align/telemetry.h"
#include "align/trust.h"
#include "formats/write_readings.h"
#include "text/utf8.h"

enum { CELL_COLUMNS = 5 }; // "0.97*"

struct table {
    const struct reading *reading;
    int rows, n_src;
    int label_columns;              // of the widest target label
    int columns[ALIGNMENT_MAX_SRC]; // of each source column
};

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static int columns_of(const char *text)
{
    return utf8_columns(or_empty(text), strlen(or_empty(text)));
}

static void pad(struct buf *out, int columns)
{
    for (int i = 0; i < columns; i++)
        buf_add(out, " ");
}

static void left(struct buf *out, const char *text, int columns)
{
    buf_add(out, or_empty(text));
    pad(out, columns - columns_of(text));
}

static void right(struct buf *out, const char *text, int columns)
{
    pad(out, columns - columns_of(text));
    buf_add(out, or_empty(text));
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void measure(struct table *table)
{
    const struct alignment *alignment = table->reading->alignment;
    table->label_columns = columns_of("coverage");
    for (int t = 0; t < table->rows; t++)
        table->label_columns =
            larger(table->label_columns, columns_of(alignment->target[t].text));
    for (int s = 0; s < table->n_src; s++)
        // One more than the label: values end in '*' or a space, labels above the digits.
        table->columns[s] =
            larger(CELL_COLUMNS, columns_of(alignment->source[s].text) + 1);
}

static void header(struct buf *out, const struct table *table)
{
    left(out, "", table->label_columns);
    for (int s = 0; s < table->n_src; s++) {
        buf_add(out, " ");
        right(out, table->reading->alignment->source[s].text, table->columns[s] - 1);
        buf_add(out, " ");
    }
    buf_add(out, table->reading->lens.transpose ? "  Σ α\n" : "  bits  p(y)\n");
}

// Two decimals, or '-' for what is not a number, right-aligned in columns.
static void decimals(struct buf *out, float value, int columns)
{
    char text[64] = "-";
    if (isfinite(value))
        snprintf(text, sizeof text, "%.2f", (double)value);
    right(out, text, columns);
}

static void cell(struct buf *out, float value, bool mark, int columns)
{
    buf_add(out, " ");
    decimals(out, value, columns - 1);
    buf_add(out, mark ? "*" : " ");
}

static void row(struct buf *out, const struct table *table, int t)
{
    const struct alignment *alignment = table->reading->alignment;
    const float *alpha = table->reading->alpha + (size_t)t * (size_t)table->n_src;
    struct row_stats stats = telemetry_row(alpha, table->n_src);
    left(out, alignment->target[t].text, table->label_columns);
    const bool *blocked = alignment->blocked;
    for (int s = 0; s < table->n_src; s++) {
        bool open = !blocked || !blocked[(size_t)t * (size_t)table->n_src + (size_t)s];
        cell(out, open ? alpha[s] : NAN, s == stats.argmax, table->columns[s]);
    }
    bool turned = table->reading->lens.transpose;
    decimals(out, turned ? stats.sum : stats.entropy_bits, turned ? 5 : 6);
    if (!turned)
        decimals(out, alignment->p[t], 6);
    buf_add(out, "\n");
}

static float column_bits(const struct table *table, int s)
{
    float column[ALIGNMENT_MAX_SRC];
    for (int t = 0; t < table->rows; t++)
        column[t] = table->reading->alpha[(size_t)t * (size_t)table->n_src + (size_t)s];
    return telemetry_row(column, table->rows).entropy_bits;
}

// Of a source column its coverage; of a target word that is one its entropy.
static void below(struct buf *out, const struct table *table)
{
    float sums[ALIGNMENT_MAX_SRC] = {0};
    bool turned = table->reading->lens.transpose;
    telemetry_coverage(table->reading->alpha, table->rows, table->n_src, sums);
    left(out, turned ? "bits" : "coverage", table->label_columns);
    for (int s = 0; s < table->n_src; s++)
        cell(out, turned ? column_bits(table, s) : sums[s], false, table->columns[s]);
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    buf_add(out, "\n");
}

static void summary(struct buf *out, const struct table *table)
{
    const struct alignment *alignment = table->reading->alignment;
    struct attention of = {table->reading->alpha, table->rows, table->n_src,
                           alignment->source};
    struct matrix_reading found = readings_matrix(&of);
    if (isfinite(found.entropy_bits))
        buf_printf(out,
                   "Mean entropy %.2f bits; %.0f %% of α on special tokens; confidence "
                   "%.0f %% (Rikters and Fishel 2017).\n",
                   (double)found.entropy_bits, 100 * (double)found.share_special,
                   (double)found.paper.percent);
}

static void doubt(struct buf *out, const struct trust_of *of, int t, unsigned found)
{
    for (int i = 0; i < TRUST_FLAGS; i++) {
        if (!(found & 1u << i))
            continue;
        trust_explain(out, of, t, (enum trust)(1 << i));
        buf_add(out, "\n");
    }
}

static void doubts(struct buf *out, const struct table *table)
{
    struct trust_of of = {.alpha = table->reading->alpha,
                          .score = table->reading->alignment->score,
                          .lost = table->reading->lost,
                          .rows = table->rows,
                          .n_src = table->n_src,
                          .target_labels = table->rows,
                          .source_labels = table->n_src};
    unsigned expected = write_expected(table->reading) | TRUST_CROPPED; // a note says it
    for (int t = 0; t < table->rows; t++)
        doubt(out, &of, t, trust_row(&of, t) & ~expected);
    doubt(out, &of, 0, trust_matrix(&of) & ~expected);
}

// Without attention there is nothing to line up: words, their probabilities, and why.
static void words(struct buf *out, const struct table *table)
{
    const struct alignment *alignment = table->reading->alignment;
    left(out, "", table->label_columns);
    buf_add(out, "  p(y)\n");
    for (int t = 0; t < table->rows; t++) {
        left(out, alignment->target[t].text, table->label_columns);
        decimals(out, alignment->p[t], 6);
        buf_add(out, "\n");
    }
    buf_printf(out, "%s has no attention: the decoder reads one fixed vector.\n",
               table->reading->name ? table->reading->name : "This model");
}

// Which α these are, where they are not the model's own at τ = 1.
static void which(struct buf *out, const struct reading *reading)
{
    const struct alignment *of = reading->alignment;
    char said[160], tau[32] = "∞";
    if (of->maps) {
        map_say(of->maps, of->attention, said, sizeof said);
        buf_printf(out, "Attention: %s.\n", said);
    }
    if (isfinite(reading->tau))
        snprintf(tau, sizeof tau, "%g", (double)reading->tau);
    if (of->has_attention && (reading->tau < 1 || reading->tau > 1))
        buf_printf(out, "At τ = %s, %s.\n", tau, reading->mode);
    if (of->edited)
        buf_add(out, "With what-if edits.\n");
}

static void notes(struct buf *out, const struct table *table)
{
    const struct reading *reading = table->reading;
    which(out, reading);
    char seen[320];
    lens_say(&reading->lens, seen, sizeof seen);
    if (*seen)
        buf_printf(out, "Seen through a lens: %s.\n", seen);
    if (alignment_ended(reading->alignment) == ENDED_LIMIT)
        buf_printf(out, "Stopped at the length limit of %d tokens.\n", table->rows);
    if (reading->alignment->dropout > 0)
        buf_printf(out, "Dropout %g on α, seed %u: rows need not sum to 1.\n",
                   (double)reading->alignment->dropout, reading->alignment->seed);
    struct error why;
    if (!alignment_check(reading->alignment, &why))
        buf_printf(out, "Stopped: %s.\n", why.text);
    if (reading->cut_bytes)
        buf_printf(out, "The last %zu bytes of the text were cut off.\n",
                   reading->cut_bytes);
    if (reading->alignment->tokens_cut)
        buf_printf(out, "The last %d tokens of the text were cut off.\n",
                   reading->alignment->tokens_cut);
}

bool write_text(struct buf *out, const struct reading *reading, struct error *err)
{
    struct table table = {.reading = reading,
                          .rows = alignment_rows(reading->alignment),
                          .n_src = reading->alignment->n_src};
    measure(&table);
    if (alignment_ended(reading->alignment) == ENDED_EMPTY || !table.n_src) {
        buf_add(out, "(empty: nothing to translate)\n");
    } else if (reading->alignment->has_attention) {
        header(out, &table);
        for (int t = 0; t < table.rows; t++)
            row(out, &table, t);
        below(out, &table);
        if (write_whole(reading))
            summary(out, &table);
        doubts(out, &table);
    } else {
        words(out, &table);
    }
    notes(out, &table);
    return !out->failed || fail_nomem(err, "the table of a sentence");
}
