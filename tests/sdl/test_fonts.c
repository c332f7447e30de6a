// SPDX-License-Identifier: MIT
// Measuring and drawing text with the bundled faces only, so that every machine agrees.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "opened.h"
#include "sdl/faces.h"
#include "sdl/fallback.h"
#include "sdl/fonts.h"
#include "sdl/runs.h"

#include <SDL.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int width(enum font font, int px, const char *text)
{
    return fonts_width_px(fonts, font, px, text, strlen(text));
}

static uint32_t pixel(const SDL_Surface *surface, int x, int y)
{
    return ((const uint32_t *)surface->pixels)[y * (surface->pitch / 4) + x];
}

// Opaque enough to be seen.
static bool has_ink(const SDL_Surface *surface, int x, int y)
{
    return pixel(surface, x, y) >> 24 > 40;
}

static int ink_count(const SDL_Surface *surface, int x0, int x1)
{
    int count = 0;
    for (int y = 0; y < surface->h; y++)
        for (int x = x0; x < x1; x++)
            count += has_ink(surface, x, y);
    return count;
}

static void digits_have_one_width(void **state)
{
    (void)state;
    for (int font = 0; font < FONT_COUNT; font++) {
        for (int px = 8; px <= 60; px++) {
            int zero = width((enum font)font, px, "0.000");
            for (char digit = '1'; digit <= '9'; digit++) {
                char text[6] = {digit, '.', digit, digit, digit, 0};
                assert_int_equal(width((enum font)font, px, text), zero);
            }
            assert_int_equal(width((enum font)font, px, "+1.00"),
                             width((enum font)font, px, "−4.77"));
        }
    }
}

static void drawing_is_as_wide_as_measured(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "I",     "The black cat sleeps.", "é naïve", "∑ⱼ αₜⱼ v⊤",        "⏎",    "∞ −",
        "fjord", "مرحبا hello שלום 12",   "  a  ",   "\xf4\x8f\xbf\xbd", "Ǻ Ṩ ẫ"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int px = 9; px <= 52; px += 3) {
            int baseline = 0, measured = width(FONT_TEXT, px, texts[i]);
            SDL_Surface *surface =
                fonts_render(fonts, FONT_TEXT, px, texts[i], strlen(texts[i]), &baseline);
            assert_non_null(surface);
            assert_in_range(surface->w, measured, measured + 1 + px / 8);
            assert_in_range(baseline, px / 2, surface->h);
            assert_int_equal(
                ink_count(surface, measured + 2 < surface->w ? measured + 2 : surface->w,
                          surface->w),
                0);
            SDL_FreeSurface(surface);
        }
    }
}

static void width_grows_with_each_letter(void **state)
{
    (void)state;
    const char *text = "The black cat sleeps, doesn't it?";
    int last = 0;
    for (size_t n = 1; n <= strlen(text); n++) {
        int now = fonts_width_px(fonts, FONT_MEDIUM, 26, text, n);
        assert_true(now > last);
        last = now;
    }
    assert_int_equal(fonts_width_px(fonts, FONT_TEXT, 13, text, 0), 0);
}

// The texts of a frame do not drive each other out.
static void a_width_is_remembered(void **state)
{
    (void)state;
    long before = 0;
    for (int round = 0; round < 2; round++) {
        before = fonts_measured(fonts);
        for (int i = 0; i < 600; i++) {
            char text[16];
            snprintf(text, sizeof text, "%d.%02d%%", i % 7, i);
            width(FONT_TEXT, 13, text);
        }
    }
    assert_int_equal(fonts_measured(fonts), before);
}

// 'i' and 'k' differ in the bit in which the numbers of the fonts do.
static void fonts_share_no_width(void **state)
{
    (void)state;
    int thin = width(FONT_TEXT, 41, "iMMM");
    assert_true(width(FONT_BOLD, 41, "kMMM") > thin);
}

static void scale_divides_out(void **state)
{
    (void)state;
    const char *text = "Additive score";
    float one = fonts_width(fonts, FONT_TEXT, 14, 1, text, strlen(text));
    float two = fonts_width(fonts, FONT_TEXT, 14, 2, text, strlen(text));
    assert_true(one - two < 2 && two - one < 2);
    assert_true(fonts_width(fonts, FONT_TEXT, 14, 0, text, strlen(text)) > 0);
    volatile float zero = 0;
    assert_int_equal(fonts_px(zero / zero, 1), 1);
    assert_int_equal(fonts_px(1e30f, 5), FACES_MAX_PX);
}

static bool only_faces(struct faces *faces, const char *text, int first, int last)
{
    struct run runs[RUNS_MAX_BYTES];
    int count = runs_split(faces, FONT_TEXT, 16, text, strlen(text), runs);
    for (int i = 0; i < count; i++)
        if (runs[i].face < first || runs[i].face > last)
            return false;
    return count > 0;
}

