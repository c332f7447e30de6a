// SPDX-License-Identifier: MIT
// Pixels: edges, corners, clips, turned text, images, hostile numbers, the text cache,
// and that the window shows the same bits as a picture without a display.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "canvas.h"
#include "opened.h"
#include "sdl/masks.h"
#include "sdl/render.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void edges_snap_to_pixels(void **state)
{
    (void)state;
    static const struct {
        float x, w;
        int first, end;
    } cases[] = {{10, 5, 10, 15},    {10.4f, 5, 10, 15},    {10.6f, 5, 11, 16},
                 {10.5f, 1, 11, 12}, {10.2f, 0.1f, 10, 11}, {10.45f, 0.3f, 10, 11},
                 {-3, 5, 0, 2},      {198, 50, 198, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        draw_reset(&list);
        draw_fill(&list, rect_make(cases[i].x, 20, cases[i].w, 1), 0, white);
        const unsigned char *rgb = paint(1);
        for (int x = 0; x < SIDE; x++)
            assert_int_equal(at(rgb, x, 20),
                             x >= cases[i].first && x < cases[i].end ? 255 : 0);
        assert_int_equal(sum(rgb, 0, 21, SIDE, SIDE), 0);
    }
}

static void neighbours_leave_no_gap(void **state)
{
    (void)state;
    for (int i = 0; i < 37; i++)
        draw_fill(&list, rect_make((float)i * 5.37f, 0, 5.37f, SIDE), 0, white);
    assert_int_equal(sum(paint(1), 0, 0, 198, SIDE), 198L * SIDE * 255);
}

static void rounded_area_is_right(void **state)
{
    (void)state;
    static const float radii[] = {1, 2, 3, 4, 6, 8, 11, 20, 30};
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        float r = radii[i];
        draw_reset(&list);
        draw_fill(&list, rect_make(20, 20, 60, 60), r, white);
        float area = (float)sum(paint(1), 0, 0, SIDE, SIDE) / 255;
        float want = 3600 - (4 - 3.14159265f) * r * r;
        assert_true(fabsf(area - want) < 1 + 0.02f * r * r);
    }
}

static void corners_are_symmetric_and_smooth(void **state)
{
    (void)state;
    draw_fill(&list, rect_make(20, 30, 50, 40), 9, white);
    draw_frame(&list, rect_make(100, 30, 50, 40), 9, 2, white);
    const unsigned char *rgb = paint(1);
    int grey = 0;
    for (int left = 20; left <= 100; left += 80) {
        for (int y = 0; y < 40; y++) {
            for (int x = 0; x < 50; x++) {
                int value = at(rgb, left + x, 30 + y);
                assert_int_equal(value, at(rgb, left + 49 - x, 30 + y));
                assert_int_equal(value, at(rgb, left + x, 69 - y));
                grey += value > 0 && value < 255;
            }
        }
    }
    assert_true(grey > 60);
    assert_int_equal(at(rgb, 20, 30), 0);
    assert_int_equal(at(rgb, 45, 50), 255);
    assert_int_equal(at(rgb, 125, 50), 0);
}

