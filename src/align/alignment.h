// SPDX-License-Identifier: MIT
// The alignment: what a decoder attended to, row by row. It is the one noun that
// everybody downstream reads; a live engine, a matrix file and a test all make the same
// thing.
//
// Matrices are [t * n_src + s], t target, s source. Row t explains the token emitted at
// step t. One writer appends rows and then publishes them with alignment_publish; readers
// ask alignment_rows first and never look past it. Published rows never change again.
// Everything in an alignment is owned by it and dies with alignment_destroy.
#pragma once

#include "align/maps.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { ALIGNMENT_TOP = 5, ALIGNMENT_MAX_SRC = 4096, ALIGNMENT_MAX_TGT = 4096 };

enum ended {
    ENDED_NOT,       // rows are still coming
    ENDED_EOS,       // the model said </s>
    ENDED_LIMIT,     // the length limit 3 * n_src + 10 was hit
    ENDED_CANCELLED, // a newer job replaced this one
    ENDED_EMPTY,     // nothing to translate: empty or blank text
    ENDED_BROKEN,    // the model's next number was not finite: see broken_row
};
// "eos", "limit", "cancelled", "empty", "not-finite", "running"
const char *ended_name(enum ended ended);

struct label {
    const char *piece; // as the tokenizer stores it, "▁black"
    const char *text;  // what to show: typed bytes on the source side, "⏎" for </s>
    int id;
    int begin, end;   // source side: bytes of the typed text; target side: bytes of the
                      // translation where that was given, else 0, 0
    bool special;     // </s> and the like
    bool punctuation; // marks and symbols only, no letter or digit
    bool unknown;     // the tokenizer does not know it; text keeps what was typed
    bool joined;      // continues the word of the label before it
    int typed_begin, typed_end; // source side: of begin to end what `text` stands for,
                                // without outer white space unless there is nothing else
};

struct candidate { // a next-token candidate of one row
    int id;
    float log_p;
    const char *text;
    bool joins; // it would continue the word before it
};

struct blends { // the outputs c = Σ α v of the bare equation
    int columns;
    const float *at;          // (max_tgt, columns)
    const char *const *names; // (columns)
};

struct alignment {
    struct arena arena;
    const char *text;   // what was typed, as tokenised
    const char *model;  // id of the model that made it
    bool has_attention; // false: score none; score, alpha and coverage mean nothing
    struct maps *maps;  // of a Transformer: all its attention, held; NULL: this is all
    struct map_choice attention; // of maps, what score and alpha are
    bool edited;                 // by what-if edits: the model alone does not say this
    int rows_spread;  // of which edits left nothing; set before `ended` is published
    const int *order; // (n_src) which token of the text each column is; NULL: in order
    float tau;        // temperature inside the loop when it was decoded
    float dropout;    // of α inside the loop, and its seed; 0: none
    unsigned seed;
    int tokens_cut; // source tokens left out because the sentence was too long
    int broken_row; // set before ENDED_BROKEN is published: the row (from 0) that was
                    // not finite and is left out; -1: already what it would read
    int n_src, max_tgt;
    struct label *source; // (n_src)
    struct label *target; // (max_tgt)
    float *score;         // (max_tgt, n_src) raw e, before temperature and softmax
    float *alpha;         // (max_tgt, n_src) softmax(e / tau): each row sums to 1
    const bool *blocked;  // (max_tgt, n_src) by a mask: not allowed, α is 0 and e means
                          // nothing there; NULL: nothing is
    const struct blends *blends; // of the bare equation: no words are made of them, so
                                 // p and top mean nothing; NULL: words are
    float *posterior; // (max_tgt, n_src) where the token came from, now that it is
                      // known: engine/posterior.h; NULL: nobody asked
    // Lengths of the vectors behind the numbers; 0 where the maker does not know.
    float *memory_norm; // (n_src) ‖h‖ of each position
    float *query_norm;  // (max_tgt) ‖s‖ of the state that asked
    // What was compared, where the maker keeps it; NULL, and width 0: it does not.
    float *query; // (max_tgt, query_width) the state that asked, s
    float *key;   // (n_src, key_width) what it was compared with
    int query_width, key_width;
    float *context_norm;         // (max_tgt) ‖c‖ of the blend, as decoded
    float *p;                    // (max_tgt) probability of the emitted token
    struct candidate *top;       // (max_tgt, ALIGNMENT_TOP) best first
    const char *translation;     // detokenised; set before `ended` is published
    double encode_us, decode_us; // time spent; set before `ended` is published
    _Atomic int rows_done;       // use alignment_rows / alignment_publish
    _Atomic int ended;           // enum ended; use alignment_ended / alignment_end
};

// NULL with *err when sizes are out of range (1..MAX; n_src 0 and max_tgt 0 make the
// empty alignment) or memory is short. Labels are zeroed, for the caller to fill.
struct alignment *alignment_create(int n_src, int max_tgt, bool has_attention,
                                   struct error *err);
void alignment_destroy(struct alignment *alignment); // NULL is fine

int alignment_rows(const struct alignment *alignment);             // acquire
void alignment_publish(struct alignment *alignment, int rows);     // release
enum ended alignment_ended(const struct alignment *alignment);     // acquire
void alignment_end(struct alignment *alignment, enum ended ended); // release
// False for ENDED_BROKEN, with the one sentence that names the model and the row
// (ERR_BROKEN); true for everything else.
bool alignment_check(const struct alignment *alignment, struct error *err);
