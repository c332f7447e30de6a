// SPDX-License-Identifier: MIT
// Any bytes as a script for the window, which is every line of the command table: with
// small models, a made-up clock and a picture drawn after each line. Pictures are not
// saved.
#include "fuzz.h"

#include <string.h>

#include "app/app.h"
#include "script.h"
#include "text/utf8.h"

enum { STEPS_MAX = 64, SETTLE_MS = 1000 };

static struct fuzz_file file;

static void remove_file(void)
{
    unlink(file.path);
}

// script.c calls it for "shot"; there is no window here.
bool window_save_png(struct window *window, const char *path, struct error *err)
{
    must(!window && path);
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
    if (!file.path[0]) {
        fuzz_file_make(&file);
        atexit(remove_file);
    }
    fuzz_file_fill(file.path, data, size);
    struct script script;
    struct error err = {0};
    struct app_options options = {
        .models_root = ALPHASCOPE_TESTS "/golden/models", .tau = -1, .report = true};
    struct app *app = app_create(&options, &err);
    must(app && script_load(&script, file.path, &err));
    app_settle(app, SETTLE_MS);
    run(&script, app);
    script_finish(&script);
    app_destroy(app);
    return 0;
}