static void strokes_stay_inside(void **state)
{
    (void)state;
    static const struct {
        float width;
        int pixels;
    } cases[] = {{0.2f, 1}, {1, 1}, {1.4f, 1}, {1.5f, 2}, {2, 2}, {3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        draw_reset(&list);
        draw_frame(&list, rect_make(20, 20, 40, 40), 6, cases[i].width, white);
        const unsigned char *rgb = paint(1);
        assert_int_equal(sum(rgb, 0, 40, 20, 41), 0);
        for (int x = 0; x < 20; x++)
            assert_int_equal(at(rgb, 20 + x, 40), x < cases[i].pixels ? 255 : 0);
    }
    draw_reset(&list);
    draw_frame(&list, rect_make(20, 20, 40, 6), 0, 50, white); // thicker than the box
    assert_int_equal(sum(paint(1), 0, 0, SIDE, SIDE), 40L * 6 * 255);
}

static int blended(int under, int over, int alpha)
{
    return (over * alpha + under * (255 - alpha) + 127) / 255;
}

// Bands of every width, so that what is blended many at a time meets what is not.
static void opacity_blends(void **state)
{
    (void)state;
    for (int y = 0; y < SIDE; y++) {
        uint8_t under = (uint8_t)(y * 37), over = (uint8_t)(y * 101);
        draw_fill(&list, rect_make(0, (float)y, SIDE, 1), 0,
                  (struct color){under, 0, 0, 255});
        draw_fill(&list, rect_make((float)(y % 9), (float)y, (float)(1 + y % 23), 1), 0,
                  (struct color){over, 0, 0, (uint8_t)(y * 255 / (SIDE - 1))});
    }
    const unsigned char *rgb = paint(1);
    for (int y = 0; y < SIDE; y++) {
        int under = y * 37 & 255, over = y * 101 & 255, alpha = y * 255 / (SIDE - 1);
        for (int x = 0; x < SIDE; x++) {
            bool inside = x >= y % 9 && x < y % 9 + 1 + y % 23;
            assert_int_equal(at(rgb, x, y), blended(under, over, inside ? alpha : 0));
        }
    }
}

static void text_blends(void **state)
{
    (void)state;
    static unsigned char cover[SIDE * SIDE];
    static const char words[] = "blended, as it covers";
    draw_text(&list, FONT_TEXT, 17, 5.0f, 60, 0, white, words, -1);
    const unsigned char *rgb = paint(1);
    for (int i = 0; i < SIDE * SIDE; i++)
        cover[i] = rgb[3 * i];
    for (int alpha = 255; alpha > 0; alpha -= 85) {
        draw_reset(&list);
        draw_fill(&list, rect_make(0, 0, SIDE, SIDE), 0, (struct color){40, 0, 0, 255});
        draw_text(&list, FONT_TEXT, 17, 5.0f, 60, 0,
                  (struct color){200, 0, 0, (uint8_t)alpha}, words, -1);
        rgb = paint(1);
        for (int i = 0; i < SIDE * SIDE; i++)
            assert_int_equal(rgb[3 * i], blended(40, 200, blended(0, cover[i], alpha)));
    }
}

static void clip_cuts_everything(void **state)
{
    (void)state;
    static const uint8_t dot[4] = {255, 255, 255, 255};
    draw_clip(&list, rect_make(50, 60, 30, 20));
    draw_fill(&list, rect_make(0, 0, SIDE, SIDE), 40, white);
    draw_frame(&list, rect_make(40, 50, 60, 60), 20, 30, white);
    draw_image(&list, rect_make(0, 0, SIDE, SIDE), 1, 1, dot, 255);
    draw_text(&list, FONT_BOLD, 60, 10, 80, 0, white, "clipped away", -1);
    draw_text(&list, FONT_BOLD, 60, 10, 150, 30, white, "clipped away", -1);
    const unsigned char *rgb = paint(1);
    assert_int_equal(sum(rgb, 50, 60, 80, 80), 30L * 20 * 255);
    assert_int_equal(sum(rgb, 0, 0, SIDE, SIDE), 30L * 20 * 255);
    draw_clip(&list, rect_make(0, 0, -1, 0));
    draw_fill(&list, rect_make(0, 0, 10, 10), 0, white);
    assert_int_equal(at(paint(1), 5, 5), 255);
    draw_clip(&list, rect_make(0, 0, 0, 0));
    draw_fill(&list, rect_make(100, 100, 10, 10), 0, white);
    assert_int_equal(at(paint(1), 105, 105), 0);
}

static void image_is_nearest(void **state)
{
    (void)state;
    uint8_t rgba[4 * 4 * 4];
    for (int i = 0; i < 16; i++)
        memcpy(rgba + 4 * i, (uint8_t[4]){(uint8_t)(i * 16), 0, 0, 255}, 4);
    draw_image(&list, rect_make(10, 10, 40, 40), 4, 4, rgba, 255);
    draw_image(&list, rect_make(100, 10, 2, 2), 4, 4, rgba, 255);
    draw_image(&list, rect_make(-70, 100, 77, 53), 4, 4, rgba, 255);
    const unsigned char *rgb = paint(1);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 40; x++)
            assert_int_equal(at(rgb, 10 + x, 10 + y), (y / 10 * 4 + x / 10) * 16);
    assert_int_equal(at(rgb, 100, 10), 16 * 5); // the middle of each half: 1 and 3
    for (int y = 0; y < 53; y++)
        for (int x = 70; x < 77; x++)
            assert_int_equal(at(rgb, x - 70, 100 + y),
                             ((2 * y + 1) * 4 / 106 * 4 + (2 * x + 1) * 4 / 154) * 16);
}

