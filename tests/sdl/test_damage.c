// SPDX-License-Identifier: MIT
// Painting only what differs gives the picture that painting all of it gives, and writes
// little where little differs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sdl/damage.h"
#include "sdl/render.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 230, HEIGHT = 170, PIECES = 24, STEPS = 120 };

static struct fonts *fonts;
static struct render *render, *fresh;
static struct draw_list list;
static const struct color black = {0, 0, 0, 255}, white = {255, 255, 255, 255};
static unsigned seed;

static int set_up(void **state)
{
    (void)state;
    char path[4096];
    const char *data = getenv("ALPHASCOPE_DATA");
    snprintf(path, sizeof path, "%s/assets/fonts", data ? data : ALPHASCOPE_SOURCE);
    fonts = fonts_create(path, false, NULL);
    render = fonts ? render_create(fonts, NULL) : NULL;
    fresh = fonts ? render_create(fonts, NULL) : NULL;
    return render && fresh && draw_init(&list, 4096, 1 << 20) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    render_destroy(render);
    render_destroy(fresh);
    fonts_destroy(fonts);
    draw_finish(&list);
    return 0;
}

static SDL_Surface *new_surface(void)
{
    SDL_Surface *surface =
        SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
    assert_non_null(surface);
    return surface;
}

static void paint(struct render *with, SDL_Surface *surface, float scale,
                  struct color ground)
{
    struct error err;
    if (!render_paint(with, surface, &list, scale, ground, &err))
        fail_msg("%s", err.text);
}

// The surface, painted over what stood there, against a new one.
static void assert_whole(SDL_Surface *surface, float scale, struct color ground)
{
    SDL_Surface *other = new_surface();
    paint(fresh, other, scale, ground);
    for (int y = 0; y < HEIGHT; y++)
        assert_memory_equal((uint8_t *)surface->pixels + y * surface->pitch,
                            (uint8_t *)other->pixels + y * other->pitch, 4 * WIDTH);
    SDL_FreeSurface(other);
}

static long changed_pixels(void)
{
    const struct box *boxes = NULL;
    int count = render_changed(render, &boxes);
    long pixels = 0;
    for (int i = 0; i < count; i++)
        pixels += (long)(boxes[i].x1 - boxes[i].x0) * (boxes[i].y1 - boxes[i].y0);
    return pixels;
}

