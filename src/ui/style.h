// SPDX-License-Identifier: MIT
// Colours and sizes, in two themes. Contrast of ink on every ground is at least 4.5:1.
#pragma once

#include "ui/draw.h"

enum theme { THEME_DARK, THEME_LIGHT, THEME_COUNT };

struct style {
    enum theme theme;
    struct color ground, panel, line, ink, dim, accent, on_accent, warn, on_warn, ring;
};

const struct style *style_of(enum theme theme);
struct color color_mix(struct color from, struct color to, float amount); // 0..1
struct color color_fade(struct color color, float opacity);
