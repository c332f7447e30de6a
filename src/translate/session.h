// SPDX-License-Identifier: MIT
// The inside of a session, for the files of this room.
//
// The sentence (text, tokens, H, keys, decoder state) lies in the session's arena until
// another text comes; new options only restart the decoder. Each alignment takes all its
// memory when it is made, so that the loop takes none: what could fail has failed before
// the first row.
#pragma once

#include "engine/posterior.h"
#include "engine/search.h"
#include "translate/labels.h"
#include "translate/trail.h"
#include "translate/translator.h"

enum { SESSION_MAX_BYTES = 256 * 1024 * 1024 };

struct sentence {
    const char *text; // NULL: none is loaded
    size_t length;
    struct token tokens[SENTENCE_MAX_TOKENS];
    int ids[SENTENCE_MAX_TOKENS + 1]; // with </s>
    int n_src;                        // with its </s>; 0 when the text has no tokens
    int tokens_cut;
    double encode_us;
    double ahead_us; // of sessions_load, for the begin that follows
    bool finite;     // all of the encoding
    int shuffle;     // enum edit_kind of what has another order; EDIT_ALL: nothing
    int order[SENTENCE_MAX_TOKENS + 1]; // which token stands where
    struct encoding encoding;
    struct decoder decoder;     // of one hypothesis
    struct posterior posterior; // while it is wanted
};

struct beam_search {
    struct arena arena;
    bool has_tree; // of the loaded sentence, which is not blank
    struct run_options options;
    struct decoder decoder;
    struct search search;
};

struct session {
    struct translator model;
    struct arena arena; // of the sentence
    struct sentence sentence;
    struct encoder_cache cache; // the encoder's states from sentence to sentence
    struct beam_search beam;
    struct trail trail;        // of the sentence
    int longest;               // bytes of the longest piece
    struct alignment *running; // begun last
    struct label_pool pool;    // of running
    char *translation;         // of running: room for it
    size_t translation_size;   // bytes
    double decode_us;          // of running
    struct token forced[ALIGNMENT_MAX_TGT];
    int n_forced;      // of running; 0: the decoder chooses
    const char *given; // of running: the text that forced came from, borrowed; or NULL
    size_t given_length;
    bool wants_posterior;
    const struct edits *edits; // borrowed; NULL: none
    int spread_step;           // the last of which edits left nothing; -1: none
    int rows_spread;           // of running, ahead of the step
    int emitted[ALIGNMENT_MAX_TGT];
};

double session_now_us(void);
// 3 * n_src + 10, or what fits in an alignment.
int session_row_limit(int n_src);

// sentence.c
MUST_CHECK bool session_check(const char *text, size_t length,
                              const struct run_options *options, struct error *err);
// text, checked, becomes the session's sentence, in the order that the edits ask for,
// unless it is already.
MUST_CHECK bool session_load(struct session *session, const char *text, size_t length,
                             struct error *err);

// Texts become the sentences of as many sessions, encoded together, each as session_load
// does it. What fails is not loaded: session_load says why. scratch is used up.
enum { SESSIONS_TOGETHER = 64 };
struct session_text {
    const char *text;
    size_t length;
};
void sessions_load(struct session *const *sessions, const struct session_text *texts,
                   int n, struct arena *scratch);

// translator.c
// session_step in two halves, for steps that many decoders make together: the decoder
// whose step is next, NULL when the alignment has ended; and then what became of it,
// after so much time.
struct decoder *session_ahead(struct session *session, struct alignment *alignment);
bool session_behind(struct session *session, struct alignment *alignment, double us);
// session_force without its steps.
struct alignment *session_force_begin(struct session *session, const char *text,
                                      size_t length, const char *target,
                                      size_t target_length, struct run_options options,
                                      struct error *err);
// beam.c: the same two halves of session_beam_step.
struct decoder *session_beam_ahead(struct session *session);
bool session_beam_behind(struct session *session, double us);

// rows.c
// An alignment of the loaded sentence with its columns labelled and room for rows
// (0 when the sentence is empty: it has ended already). It is now the one that rows are
// written to.
struct alignment *session_alignment(struct session *session, int rows,
                                    const struct run_options *options, struct error *err);
// heads.c
// Of a Transformer the maps of an alignment that begins, with the encoder's; then row t
// of the others, after the step that made it, before it is published.
MUST_CHECK bool session_take_maps(const struct session *session,
                                  struct alignment *alignment, struct error *err);
void session_put_heads(struct alignment *alignment, int t, const struct decoder *decoder);

struct row {                // what a step of the loop gives
    const float *e, *alpha; // (n_src)
    float query_norm, context_norm;
    const float *query; // (query_width of the alignment); NULL: not kept
    int token;
    float p;        // of the token
    int n_top;      // 1 or more
    const int *top; // (n_top) the best ids, best first
    const float *top_log_p;
};
// Row t, not yet published.
void session_put_row(struct session *session, struct alignment *alignment, int t,
                     const struct row *row);
// Joins the words and publishes the end.
void session_finish(struct session *session, struct alignment *alignment,
                    enum ended ended);
