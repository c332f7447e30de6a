// SPDX-License-Identifier: MIT
// PNG there and back, the same bytes each time, and every kind of damaged file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "sdl/offscreen.h"
#include "sdl/png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { W = 37, H = 21 };

static char directory[] = "/tmp/alphascope-png-XXXXXX";
static unsigned char picture[3 * W * H];

static int set_up(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (size_t i = 0; i < sizeof picture; i++) {
        seed = seed * 1664525u + 1013904223u;
        picture[i] = (unsigned char)(seed >> 24);
    }
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(directory);
}

static bool read_bytes(const void *bytes, size_t size, unsigned char **rgb, int *w,
                       int *h, struct error *err)
{
    char path[256];
    snprintf(path, sizeof path, "%s/a.png", directory);
    assert_true(file_write(path, bytes, size, err));
    bool ok = png_read(path, rgb, w, h, err);
    unlink(path);
    return ok;
}

static struct buf written(void)
{
    struct buf out;
    struct error err = {0};
    buf_init(&out, 1 << 20);
    if (!png_write(picture, W, H, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

static void round_trip(void **state)
{
    (void)state;
    struct buf png = written();
    unsigned char *rgb = NULL;
    int w = 0, h = 0;
    struct error err = {0};
    if (!read_bytes(png.data, png.length, &rgb, &w, &h, &err))
        fail_msg("%s", err.text);
    assert_int_equal(w, W);
    assert_int_equal(h, H);
    assert_memory_equal(rgb, picture, sizeof picture);
    free(rgb);
    buf_finish(&png);
}

static void same_pixels_same_bytes(void **state)
{
    (void)state;
    struct buf one = written(), two = written();
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.data, two.data, one.length);
    for (size_t i = 0; i + 4 <= one.length; i++)
        assert_true(memcmp(one.data + i, "tIME", 4) != 0);
    buf_finish(&one);
    buf_finish(&two);
}

static void every_cut_is_refused(void **state)
{
    (void)state;
    struct buf png = written();
    for (size_t size = 0; size + 16 < png.length; size += size < 100 ? 1 : 37) {
        unsigned char *rgb = NULL;
        int w = 0, h = 0;
        struct error err = {0};
        assert_false(read_bytes(png.data, size, &rgb, &w, &h, &err));
        assert_null(rgb);
        assert_true(strlen(err.text) > 10);
    }
    buf_finish(&png);
}

static void every_flipped_byte_is_survived(void **state)
{
    (void)state;
    struct buf png = written();
    int refused = 0;
    for (size_t i = 0; i < png.length; i += i < 80 ? 1 : 13) {
        unsigned char *rgb = NULL;
        int w = 0, h = 0;
        struct error err = {0};
        png.data[i] = (char)~png.data[i];
        if (read_bytes(png.data, png.length, &rgb, &w, &h, &err))
            free(rgb);
        else
            refused++;
        png.data[i] = (char)~png.data[i];
    }
    assert_true(refused > 40);
    buf_finish(&png);
}

static void sizes_are_limited(void **state)
{
    (void)state;
    // A header that promises 60000 x 60000 pixels, with its right checksum.
    static const unsigned char huge[] = {
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D,
        0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0xEA, 0x60, 0x00, 0x00, 0xEA, 0x60,
        0x08, 0x02, 0x00, 0x00, 0x00, 0x0F, 0xB0, 0xE2, 0x15, 0x00, 0x00, 0x00,
        0x00, 0x49, 0x44, 0x41, 0x54, 0x35, 0xAF, 0x06, 0x1E};
    unsigned char *rgb = NULL;
    int w = 0, h = 0;
    struct error err = {0};
    assert_false(read_bytes(huge, sizeof huge, &rgb, &w, &h, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "60000x60000"));
    struct buf out;
    buf_init(&out, 1 << 20);
    assert_false(png_write(picture, 60000, 60000, &out, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "60000"));
    assert_false(png_write(picture, 0, 5, &out, &err));
    assert_false(png_write(picture, 5, -1, &out, &err));
    assert_int_equal(out.length, 0);
    buf_finish(&out);
}

static void full_buffer_is_an_error(void **state)
{
    (void)state;
    for (size_t room = 1; room < 2000; room += 111) {
        struct buf out;
        struct error err = {0};
        buf_init(&out, room);
        assert_false(png_write(picture, W, H, &out, &err));
        assert_int_equal(err.code, ERR_NOMEM);
        buf_finish(&out);
    }
}

static void missing_file_is_an_error(void **state)
{
    (void)state;
    unsigned char *rgb = NULL;
    int w = 0, h = 0;
    struct error err = {0};
    assert_false(png_read("/nowhere/a.png", &rgb, &w, &h, &err));
    assert_non_null(strstr(err.text, "/nowhere/a.png"));
    assert_false(png_read("/", &rgb, &w, &h, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(same_pixels_same_bytes),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(every_flipped_byte_is_survived),
        cmocka_unit_test(sizes_are_limited),
        cmocka_unit_test(full_buffer_is_an_error),
        cmocka_unit_test(missing_file_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
