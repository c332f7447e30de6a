// SPDX-License-Identifier: MIT
// The middle of the window, between the sentence and the temperature.
#pragma once

#include <stdbool.h>

#include "app/layout.h"

struct app;
struct scene;

bool middle_has_matrix(const struct app *app); // no other page is in its place

// scene: as it is looked at; real: with the alignment's own tokens, for the microscope.
void middle_draw(struct app *app, const struct layout *layout, struct scene *scene,
                 struct scene *real);
