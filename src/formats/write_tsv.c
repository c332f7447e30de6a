// SPDX-License-Identifier: MIT
// Readings as tab-separated values: the matrix and its labels and nothing else, so that a
// spreadsheet or pandas.read_csv(f, sep="\t", index_col=0) has α as it is. Labels escape
// tab, newline and backslash with a backslash, as PostgreSQL's COPY does.
#include "formats/write.h"

#include <math.h>
#include <string.h>

static void field(struct buf *out, const char *text)
{
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '\t')
            buf_add(out, "\\t");
        else if (*c == '\n')
            buf_add(out, "\\n");
        else if (*c == '\r')
            buf_add(out, "\\r");
        else if (*c == '\\')
            buf_add(out, "\\\\");
        else
            buf_append(out, c, 1);
    }
}

static void number(struct buf *out, float value)
{
    buf_add(out, "\t");
    if (isfinite(value))
        buf_printf(out, "%.9g", (double)value);
}

bool write_tsv(struct buf *out, const struct reading *reading, struct error *err)
{
    const struct alignment *alignment = reading->alignment;
    int rows = alignment_rows(alignment), n_src = alignment->n_src;
    bool attention = alignment->has_attention;
    buf_add(out, reading->lens.transpose ? "source" : "target"); // what the rows are
    for (int s = 0; attention && s < n_src; s++) {
        buf_add(out, "\t");
        field(out, alignment->source[s].text);
    }
    buf_add(out, attention ? "\n" : "\tp\n");
    for (int t = 0; t < rows; t++) {
        field(out, alignment->target[t].text);
        for (int s = 0; attention && s < n_src; s++) {
            size_t at = (size_t)t * (size_t)n_src + (size_t)s;
            bool open = !alignment->blocked || !alignment->blocked[at];
            number(out, open ? reading->alpha[at] : NAN);
        }
        if (!attention)
            number(out, alignment->p[t]);
        buf_add(out, "\n");
    }
    return !out->failed || fail_nomem(err, "the table of a sentence");
}