// Ink in the four quadrants around 100, 100: right-top, left-top, left-bottom,
// right-bottom.
static void quadrants(float angle, long out[4])
{
    draw_reset(&list);
    draw_text(&list, FONT_TEXT, 20, 100, 100, angle, white, "turned", -1);
    const unsigned char *rgb = paint(1);
    out[0] = sum(rgb, 100, 0, SIDE, 100);
    out[1] = sum(rgb, 0, 0, 100, 100);
    out[2] = sum(rgb, 0, 100, 100, SIDE);
    out[3] = sum(rgb, 100, 100, SIDE, SIDE);
}

static void text_turns_counter_clockwise(void **state)
{
    (void)state;
    static const struct {
        float angle;
        int quadrant;
    } cases[] = {{0, 0},   {40, 0},  {90, 1},  {130, 1},
                 {180, 2}, {220, 2}, {270, 3}, {-40, 3}};
    long upright[4];
    quadrants(0, upright);
    long ink = upright[0] + upright[1] + upright[2] + upright[3];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        long now[4];
        quadrants(cases[i].angle, now);
        long all = now[0] + now[1] + now[2] + now[3];
        assert_true(now[cases[i].quadrant] > all * 7 / 10);
        // Turned letters are as heavy as upright ones.
        assert_true(all > ink * 93 / 100 && all < ink * 107 / 100);
    }
}

static void text_stands_where_it_is_put(void **state)
{
    (void)state;
    for (int x = 0; x < 20; x++) {
        draw_reset(&list);
        draw_text(&list, FONT_TEXT, 20, 50 + (float)x * 0.25f, 80, 0, white, "H", -1);
        const unsigned char *rgb = paint(1);
        int first = 0;
        while (first < SIDE && sum(rgb, first, 0, first + 1, SIDE) < 255)
            first++;
        int pen = (int)floorf(50 + (float)x * 0.25f + 0.5f);
        assert_in_range(first, pen + 1, pen + 3);
        assert_true(sum(rgb, 0, 79, SIDE, 80) > 255);
        assert_int_equal(sum(rgb, 0, 80, SIDE, SIDE), 0);
    }
}

static void long_text_equals_its_measure(void **state)
{
    (void)state;
    static char text[600];
    memset(text, 'm', sizeof text);
    for (size_t i = 5; i < sizeof text; i += 6)
        text[i] = ' ';
    const struct ui_host *host = offscreen_host(screen, 1);
    float width = host->text_width(host->context, FONT_TEXT, 12, text, sizeof text);
    draw_text(&list, FONT_TEXT, 12, 150 - width, 100, 0, white, text, sizeof text);
    const unsigned char *rgb = paint(1);
    assert_true(sum(rgb, 0, 0, 150, SIDE) > 10000);
    assert_true(sum(rgb, 138, 0, 150, SIDE) + sum(rgb, 130, 0, 138, SIDE) > 0);
    assert_int_equal(sum(rgb, 151, 0, SIDE, SIDE), 0);
}

