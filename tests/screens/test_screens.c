// SPDX-License-Identifier: MIT
// Screens: the window drawn off-screen from real models and compared with
// the pictures in this folder. On a difference the new picture and one of the differing
// pixels are written beside the test's working directory. ALPHASCOPE_SCREENS=update
// rewrites them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "base/file.h"
#include "sdl/offscreen.h"
#include "shots.h"

static struct offscreen *screen; // one for all: fonts are opened once

static void picture_path(char *out, size_t size, const char *name)
{
    snprintf(out, size, "%s/screens/%s.png", ALPHASCOPE_TESTS, name);
}

// Rows as no softmax would have them; in the light, as if they were columns.
static void spoil(struct app *app)
{
    struct show *show = &app->show;
    int n = show->now->n_src, cells = show->rows * n;
    for (int s = 0; s < n; s++) {
        show->now->alpha[2 * n + s] *= 0.8f;
        show->now->alpha[5 * n + s] = 0;
    }
    show->now->alpha[7 * n + 1] = NAN;
    for (int i = 0; app->theme == THEME_LIGHT && i < cells; i++)
        show->now->alpha[i] = 1.0f / (float)show->rows;
    show->begun++;
    show->stats.done = 0;
}

static void draw_shot(const struct shot *shot)
{
    struct error err;
    char models[4096];
    snprintf(models, sizeof models, "%s/../models", ALPHASCOPE_TESTS);
    struct app_options options = {.models_root = models,
                                  .model = shot->model,
                                  .text = shot->text,
                                  .tau = 1,
                                  .hide_times = true,
                                  .theme = shot->theme,
                                  .files = {.directory = "/pictures"}};
    struct app *app = app_create(&options, &err);
    assert_non_null(app);
    assert_true(app_settle(app, 60000));
    for (int i = 0; i < 6 && shot->commands[i]; i++) {
        assert_true(app_command(app, shot->commands[i], &err));
        app_settle(app, 60000);
    }
    if (!strncmp(shot->name, "doubts", 6))
        spoil(app);
    struct input input = {.width = shot->width,
                          .height = shot->height,
                          .scale = shot->scale,
                          .x = shot->pointer_x > 0 ? shot->pointer_x : -1e6f,
                          .y = shot->pointer_x > 0 ? shot->pointer_y : -1e6f};
    const struct ui_host *host = offscreen_host(screen, shot->scale);
    app_frame(app, host, &input);
    assert_int_equal(app_list(app)->dropped, 0);
    assert_true(offscreen_paint(screen, app_list(app), shot->width, shot->height,
                                shot->scale, app_ground(app), &err));
    app_destroy(app);
}

static void save_difference(const char *name, const unsigned char *was,
                            const unsigned char *is, int w, int h)
{
    struct error err;
    char path[300];
    struct buf png;
    unsigned char *difference = calloc((size_t)w * (size_t)h, 3);
    assert_non_null(difference);
    for (size_t i = 0; i < (size_t)w * (size_t)h * 3; i++)
        difference[i] = was[i] == is[i] ? (unsigned char)(is[i] / 4) : 255;
    buf_init(&png, 64 << 20);
    assert_true(png_write(difference, w, h, &png, &err));
    snprintf(path, sizeof path, "%s-difference.png", name);
    assert_true(file_write(path, png.data, png.length, &err));
    buf_finish(&png);
    free(difference);
}

static void save_picture(const char *path)
{
    struct error err;
    struct buf png;
    buf_init(&png, 64 << 20);
    assert_true(offscreen_png(screen, &png, &err));
    assert_true(file_write(path, png.data, png.length, &err));
    buf_finish(&png);
}

// Bit for bit on one machine; another processor sums in another order, and its FreeType
// may be another: two levels of 255 on one pixel in a thousand are nobody's difference. A
// ribbon's end goes to the nearest whole pixel, and a tie may fall to the other side:
// thirty pixels may be quite other ones.
static bool close_enough(const unsigned char *was, const unsigned char *is, size_t count)
{
    enum { FAR = 3 * 30 };
    size_t other = 0, far = 0;
    for (size_t i = 0; i < count; i++) {
        far += abs(was[i] - is[i]) > 2;
        other += was[i] != is[i];
    }
    return other <= count / 1000 && far <= FAR;
}

static void screen_is_as_in_the_folder(void **state)
{
    const struct shot *shot = *state;
    char path[4200], actual[300];
    picture_path(path, sizeof path, shot->name);
    draw_shot(shot);
    const char *update = getenv("ALPHASCOPE_SCREENS");
    if (update && !strcmp(update, "update")) {
        save_picture(path);
        return;
    }
    struct error err;
    unsigned char *was = NULL;
    int w = 0, h = 0, is_w = 0, is_h = 0;
    const unsigned char *is = offscreen_pixels(screen, &is_w, &is_h);
    snprintf(actual, sizeof actual, "%s-actual.png", shot->name);
    if (!png_read(path, &was, &w, &h, &err)) {
        save_picture(actual);
        print_error("%s\n", err.text);
        fail_msg("%s is not in the folder", shot->name);
    }
    bool same =
        w == is_w && h == is_h && close_enough(was, is, (size_t)w * (size_t)h * 3);
    if (!same) {
        save_picture(actual);
        if (w == is_w && h == is_h)
            save_difference(shot->name, was, is, w, h);
        print_error("%s differs from %s\n", actual, path);
    }
    free(was);
    assert_true(same);
}

static int open_screen(void **state)
{
    (void)state;
    struct error err;
    char fonts[4200];
    snprintf(fonts, sizeof fonts, "%s/../assets/fonts", ALPHASCOPE_TESTS);
    screen = offscreen_create(fonts, false, &err);
    return screen ? 0 : -1;
}

static int close_screen(void **state)
{
    (void)state;
    offscreen_destroy(screen);
    return 0;
}

int main(void)
{
    struct CMUnitTest *tests = calloc((size_t)n_shots, sizeof *tests);
    if (!tests)
        return 1;
    for (int i = 0; i < n_shots; i++) {
        union {
            const struct shot *in;
            void *out;
        } shot = {.in = &shots[i]};
        tests[i] = (struct CMUnitTest){.name = shots[i].name,
                                       .test_func = screen_is_as_in_the_folder,
                                       .initial_state = shot.out};
    }
    int failed = _cmocka_run_group_tests("screens", tests, (size_t)n_shots, open_screen,
                                         close_screen);
    free(tests);
    return failed;
}
