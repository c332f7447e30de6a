// SPDX-License-Identifier: MIT
// The window's answer to a key, a frame, a slider step: the application and its pictures
// as they are in the window, painted into memory.
#include "bench_window.h"

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "bench_clock.h"
#include "formats/model_dir.h"
#include "heap.h"
#include "sdl/offscreen.h"

enum { WIDTH = 1440, HEIGHT = 900 };

struct window {
    struct app *app;
    struct offscreen *screen;
    const struct ui_host *host;
    struct input input;
    int times;
    struct samples samples;
    double begin, begin_cpu, cpu; // us, of processors in all samples
};

static void start_sample(struct window *window)
{
    window->begin = wall_us();
    window->begin_cpu = process_us();
}

static void end_sample(struct window *window)
{
    samples_add(&window->samples, wall_us() - window->begin);
    window->cpu += process_us() - window->begin_cpu;
}

static void print_samples(struct window *window, const char *what)
{
    int count = window->samples.count;
    printf("  %-32s p50 %8.2f ms   p99 %8.2f ms   processors %6.2f ms   (%d times)\n",
           what, samples_at(&window->samples, 0.5) / 1e3,
           samples_at(&window->samples, 0.99) / 1e3, window->cpu / count / 1e3, count);
    fflush(stdout);
    window->samples.count = 0;
    window->cpu = 0;
}

static bool frame(struct window *window, struct error *err)
{
    window->input.now_ms = (uint64_t)(wall_us() / 1e3);
    app_frame(window->app, window->host, &window->input);
    return offscreen_paint(window->screen, app_list(window->app), WIDTH, HEIGHT, 1,
                           app_ground(window->app), err);
}

// Frames until the whole new picture is painted, as the window would: each wake paints.
static bool finish(struct window *window, struct error *err)
{
    do {
        app_settle(window->app, 1000);
        if (!frame(window, err))
            return false;
    } while (!app_is_complete(window->app));
    return true;
}

static bool time_keys(struct window *window, const char *name, struct error *err)
{
    for (int i = 0; i < window->times; i++) {
        // A letter and its removal in turn: every key changes the text.
        bool add = i % 2 == 0;
        window->input.n_edits = 1;
        window->input.edits[0] = (struct edit_event){0};
        if (add)
            window->input.edits[0].text[0] = 's';
        else
            window->input.edits[0].key.key = KEY_BACKSPACE;
        start_sample(window);
        bool ok = frame(window, err);
        window->input.n_edits = 0;
        if (!ok || !finish(window, err))
            return false;
        end_sample(window);
    }
    print_samples(window, name);
    return true;
}

static bool time_frames(struct window *window, struct error *err)
{
    for (int i = 0; i < window->times; i++) {
        start_sample(window);
        if (!frame(window, err))
            return false;
        end_sample(window);
    }
    print_samples(window, "frame, nothing new");
    return true;
}

static bool time_tau(struct window *window, struct error *err)
{
    for (int i = 0; i < window->times; i++) {
        start_sample(window);
        if (!app_command(window->app, i / 20 % 2 ? "tau up" : "tau down", err) ||
            !frame(window, err))
            return false;
        end_sample(window);
    }
    print_samples(window, "slider dragged, read again");
    return true;
}

static bool open_window(struct window *window, const char *models, const char *model,
                        const char *text, struct error *err)
{
    char assets[4096], fonts[4200];
    if (!data_path("assets", assets, sizeof assets) ||
        !file_join(fonts, sizeof fonts, assets, "fonts"))
        return fail_with(err, ERR_IO, "the assets folder was not found");
    struct app_options options = {
        .models_root = models, .model = model, .text = text, .tau = 1};
    window->screen = offscreen_create(fonts, true, err);
    window->app = window->screen ? app_create(&options, err) : NULL;
    if (!window->app)
        return false;
    window->host = offscreen_host(window->screen, 1);
    window->input = (struct input){
        .width = WIDTH, .height = HEIGHT, .scale = 1, .x = -1e6f, .y = -1e6f};
    if (!app_settle(window->app, 10000))
        return fail_with(err, ERR_IO, "the model did not open: %s",
                         app_banner(window->app));
    return finish(window, err);
}

static bool set_text(struct window *window, const char *text, struct error *err)
{
    char command[1024];
    snprintf(command, sizeof command, "set-text \"%s\"", text);
    return app_command(window->app, command, err) && finish(window, err);
}

// What the process holds with the window and one model open.
static void print_memory(void)
{
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        long kib;
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            printf("  %-32s %.1f MB resident\n", "memory, with one model open",
                   (double)kib / 1024);
    }
    if (status)
        fclose(status);
}

bool bench_window(const char *models, const char *model, const char *text,
                  const char *long_text, int times, struct error *err)
{
    struct window window = {.times = times};
    heap_give_back_models(); // as the window does
    bool ok = open_window(&window, models, model, text, err) &&
              time_keys(&window, "key to pixels, about 20 tokens", err) &&
              time_frames(&window, err) && time_tau(&window, err) &&
              set_text(&window, long_text, err) &&
              time_keys(&window, "key to pixels, about 60 tokens", err);
    if (ok)
        print_memory();
    app_destroy(window.app);
    offscreen_destroy(window.screen);
    return ok;
}
