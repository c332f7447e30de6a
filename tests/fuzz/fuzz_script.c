// SPDX-License-Identifier: MIT
// Any bytes as a script for the window, which is every line of the command table: with
// small models, a made-up clock and a picture drawn after each line. Pictures are not
// saved; what a line saves goes to a folder of its own, and a script that names another
// place is not run.
#include "fuzz.h"

#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "script.h"
#include "text/utf8.h"

enum { STEPS_MAX = 64, SETTLE_MS = 1000 };

static char folder[] = "/tmp/alphascope-fuzz-XXXXXX", path[64];

static void remove_folder(void)
{
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    must(system(line) == 0);
}

static void make_folder(void)
{
    static const char *const models[] = {"tiny-dot-f32", "tiny-none-bf16",
                                         "tiny-additive-f32"};
    char from[512], to[64];
    must(mkdtemp(folder) != NULL && chdir(folder) == 0 && mkdir("models", 0700) == 0);
    snprintf(path, sizeof path, "%s/script", folder);
    for (int i = 0; i < 3; i++) {
        snprintf(from, sizeof from, ALPHASCOPE_TESTS "/golden/models/%s", models[i]);
        snprintf(to, sizeof to, "models/%s", models[i]);
        must(symlink(from, to) == 0);
    }
    atexit(remove_folder);
}

static bool saves_elsewhere(const uint8_t *data, size_t size)
{
    return memmem(data, size, "save", 4) &&
           (memchr(data, '/', size) || memchr(data, '~', size));
}

// script.c calls it for "shot"; there is no window here.
bool window_save_png(struct window *window, const char *to, struct error *err)
{
    must(!window && to);
    return fail_with(err, ERR_IO, "no picture");
}

static float text_width(void *context, enum font font, float size, const char *text,
                        size_t length)
{
    (void)context;
    (void)font;
    must(utf8_valid(text, length));
    return 0.5f * size * (float)length;
}

static void run(struct script *script, struct app *app)
{
    static const struct ui_host host = {.text_width = text_width};
    struct input input = {.width = 1200, .height = 800, .scale = 1, .x = 300, .y = 300};
    for (int step = 0; step < STEPS_MAX && !app_wants_quit(app); step++) {
        struct error err = {0};
        int wait_ms = -1;
        size_t at = script->at;
        if (!script_run(script, app, NULL, input.now_ms, &wait_ms, &err))
            must(err.code != OK && err.text[0] &&
                 utf8_valid(app_banner(app), strlen(app_banner(app))));
        must(script->at > at || wait_ms != 0);
        if (wait_ms < 0 && !script->waiting)
            return;
        if (script->waiting)
            app_settle(app, SETTLE_MS);
        input.now_ms += wait_ms > 0 ? (uint64_t)wait_ms : 20;
        app_frame(app, &host, &input);
        must(app_list(app)->dropped == 0 && app_zoom(app) >= 0.5f && app_zoom(app) <= 4);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!path[0])
        make_folder();
    if (saves_elsewhere(data, size))
        return 0;
    fuzz_file_fill(path, data, size);
    struct script script;
    struct error err = {0};
    struct app_options options = {.models_root = "models", .tau = -1, .report = true};
    struct app *app = app_create(&options, &err);
    must(app);
    if (script_load(&script, path, &err)) {
        app_settle(app, SETTLE_MS);
        run(&script, app);
    } else {
        must(err.code != OK && err.text[0]); // a line is too long
    }
    script_finish(&script);
    app_destroy(app);
    return 0;
}
