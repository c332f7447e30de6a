// SPDX-License-Identifier: MIT
// Readings as the text that aligners write: a line a sentence, " ||| " between its parts,
// as Marian's --alignment prints it. Pairs ("Pharaoh format") are s-t, from 0, in the
// order of s and then t; soft lines hold a group for each target, its numbers over the
// sources. The end of the sentence is aligned like a word, and is no word of the line.
#include "formats/write_nbest.h"

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

int write_words(struct buf *out, const struct alignment *alignment)
{
    int rows = alignment_rows(alignment), written = 0;
    for (int t = 0; t < rows; t++) {
        if (alignment->target[t].special)
            continue;
        buf_add(out, written++ ? " " : "");
        word(out, &alignment->target[t]);
    }
    return written;
}

void write_pairs(struct buf *out, const struct reading *reading)
{
    int rows = alignment_rows(reading->alignment), n_src = reading->alignment->n_src;
    int best[ALIGNMENT_MAX_TGT];
    for (int t = 0; t < rows; t++)
        best[t] = telemetry_row(reading->alpha + (size_t)t * (size_t)n_src, n_src).argmax;
    for (int s = 0; s < n_src; s++)
        for (int t = 0; t < rows; t++)
            if (best[t] == s)
                buf_printf(out, " %d-%d", s, t);
}

void write_weights(struct buf *out, const struct reading *reading)
{
    int rows = alignment_rows(reading->alignment), n_src = reading->alignment->n_src;
    for (int t = 0; t < rows; t++)
        for (int s = 0; s < n_src; s++) {
            buf_add(out, s ? "," : " ");
            write_number(out, reading->alpha[(size_t)t * (size_t)n_src + (size_t)s]);
        }
}

static bool line(struct buf *out, const struct reading *reading,
                 void (*links)(struct buf *, const struct reading *), struct error *err)
{
    if (!reading->alignment->has_attention)
        return fail_with(err, ERR_USAGE, "%s has no attention: there is nothing to align",
                         reading->name ? reading->name : "this model");
    buf_add(out, write_words(out, reading->alignment) ? " |||" : "|||");
    links(out, reading);
    return buf_add(out, "\n") || fail_nomem(err, "the alignment of a sentence");
}

bool write_pharaoh(struct buf *out, const struct reading *reading, struct error *err)
{
    return line(out, reading, write_pairs, err);
}

bool write_soft(struct buf *out, const struct reading *reading, struct error *err)
{
    return line(out, reading, write_weights, err);
}
