// SPDX-License-Identifier: MIT
// The microscope's pages, for a whole window: the steps as a table, the soft lookup
// beside the hard one, the gradient of the softmax. And what all of them share.
#pragma once

#include "ui/ui.h"
#include "view/specimen.h"

enum scope_page { SCOPE_PANEL, SCOPE_TABLE, SCOPE_LOOKUP, SCOPE_GRADIENT, SCOPE_PAGES };

// Where the user is. Views get it and return it, changed by what was done to them.
struct scope {
    enum scope_step step;
    enum scope_page page; // PANEL: small, beside the matrix
    int first;            // source position at the top of a list that is too long
};

// One step on, or back: through the steps, and in a large microscope on through its
// pages. It stops at the ends.
struct scope scope_move(struct scope scope, int by);
// The large microscope and back; what was reached stays.
struct scope scope_toggle(struct scope scope);

// Fills `at`. row NULL: no row is selected.
struct scope scope_draw(struct ui *ui, const struct specimen *row, struct rect at,
                        struct scope scope);

// Instead of a row that a mask leaves nothing. Returns the next y.
float scope_draw_pooled(struct ui *ui, struct rect at, float size);
float scope_draw_masked(struct ui *ui, struct rect at, float size);

// The pages' parts, below the common head; `at` is what is left.
struct scope steps_draw(struct ui *ui, const struct specimen *row, struct rect at,
                        struct scope scope);
struct scope lookup_draw(struct ui *ui, const struct specimen *row, struct rect at,
                         struct scope scope);
void gradient_draw(struct ui *ui, const struct specimen *row, struct rect at);
