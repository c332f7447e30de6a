// SPDX-License-Identifier: MIT
// The readings of an alignment as JSON: by row, by column, of the matrix, and every doubt
// with its sentence. What cannot be read is null. assets/readings.md says what each
// means.
#include "formats/write_readings.h"

#include <math.h>

#include "align/readings.h"
#include "align/trust.h"
#include "formats/write.h"

static void field(struct buf *out, const char *name, float value)
{
    buf_printf(out, "\"%s\":", name);
    write_number(out, value);
}

static struct trust_of trust_of(const struct reading *reading, int rows)
{
    const struct alignment *alignment = reading->alignment;
    return (struct trust_of){.alpha = reading->alpha,
                             .score = alignment->score,
                             .lost = reading->lost,
                             .rows = rows,
                             .n_src = alignment->n_src,
                             .target_labels = rows,
                             .source_labels = alignment->n_src};
}

// One {"name","sentence"}; the sentence is that of trust or of what a row says.
static void named(struct buf *out, bool *first, const char *name, struct buf *sentence)
{
    buf_add(out, *first ? "{\"name\":" : ",{\"name\":");
    *first = false;
    write_string(out, name);
    buf_add(out, ",\"sentence\":");
    write_string(out, buf_text(sentence));
    buf_add(out, "}");
    out->failed = out->failed || sentence->failed;
    buf_clear(sentence);
}

static void flags(struct buf *out, const struct trust_of *of, int t, unsigned found,
                  struct buf *sentence)
{
    bool first = true;
    buf_add(out, ",\"flags\":[");
    for (int i = 0; i < TRUST_FLAGS; i++) {
        enum trust flag = (enum trust)(1 << i);
        if (!(found & flag))
            continue;
        trust_explain(sentence, of, t, flag);
        named(out, &first, trust_name(flag), sentence);
    }
    buf_add(out, "]");
}

static void says(struct buf *out, const struct attention *of,
                 const struct row_reading *row, struct buf *sentence)
{
    static const enum row_says all[] = {ROW_COLLAPSED, ROW_DIFFUSE, ROW_DRIFTING};
    bool first = true;
    buf_add(out, ",\"says\":[");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(row->says & all[i]))
            continue;
        readings_explain(sentence, of, row, all[i]);
        named(out, &first, readings_says_name(all[i]), sentence);
    }
    buf_add(out, "]");
}

static void write_row(struct buf *out, const struct row_reading *row, float p)
{
    field(out, "entropy_bits", row->entropy_bits);
    buf_add(out, ",");
    field(out, "entropy_nats", row->entropy_nats);
    buf_add(out, ",");
    field(out, "effective_words", row->effective);
    buf_add(out, ",");
    field(out, "peak", row->peak);
    if (row->argmax >= 0)
        buf_printf(out, ",\"peak_column\":%d,", row->argmax);
    else
        buf_add(out, ",\"peak_column\":null,");
    field(out, "sum", row->sum);
    buf_add(out, ",");
    field(out, "position", row->position);
    buf_add(out, ",");
    field(out, "drift", row->drift);
    buf_add(out, ",");
    field(out, "p", p);
}

static void write_rows(struct buf *out, const struct attention *of,
                       const struct trust_of *trust, const struct reading *reading,
                       struct buf *sentence)
{
    const float *p = reading->alignment->p;
    unsigned expected = write_expected(reading);
    bool whole = write_whole(reading);
    float read[ALIGNMENT_MAX_SRC] = {0};
    buf_add(out, "{\"rows\":[");
    for (int t = 0; t < of->rows; t++) {
        struct row_reading row = readings_row(of, t, read);
        if (!whole) { // what is left out may be what it reads next
            row.drift = NAN;
            row.says = 0;
        }
        buf_add(out, t ? ",{" : "{");
        write_row(out, &row, p[t]);
        says(out, of, &row, sentence);
        flags(out, trust, t, trust_row(trust, t) & ~expected, sentence);
        buf_add(out, "}");
    }
    buf_add(out, "]");
}

static void write_columns(struct buf *out, const struct attention *of)
{
    struct column_reading columns[ALIGNMENT_MAX_SRC];
    readings_columns(of, columns);
    buf_add(out, ",\"columns\":[");
    for (int s = 0; s < of->n_src; s++) {
        buf_add(out, s ? ",{" : "{");
        field(out, "coverage", columns[s].coverage);
        buf_add(out, ",");
        field(out, "coverage_deviation", columns[s].deviation);
        buf_add(out, "}");
    }
    buf_add(out, "]");
}

static void write_confidence(struct buf *out, const char *name, int exponent,
                             const struct confidence *found)
{
    buf_printf(out, ",\"%s\":{\"exponent\":%d,", name, exponent);
    field(out, "coverage_deviation_penalty", found->coverage_deviation);
    buf_add(out, ",");
    field(out, "absentmindedness_out", found->absentmindedness_out);
    buf_add(out, ",");
    field(out, "absentmindedness_in", found->absentmindedness_in);
    buf_add(out, ",");
    field(out, "confidence", found->total);
    buf_add(out, ",");
    field(out, "percent", found->percent);
    buf_add(out, "}");
}

static void write_matrix(struct buf *out, const struct attention *of, bool whole)
{
    static const struct confidence none = {NAN, NAN, NAN, NAN, NAN};
    struct matrix_reading found = {NAN, NAN, none, none, NAN, NAN, NAN, NAN, NAN};
    if (whole)
        found = readings_matrix(of);
    buf_add(out, ",\"matrix\":{");
    field(out, "entropy_bits", found.entropy_bits);
    write_confidence(out, "rikters_paper", CONFIDENCE_PAPER, &found.paper);
    write_confidence(out, "rikters_tool", CONFIDENCE_TOOL, &found.tool);
    const struct {
        const char *name;
        float value;
    } more[] = {
        {"monotonicity", found.monotonicity},
        {"diagonal_distance", found.diagonal},
        {"drift", found.drift},
        {"share_special", found.share_special},
        {"share_punctuation", found.share_punctuation},
        {"share_last", found.share_last},
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        buf_add(out, ",");
        field(out, more[i].name, more[i].value);
    }
}

void write_readings(struct buf *out, const struct reading *reading, int rows)
{
    const struct alignment *alignment = reading->alignment;
    if (!alignment->has_attention) {
        buf_add(out, ",\"readings\":null");
        return;
    }
    struct attention of = {reading->alpha, rows, alignment->n_src, alignment->source};
    struct trust_of trust = trust_of(reading, rows);
    struct buf sentence;
    buf_init(&sentence, 64 * 1024);
    buf_add(out, ",\"readings\":");
    write_rows(out, &of, &trust, reading, &sentence);
    write_columns(out, &of);
    write_matrix(out, &of, write_whole(reading));
    flags(out, &trust, 0, trust_matrix(&trust) & ~write_expected(reading), &sentence);
    buf_add(out, "}}");
    buf_finish(&sentence);
}
