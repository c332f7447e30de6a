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

static struct offscreen *screen; // one for all: fonts are opened once

#define HEADS "en-fr-transformer"

struct shot {
    const char *name;
    float width, height, scale;
    enum theme theme;
    const char *model, *text;
    const char *commands[6];
    float pointer_x, pointer_y; // 0, 0: outside
};

static const struct shot shots[] = {
    {"main-dark", 1440, 900, 1, THEME_DARK, NULL, NULL, {NULL}, 0, 0},
    {"main-light", 1440, 900, 1, THEME_LIGHT, NULL, NULL, {NULL}, 0, 0},
    {"small", 1024, 768, 1, THEME_DARK, NULL, NULL, {NULL}, 0, 0},
    {"laptop", 1280, 720, 1, THEME_LIGHT, "en-fr-luong-dot", NULL, {NULL}, 0, 0},
    {"double", 720, 450, 2, THEME_DARK, NULL, NULL, {NULL}, 0, 0},
    {"double-hd", 960, 540, 2, THEME_LIGHT, NULL, NULL, {NULL}, 0, 0},
    {"long",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     "When the old man who lives next to the station came back from his long journey, he "
     "told the children that he had seen a house so beautiful that nobody would ever "
     "want "
     "to leave it, but his wife did not believe a single word of what he said.",
     {"select 12"},
     0,
     0},
    {"words",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"view merge sum", "view special hide", "view hard on"},
     0,
     0},
    {"ribbons", 1440, 900, 1, THEME_DARK, NULL, NULL, {"view ribbon on"}, 0, 0},
    {"ribbons-double",
     720,
     450,
     2,
     THEME_LIGHT,
     NULL,
     NULL,
     {"view ribbon on", "view merge sum"},
     0,
     0},
    {"transposed", 1440, 900, 1, THEME_LIGHT, NULL, NULL, {"view transpose on"}, 0, 0},
    {"several",
     1024,
     768,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"view top 3", "select 2", "select extend 4"},
     0,
     0},
    {"zoomed",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     "When the old man who lives next to the station came back from his long journey, he "
     "told the children that he had seen a house so beautiful that nobody would ever "
     "want to leave it, but his wife did not believe a single word of what he said.",
     {"select 34", "matrix zoom 3", "matrix pan 18 22"},
     0,
     0},
    {"ribbons-long",
     1280,
     720,
     1,
     THEME_LIGHT,
     NULL,
     "When the old man who lives next to the station came back from his long journey, he "
     "told the children that he had seen a house so beautiful that nobody would ever "
     "want to leave it, but his wife did not believe a single word of what he said.",
     {"view ribbon on", "matrix pan 12 0", "select 30"},
     0,
     0},
    {"view-menu", 1024, 768, 1, THEME_LIGHT, NULL, NULL, {"view menu"}, 0, 0},
    {"save", 1024, 768, 1, THEME_DARK, NULL, NULL, {"save"}, 0, 0},
    {"what-if",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"select 3", "what-if cell 3 4 0.8", "what-if mute 2", "what-if boost 6 3",
      "what-if hard on 8", "what-if word 6 \"du\""},
     0,
     0},
    {"what-if-list",
     1024,
     768,
     1,
     THEME_LIGHT,
     NULL,
     NULL,
     {"what-if mode on", "what-if shuffle 7", "what-if prefix Il me faut",
      "what-if list"},
     0,
     0},
    {"empty", 1440, 900, 1, THEME_DARK, NULL, "   ", {NULL}, 0, 0},
    {"banner",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"model nowhere/broken-model"},
     0,
     0},
    {"none", 1440, 900, 1, THEME_DARK, "en-fr-rnnencdec", NULL, {NULL}, 0, 0},
    {"hover",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     "The black cat sleeps.",
     {"select 2"},
     270,
     330},
    {"uniform", 1440, 900, 1, THEME_DARK, NULL, NULL, {"tau inf"}, 0, 0},
    {"hard", 1440, 900, 1, THEME_LIGHT, NULL, NULL, {"tau 0", "map grey"}, 0, 0},
    {"redecode", 1440, 900, 1, THEME_DARK, NULL, NULL, {"mode re-decode", "tau 3"}, 0, 0},
    {"forming", 1440, 900, 1, THEME_DARK, "dates", NULL, {"checkpoint 14"}, 0, 0},
    {"bottleneck", 1440, 900, 1, THEME_LIGHT, NULL, NULL, {"bottleneck"}, 0, 0},
    {"equation",
     1440,
     900,
     1,
     THEME_DARK,
     "dates",
     NULL,
     {"sheet self-attention-weights", "select 3"},
     0,
     0},
    {"equation-mask",
     1024,
     768,
     1,
     THEME_LIGHT,
     "dates",
     NULL,
     {"sheet three-keys-causal", "sheet set mask 0 0 0; 1 1 0", "sheet mask given",
      "sheet set V 1 2; 3", "sheet group 1"},
     0,
     0},
    {"equation-double",
     640,
     360,
     2,
     THEME_DARK,
     "dates",
     NULL,
     {"sheet order-positions", "sheet view 4"},
     0,
     0},
    {"equation-scaling",
     1280,
     720,
     1,
     THEME_LIGHT,
     "dates",
     NULL,
     {"sheet scaling"},
     0,
     0},
    {"beside",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     "The boy was very happy because his old dog came back. Tom bought a new red car "
     "yesterday. She doesn't know where her brother lives.",
     {"beside en-fr-rnnencdec"},
     0,
     0},
    {"multiples", 1440, 900, 1, THEME_DARK, NULL, NULL, {"beside all"}, 0, 0},
    {"multiples-small", 1024, 768, 1, THEME_LIGHT, NULL, NULL, {"beside all"}, 152, 286},
    {"multiples-hd", 853, 480, 1.5f, THEME_DARK, NULL, NULL, {"beside all"}, 0, 0},
    {"multiples-double",
     720,
     450,
     2,
     THEME_DARK,
     NULL,
     NULL,
     {"beside all", "beside en-fr-transformer", "beside tau 0.3"},
     0,
     0},
    {"multiples-ribbons",
     1440,
     900,
     1,
     THEME_LIGHT,
     NULL,
     NULL,
     {"beside all", "view ribbon on"},
     0,
     0},
    {"difference", 1440, 900, 1, THEME_DARK, NULL, NULL, {"difference on"}, 0, 0},
    {"difference-small",
     1024,
     768,
     1,
     THEME_LIGHT,
     NULL,
     NULL,
     {"what-if word 2 2", "beside before", "difference on", "select none"},
     350,
     330},
    {"taus", 1280, 720, 1, THEME_LIGHT, NULL, NULL, {"beside tau 0.3"}, 0, 0},
    {"reveal",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"reveal start", "reveal next", "reveal next", "reveal next", "reveal next"},
     0,
     0},
    {"stepped", 1024, 768, 1, THEME_LIGHT, NULL, NULL, {"microscope 5"}, 0, 0},
    {"steps",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"microscope open", "microscope 4"},
     0,
     0},
    {"steps-hd",
     853,
     480,
     1.5f,
     THEME_LIGHT,
     NULL,
     NULL,
     {"microscope open", "microscope 7"},
     0,
     0},
    {"lookup",
     1440,
     900,
     1,
     THEME_LIGHT,
     "en-fr-luong-general",
     NULL,
     {"microscope lookup", "select 6"},
     0,
     0},
    {"gradient", 1440, 900, 1, THEME_DARK, NULL, NULL, {"microscope gradient"}, 300, 470},
    {"readings",
     1440,
     900,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"readings on", "word-list on", "model1 on"},
     0,
     0},
    {"readings-row",
     1280,
     720,
     1,
     THEME_LIGHT,
     "en-fr-luong-dot",
     NULL,
     {"readings row", "select 13", "column 9"},
     0,
     0},
    {"readings-small",
     1024,
     768,
     1,
     THEME_LIGHT,
     "dates",
     NULL,
     {"readings matrix", "word-list on"},
     0,
     0},
    {"readings-double", 720, 450, 2, THEME_DARK, NULL, NULL, {"readings on"}, 0, 0},
    {"word-list",
     1280,
     720,
     1,
     THEME_DARK,
     NULL,
     "I saw the red car and the blue bike.",
     {"word-list on", "model1 on", "view hard on", "view merge sum"},
     70,
     470},
    {"word-list-light",
     1440,
     900,
     1,
     THEME_LIGHT,
     "en-fr-luong-concat",
     "I miss you.",
     {"word-list on", "model1 on"},
     0,
     0},
    {"doubts",
     1280,
     720,
     1,
     THEME_DARK,
     NULL,
     NULL,
     {"readings row", "select 3"},
     670,
     365},
    {"doubts-light", 1440, 900, 1, THEME_LIGHT, NULL, NULL, {NULL}, 0, 0},
    {"score-hd", 853, 480, 1.5f, THEME_LIGHT, NULL, NULL, {"microscope open"}, 0, 0},
    {"beam", 1440, 900, 1, THEME_DARK, NULL, NULL, {"beam 6", "beam tree on"}, 0, 0},
    {"beam-hd",
     853,
     480,
     1.5f,
     THEME_LIGHT,
     NULL,
     NULL,
     {"beam 16", "beam show 2", "beam tree on", "beam node 40"},
     0,
     0},
    {"heads", 1440, 900, 1, THEME_DARK, HEADS, NULL, {"attention page on"}, 0, 0},
    {"heads-hd",
     853,
     480,
     1.5f,
     THEME_LIGHT,
     HEADS,
     NULL,
     {"attention decoder 2 3", "attention sort entropy", "attention page on"},
     0,
     0},
    {"self-attention",
     1440,
     900,
     1,
     THEME_DARK,
     HEADS,
     NULL,
     {"attention decoder 1 2", "select 9"},
     0,
     0},
    {"block",
     1440,
     900,
     1,
     THEME_DARK,
     HEADS,
     NULL,
     {"attention encoder 2 3", "select 6", "block 6"},
     0,
     0},
    {"block-hd",
     853,
     480,
     1.5f,
     THEME_LIGHT,
     HEADS,
     NULL,
     {"attention encoder 2 3", "select 2", "block 4"},
     0,
     0},
    {"help", 1280, 720, 1, THEME_DARK, NULL, NULL, {"help"}, 0, 0},
    {"unknown",
     1440,
     900,
     1,
     THEME_LIGHT,
     NULL,
     "Zoë likes ☃ and ☂ in Łódź.",
     {NULL},
     0,
     0},
};

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
// may be another: two levels of 255 on one pixel in a thousand are nobody's difference.
static bool close_enough(const unsigned char *was, const unsigned char *is, size_t count)
{
    size_t other = 0;
    for (size_t i = 0; i < count; i++) {
        if (abs(was[i] - is[i]) > 2)
            return false;
        other += was[i] != is[i];
    }
    return other <= count / 1000;
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
    enum { COUNT = sizeof shots / sizeof *shots };
    struct CMUnitTest tests[COUNT];
    for (int i = 0; i < COUNT; i++) {
        union {
            const struct shot *in;
            void *out;
        } shot = {.in = &shots[i]};
        tests[i] = (struct CMUnitTest){.name = shots[i].name,
                                       .test_func = screen_is_as_in_the_folder,
                                       .initial_state = shot.out};
    }
    return _cmocka_run_group_tests("screens", tests, COUNT, open_screen, close_screen);
}
