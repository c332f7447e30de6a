// SPDX-License-Identifier: MIT
// N-best lists as Marian prints them. See write.h.
#include "formats/write_nbest.h"

static void line(struct buf *out, int format, long number, const struct reading *reading)
{
    const struct rank *rank = reading->rank;
    buf_printf(out, "%ld ||| ", number);
    buf_add(out, write_words(out, reading->alignment) ? " |||" : "|||");
    if (format == WRITE_PHARAOH)
        write_pairs(out, reading);
    if (format == WRITE_SOFT)
        write_weights(out, reading);
    if (format == WRITE_PHARAOH || format == WRITE_SOFT)
        buf_add(out, " |||");
    buf_printf(out, " F0= %.9g ||| %.9g\n", rank->log_p, rank->score);
}

bool write_nbest(struct buf *out, int format, long number, const struct reading *readings,
                 int n, struct error *err)
{
    const struct write_format *of = &write_formats[format];
    if (format == WRITE_JSON)
        return write_json_nbest(out, readings, readings, n, err);
    for (int i = 0; i < n; i++) {
        if (of->aligned && !readings[i].alignment->has_attention)
            return of->write(out, &readings[i], err);
        buf_add(out, i && of->apart ? "\n" : "");
        line(out, format, number, &readings[i]);
        if (!of->aligned && !of->write(out, &readings[i], err))
            return false;
    }
    return !out->failed || fail_nomem(err, "the hypotheses of a sentence");
}
