// SPDX-License-Identifier: MIT
// What every frame must be, whatever it shows: text that is UTF-8, places that exist, and
// no commands left out.
#pragma once

#include "ui/draw.h"

// NULL, or what is wrong, until the next call.
const char *drawn_badly(const struct draw_list *list);
// NULL, or two upright texts that nothing hides, one over the other.
const char *drawn_over(const struct draw_list *list);
