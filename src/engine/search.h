// SPDX-License-Identifier: MIT
// Beam search (Graves 2012; Sutskever, Vinyals, Le 2014) over a decoder.
//
// A step has every growing hypothesis Y followed by every word. Of all of them the best
// by log p(Y) stay, as many as the beam has places left: width, less the complete ones.
// One that ends in </s> is complete and takes its place with it. The search ends when all
// places are complete or at the length limit, where what still grows is cut. Results are
// ordered complete before cut, then by
//
//   score(Y) = log p(Y) / lp(Y),  lp(Y) = ((5 + |Y|) / 6)^a     (Wu et al. 2016, eq. 14)
//
// |Y| counts </s>; a = 0 is log p itself. Ties: the lower hypothesis, then the lower id;
// between results the one that was found first. Width 1 is greedy decoding.
//
// The tree is kept whole. A node is one token of a hypothesis; the path to the first node
// is the hypothesis. e, α and candidates lie in rows: row r is what the decoder gave for
// one hypothesis in one step, and all nodes chosen from it share it. Nothing is allocated
// after search_init, and decoding a path again by force gives its rows bit for bit.
#pragma once

#include "engine/decoder.h"

enum { SEARCH_MAX_WIDTH = DECODER_MAX_HYPOTHESES };

struct beam {
    int width;    // 1 to SEARCH_MAX_WIDTH
    float length; // a of the length normalisation, 0 to 5
};
#define BEAM_LENGTH 0.6f // Wu et al.'s a is between 0.6 and 0.7

MUST_CHECK bool beam_check(const struct beam *beam, struct error *err);

struct search_node {
    int parent; // the node before it; -1: none
    int row;    // what it was chosen from
    int token;
    int length;  // |Y|: tokens up to and with this one
    float log_p; // of the token
    double sum;  // log p(Y), up to and with this one
};

struct search_result {
    int node; // its last; -1: nothing was decoded
    bool complete;
    double log_p, score;
};

struct search {
    struct decoder *decoder; // borrowed
    struct beam beam;
    int max_length; // tokens
    int n_top;      // candidates kept of a row
    int length;     // steps done
    bool broken;    // a number of the last step was not finite: it is left out
    int n;          // hypotheses that grow
    int growing[SEARCH_MAX_WIDTH]; // (n) their last nodes, best first; -1 at the start
    struct search_node *nodes;     // (n_nodes)
    int n_nodes, n_rows;
    float *query_norm, *context_norm; // (n_rows)
    float *e, *alpha;                 // (n_rows, S); untouched for score none
    int *top;                         // (n_rows, n_top) ids, best first
    float *top_log_p;                 // (n_rows, n_top)
    struct search_result results[SEARCH_MAX_WIDTH]; // (n_results) best first
    int n_results;
};

// The decoder was made for beam.width hypotheses or more and stands at its start, not
// words_only. Everything from the arena. max_length: 1 or more. n_top: how many
// candidates of each row the caller reads, at most; there may be more, and fewer only
// where the vocabulary ends.
MUST_CHECK bool search_init(struct search *search, struct arena *arena,
                            struct decoder *decoder, const struct beam *beam,
                            int max_length, int n_top, struct error *err);
// One token for all that grow. False: the search has ended, the results are complete.
bool search_step(struct search *search);
// The same where search->n is not 0 and the decoder has made its step already.
bool search_take(struct search *search);
// score(Y) of log p(Y) and |Y| = length.
double search_score(const struct beam *beam, double log_p, int length);
// The nodes of a result, first to last: nodes (its length); returns how many.
int search_path(const struct search *search, const struct search_result *result,
                int *nodes);
