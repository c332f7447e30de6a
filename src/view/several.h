// SPDX-License-Identifier: MIT
// Several selected words read as one: the mean of their rows, the sum of their columns.
#pragma once

#include "view/scene.h"

#include <stddef.h>

// One line; "" unless more than one row or some column is selected.
void several_text(const struct scene *scene, char *out, size_t size);
