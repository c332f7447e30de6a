// SPDX-License-Identifier: MIT
// alphascope: type a sentence and watch an attentional encoder-decoder look back at it.
// Argument parsing, the chain of what must be made, the loop, and its undoing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "bench.h"
#include "cli/cli.h"
#include "cli/sink.h"
#include "desk.h"
#include "formats/model_dir.h"
#include "heap.h"
#include "options.h"
#include "script.h"
#include "sdl/window.h"
#include "signals.h"

struct program {
    struct options options;
    struct signals *signals;
    struct fonts *fonts;
    struct window *window;
    struct app *app;
    struct desk desk;
    struct script script;
    bool scripted, fullscreen;
    float zoom;       // that the window has
    uint64_t painted; // hash of the list on the screen; 0: none
    uint64_t frames;  // painted so far
    struct buf report;
    struct input input;
};

// The window does not exist yet when the worker starts; until then nobody sleeps in it.
static void wake(void *context)
{
    struct program *program = context;
    struct window *window = __atomic_load_n(&program->window, __ATOMIC_ACQUIRE);
    if (window)
        window_wake(window);
}

static bool create_app(struct program *program, struct error *err)
{
    static char models[4096];
    const struct options *o = &program->options;
    struct app_options options = {
        .models_root = data_path("models", models, sizeof models) ? models : NULL,
        .model = o->model,
        .text = o->text,
        .tau = o->tau,
        .redecode = o->redecode,
        .theme = o->theme,
        .zoom = o->scale,
        .report = o->report,
        .files = desk_files(&program->desk),
        .wake = wake,
        .wake_context = program,
    };
    program->app = app_create(&options, err);
    return program->app != NULL;
}

static bool create_window(struct program *program, struct error *err)
{
    char assets[4096], directory[4200];
    if (!data_path("assets", assets, sizeof assets) ||
        !file_join(directory, sizeof directory, assets, "fonts"))
        return fail_with(err, ERR_IO,
                         "the assets folder was not found: set ALPHASCOPE_DATA "
                         "to the folder that holds assets and models");
    program->fonts = fonts_create(directory, true, err);
    if (!program->fonts)
        return false;
    const char *driver = getenv("SDL_VIDEODRIVER");
    struct window_options options = {
        .title = "alphascope",
        .width = program->options.width,
        .height = program->options.height,
        .allow_headless =
            driver && (!strcmp(driver, "dummy") || !strcmp(driver, "offscreen")),
    };
    struct window *window = window_create(&options, program->fonts, err);
    __atomic_store_n(&program->window, window, __ATOMIC_RELEASE);
    return window != NULL;
}

// A model named on the command line that cannot be opened ends the program with a
// sentence; later ones only show a banner.
static bool first_picture(struct program *program, struct error *err)
{
    bool complete = app_settle(program->app, 10000);
    if (!complete && program->options.model && *app_banner(program->app))
        return fail_with(err, ERR_FORMAT, "%s", app_banner(program->app));
    return true;
}

static void flush_report(struct program *program)
{
    app_take_report(program->app, &program->report);
    if (!program->options.report || !program->report.length)
        return;
    fwrite(program->report.data, 1, program->report.length, stdout);
    if (fflush(stdout) != 0)
        program->options.report = false; // nobody listens any more
    buf_clear(&program->report);
}

// Paints only what differs from the screen: no redraw without a cause.
static bool paint(struct program *program, struct error *err)
{
    const struct draw_list *list = app_list(program->app);
    struct color ground = app_ground(program->app);
    uint64_t hash = draw_hash(list) ^ ((uint64_t)ground.r << 40);
    if (hash == program->painted && !program->input.exposed && !program->input.resized)
        return true;
    program->painted = hash;
    program->frames++;
    if (!window_paint(program->window, list, ground, err))
        return false;
    if (program->frames == 1 && program->options.report)
        buf_add(&program->report, "{\"event\":\"ready\"}\n");
    return true;
}

// A new zoom makes the window another size in logical units: what was laid out for the
// old one is never painted.
static bool take_zoom(struct program *program)
{
    float zoom = app_zoom(program->app);
    bool changed = zoom < program->zoom || zoom > program->zoom;
    if (changed)
        window_set_scale(program->window, zoom);
    program->zoom = zoom;
    return changed;
}

static bool turn(struct program *program, int *wait_ms, struct error *err)
{
    *wait_ms = app_frame(program->app, window_host(program->window), &program->input);
    if (take_zoom(program)) {
        *wait_ms = 0;
        return true;
    }
    if (!paint(program, err))
        return false;
    window_set_title(program->window, app_title(program->app));
    flush_report(program);
    bool fullscreen = app_wants_fullscreen(program->app);
    if (fullscreen != program->fullscreen)
        window_set_fullscreen(program->window, fullscreen);
    program->fullscreen = fullscreen;
    if (!program->scripted)
        return true;
    int script_ms = -1;
    if (!script_run(&program->script, program->app, program->window,
                    program->input.now_ms, &script_ms, err))
        return false;
    if (script_ms >= 0 && (*wait_ms < 0 || script_ms < *wait_ms))
        *wait_ms = script_ms;
    return true;
}

static bool loop(struct program *program, struct error *err)
{
    int wait_ms = 0;
    take_zoom(program);
    window_wait(program->window, &program->input, 0);
    while (turn(program, &wait_ms, err)) {
        if (app_wants_quit(program->app) || signals_came(program->signals))
            return true;
        window_wait(program->window, &program->input, wait_ms);
    }
    return false;
}

static bool run(struct program *program, struct error *err)
{
    const char *script = program->options.script;
    program->scripted = script != NULL;
    program->signals = signals_create(wake, program, err);
    if (!program->signals || (script && !script_load(&program->script, script, err)) ||
        !create_app(program, err))
        return false;
    // A model that was named is judged before a window shows; the default one is opened
    // while the window is made.
    if (program->options.model && !first_picture(program, err))
        return false;
    return create_window(program, err) && first_picture(program, err) &&
           loop(program, err);
}

static int print_commands(void)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    script_say_words(&out);
    app_say_commands(&out);
    bool ok = fputs(buf_text(&out), stdout) >= 0 && fflush(stdout) == 0;
    buf_finish(&out);
    return ok ? EXIT_DONE : EXIT_INPUT;
}

static int window_main(int argc, char **argv)
{
    struct program program = {0};
    struct error err = {0};
    buf_init(&program.report, 64 << 20);
    if (!options_parse(&program.options, argc, argv))
        return EXIT_USAGE;
    if (program.options.help) {
        cli_help();
        return ferror(stdout) ? EXIT_INPUT : EXIT_DONE;
    }
    if (program.options.version) {
        printf("alphascope %s\n", ALPHASCOPE_VERSION);
        return fflush(stdout) == 0 ? EXIT_DONE : EXIT_INPUT;
    }
    if (program.options.commands)
        return print_commands();
    bool ok = run(&program, &err);
    if (!ok)
        fprintf(stderr, "alphascope: %s\n", err.text);
    app_destroy(program.app); // before the window: the worker wakes it
    signals_destroy(program.signals);
    window_destroy(program.window);
    fonts_destroy(program.fonts);
    desk_finish(&program.desk);
    script_finish(&program.script);
    buf_finish(&program.report);
    return ok ? EXIT_DONE : EXIT_INPUT;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {
        {"trace", cli_trace},   {"evaluate", cli_evaluate}, {"inspect", cli_inspect},
        {"models", cli_models}, {"attend", cli_attend},     {"bench", bench_main},
    };
    sink_guard();
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    heap_give_back_models();
    return window_main(argc, argv);
}
