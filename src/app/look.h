// SPDX-License-Identifier: MIT
// How the alignment is looked at: through which lens, as a matrix or as ribbons, which
// part of it, and what is selected in it. Selections are of the alignment's own tokens;
// the scene has the words that are shown for them.
#pragma once

#include "align/lens.h"
#include "view/grid.h"

struct app;
struct panel;
struct scene;
struct show;

struct look {
    struct lens_options lens;
    bool hard, ribbon;
    bool menu;              // the switches are open
    struct grid_port port;  // of a zoomed matrix
    struct grid grid;       // of the last frame
    int row_anchor;         // other end of a selection of rows; NOWHERE: one row
    int column, column_end; // selected source tokens, as they were chosen; NOWHERE
    bool reveal;            // bring the selected row into sight in the next frame
    enum { DRAG_NONE, DRAG_CELLS, DRAG_MAP } drag;
    float drag_x, drag_y; // where the pointer was last
};

void look_init(struct look *look);
// From the scene as it is to the one that is shown: lens, port and selection.
void look_scene(struct app *app, struct show *show, struct scene *scene);
// What the pointer does in a panel; fills the scene's hover. `real` gets the tokens.
void look_pointer(struct app *app, const struct panel *panel, struct scene *shown);
// Moves the port so that the selection is in sight; true when it moved.
bool look_reveal(struct app *app, const struct panel *panel, const struct scene *shown);
// The tokens behind the word under the pointer.
void look_hover(const struct app *app, const struct scene *shown, struct scene *real);
// How many words the target has, and which one is selected; NOWHERE: none.
int look_rows(const struct app *app);
int look_row(const struct app *app);
// Selects the target word `row` (NOWHERE: none), alone or from the anchor on.
void look_select(struct app *app, int row, bool extend);
void look_select_column(struct app *app, int column, bool extend);
int look_columns(const struct app *app);
int look_column(const struct app *app); // where its selection ends; NOWHERE
