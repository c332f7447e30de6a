// SPDX-License-Identifier: MIT
// Beam search over a session's sentence: the n-best translations, each an alignment of
// its own, and the tree they came from.
#pragma once

#include "align/beam_tree.h"
#include "engine/search.h"
#include "translate/translator.h"

struct hypothesis {
    struct alignment *alignment; // ended, with its own e, α, p and candidates
    double log_p, score;         // of the whole: see engine/search.h
};

struct nbest { // a zeroed one is empty
    int n;
    struct hypothesis at[SEARCH_MAX_WIDTH]; // best first
};

struct beam_found { // all that a search gave; a zeroed one is empty
    struct nbest nbest;
    struct beam_tree *tree; // NULL: blank text
};
void beam_found_finish(struct beam_found *found);

// As session_begin: what is wrong is said here, and all memory of the search is taken.
// options.words_only is ignored: a beam needs probabilities. Edits are ERR_USAGE. No
// alignment may be running in the session; beginning one ends the search.
MUST_CHECK bool session_beam_begin(struct session *session, const char *text,
                                   size_t length, struct run_options options,
                                   const struct beam *beam, struct error *err);
// One token for every growing hypothesis; takes no memory. False when the search has
// ended. Between two steps it can be left alone for good.
bool session_beam_step(struct session *session);
// Ends a search and gives its memory back: of a long sentence many megabytes.
void session_beam_forget(struct session *session);
// The tree so far, until the session's next begin; NULL for blank text.
const struct search *session_beam_tree(const struct session *session);
// Of a search that has ended the first `most` results, fewer where there are not so many,
// at least one. Blank text gives the empty alignment. The caller gives them back with
// nbest_finish.
MUST_CHECK bool session_beam_end(struct session *session, int most, struct nbest *nbest,
                                 struct error *err);
// The tree of a search that has ended, with its words, for the caller to keep and to
// destroy. Blank text has none: NULL with err->code OK.
struct beam_tree *session_beam_keep(const struct session *session, struct error *err);
// Of a search that has ended its results and its tree, and forgets it; found is empty
// when it fails.
MUST_CHECK bool session_beam_found(struct session *session, struct beam_found *found,
                                   struct error *err);
// All of it; nbest is empty when it fails.
MUST_CHECK bool session_beam(struct session *session, const char *text, size_t length,
                             struct run_options options, const struct beam *beam,
                             int most, struct nbest *nbest, struct error *err);
void nbest_finish(struct nbest *nbest);
