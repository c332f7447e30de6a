// SPDX-License-Identifier: MIT
// What if: the edits of the sentence that is typed, how they are made with the pointer,
// and what is seen of them. They belong to one sentence and one model: under another one
// they rest, and they are forgotten when that one is edited.
#pragma once

#include "align/edit_line.h"
#include "translate/translator.h"
#include "view/scene.h"

struct app;
struct panel;
struct rect;
struct show;
struct textedit;

enum { WHAT_IF_MARKS = 2 * EDITS_MAX + 2, WHAT_IF_TEXT = 240 };

struct what_if {
    struct edits edits;
    char text[TEXT_MAX_BYTES + 1]; // that they are of
    int model;                     // and its model
    bool asks;                     // plain drags edit, and what can be edited is offered
    bool before;                   // the edits rest: the picture is as without them
    bool listed;                   // the list is open
    unsigned seed;                 // of the last shuffle
    int typed_count;               // edits with the beginning that is being typed
    struct edit_room room;         // of the edit that is being made
    struct edit_mark marks[WHAT_IF_MARKS];

    enum { EDITING_NOT, EDITING_PRESSED, EDITING_DRAGGED } editing; // a cell
    int row, column;                                                // its tokens
    float alpha, from_y; // what it was, and where the pointer went down
    bool replaces;       // the next edit goes on with the newest one

    struct textedit *typed; // the beginning, as it is typed
    float scroll_x;
    bool typing;
};

// Those in force for what is typed; NULL: none.
const struct edits *what_if_now(const struct app *app);
// Another number for other edits in force; 0: none.
unsigned what_if_stamp(const struct app *app);
// The list is that of the sentence and the model in use.
bool what_if_is_here(const struct app *app);
// The selected rows, and the places of the selected columns; .first NOWHERE: none.
struct lens_span what_if_rows(const struct app *app);
struct lens_span what_if_columns(const struct app *app);
// The token of the sentence that stands at a place of what is on the screen.
int what_if_token(const struct app *app, int place);
int what_if_column(const struct app *app); // the token where the selection ends
// Where a token of the sentence stands; NOWHERE: it is not there. now may be NULL.
int what_if_place(const struct alignment *now, int token);
// α of the target token t over the tokens of the sentence, as shown. alpha: (n_src of
// what is on the screen), in the order of the text.
void what_if_row_shown(const struct app *app, int t, float *alpha);

// what_if_words.c: an edit in words, out: (WHAT_IF_TEXT).
void what_if_describe(const struct app *app, const struct edit *edit, char *out);
// What does not hold of the edits; "" when all does.
void what_if_note(const struct app *app, char *out, size_t size);

// what_if_marks.c: marks what was edited, in a scene that a lens may have changed.
void what_if_scene(struct app *app, const struct show *show, struct scene *scene);

// A cell is dragged up or down: with Alt, or while one asks. True: the pointer is ours.
bool what_if_pointer(struct app *app, const struct panel *panel,
                     const struct scene *shown);
// The strip above the matrix; takes its lines from *at. False: there is nothing to say.
bool what_if_draw(struct app *app, struct rect *at);
void what_if_draw_list(struct app *app, struct rect at);
// The candidate k (from 0) of the selected row was chosen.
void what_if_choose(struct app *app, int k);
// Lets go of the topmost of ours; false: nothing.
bool what_if_dismiss(struct app *app);
