// SPDX-License-Identifier: MIT
// The window on SDL's dummy driver: waiting and waking, the clipboard, its picture.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "opened.h"
#include "sdl/offscreen.h"

#include <SDL.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void nothing_is_a_timeout(void **state)
{
    (void)state;
    assert_false(window_wait(window, &input, 0));
    assert_false(window_wait(window, &input, 5));
    assert_int_equal((int)input.width, 800);
    assert_int_equal((int)input.height, 600);
    assert_true(input.x < -1e5f);
    window_set_scale(window, 2);
    assert_false(window_wait(window, &input, 0));
    assert_int_equal((int)input.width, 400);
    assert_int_equal((int)input.scale, 2);
}

static void *wake(void *context)
{
    window_wake(context);
    return NULL;
}

static void another_thread_wakes(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, wake, window), 0);
        assert_true(window_wait(window, &input, -1));
        assert_true(input.wake);
        pthread_join(thread, NULL);
    }
    for (int i = 0; i < 1000; i++)
        window_wake(window);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.wake);
    assert_false(window_wait(window, &input, 0)); // a thousand wake-ups are one
    assert_false(input.wake);
}

static void window_events_are_told(void **state)
{
    (void)state;
    push_window(SDL_WINDOWEVENT_SIZE_CHANGED);
    push_window(SDL_WINDOWEVENT_EXPOSED);
    push_window(SDL_WINDOWEVENT_FOCUS_GAINED);
    SDL_Event quit = {.type = SDL_QUIT};
    SDL_PushEvent(&quit);
    assert_true(window_wait(window, &input, 0));
    assert_true(input.resized && input.exposed && input.focus_gained && input.quit);
}

static void clipboard_goes_round(void **state)
{
    (void)state;
    const struct ui_host *host = window_host(window);
    host->clipboard_set(host->context, "héllo 注");
    assert_string_equal(host->clipboard_get(host->context), "héllo 注");
    assert_string_equal(host->clipboard_get(host->context), "héllo 注");
    assert_true(host->text_width(host->context, FONT_TEXT, 14, "abc", 3) > 10);
    host->text_rect(host->context, rect_make(1, 2, 3, 4));
}

static void picture_is_saved(void **state)
{
    (void)state;
    char directory[] = "/tmp/alphascope-window-XXXXXX";
    assert_non_null(mkdtemp(directory));
    char path[128];
    snprintf(path, sizeof path, "%s/w.png", directory);
    struct error err = {0};
    assert_false(window_save_png(window, path, &err));
    struct draw_list list;
    assert_true(draw_init(&list, 10, 100));
    draw_fill(&list, rect_make(10, 10, 50, 50), 0, (struct color){1, 2, 3, 255});
    if (!window_paint(window, &list, (struct color){250, 251, 252, 255}, &err))
        fail_msg("%s", err.text);
    assert_true(window_save_png(window, path, &err));
    unsigned char *rgb = NULL;
    int w = 0, h = 0;
    assert_true(png_read(path, &rgb, &w, &h, &err));
    assert_int_equal(w, 800);
    assert_int_equal(h, 600);
    assert_memory_equal(rgb, "\xfa\xfb\xfc", 3);
    assert_memory_equal(rgb + 3 * (20 * 800 + 20), "\x01\x02\x03", 3);
    free(rgb);
    draw_finish(&list);
    assert_false(window_save_png(window, "/nowhere/w.png", &err));
    unlink(path);
    rmdir(directory);
}

static void no_display_is_refused(void **state)
{
    (void)state;
    static const char *const drivers[] = {"dummy", "offscreen", "nonsense"};
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        setenv("SDL_VIDEODRIVER", drivers[i], 1);
        struct window_options options = {"test", 0, 0, false};
        struct error err = {0};
        assert_null(window_create(&options, fonts, &err));
        assert_int_equal(strncmp(err.text, "no display: ", 12), 0);
        assert_non_null(strstr(err.text, "alphascope trace"));
    }
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    window_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WINDOW(nothing_is_a_timeout),   WITH_WINDOW(another_thread_wakes),
        WITH_WINDOW(window_events_are_told), WITH_WINDOW(clipboard_goes_round),
        WITH_WINDOW(picture_is_saved),       cmocka_unit_test(no_display_is_refused),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