static void hostile_numbers_are_survived(void **state)
{
    (void)state;
    volatile float zero = 0;
    const float bad[] = {zero / zero, 1 / zero, -1 / zero, 1e30f, -1e30f, 1e9f, 0, -5};
    const int n = sizeof bad / sizeof bad[0];
    static const uint8_t dot[4] = {255, 0, 0, 255};
    for (int i = 0; i < n * n * n; i++) {
        float a = bad[i % n], b = bad[i / n % n], c = bad[i / n / n];
        draw_reset(&list);
        draw_fill(&list, rect_make(a, b, c, a), b, white);
        draw_fill(&list, rect_make(0, 0, b, c), a, white);
        draw_frame(&list, rect_make(a, b, c, b), c, a, white);
        draw_frame(&list, rect_make(-1e5f, -1e5f, 2e5f, 2e5f), a, b, white);
        draw_image(&list, rect_make(b, a, c, a), 1, 1, dot, 255);
        draw_ribbon(&list, rect_make(a, b, c, a), b, c, a, white);
        draw_ribbon(&list, rect_make(0, 0, 50, 50), a, b, c, white);
        draw_stroke(&list, a, b, c, a, b, white);
        draw_stroke(&list, 0, 0, a, b, c, white);
        draw_text(&list, FONT_TEXT, a, b, c, a, white, "bad", -1);
        draw_text(&list, FONT_TEXT, 12, a, b, c, white, "bad", -1);
        draw_clip(&list, rect_make(a, b, c, a));
        assert_non_null(paint(1));
    }
    draw_reset(&list);
    draw_fill(&list, rect_make(-1e9f, -1e9f, 2e9f, 2e9f), 3, white);
    assert_int_equal(at(paint(1), 100, 100), 255);
}

static void broken_lists_are_survived(void **state)
{
    (void)state;
    draw_text(&list, FONT_TEXT, 12, 10, 50, 0, white, "text", -1);
    list.cmds[0].length = 5000000;
    assert_int_equal(sum(paint(1), 0, 0, SIDE, SIDE), 0);
    list.cmds[0].length = 4;
    list.cmds[0].font = (enum font)77;
    assert_int_equal(sum(paint(1), 0, 0, SIDE, SIDE), 0);
    list.cmds[0].kind = DRAW_IMAGE;
    list.cmds[0].rect = rect_make(0, 0, 50, 50);
    list.cmds[0].image_w = list.cmds[0].image_h = 1 << 30;
    assert_int_equal(sum(paint(1), 0, 0, SIDE, SIDE), 0);
    struct error err = {0};
    assert_false(offscreen_paint(screen, &list, 1e6f, 1e6f, 1, black, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    volatile float zero = 0;
    assert_false(offscreen_paint(screen, &list, zero / zero, 10, 1, black, &err));
    assert_false(offscreen_paint(screen, &list, 0, 10, 1, black, &err));
}

static void texts_are_drawn_once_and_evicted_in_turn(void **state)
{
    (void)state;
    struct fonts *own = fonts_create(font_directory(), false, NULL);
    struct masks *masks = masks_create(own, 20000, NULL);
    assert_non_null(masks);
    char text[32];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3000; i++) {
            snprintf(text, sizeof text, "text %d", i);
            struct text_key key = {FONT_TEXT, 14, 0, text, strlen(text)};
            const struct mask *mask = masks_get(masks, &key);
            assert_non_null(mask);
            assert_true(mask->w > 20 && mask->h > 6 && mask->cover);
            assert_true(masks_bytes(masks) <= 20000);
            struct text_key hot = {FONT_TEXT, 14, 0, "hot", 3};
            assert_non_null(masks_get(masks, &hot));
        }
    }
    assert_int_equal(masks_drawn(masks), 3 * 3000 + 1); // the hot one never goes
    struct text_key large = {FONT_TEXT, 200, 0, "larger than everything", 22};
    assert_non_null(masks_get(masks, &large));
    struct text_key blank = {FONT_TEXT, 14, 0, "   ", 3};
    assert_int_equal(masks_get(masks, &blank)->w, 0);
    struct text_key turned = {FONT_TEXT, 14, 90, "hot", 3};
    assert_true(masks_get(masks, &turned)->h > masks_get(masks, &turned)->w);
    masks_destroy(masks);
    fonts_destroy(own);
}

static void draw_a_bit_of_everything(void)
{
    static const uint8_t rgba[8] = {200, 10, 60, 255, 0, 255, 90, 120};
    draw_fill(&list, rect_make(3.3f, 4.7f, 90, 60), 7, (struct color){255, 180, 84, 255});
    draw_frame(&list, rect_make(60, 50, 80, 70), 12, 1.5f,
               (struct color){9, 99, 200, 130});
    draw_image(&list, rect_make(20, 120, 33, 44), 2, 1, rgba, 200);
    draw_text(&list, FONT_BOLD, 17, 10, 40, 0, white, "é ∑ⱼαₜⱼ 0.123", -1);
    draw_text(&list, FONT_TEXT, 17, 60, 150, 40, white, "voudrais", -1);
}

