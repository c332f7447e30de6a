// SPDX-License-Identifier: MIT
// Vectors beside pixels: the same list, painted by the renderer and through cairo, must
// look alike; the files hold text as text, nothing of the day, and are the same twice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "paper/numbers.h"
#include "paper/vector.h"
#include "sdl/offscreen.h"

enum { W = 320, H = 200 };

static const struct color ink = {20, 30, 40, 255}, ground = {250, 248, 244, 255},
                          red = {200, 40, 30, 255}, faint = {20, 80, 200, 90};
static struct offscreen *offscreen;
static struct paper *paper;
static struct draw_list list;

static int set_up(void **state)
{
    (void)state;
    const char *fonts = ALPHASCOPE_TESTS "/../assets/fonts";
    struct error err;
    offscreen = offscreen_create(fonts, false, &err);
    paper = paper_create(fonts, false, &err);
    return offscreen && paper && draw_init(&list, 4096, 1 << 20) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    draw_finish(&list);
    paper_destroy(paper);
    offscreen_destroy(offscreen);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    draw_reset(&list);
    return 0;
}

static struct sheet sheet_of(float scale)
{
    return (struct sheet){&list, W / scale, H / scale, scale, ground};
}

static void text(const char *words, float x, float y, float angle, struct color color)
{
    draw_text(&list, FONT_TEXT, 15, x, y, angle, color, words, -1);
}

struct difference {
    double mean; // of 255
    int far;     // pixels with a channel more than 80 away
};

enum { FINE = 4 }; // cairo's own pixels: it puts letters on whole ones

// The mean of the fine pixels of one, a channel at a time; how far from rgb.
static int apart_at(cairo_surface_t *surface, int x, int y, const unsigned char *rgb)
{
    const unsigned char *data = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    int sums[3] = {0}, most = 0;
    for (int i = 0; i < FINE * FINE; i++) {
        uint32_t pixel;
        memcpy(&pixel,
               data + (size_t)(y * FINE + i / FINE) * stride +
                   4 * (size_t)(x * FINE + i % FINE),
               4);
        for (int c = 0; c < 3; c++)
            sums[c] += (int)(pixel >> (16 - 8 * c) & 255);
    }
    for (int c = 0; c < 3; c++) {
        int d = abs(sums[c] / (FINE * FINE) - rgb[c]);
        most = d > most ? d : most;
    }
    return most;
}

// The list through both ways, pixel by pixel.
static struct difference compare(float scale)
{
    struct sheet sheet = sheet_of(scale);
    struct error err;
    struct difference apart = {0};
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, W * FINE, H * FINE);
    cairo_t *cairo = cairo_create(surface);
    cairo_scale(cairo, FINE, FINE);
    if (!vector_paint(offscreen_fonts(offscreen), &sheet, cairo, &err) ||
        !offscreen_paint(offscreen, &list, sheet.width, sheet.height, scale, ground,
                         &err))
        fail_msg("%s", err.text);
    cairo_surface_flush(surface);
    int w = 0, h = 0;
    const unsigned char *rgb = offscreen_pixels(offscreen, &w, &h);
    assert_int_equal(w, W);
    assert_int_equal(h, H);
    for (int i = 0; i < W * H; i++) {
        int d = apart_at(surface, i % W, i / W, rgb + 3 * (size_t)i);
        apart.mean += (double)d / (W * H);
        apart.far += d > 80;
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return apart;
}

static void shapes_lie_where_the_pixels_are(void **state)
{
    (void)state;
    draw_fill(&list, rect_make(10.4f, 10.6f, 50.3f, 30.2f), 0, red);
    draw_fill(&list, rect_make(60.7f, 10.6f, 50.3f, 30.2f), 0, faint);
    draw_fill(&list, rect_make(120, 10, 0.2f, 100), 0, ink); // keeps one pixel
    draw_frame(&list, rect_make(10, 60, 60, 40), 0, 1, ink);
    draw_frame(&list, rect_make(80, 60, 30, 30), 0, 2.4f, ink);
    draw_fill(&list, rect_make(1e9f, -1e9f, 1e9f, 2e9f), 0, red);
    draw_clip(&list, rect_make(140, 20, 30.5f, 30.5f));
    draw_fill(&list, rect_make(120, 10, 100, 100), 0, red);
    draw_clip(&list, rect_make(0, 0, -1, -1));
    draw_fill(&list, rect_make(200, 150, 20, 20), 0, ink);
    struct difference one = compare(1), more = compare(1.3f);
    assert_true(one.mean < 0.05 && one.far == 0); // translucent ink rounds by one
    assert_true(more.mean < 0.05 && more.far == 0);
}