static unsigned roll(unsigned sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

// One of everything that a list can hold, sometimes outside of the picture.
static void draw_piece(unsigned what)
{
    static const char *const texts[] = {"é ∑ⱼαₜⱼ", "the", "0.123", "voudrais", "شكرا"};
    unsigned keep = seed;
    seed = what;
    struct rect at = rect_make((float)roll(260) - 20, (float)roll(200) - 20,
                               (float)roll(90) + 0.3f, (float)roll(60) + 0.6f);
    struct color color = {(uint8_t)roll(256), (uint8_t)roll(256), (uint8_t)roll(256),
                          roll(2) ? 255 : (uint8_t)roll(256)};
    uint8_t rgba[16];
    for (int i = 0; i < 16; i++)
        rgba[i] = roll(3) ? 255 : (uint8_t)roll(256);
    switch (roll(8)) {
    case 0:
        draw_fill(&list, at, (float)roll(12), color);
        break;
    case 1:
        draw_frame(&list, at, (float)roll(9), 1 + (float)roll(3), color);
        break;
    case 2:
        draw_image(&list, at, 2, 2, rgba, roll(2) ? 255 : (uint8_t)roll(256));
        break;
    case 3:
        draw_clip(&list, roll(2) ? rect_make(0, 0, -1, 0) : at);
        break;
    case 4:
        draw_ribbon(&list, at, (float)roll(90) - 20, (float)roll(90) - 20,
                    (float)roll(9) + 0.4f, color);
        break;
    case 5:
        draw_stroke(&list, at.x, at.y, at.x + (float)roll(90) - 40,
                    at.y + (float)roll(60), (float)roll(5) + 0.4f, color);
        break;
    default:
        draw_text(&list, (enum font)roll(FONT_COUNT), 9 + (float)roll(20), at.x, at.y,
                  roll(3) ? 0 : 35, color, texts[roll(5)], -1);
    }
    seed = keep;
}

static void what_differs_is_enough(void **state)
{
    (void)state;
    SDL_Surface *surface = new_surface();
    unsigned pieces[PIECES];
    seed = 7;
    for (int i = 0; i < PIECES; i++)
        pieces[i] = roll(1u << 20);
    for (int step = 0; step < STEPS; step++) {
        float scale = step < STEPS / 2 ? 1 : 1.25f;
        unsigned *piece = &pieces[roll(PIECES - 1)], before = *piece;
        *piece = step % 10 == 9 ? piece[1] : roll(1u << 20);
        if (step % 10 == 9) // the order alone
            piece[1] = before;
        draw_reset(&list);
        for (int i = 0; i < PIECES; i++)
            draw_piece(pieces[i]);
        paint(render, surface, scale, black);
        assert_whole(surface, scale, black);
    }
    SDL_FreeSurface(surface);
}

static void write_word(const char *word)
{
    draw_reset(&list);
    draw_fill(&list, rect_make(4, 4, 200, 140), 8, (struct color){40, 50, 60, 255});
    draw_text(&list, FONT_TEXT, 14, 20, 100, 0, white, "stays", -1);
    draw_text(&list, FONT_TEXT, 14, 20, 30, 0, white, word, -1);
}

static void a_letter_changes_little(void **state)
{
    (void)state;
    SDL_Surface *surface = new_surface();
    write_word("wor");
    paint(render, surface, 1, black);
    assert_int_equal(changed_pixels(), WIDTH * HEIGHT);
    paint(render, surface, 1, black);
    assert_int_equal(changed_pixels(), 0);
    write_word("word");
    paint(render, surface, 1, black);
    assert_true(changed_pixels() > 0 && changed_pixels() <= WIDTH * HEIGHT / 8);
    assert_whole(surface, 1, black);
    paint(render, surface, 1, white); // another ground is another picture
    assert_int_equal(changed_pixels(), WIDTH * HEIGHT);
    assert_whole(surface, 1, white);
    SDL_FreeSurface(surface);
}

// Of a band that leans, no more than where its ends stand.
static void a_ribbon_changes_its_own_columns(void **state)
{
    (void)state;
    SDL_Surface *surface = new_surface();
    for (int step = 0; step < 3; step++) {
        draw_reset(&list);
        draw_fill(&list, rect_make(0, 0, WIDTH, HEIGHT), 0,
                  (struct color){40, 50, 60, 255});
        draw_ribbon(&list, rect_make(40, 0, 10, HEIGHT), 0, step == 1 ? 20 : 12, 8,
                    step == 2 ? black : white);
        paint(render, surface, 1, black);
        assert_whole(surface, 1, black);
        if (step)
            assert_in_range(changed_pixels(), 1, 64 * HEIGHT);
    }
    SDL_FreeSurface(surface);
}

static void hostile_ribbons_are_painted_alike(void **state)
{
    (void)state;
    static const float ends[] = {-3e38f, 3e38f, 1e7f, -40, 12, NAN, INFINITY};
    enum { ENDS = sizeof ends / sizeof ends[0] };
    SDL_Surface *surface = new_surface();
    for (int i = 0; i < ENDS * ENDS; i++) {
        draw_reset(&list);
        draw_fill(&list, rect_make(0, 0, WIDTH, HEIGHT), 0,
                  (struct color){40, 50, 60, 255});
        draw_ribbon(&list, rect_make(40, 20, 10, 60), ends[i / ENDS], ends[i % ENDS], 8,
                    white);
        paint(render, surface, 1, black);
        assert_whole(surface, 1, black);
    }
    SDL_FreeSurface(surface);
}

// Ink is where it is, however far from the line: here below it, as bundled faces pile
// only dots. What is painted beside its end has it too.
static void ink_far_from_its_line_is_painted(void **state)
{
    (void)state;
    enum { DOTS = 32, PX = 20 };
    char text[2 + 2 * DOTS + 1] = "д";
    int baseline = 0;
    for (int i = 0; i < DOTS; i++)
        memcpy(text + 2 + 2 * i, "\u0323", 3);
    SDL_Surface *drawn =
        fonts_render(fonts, FONT_TEXT, PX, text, strlen(text), &baseline);
    assert_non_null(drawn);
    int below = drawn->h - baseline;
    assert_true(below > 3 * PX + drawn->w && below + PX < HEIGHT);
    SDL_FreeSurface(drawn);
    SDL_Surface *surface = new_surface();
    for (int step = 0; step < 3; step++) {
        draw_reset(&list);
        draw_text(&list, FONT_TEXT, PX, 40, PX, 0, white, text, -1);
        draw_fill(&list, rect_make(40, (float)(below + PX - 4 + step), 2, 1), 0, white);
        paint(render, surface, 1, black);
        assert_whole(surface, 1, black);
    }
    assert_in_range(changed_pixels(), 1, 2 * 32 * 32);
    SDL_FreeSurface(surface);
}

struct ink {
    struct box box;
    uint64_t hash;
};

// The boxes of a picture of 100 by 100 pixels that has this ink, after another.
static int boxes_of(struct damage *damage, const struct ink *before,
                    const struct ink *after)
{
    const struct ink *const pictures[] = {before, after};
    int count = 0;
    for (int i = 0; i < 2; i++) {
        assert_true(damage_begin(damage, 100, 100, 1));
        damage_add(damage, (struct box){4, 60, 20, 80}, 99); // stays
        damage_add(damage, pictures[i]->box, pictures[i]->hash);
        count = damage_end(damage);
    }
    return count;
}

// A line of text 40 to 60 whose accents reach up to 10 and whose tails down to 70: tiles
// are as ink goes, not as lines do.
static void ink_changes_the_tiles_that_it_reaches(void **state)
{
    (void)state;
    static const struct {
        struct ink before, after;
        struct box want;
    } cases[] = {
        {{{40, 40, 60, 60}, 5}, {{40, 10, 60, 60}, 6}, {32, 0, 64, 64}},
        {{{40, 10, 60, 70}, 5}, {{40, 10, 60, 70}, 6}, {32, 0, 64, 96}},
        {{{40, 31, 60, 60}, 5}, {{40, 31, 60, 60}, 6}, {32, 0, 64, 64}},
        {{{40, 32, 60, 64}, 5}, {{40, 32, 60, 64}, 6}, {32, 32, 64, 64}},
        {{{40, 32, 60, 65}, 5}, {{40, 32, 60, 60}, 5}, {32, 64, 64, 96}},
        {{{31, 40, 65, 60}, 5}, {{31, 40, 65, 60}, 6}, {0, 32, 96, 64}},
        {{{90, 90, 100, 100}, 5}, {{90, 90, 100, 100}, 6}, {64, 64, 100, 100}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct damage damage = {0};
        assert_int_equal(boxes_of(&damage, &cases[i].before, &cases[i].after), 1);
        assert_memory_equal(damage.boxes, &cases[i].want, sizeof cases[i].want);
        damage_finish(&damage);
    }
}

static void another_surface_is_painted_whole(void **state)
{
    (void)state;
    SDL_Surface *one = new_surface(), *two = new_surface();
    write_word("one");
    draw_fill(&list, rect_make(120, 120, 40, 40), 0, white);
    paint(render, one, 1, black);
    write_word("two");
    paint(render, two, 1, black);
    assert_whole(two, 1, black);
    write_word("three");
    paint(render, one, 1, black);
    assert_whole(one, 1, black);
    paint(fresh, one, 1, white); // somebody else's picture
    paint(render, one, 1, black);
    assert_whole(one, 1, black);
    SDL_FreeSurface(one);
    one = new_surface(); // often at the same place
    paint(render, one, 1, black);
    assert_int_equal(changed_pixels(), WIDTH * HEIGHT);
    assert_whole(one, 1, black);
    SDL_FreeSurface(one);
    SDL_FreeSurface(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_differs_is_enough),
        cmocka_unit_test(a_letter_changes_little),
        cmocka_unit_test(a_ribbon_changes_its_own_columns),
        cmocka_unit_test(hostile_ribbons_are_painted_alike),
        cmocka_unit_test(ink_far_from_its_line_is_painted),
        cmocka_unit_test(ink_changes_the_tiles_that_it_reaches),
        cmocka_unit_test(another_surface_is_painted_whole),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
