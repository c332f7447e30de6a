// SPDX-License-Identifier: MIT
// Colour maps as a few stops with straight lines between them. See colormap.h.
#include "view/colormap.h"

#include <math.h>
#include <stddef.h>

struct stop {
    float at;
    struct color color;
};

enum { STOPS = 7 };

static const struct stop dark_map[STOPS] = {
    {0.00f, {24, 28, 36, 255}},    {0.12f, {40, 44, 84, 255}},
    {0.30f, {86, 46, 122, 255}},   {0.50f, {160, 54, 112, 255}},
    {0.70f, {222, 88, 74, 255}},   {0.87f, {250, 158, 62, 255}},
    {1.00f, {252, 246, 178, 255}},
};
static const struct stop light_map[STOPS] = {
    {0.00f, {246, 245, 241, 255}}, {0.12f, {226, 232, 240, 255}},
    {0.30f, {166, 196, 222, 255}}, {0.50f, {98, 150, 196, 255}},
    {0.70f, {46, 98, 160, 255}},   {0.87f, {20, 56, 116, 255}},
    {1.00f, {8, 26, 66, 255}},
};
static const struct stop cividis_map[STOPS] = {
    {0.00f, {0, 34, 78, 255}},     {0.17f, {36, 60, 108, 255}},
    {0.33f, {85, 91, 109, 255}},   {0.50f, {124, 123, 120, 255}},
    {0.67f, {167, 157, 116, 255}}, {0.83f, {212, 193, 98, 255}},
    {1.00f, {254, 232, 56, 255}},
};
static const struct stop grey_map[STOPS] = {
    {0.00f, {26, 28, 32, 255}},    {0.17f, {58, 60, 64, 255}},
    {0.33f, {94, 96, 100, 255}},   {0.50f, {132, 134, 137, 255}},
    {0.67f, {172, 173, 176, 255}}, {0.83f, {212, 213, 215, 255}},
    {1.00f, {252, 252, 252, 255}},
};

// From 0 on: teal below it and purple above, equally light at equal distances. Neither is
// the accent colour, and both stay apart for every common colour vision.
enum { ARM = 4 };
static const struct stop below_dark[ARM] = {{0, {24, 28, 36, 255}},
                                            {0.35f, {16, 72, 70, 255}},
                                            {0.7f, {36, 148, 132, 255}},
                                            {1, {158, 240, 214, 255}}};
static const struct stop above_dark[ARM] = {{0, {24, 28, 36, 255}},
                                            {0.35f, {88, 46, 124, 255}},
                                            {0.7f, {172, 104, 222, 255}},
                                            {1, {238, 200, 255, 255}}};
static const struct stop below_light[ARM] = {{0, {246, 245, 241, 255}},
                                             {0.35f, {172, 216, 205, 255}},
                                             {0.7f, {48, 146, 128, 255}},
                                             {1, {0, 76, 64, 255}}};
static const struct stop above_light[ARM] = {{0, {246, 245, 241, 255}},
                                             {0.35f, {224, 202, 240, 255}},
                                             {0.7f, {166, 106, 204, 255}},
                                             {1, {92, 34, 132, 255}}};

const char *colormap_name(enum colormap map)
{
    static const char *const names[MAP_COUNT] = {"theme", "cividis", "grey"};
    return names[map];
}

const char *shade_name(enum shade shade)
{
    static const char *const names[SHADE_COUNT] = {"0 to 1", "row maximum",
                                                   "matrix maximum", "logarithm"};
    return names[shade];
}

static const struct stop *stops_of(enum colormap map, enum theme theme)
{
    if (map == MAP_CIVIDIS)
        return cividis_map;
    if (map == MAP_GREY)
        return grey_map;
    return theme == THEME_DARK ? dark_map : light_map;
}

static struct color between(const struct stop *stops, int count, float v)
{
    int i = 1;
    while (i < count - 1 && v > stops[i].at)
        i++;
    float span = stops[i].at - stops[i - 1].at;
    return color_mix(stops[i - 1].color, stops[i].color, (v - stops[i - 1].at) / span);
}

static float unit(float value)
{
    return fminf(fmaxf(isnan(value) ? 0 : value, 0), 1);
}

struct color colormap_at(enum colormap map, enum theme theme, float value)
{
    // In print and in a lit room ink means much, so the light theme turns the others
    // round.
    float v = unit(value);
    if (map != MAP_THEME && theme == THEME_LIGHT)
        v = 1 - v;
    return between(stops_of(map, theme), STOPS, v);
}

struct color colormap_signed(enum theme theme, float value)
{
    const struct stop *below = theme == THEME_DARK ? below_dark : below_light;
    const struct stop *above = theme == THEME_DARK ? above_dark : above_light;
    return between(value < 0 ? below : above, ARM, unit(fabsf(value)));
}

float shade_value(enum shade shade, float alpha, float row_max, float all_max)
{
    switch (shade) {
    case SHADE_ROW:
        return row_max > 0 ? alpha / row_max : 0;
    case SHADE_MAX:
        return all_max > 0 ? alpha / all_max : 0;
    case SHADE_LOG: // four decades: 0.0001 is the ground, 1 is full
        return alpha > 0 ? fmaxf(0, 1 + log10f(alpha) / 4) : 0;
    default:
        return alpha;
    }
}