static void ribbons_bend_alike(void **state)
{
    (void)state;
    draw_clip(&list, rect_make(20, 10, 200, 120));
    draw_ribbon(&list, rect_make(20, 10, 200, 120), 30, 150, 24, red);
    draw_ribbon(&list, rect_make(20, 10, 200, 120), 180, -10, 9.5f, faint);
    draw_ribbon(&list, rect_make(20, 10, 200, 120), 90, 90, 0.4f, ink);
    draw_clip(&list, rect_make(0, 0, -1, -1));
    struct difference one = compare(1), more = compare(1.3f);
    assert_true(one.mean < 0.25 && one.far == 0);
    assert_true(more.mean < 0.25 && more.far == 0);
}

static void strokes_lie_alike(void **state)
{
    (void)state;
    draw_stroke(&list, 20, 20, 200, 130, 3, red);
    draw_stroke(&list, 220, 30, 30, 60.5f, 1.5f, ink);
    draw_stroke(&list, 100, 10, 100, 140, 5, faint);
    draw_stroke(&list, 10, 145, 210, 145, 2, ink);
    struct difference one = compare(1), more = compare(1.3f);
    assert_true(one.mean < 0.25 && one.far == 0);
    assert_true(more.mean < 0.25 && more.far == 0);
}

static void corners_are_round_alike(void **state)
{
    (void)state;
    draw_fill(&list, rect_make(10, 10, 60, 40), 8, red);
    draw_fill(&list, rect_make(90, 10, 20, 60), 50, ink); // at most half a side
    draw_frame(&list, rect_make(130, 10, 60, 40), 10, 2, ink);
    draw_frame(&list, rect_make(210, 10, 16, 16), 3, 20, red); // thicker than itself
    struct difference apart = compare(1);
    assert_true(apart.mean > 0 && apart.mean < 0.08);
    assert_int_equal(apart.far, 0);
}

static void images_are_not_smoothed(void **state)
{
    (void)state;
    static const uint8_t checks[] = {255, 0, 0,   255, 0,   0, 255, 255,
                                     0,   0, 255, 255, 255, 0, 0,   255},
                         glass[] = {255, 0, 0, 100, 0, 0, 255, 200};
    draw_image(&list, rect_make(10, 10, 100, 60), 2, 2, checks, 255);
    draw_image(&list, rect_make(130, 10, 100, 60), 2, 1, glass, 128);
    draw_image(&list, rect_make(10, 100, 40, 20), 2, 1, checks, 255);     // one under the
    draw_image(&list, rect_make(10, 120, 40, 20), 2, 1, checks + 8, 255); // other
    struct difference apart = compare(1);
    assert_true(apart.mean < 0.5 && apart.far == 0);
}

static void text_stands_where_the_pixels_are(void **state)
{
    (void)state;
    text("voudrais 0.58 AVAT, fi", 10.3f, 30.6f, 0, ink);
    text("coffee", 30, 120, 45, red);
    text("upright", 100, 150, 90, ink);
    text("⏎ ▁ α τ Ωж", 120, 60, 0, ink); // two faces
    text("a نص b", 120, 90, 0, ink);
    text("日", 200, 120, 30, red); // a box: no bundled font has it
    draw_text(&list, FONT_BOLD, 20, 120, 180, 0, ink, "Bold 117", -1);
    struct difference one = compare(1), half = compare(1.5f);
    assert_true(one.mean > 0 && one.mean < 0.6);
    assert_true(half.mean < 0.8);
    // Hinting and two ways to smooth a letter, but no letter in another place.
    assert_true(one.far < 40 && half.far < 40);
}

static void the_comparison_sees_a_letter_that_moved(void **state)
{
    (void)state;
    text("voudrais", 10, 30, 0, ink);
    int far = compare(1).far; // paints the pixels last
    int w = 0, h = 0, moved = 0;
    unsigned char *before = malloc(3 * W * H);
    assert_non_null(before);
    memcpy(before, offscreen_pixels(offscreen, &w, &h), 3 * W * H);
    list.cmds[0].rect.x += 1;
    compare(1);
    const unsigned char *after = offscreen_pixels(offscreen, &w, &h);
    for (int i = 0; i < 3 * W * H; i++)
        moved += abs(before[i] - after[i]) > 80;
    assert_true(moved > 50 && far * 10 < moved);
    free(before);
}

static void write(enum sheet_kind kind, struct buf *out)
{
    struct error err;
    struct sheet sheet = sheet_of(1);
    buf_init(out, 8 << 20);
    if (!paper_write(paper, kind, &sheet, out, &err))
        fail_msg("%s", err.text);
}

