// SPDX-License-Identifier: MIT
// α to colour: perceptual maps whose lightness grows (dark theme) or falls (light theme)
// steadily, so that they survive a projector, a grey print and colour-blind eyes.
#pragma once

#include "ui/style.h"

enum colormap { MAP_THEME, MAP_CIVIDIS, MAP_GREY, MAP_COUNT };
// How α becomes a place on the map. FIXED is the honest default: 0..1 everywhere.
enum shade { SHADE_FIXED, SHADE_ROW, SHADE_MAX, SHADE_LOG, SHADE_COUNT };

const char *colormap_name(enum colormap map); // "theme", "cividis", "grey"
const char *shade_name(enum shade shade);     // "0..1", "row maximum", ...
struct color colormap_at(enum colormap map, enum theme theme, float value);
// A signed value from -1 to 1 on a diverging map; 0 is as colormap_at has it in this
// theme.
struct color colormap_signed(enum theme theme, float value);
// α, with the row's and the whole matrix's maximum, to 0..1.
float shade_value(enum shade shade, float alpha, float row_max, float all_max);
