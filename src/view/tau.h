// SPDX-License-Identifier: MIT
// The temperature scale: logarithmic from 0 to ∞, with detents at 0, 1 and ∞.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Slider position 0..1 to τ and back. 0 is exactly 0, 0.5 exactly 1, 1 exactly INFINITY;
// near these three the position snaps.
float tau_of_position(float position);
float tau_to_position(float tau);
// "0", "0.30", "1.00", "12.5", "∞"
void tau_format(char *out, size_t size, float tau);
// What a person types: a number ("0.3", "0,3"), "inf", "∞". False: not a temperature, or
// one that a float would take for 0 or ∞; what was expected is TAU_EXPECTED.
#define TAU_EXPECTED "0, a number from 1.2e-38 to 3.4e+38"
bool tau_parse(const char *text, float *tau);

struct tau_tick {
    float position;
    const char *label;
};
enum { TAU_TICKS = 7 };
const struct tau_tick *tau_ticks(void);
