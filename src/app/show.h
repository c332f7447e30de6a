// SPDX-License-Identifier: MIT
// What is on the screen: the newest alignment, the one before it while rows are still
// coming, and the α that τ makes of the stored scores.
#pragma once

#include "align/lens.h"
#include "app/remarks.h"
#include "view/scene.h"

struct matrix { // a growing float matrix; zeroed is fine
    struct arena arena;
    float *data;
    size_t cells;
};

struct lensed { // an alignment through a lens, and what it was made of; zeroed is fine
    struct lens *lens; // owned; NULL: none
    struct lens_options options;
    const float *alpha;
    int rows;
    int reading; // which one of the scores alpha is
    enum ended ended;
};

struct stats { // of the rows on the screen, kept while they stay
    struct arena arena;
    struct row_stats *rows; // (max)
    int max, done;
    const float *alpha; // what they are of
    int lenses, reading;
};

enum { SHOW_RETIRED = 64 };

struct show {
    struct alignment *now, *before, *baseline; // owned; each may be NULL
    struct alignment *decoded; // of which now is a view, of `choice`; NULL: now is none
    struct map_choice choice;  // of the attention of a Transformer
    struct matrix reread, before_reread; // used when the matching flag is set
    bool uses_reread, before_uses_reread;
    float reread_tau;
    int reread_rows; // rows of `reread` that are right
    int rows;        // rows of now taken notice of
    uint64_t born[ALIGNMENT_MAX_TGT];
    bool changed[ALIGNMENT_MAX_TGT];
    const struct edits *edits; // of now, for α that is read again; borrowed; NULL: none
    bool has_changed, told;    // told: the end of now was reported
    struct alignment *retired[SHOW_RETIRED]; // still being written; freed when they end
    int n_retired;
    struct lensed through, before_through;
    int lenses;   // how often one was made
    int readings; // how often the scores were read again, from row 0
    int begun;    // how often an alignment took the stage
    struct remarks_kept kept;
    struct stats stats;
    const struct lens *lens; // that of the scene on the screen; NULL: as it is
    uint64_t lens_born[ALIGNMENT_MAX_TGT];
    bool lens_changed[ALIGNMENT_MAX_TGT];
};

void show_init(struct show *show);
// Frees everything. The worker must be gone.
void show_finish(struct show *show);
// A newer alignment takes the stage.
void show_begin(struct show *show, struct alignment *alignment);
// Another alignment of the same sentence, ended, in the place of the one that was
// decoded, which is given back.
struct alignment *show_exchange(struct show *show, struct alignment *alignment);
// What was decoded, with the attention that its model shows first; NULL: nothing yet.
struct alignment *show_decoded(const struct show *show);
// Words without edits by the very weights in use, to mark the changed ones against: at
// τ = 1, or where now is edited at its τ. NULL: none.
void show_baseline(struct show *show, struct alignment *alignment);
bool show_has_baseline(const struct show *show, const char *text, float tau);
// Frees an alignment that is not wanted, now or when the worker has ended it.
void show_drop(struct show *show, struct alignment *alignment);
// Frees everything but what is still being written: that is kept by another show.
void show_leave(struct show *show, struct show *to);
// Takes notice of new rows and of the end. reread_tau: τ for the stored scores, or a
// negative number to show α as decoded. fade: new rows fade in. True: now has just ended.
bool show_update(struct show *show, float reread_tau, uint64_t now_ms, bool fade);
// Fills the parts of the scene that are about alignments.
void show_scene(const struct show *show, struct scene *scene);
// The same scene through a lens. Axes are only exchanged for a whole decoding: until the
// first row, or while the sentence before stands, that one is shown, dimmed. When memory
// is short the scene stays as it is, and says so by a clear scene.lens.
void show_look(struct show *show, const struct lens_options *options,
               struct scene *scene);
