// SPDX-License-Identifier: MIT
// Exporters: one sentence and what the decoder read of it, as JSON, TSV or a table.
//
// A reading is an alignment as it is shown: with the α of some τ, and with what had to be
// cut off the text. Writers append to a buffer; they fail when memory is short, and lines
// of links where there is no attention. Numbers carry nine significant digits, enough to
// give back the same float; a number that is not finite is never printed (JSON has no
// word for it).
#pragma once

#include "align/lens.h"
#include "base/buf.h"
#include "base/error.h"
#include "formats/history.h"

struct rank {     // of a hypothesis among the results of a beam search
    int width;    // of the beam
    float length; // a of its length normalisation
    double log_p, score;
};

struct reading {
    const struct alignment *alignment; // finished
    const float *alpha; // (rows, n_src) as shown; ignored without attention
    float tau;
    const char *mode;          // "re-read" or "re-decode"
    const char *name;          // the paper's name of the model, for sentences
    size_t cut_bytes;          // bytes of the input that were not taken
    const struct rank *rank;   // NULL: not of a beam search
    const struct stage *stage; // of a checkpoint; NULL: the model itself
    struct lens_options lens;  // what was done to the alignment; see read_through
    const float *lost; // (rows) what the largest that were kept left out; NULL: nothing
};

// The first rows of a reading as they are seen through a lens: its alignment is then that
// of *lens, to be destroyed after it (NULL: it changes nothing). Tables and pictures
// (format -1) exchange their axes; other formats say which side is the source, and keep
// it.
MUST_CHECK bool read_through(struct reading *reading, int rows, int format,
                             const struct lens_options *options, struct lens **lens,
                             struct error *err);

// One object and a newline. Without attention scores, alpha, entropy_bits and coverage
// are null. An unknown source piece is the bytes that were typed, not the form in which
// it is shown; their indices are listed.
MUST_CHECK bool write_json(struct buf *out, const struct reading *reading,
                           struct error *err);
// A header of source labels, then a row of α for each target token. Without attention the
// only column is p.
MUST_CHECK bool write_tsv(struct buf *out, const struct reading *reading,
                          struct error *err);
// An aligned table for a terminal, `*` on each row's maximum.
MUST_CHECK bool write_text(struct buf *out, const struct reading *reading,
                           struct error *err);
// A line as aligners print it: "words ||| 0-0 2-1", the best source of each target, or
// "words ||| 0.9,0.1 0.2,0.8". ERR_USAGE for a model without attention.
MUST_CHECK bool write_pharaoh(struct buf *out, const struct reading *reading,
                              struct error *err);
MUST_CHECK bool write_soft(struct buf *out, const struct reading *reading,
                           struct error *err);

enum { WRITE_JSON, WRITE_TSV, WRITE_TEXT, WRITE_PHARAOH, WRITE_SOFT, WRITE_FORMATS };
struct write_format {
    const char *name, *ending; // "text", ".txt"
    bool apart;                // a blank line stands between two sentences
    bool aligned; // a line of words and links: none without attention, and no p
    bool (*write)(struct buf *out, const struct reading *reading, struct error *err);
};
extern const struct write_format write_formats[WRITE_FORMATS];

// The n best of a sentence, best first, each with its rank; number: of the sentence, from
// 0. JSON is the object of the best with "hypotheses", an object for each. Pharaoh and
// soft lines are those of Marian's n-best lists,
//
//   number ||| words ||| alignment ||| F0= log p ||| score
//
// and every table begins with such a line, without the alignment.
MUST_CHECK bool write_nbest(struct buf *out, int format, long number,
                            const struct reading *readings, int n, struct error *err);

// The parts, for other JSON of ours. Any bytes make a valid string: what is ill-formed
// becomes U+FFFD. NULL gives null.
void write_string(struct buf *out, const char *text);
// Shortest of at most nine digits; null when not finite.
void write_number(struct buf *out, float value);
// τ: a number, or the string "inf".
void write_tau(struct buf *out, float tau);