static void bundled_faces_have_what_we_show(void **state)
{
    (void)state;
    struct faces *faces = faces_create(font_directory(), false, NULL);
    assert_non_null(faces);
    static const char *const texts[] = {"é naïve ça œuvre Größe ñ",
                                        "∑ⱼαₜⱼ",
                                        "v⊤",
                                        "vᵀ tanh(W s + U h)",
                                        "⏎ ␣ ▁ …",
                                        "∞ − ≤ ≥ ≈ √ ⊙ ∝",
                                        "τ σ λ Σ α",
                                        "← → ↑ ↓ ⏮ ⏭ ⏸ ◀ ▶",
                                        "“tasse” · – — ‘’",
                                        "✓ ✗ ⚠"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_true(only_faces(faces, texts[i], FONT_TEXT, FACE_SYMBOLS));
    assert_true(only_faces(faces, "The e\u0301te\u0301", FONT_TEXT, FONT_TEXT));
    assert_true(only_faces(faces, "⊤ᵀ∇", FACE_SYMBOLS, FACE_SYMBOLS));
    assert_true(only_faces(faces, "\xf4\x8f\xbf\xbd", FACE_BOX, FACE_BOX));
    faces_destroy(faces);
}

static void unknown_character_is_a_hollow_box(void **state)
{
    (void)state;
    int baseline = 0;
    SDL_Surface *box =
        fonts_render(fonts, FONT_TEXT, 32, "\xf4\x8f\xbf\xbd", 4, &baseline);
    assert_non_null(box);
    assert_int_equal(box->w, width(FONT_TEXT, 32, "\xf4\x8f\xbf\xbd"));
    assert_int_equal(baseline, box->h);
    int middle = box->w / 2, row = box->h / 2;
    assert_true(has_ink(box, middle, 0));
    assert_true(has_ink(box, middle, box->h - 1));
    assert_false(has_ink(box, middle, row));
    int edges = 0;
    for (int x = 1; x < box->w; x++)
        edges += has_ink(box, x, row) && !has_ink(box, x - 1, row);
    assert_int_equal(edges, 2);
    SDL_FreeSurface(box);
}

static void directions_are_found(void **state)
{
    (void)state;
    struct faces *faces = faces_create(font_directory(), false, NULL);
    struct run runs[RUNS_MAX_BYTES];
    const char *mixed = "ab مرحبا 12 cd";
    int count = runs_split(faces, FONT_TEXT, 16, mixed, strlen(mixed), runs);
    assert_true(count >= 3);
    assert_int_equal(runs[0].begin, 0);
    assert_false(runs[0].rtl);
    assert_int_equal(runs[count - 1].end, (int)strlen(mixed));
    const char *arabic = "مرحبا abc بكم";
    count = runs_split(faces, FONT_TEXT, 16, arabic, strlen(arabic), runs);
    assert_true(runs[0].rtl); // the last word stands first
    assert_int_equal(runs[0].end, (int)strlen(arabic));
    assert_true(runs[count - 1].rtl);
    assert_int_equal(runs[count - 1].begin, 0);
    assert_string_equal(runs[0].script, "Arab");
    assert_true(fonts_right_to_left(arabic, strlen(arabic)));
    assert_false(fonts_right_to_left(mixed, strlen(mixed)));
    assert_false(fonts_right_to_left("12 !", 4));
    faces_destroy(faces);
}

static void arabic_letters_join(void **state)
{
    (void)state;
    int apart = width(FONT_TEXT, 40, "ب") * 3;
    assert_true(width(FONT_TEXT, 40, "ببب") < apart * 9 / 10);
}

static void long_text_is_drawn_in_pieces(void **state)
{
    (void)state;
    static char text[4097];
    for (int i = 0; i < 4096; i++)
        text[i] = (char)(i % 7 == 6 ? ' ' : 'a' + i % 26);
    int baseline = 0, measured = fonts_width_px(fonts, FONT_TEXT, 52, text, 4096);
    assert_true(measured > 4096 * 15);
    SDL_Surface *surface = fonts_render(fonts, FONT_TEXT, 52, text, 4096, &baseline);
    assert_non_null(surface);
    assert_in_range(surface->w, measured - 52, measured + 52);
    assert_true(ink_count(surface, surface->w - 2000, surface->w) > 1000);
    SDL_FreeSurface(surface);
}

static void pieces_cover_the_text(void **state)
{
    (void)state;
    static char text[3000];
    const char *const fill[] = {"a ", "é", "注意", "e\u0301", "\u0301"};
    for (size_t f = 0; f < sizeof fill / sizeof fill[0]; f++) {
        size_t length = 0;
        while (length + strlen(fill[f]) < sizeof text) {
            memcpy(text + length, fill[f], strlen(fill[f]));
            length += strlen(fill[f]);
        }
        for (int px = 1; px <= FACES_MAX_PX; px += 73) {
            size_t at = 0, pieces = 0;
            while (at < length) {
                size_t end = fonts_piece(px, text, length, at);
                assert_true(end > at && end <= length);
                assert_true(end - at <= RUNS_MAX_BYTES);
                assert_true(end == length || ((unsigned char)text[end] & 0xC0) != 0x80);
                at = end;
                pieces++;
            }
            assert_true(pieces > 1);
        }
    }
}

static void bad_bytes_are_survived(void **state)
{
    (void)state;
    static const char bytes[] = "a\xff\xfe\xc3(\xed\xa0\x80 b\n\tc\0d";
    int baseline = 0;
    SDL_Surface *surface =
        fonts_render(fonts, FONT_TEXT, 16, bytes, sizeof bytes - 1, &baseline);
    assert_non_null(surface);
    assert_true(fonts_width_px(fonts, FONT_TEXT, 16, bytes, sizeof bytes - 1) > 16);
    SDL_FreeSurface(surface);
    assert_null(fonts_render(fonts, FONT_TEXT, 16, "", 0, &baseline));
}

static void stacked_marks_keep_the_baseline(void **state)
{
    (void)state;
    int plain_line = 0, tall_line = 0;
    SDL_Surface *plain = fonts_render(fonts, FONT_TEXT, 40, "H", 1, &plain_line);
    const char *marks = "HǺU\u0308\u0304";
    SDL_Surface *tall =
        fonts_render(fonts, FONT_TEXT, 40, marks, strlen(marks), &tall_line);
    assert_non_null(plain);
    assert_non_null(tall);
    // The foot of the H's left stem stands on the baseline in both.
    int stems = 0;
    for (int x = 0; x < plain->w / 2; x++) {
        if (!has_ink(plain, x, plain_line - 2))
            continue;
        stems++;
        assert_true(has_ink(tall, x, tall_line - 2));
        assert_false(has_ink(tall, x, tall_line + 1));
    }
    assert_true(stems > 1);
    assert_true(tall_line > plain_line);
    SDL_FreeSurface(plain);
    SDL_FreeSurface(tall);
}

static void missing_directory_is_an_error(void **state)
{
    (void)state;
    struct error err = {0};
    assert_null(fonts_create("/nowhere/at/all", false, &err));
    assert_non_null(strstr(err.text, "/nowhere/at/all"));
    fonts_destroy(NULL);
}

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

// A system whose only fonts are the bundled ones.
static void system_fonts_are_found(void **state)
{
    (void)state;
    char directory[] = "/tmp/alphascope-fonts-XXXXXX", path[128];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/fonts.conf", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "<fontconfig><dir>%s</dir><cachedir>%s/cache</cachedir></fontconfig>",
            font_directory(), directory);
    assert_int_equal(fclose(file), 0);
    setenv("FONTCONFIG_FILE", path, 1);
    struct fallback *fallback = fallback_create();
    struct fallback_font found = {0};
    const int32_t tack[] = {0x22A4, 'v'}, nobody[] = {'v', 0x10FFFD};
    assert_true(fallback_find(fallback, tack, 2, false, &found));
    assert_non_null(strstr(found.path, "DejaVuSans.ttf"));
    assert_false(found.bitmap);
    assert_false(fallback_find(fallback, tack, 2, true, &found)); // none in colour
    assert_false(fallback_find(fallback, nobody, 2, false, &found));
    fallback_destroy(fallback);
    struct faces *faces = faces_create(font_directory(), true, NULL);
    for (int i = 0; i < 3; i++) {
        assert_true(only_faces(faces, "\xf4\x8f\xbf\xbd", FACE_BOX, FACE_BOX));
        assert_true(only_faces(faces, "注", FACE_BOX, FACE_BOX));
        assert_true(only_faces(faces, "😀", FACE_SYMBOLS, FACE_SYMBOLS));
    }
    faces_destroy(faces);
    unsetenv("FONTCONFIG_FILE");
    assert_int_equal(nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void many_sizes_are_evicted_in_turn(void **state)
{
    (void)state;
    int first = width(FONT_BOLD, 10, "evict");
    for (int px = 5; px < 205; px++)
        assert_true(width(FONT_BOLD, px, "evict me") > 0);
    assert_int_equal(width(FONT_BOLD, 10, "evict"), first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_have_one_width),
        cmocka_unit_test(drawing_is_as_wide_as_measured),
        cmocka_unit_test(width_grows_with_each_letter),
        cmocka_unit_test(a_width_is_remembered),
        cmocka_unit_test(fonts_share_no_width),
        cmocka_unit_test(scale_divides_out),
        cmocka_unit_test(bundled_faces_have_what_we_show),
        cmocka_unit_test(unknown_character_is_a_hollow_box),
        cmocka_unit_test(directions_are_found),
        cmocka_unit_test(arabic_letters_join),
        cmocka_unit_test(long_text_is_drawn_in_pieces),
        cmocka_unit_test(pieces_cover_the_text),
        cmocka_unit_test(bad_bytes_are_survived),
        cmocka_unit_test(stacked_marks_keep_the_baseline),
        cmocka_unit_test(missing_directory_is_an_error),
        cmocka_unit_test(system_fonts_are_found),
        cmocka_unit_test(many_sizes_are_evicted_in_turn),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
