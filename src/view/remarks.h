// SPDX-License-Identifier: MIT
// What is remarked of the picture: doubts about its numbers, what a row says of itself,
// and where a word list and IBM Model 1 lead. The application finds it out; here it is
// marked and said. All of it is of the words that are shown, targets by sources,
// whichever way the axes lie.
#pragma once

#include "align/readings.h"
#include "align/trust.h"
#include "ui/ui.h"
#include "view/grid.h"
#include "view/scene.h"

struct remark_row {             // of a target word
    struct row_reading reading; // .argmax -1: nothing can be read
    float p;                    // the product of its tokens'
    unsigned doubts;            // enum trust of its tokens' rows
    int doubted;                // the first token that has one
};

struct remark_word {    // the list has another source word than the attention reads
    const char *target; // NULL: it has not
    const char *listed, *read;
    float t; // t(target | listed)
};

struct remark_cell {
    int t, s;
};

struct remark_link { // Model 1: these target words come from these source words
    struct lens_span t, s;
};

struct remarks {
    int n_tgt, n_src;
    const struct remark_row *rows; // (n_tgt)
    bool says;                     // rows are marked with what they say
    struct trust_of trust;         // of the tokens, as they are
    unsigned doubts;               // enum trust of the matrix
    int cropped;                   // rows of which something was cut off

    bool readings;                       // they were asked for: the next four are known
    struct attention of;                 // what is shown, with target words as rows
    const struct matrix_reading *matrix; // NULL: not yet
    bool stale;                          // it is that of the sentence before
    const char *why_not;                 // why a matrix has none; NULL: it has

    bool list, model1;
    const char *note;                // why there is no list; NULL: there is
    const struct remark_cell *agree; // (n_agree) cells where both lead to the same word
    int n_agree;
    const struct remark_word *words; // (n_tgt); NULL: none yet
    int agreeing, disagreeing; // words of the target; the list does not know the rest
    const struct remark_link *links; // (n_links)
    int n_links;
};

enum { REMARKS_NOTES = 8, REMARKS_STRIP = 26, REMARKS_GUTTER = 18 };

struct remark_note {  // for the legend
    const char *text; // static
    bool warns;
};

// What stands in the picture, and what its marks mean; returns how many.
int remarks_notes(const struct scene *scene, struct remark_note out[REMARKS_NOTES]);
// Marks in the cells, and at both ends of the rows: `left` is where the labels begin,
// `right` where the numbers do. What a mark means is told where the pointer is on its
// row.
void remarks_draw(struct ui *ui, const struct scene *scene, const struct grid *grid,
                  float left, float right);
// The marks in the cells alone, where small matrices stand side by side.
void remarks_draw_cells(struct ui *ui, const struct scene *scene,
                        const struct grid *grid);
// The doubt about the matrix as one sentence into out; false: there is none.
bool remarks_doubt(const struct scene *scene, struct buf *out);
bool remarks_doubtful(const struct remarks *remarks); // some row has a doubt
// All that is said of the target word t, a sentence after the other: doubts; what the row
// says; what the list has.
void remarks_say_doubts(const struct remarks *remarks, int t, struct buf *out);
void remarks_say_row(const struct remarks *remarks, int t, struct buf *out);
void remarks_say_list(const struct remarks *remarks, int t, struct buf *out);
// Room that marks take from the labels' at the left.
float remarks_gutter(const struct scene *scene);
