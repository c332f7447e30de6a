// SPDX-License-Identifier: MIT
// Pixels of lines: ribbons from one row to another, strokes in every direction.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "canvas.h"

static long ribbon_sum(float y)
{
    draw_reset(&list);
    draw_ribbon(&list, rect_make(10, 10, 100, 100), 20, 60.5f, 7.25f, white);
    return sum(paint(1), 0, (int)y, SIDE, (int)y + 1);
}

static void a_ribbon_is_as_wide_everywhere(void **state)
{
    (void)state;
    for (int y = 10; y < 110; y++)
        assert_in_range(ribbon_sum((float)y), (int)(7.25 * 255) - 2, 7.25 * 255 + 2);
    assert_int_equal(ribbon_sum(9), 0);
    assert_int_equal(ribbon_sum(110), 0);
}

static void a_ribbon_goes_from_here_to_there(void **state)
{
    (void)state;
    draw_ribbon(&list, rect_make(10, 10, 100, 100), 20, 60, 6, white);
    const unsigned char *rgb = paint(1);
    assert_int_equal(at(rgb, 30, 10), 255);  // 10 + 20
    assert_int_equal(at(rgb, 70, 109), 255); // 10 + 60
    assert_int_equal(at(rgb, 50, 60), 255);  // half of the way
    assert_int_equal(at(rgb, 44, 60), 0);
    assert_int_equal(at(rgb, 56, 60), 0);
    assert_int_equal(at(rgb, 36, 35), 255); // 3/16 - 1/32 of it at a quarter
    draw_reset(&list);
    draw_clip(&list, rect_make(0, 0, 70, 200));
    draw_ribbon(&list, rect_make(10, 10, 100, 100), 20, 60, 6, white);
    rgb = paint(1);
    assert_int_equal(at(rgb, 69, 109), 255);
    assert_int_equal(at(rgb, 70, 109), 0);
}

static void a_stroke_has_its_area_in_every_direction(void **state)
{
    (void)state;
    const float length = 80, width = 3;
    for (int degrees = 0; degrees < 360; degrees += 15) {
        float angle = (float)degrees * 0.01745329f;
        draw_reset(&list);
        draw_stroke(&list, 100, 100, 100 + length * cosf(angle),
                    100 + length * sinf(angle), width, white);
        const unsigned char *rgb = paint(1);
        float area = (float)sum(rgb, 0, 0, SIDE, SIDE) / 255;
        assert_true(fabsf(area - length * width) < 0.03f * length * width);
        int x = (int)(100 + length / 2 * cosf(angle)),
            y = (int)(100 + length / 2 * sinf(angle));
        assert_true(at(rgb, x, y) > 200); // half of the way
    }
}

static void strokes_go_on_without_a_seam(void **state)
{
    (void)state;
    const struct color faint = {255, 255, 255, 100};
    draw_stroke(&list, 20.3f, 30.2f, 90.3f, 65.2f, 1.5f, faint);
    draw_stroke(&list, 90.3f, 65.2f, 160.3f, 100.2f, 1.5f, faint);
    long two = sum(paint(1), 0, 0, SIDE, SIDE);
    draw_reset(&list);
    draw_stroke(&list, 20.3f, 30.2f, 160.3f, 100.2f, 1.5f, faint);
    assert_int_equal(sum(paint(1), 0, 0, SIDE, SIDE), two);
}

static void a_stroke_stays_in_its_rectangle(void **state)
{
    (void)state;
    const float scales[] = {0.5f, 1, 1.7f};
    for (int i = 0; i < 3; i++) {
        draw_reset(&list);
        draw_stroke(&list, 20, 70.3f, 90.6f, 15, 4, white);
        long all = sum(paint(scales[i]), 0, 0, SIDE, SIDE);
        struct rect ink = list.cmds[0].rect;
        draw_reset(&list);
        draw_clip(&list, ink);
        draw_stroke(&list, 20, 70.3f, 90.6f, 15, 4, white);
        assert_int_equal(sum(paint(scales[i]), 0, 0, SIDE, SIDE), all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_CANVAS(a_ribbon_is_as_wide_everywhere),
        ON_CANVAS(a_ribbon_goes_from_here_to_there),
        ON_CANVAS(a_stroke_has_its_area_in_every_direction),
        ON_CANVAS(strokes_go_on_without_a_seam),
        ON_CANVAS(a_stroke_stays_in_its_rectangle),
    };
    return cmocka_run_group_tests(tests, open_canvas, close_canvas);
}
