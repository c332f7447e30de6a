// SPDX-License-Identifier: MIT
// See canvas.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "canvas.h"
#include "opened.h"

struct offscreen *screen;
struct draw_list list;
const struct color black = {0, 0, 0, 255}, white = {255, 255, 255, 255};

int open_canvas(void **state)
{
    (void)state;
    struct error err = {0};
    screen = offscreen_create(font_directory(), false, &err);
    if (!screen)
        print_error("%s\n", err.text);
    return screen && draw_init(&list, 4096, 1 << 20) ? 0 : -1;
}

int close_canvas(void **state)
{
    (void)state;
    offscreen_destroy(screen);
    draw_finish(&list);
    return 0;
}

int clean_canvas(void **state)
{
    (void)state;
    draw_reset(&list);
    return 0;
}

const unsigned char *paint(float scale)
{
    struct error err = {0};
    int w = 0, h = 0;
    if (!offscreen_paint(screen, &list, SIDE, SIDE, scale, black, &err))
        fail_msg("%s", err.text);
    const unsigned char *rgb = offscreen_pixels(screen, &w, &h);
    assert_non_null(rgb);
    assert_int_equal(w, (int)(SIDE * scale));
    return rgb;
}

int at(const unsigned char *rgb, int x, int y)
{
    return rgb[3 * (y * SIDE + x)];
}

long sum(const unsigned char *rgb, int x0, int y0, int x1, int y1)
{
    long total = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            total += at(rgb, x, y);
    return total;
}
