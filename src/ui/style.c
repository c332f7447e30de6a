// SPDX-License-Identifier: MIT
// The two themes. A calm ground, one warm accent, and a cool ring for the keyboard's
// focus so that it also shows around accent-coloured controls. The contrast of every text
// colour on every ground is tested to be at least 4.5:1 (WCAG 2, level AA).
#include "ui/style.h"

static const struct style themes[THEME_COUNT] =
    {
        [THEME_DARK] =
            {
                .theme = THEME_DARK,
                .ground = {0x14, 0x17, 0x1c, 255},
                .panel = {0x1b, 0x1f, 0x26, 255},
                .line = {0x2a, 0x30, 0x39, 255},
                .ink = {0xe8, 0xeb, 0xf0, 255},
                .dim = {0x8b, 0x95, 0xa5, 255},
                .accent = {0xff, 0xb4, 0x54, 255},
                .on_accent = {0x14, 0x17, 0x1c, 255},
                .warn = {0xf2, 0x84, 0x7a, 255},
                .on_warn = {0x14, 0x17, 0x1c, 255},
                .ring = {0x7f, 0xb2, 0xff, 255},
            },
        [THEME_LIGHT] =
            {
                .theme = THEME_LIGHT,
                .ground = {0xfb, 0xfa, 0xf7, 255},
                .panel = {0xff, 0xff, 0xff, 255},
                .line = {0xdf, 0xdc, 0xd4, 255},
                .ink = {0x1d, 0x21, 0x26, 255},
                .dim = {0x67, 0x6e, 0x7a, 255},
                .accent = {0xb4, 0x54, 0x0a, 255},
                .on_accent = {0xff, 0xff, 0xff, 255},
                .warn = {0xb3, 0x26, 0x1e, 255},
                .on_warn = {0xff, 0xff, 0xff, 255},
                .ring = {0x1f, 0x62, 0xc4, 255},
            },
};

const struct style *style_of(enum theme theme)
{
    bool known = (unsigned)theme < (unsigned)THEME_COUNT;
    return &themes[known ? theme : THEME_DARK];
}

static float clamp_unit(float value)
{
    if (!(value > 0)) // also NaN
        return 0;
    return value < 1 ? value : 1;
}

static uint8_t mix_channel(uint8_t from, uint8_t to, float amount)
{
    float mixed = (float)from + ((float)to - (float)from) * amount;
    return (uint8_t)(mixed + 0.5f);
}

struct color color_mix(struct color from, struct color to, float amount)
{
    float part = clamp_unit(amount);
    return (struct color){
        mix_channel(from.r, to.r, part),
        mix_channel(from.g, to.g, part),
        mix_channel(from.b, to.b, part),
        mix_channel(from.a, to.a, part),
    };
}

struct color color_fade(struct color color, float opacity)
{
    color.a = (uint8_t)((float)color.a * clamp_unit(opacity) + 0.5f);
    return color;
}