// The same list on a surface of another kind and without a window: equal colours.
static void compare_on(SDL_Surface *surface, float scale)
{
    struct fonts *own = fonts_create(font_directory(), false, NULL);
    struct render *render = render_create(own, NULL);
    struct error err = {0};
    assert_non_null(surface);
    if (!render_paint(render, surface, &list, scale, black, &err))
        fail_msg("%s", err.text);
    float w = (float)surface->w / scale, h = (float)surface->h / scale;
    assert_true(offscreen_paint(screen, &list, w, h, scale, black, &err));
    int rgb_w = 0, rgb_h = 0;
    const unsigned char *rgb = offscreen_pixels(screen, &rgb_w, &rgb_h);
    assert_int_equal(rgb_w, surface->w);
    assert_int_equal(rgb_h, surface->h);
    for (int y = 0; y < rgb_h; y++) {
        for (int x = 0; x < rgb_w; x++) {
            uint32_t value = 0;
            unsigned char c[3];
            memcpy(&value,
                   (unsigned char *)surface->pixels + y * surface->pitch +
                       x * surface->format->BytesPerPixel,
                   surface->format->BytesPerPixel);
            SDL_GetRGB(value, surface->format, &c[0], &c[1], &c[2]);
            assert_memory_equal(c, rgb + 3 * (y * rgb_w + x), 3);
        }
    }
    render_destroy(render);
    fonts_destroy(own);
}

static void window_equals_offscreen(void **state)
{
    (void)state;
    draw_a_bit_of_everything();
    assert_int_equal(SDL_InitSubSystem(SDL_INIT_VIDEO), 0);
    SDL_Window *own = SDL_CreateWindow("t", 0, 0, 400, 300, 0);
    assert_non_null(own);
    compare_on(SDL_GetWindowSurface(own), 1);
    compare_on(SDL_GetWindowSurface(own), 2);
    compare_on(SDL_GetWindowSurface(own), 1.25f);
    SDL_DestroyWindow(own);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

static void other_layouts_equal_too(void **state)
{
    (void)state;
    static const Uint32 formats[] = {SDL_PIXELFORMAT_ABGR8888, SDL_PIXELFORMAT_BGRX8888,
                                     SDL_PIXELFORMAT_RGB24, SDL_PIXELFORMAT_XRGB8888};
    draw_a_bit_of_everything();
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        SDL_Surface *surface =
            SDL_CreateRGBSurfaceWithFormat(0, 200, 200, 32, formats[i]);
        compare_on(surface, 1);
        SDL_FreeSurface(surface);
    }
}

static void painting_twice_gives_the_same(void **state)
{
    (void)state;
    draw_a_bit_of_everything();
    static unsigned char first[3 * SIDE * SIDE];
    memcpy(first, paint(1), sizeof first);
    assert_memory_equal(first, paint(1), sizeof first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_CANVAS(edges_snap_to_pixels),
        ON_CANVAS(neighbours_leave_no_gap),
        ON_CANVAS(rounded_area_is_right),
        ON_CANVAS(corners_are_symmetric_and_smooth),
        ON_CANVAS(strokes_stay_inside),
        ON_CANVAS(opacity_blends),
        ON_CANVAS(text_blends),
        ON_CANVAS(clip_cuts_everything),
        ON_CANVAS(image_is_nearest),
        ON_CANVAS(text_turns_counter_clockwise),
        ON_CANVAS(text_stands_where_it_is_put),
        ON_CANVAS(long_text_equals_its_measure),
        ON_CANVAS(hostile_numbers_are_survived),
        ON_CANVAS(broken_lists_are_survived),
        ON_CANVAS(texts_are_drawn_once_and_evicted_in_turn),
        ON_CANVAS(window_equals_offscreen),
        ON_CANVAS(other_layouts_equal_too),
        ON_CANVAS(painting_twice_gives_the_same),
    };
    return cmocka_run_group_tests(tests, open_canvas, close_canvas);
}
