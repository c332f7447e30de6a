// SPDX-License-Identifier: MIT
// Readings as the text that aligners write: a line a sentence, " ||| " between its parts,
// as Marian's --alignment prints it. Pairs ("Pharaoh format") are s-t, from 0, in the
// order of s and then t; soft lines hold a group for each target, its numbers over the
// sources. The end of the sentence is aligned like a word, and is no word of the line.
#include "formats/write.h"

#include <string.h>

#include "align/telemetry.h"

// A piece as one word: what would part the line in two is written as Moses escapes it.
static void word(struct buf *out, const struct label *label)
{
    const char *text = label->piece ? label->piece : label->text;
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '|')
            buf_add(out, "&#124;");
        else if ((unsigned char)*c <= ' ')
            buf_add(out, "▁"); // SentencePiece's space
        else
            buf_append(out, c, 1);
    }
}

static bool words(struct buf *out, const struct reading *reading, struct error *err)
{
    const struct alignment *alignment = reading->alignment;
    if (!alignment->has_attention)
        return fail_with(err, ERR_USAGE, "%s has no attention: there is nothing to align",
                         reading->name ? reading->name : "this model");
    int rows = alignment_rows(alignment), written = 0;
    for (int t = 0; t < rows; t++) {
        if (alignment->target[t].special)
            continue;
        buf_add(out, written++ ? " " : "");
        word(out, &alignment->target[t]);
    }
    buf_add(out, written ? " |||" : "|||");
    return true;
}

bool write_pharaoh(struct buf *out, const struct reading *reading, struct error *err)
{
    int rows = alignment_rows(reading->alignment), n_src = reading->alignment->n_src;
    int best[ALIGNMENT_MAX_TGT];
    if (!words(out, reading, err))
        return false;
    for (int t = 0; t < rows; t++)
        best[t] = telemetry_row(reading->alpha + (size_t)t * (size_t)n_src, n_src).argmax;
    for (int s = 0; s < n_src; s++)
        for (int t = 0; t < rows; t++)
            if (best[t] == s)
                buf_printf(out, " %d-%d", s, t);
    buf_add(out, "\n");
    return !out->failed || fail_nomem(err, "the alignment of a sentence");
}

bool write_soft(struct buf *out, const struct reading *reading, struct error *err)
{
    int rows = alignment_rows(reading->alignment), n_src = reading->alignment->n_src;
    if (!words(out, reading, err))
        return false;
    for (int t = 0; t < rows; t++)
        for (int s = 0; s < n_src; s++) {
            buf_add(out, s ? "," : " ");
            write_number(out, reading->alpha[(size_t)t * (size_t)n_src + (size_t)s]);
        }
    buf_add(out, "\n");
    return !out->failed || fail_nomem(err, "the alignment of a sentence");
}