static void the_same_list_gives_the_same_bytes(void **state)
{
    (void)state;
    text("coffee 日 日", 30, 120, 45, red);
    draw_fill(&list, rect_make(10, 10, 60, 40), 8, red);
    for (int kind = 0; kind < SHEET_KINDS; kind++) {
        struct buf one, two;
        write((enum sheet_kind)kind, &one);
        write((enum sheet_kind)kind, &two);
        assert_int_equal(one.length, two.length);
        assert_memory_equal(one.data, two.data, one.length);
        buf_finish(&one);
        buf_finish(&two);
    }
}

static int count(const struct buf *out, const char *word)
{
    int found = 0;
    size_t length = strlen(word), left = out->length;
    const char *at = out->data;
    while ((at = memmem(at, left, word, length)) != NULL) {
        found++;
        at += length;
        left = out->length - (size_t)(at - out->data);
    }
    return found;
}

static void a_pdf_holds_its_fonts_and_no_date_of_today(void **state)
{
    (void)state;
    struct buf out;
    text("coffee ⏎", 30, 120, 45, red);
    write(SHEET_PDF, &out);
    assert_memory_equal(out.data, "%PDF-", 5);
    assert_true(count(&out, "+Inter-Regular") > 0);
    assert_true(count(&out, "/ToUnicode") > 0);
    assert_true(count(&out, "/FontFile") > 0);
    assert_int_equal(count(&out, "Date"), count(&out, "/CreationDate (20000101000000Z)"));
    assert_int_equal(count(&out, "/Subtype /Image"), 0);
    assert_true(count(&out, "/MediaBox [ 0 0 240 150 ]") == 1); // points
    buf_finish(&out);
}

static void an_svg_is_vectors_of_its_size(void **state)
{
    (void)state;
    struct buf out;
    text("coffee", 30, 120, 45, red);
    write(SHEET_SVG, &out);
    assert_true(count(&out, "width=\"320px\" height=\"200px\"") == 1);
    assert_int_equal(count(&out, "<use xlink:href=\"#glyph"), 6);
    assert_int_equal(count(&out, "<image"), 0);
    buf_finish(&out);
}

static void ids_are_counted_anew(void **state)
{
    (void)state;
    struct buf svg;
    buf_init(&svg, 1000);
    buf_add(&svg, "before \"image9\"|");
    size_t from = svg.length;
    buf_add(&svg, "<image id=\"image19\"/><g id=\"surface7\" x=\"image\"><use "
                  "href=\"#image19\"/><use href=\"#image25\"/>\"source-7\" image19 "
                  "\"glyph3-1\"");
    assert_true(numbers_anew(&svg, from));
    assert_string_equal(svg.data,
                        "before \"image9\"|<image id=\"image1\"/><g id=\"surface2\" "
                        "x=\"image\"><use href=\"#image1\"/><use href=\"#image3\"/>"
                        "\"source-2\" image19 \"glyph3-1\"");
    buf_finish(&svg);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct error err = {0};
    struct buf out;
    text("coffee", 30, 120, 45, red);
    for (int kind = 0; kind < SHEET_KINDS; kind++) {
        struct sheet sheet = sheet_of(1);
        buf_init(&out, 100);
        assert_false(paper_write(paper, (enum sheet_kind)kind, &sheet, &out, &err));
        assert_int_equal(err.code, ERR_NOMEM);
        buf_finish(&out);
        buf_init(&out, 1 << 20);
        sheet.width = 1e6f;
        assert_false(paper_write(paper, (enum sheet_kind)kind, &sheet, &out, &err));
        assert_int_equal(err.code, ERR_LIMIT);
        sheet = sheet_of(1);
        list.dropped = 3;
        assert_false(paper_write(paper, (enum sheet_kind)kind, &sheet, &out, &err));
        assert_int_equal(err.code, ERR_LIMIT);
        list.dropped = 0;
        buf_finish(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(shapes_lie_where_the_pixels_are, clear),
        cmocka_unit_test_setup(ribbons_bend_alike, clear),
        cmocka_unit_test_setup(strokes_lie_alike, clear),
        cmocka_unit_test_setup(corners_are_round_alike, clear),
        cmocka_unit_test_setup(images_are_not_smoothed, clear),
        cmocka_unit_test_setup(text_stands_where_the_pixels_are, clear),
        cmocka_unit_test_setup(the_comparison_sees_a_letter_that_moved, clear),
        cmocka_unit_test_setup(the_same_list_gives_the_same_bytes, clear),
        cmocka_unit_test_setup(a_pdf_holds_its_fonts_and_no_date_of_today, clear),
        cmocka_unit_test_setup(an_svg_is_vectors_of_its_size, clear),
        cmocka_unit_test(ids_are_counted_anew),
        cmocka_unit_test_setup(what_does_not_fit_is_refused, clear),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
