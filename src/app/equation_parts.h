// SPDX-License-Identifier: MIT
// The parts of the equation's page: fields, matrices, plots. For equation_page.c alone.
#pragma once

#include "app/state.h"

enum {
    EQUATION_VIEW_FIELDS,
    EQUATION_VIEW_WEIGHTS,
    EQUATION_VIEW_SCORES,
    EQUATION_VIEW_OUTPUT
};

// The weights as any alignment, with the chosen row.
void equation_scene(const struct app *app, struct scene *scene);
void equation_draw_fields(struct app *app, struct rect at);
// Weights, and below them scores, output and what stands beside. *hover_s: the key under
// the pointer.
void equation_draw_all(struct app *app, struct rect at, int *hover_s);
void equation_draw_view(struct app *app, struct rect at, int *hover_s); // one of them
void equation_draw_scaling(struct app *app, struct rect at);
