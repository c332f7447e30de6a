// SPDX-License-Identifier: MIT
// What is remarked of a picture (view/remarks.h), worked out once and kept while the
// picture stays: rows as they come, the matrix when it is whole. Doubts are always looked
// for; readings, the word list and IBM Model 1 only when they are asked for.
#pragma once

#include "base/arena.h"
#include "formats/lexicon.h"
#include "view/readings_panel.h"
#include "view/remarks.h"

struct app;
struct show;

enum { WORD_LISTS_KEPT = 4 };

struct word_list {
    char languages[24];      // "en-fr"; "" unused
    struct lexicon *lexicon; // owned; NULL: there is none
    char note[240];          // why there is none
};

struct remarking { // what is asked for
    bool readings, list, model1;
    enum readings_tab tab;
    struct word_list lists[WORD_LISTS_KEPT];
    int next; // the one that is replaced
};

struct remarks_key { // what they were worked out of
    const float *alpha, *shown_alpha;
    int begun, readings, lenses, rows, shown_rows;
    bool ended, wants_readings, wants_list, wants_model1;
};

struct laid {                 // a word list over the tokens of a decoding
    const struct lexicon *by; // NULL: none
    int begun, tokens;        // of what: see struct show, and the rows that it had
    struct lexicon_over over;
    struct lens_span *targets, *sources; // tokens of its words
    struct remark_cell *agree;
    struct remark_word *words; // (tokens) of what is shown
    struct remark_link *links;
};

struct remarks_kept { // of one show; zeroed is fine
    struct remarks_key key;
    struct arena rows, words; // memory of the rows, and of the word list
    struct remark_row *row;   // (max)
    int max, done;
    float *read; // (n_src) of the rows done
    struct matrix_reading matrix;
    bool has_matrix;
    struct laid laid; // in `words`
    struct remarks remarks;
};

// Fills shown->remarks. real: the scene before a lens changed it.
void remarks_scene(struct app *app, struct show *show, const struct scene *real,
                   struct scene *shown);
void remarks_finish(struct remarks_kept *kept);
void remarking_finish(struct remarking *remarking);
// The panel of readings, when it is open; false: it is not.
bool remarks_panel(struct app *app, struct rect at, const struct scene *shown);
