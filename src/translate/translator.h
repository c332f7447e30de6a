// SPDX-License-Identifier: MIT
// Text to alignment, step by step, cancellable. A session keeps the encoder's memory of
// its last sentence, so that a new τ re-decodes without encoding again.
#pragma once

#include "align/alignment.h"
#include "align/edits.h"
#include "engine/decoder.h"
#include "text/tokenizer.h"

enum { SENTENCE_MAX_TOKENS = 512 }; // without </s>

struct translator { // what a session needs of a model; all borrowed, constant
    const char *id;
    const struct network *network;
    const struct tokenizer *source, *target;
};

struct session; // one thread at a time

struct session *session_create(const struct translator *translator, struct error *err);
void session_destroy(struct session *session); // NULL is fine
// Bytes it holds for its last sentence and for the next, beside the alignments it gave.
size_t session_held(const struct session *session);

// What if: from the next begin on the decoder reads α, words and memory as these say;
// NULL: as the model has them. Borrowed, and constant until the alignment has ended.
// Rows that other edits leave alone are taken from the run before, if it was of the same
// text with the same options, and the decoder carries on behind them.
// Rows before the first edited one keep every bit, and edits of rows and columns that the
// alignment does not have change nothing. A token outside the vocabulary is ERR_FORMAT
// when it begins. A translation that is given has its own words. Shuffles leave the </s>
// of the source in its place.
void session_edit(struct session *session, const struct edits *edits);

// Tokenises and encodes (unless text is that of the last call: cached) and prepares the
// loop. text: valid UTF-8, at most TEXT_MAX_BYTES. Blank text gives an alignment with
// n_src = 0, already ended with ENDED_EMPTY. The alignment belongs to the caller. Of more
// than SENTENCE_MAX_TOKENS tokens the first are decoded and tokens_cut says how many were
// left out. encode_us is 0 when nothing was encoded.
// Source labels are complete on return; rows come from session_step, but for those that
// edits leave as they were.
struct alignment *session_begin(struct session *session, const char *text, size_t length,
                                struct run_options options, struct error *err);
// Appends one row to the alignment that was begun last and publishes it. False once the
// alignment has ended, by this row or before: </s>, or the limit of 3 * n_src + 10 rows.
// A row with a number that is not finite is not published: it ends the alignment with
// ENDED_BROKEN. So does, before the first row, an encoder's memory that is not finite.
// A step takes no memory: all of it, label text included, was reserved by session_begin.
// Only the step that ends the alignment does, inside the tokenizer that joins its words.
bool session_step(struct session *session, struct alignment *alignment);
// Ends the alignment now with ENDED_CANCELLED (its rows so far stay valid).
void session_cancel(struct session *session, struct alignment *alignment);
// begin + all steps.
struct alignment *session_run(struct session *session, const char *text, size_t length,
                              struct run_options options, struct error *err);

// From the next begin on alignments have `posterior`, where the network knows it
// (engine/posterior.h). It costs a step for every 16 source positions of each row.
void session_want_posterior(struct session *session, bool wanted);

// Forced decoding: the alignment of a translation that is given. The loop is that of
// session_step, but the token fed at each row is the next one of target's tokens and then
// </s>; p is the probability the model gave to it. Target labels carry their bytes of
// target, which becomes `translation`. Forcing what the model says gives its own
// alignment again, bit for bit. target: as text; more than ALIGNMENT_MAX_TGT - 1 tokens
// are ERR_LIMIT. Blank text gives the empty alignment.
struct alignment *session_force(struct session *session, const char *text, size_t length,
                                const char *target, size_t target_length,
                                struct run_options options, struct error *err);
// The same with tokens of the caller's: a row for each of the count (1 to
// ALIGNMENT_MAX_TGT) ids, up to the first </s>, and none added. Without </s> it ends with
// ENDED_LIMIT. The labels have no bytes, and `translation` is the ids' plain text.
struct alignment *session_force_ids(struct session *session, const char *text,
                                    size_t length, const int *ids, int count,
                                    struct run_options options, struct error *err);

// Re-reading: alpha (rows, n_src) = softmax(e / tau) of rows [from, to) of the stored e,
// less what the alignment's dropout takes of it, and as edits (NULL: none) have it. Of a
// Transformer that is done to every head of the choice that the alignment shows; where
// the heads of a long sentence were not kept, alpha is as decoded.
// The loop is not run again: the words stay. Rows that are not published yet, and all
// rows where there is no attention, become zeros.
void translate_reread(const struct alignment *alignment, const struct edits *edits,
                      float tau, int from, int to, float *alpha);
