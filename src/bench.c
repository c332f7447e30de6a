// SPDX-License-Identifier: MIT
// What is measured, each many times, as median and 99th percentile:
//   start           exec of this program to its first painted frame, picture finished
//   key to pixels   one typed character to the whole new matrix painted (about 20 tokens)
//   frame           drawing and painting the window again, nothing new
//   τ drag          one slider step, re-read and painted
//   decode          µs per target token, encoder and loop, without the window
// Times are noisy on a shared machine: compare ratios from one run.
#include "bench.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "formats/model_dir.h"
#include "sdl/offscreen.h"
#include "translate/translator.h"

enum { WIDTH = 1440, HEIGHT = 900, SAMPLES = 200, STARTS = 10 };

static const char sentence[] =
    "The small black cat that sleeps in my sister's garden does not like the big dog.";

struct bench {
    struct app *app;
    struct offscreen *screen;
    const struct ui_host *host;
    struct input input;
    double samples[SAMPLES];
    int count;
};

static double now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sample(struct bench *bench, double ms)
{
    if (bench->count < SAMPLES)
        bench->samples[bench->count++] = ms;
}

static void print_samples(struct bench *bench, const char *what)
{
    if (!bench->count)
        return;
    qsort(bench->samples, (size_t)bench->count, sizeof *bench->samples, by_size);
    printf("%-16s p50 %8.2f ms   p99 %8.2f ms   (%d times)\n", what,
           bench->samples[bench->count / 2],
           bench->samples[(bench->count * 99 - 1) / 100], bench->count);
    fflush(stdout);
    bench->count = 0;
}

static bool frame(struct bench *bench, struct error *err)
{
    bench->input.now_ms = (uint64_t)now_ms();
    app_frame(bench->app, bench->host, &bench->input);
    return offscreen_paint(bench->screen, app_list(bench->app), WIDTH, HEIGHT, 1,
                           app_ground(bench->app), err);
}

// Frames until the whole new picture is painted, as the window would: each wake paints.
static bool finish(struct bench *bench, struct error *err)
{
    do {
        app_settle(bench->app, 1000);
        if (!frame(bench, err))
            return false;
    } while (!app_is_complete(bench->app));
    return true;
}

static bool bench_keys(struct bench *bench, struct error *err)
{
    for (int i = 0; i < SAMPLES; i++) {
        // A letter and its removal in turn: every key changes the text.
        bool add = i % 2 == 0;
        bench->input.n_edits = 1;
        bench->input.edits[0] = (struct edit_event){0};
        if (add)
            bench->input.edits[0].text[0] = 's';
        else
            bench->input.edits[0].key.key = KEY_BACKSPACE;
        double begin = now_ms();
        bool ok = frame(bench, err);
        bench->input.n_edits = 0;
        if (!ok || !finish(bench, err))
            return false;
        sample(bench, now_ms() - begin);
    }
    print_samples(bench, "key to pixels");
    return true;
}

static bool bench_frames(struct bench *bench, struct error *err)
{
    for (int i = 0; i < SAMPLES; i++) {
        double begin = now_ms();
        if (!frame(bench, err))
            return false;
        sample(bench, now_ms() - begin);
    }
    print_samples(bench, "frame");
    return true;
}

static bool bench_tau(struct bench *bench, struct error *err)
{
    for (int i = 0; i < SAMPLES; i++) {
        double begin = now_ms();
        if (!app_command(bench->app, i / 20 % 2 ? "tau up" : "tau down", err) ||
            !frame(bench, err))
            return false;
        sample(bench, now_ms() - begin);
    }
    print_samples(bench, "tau drag");
    return true;
}

static bool bench_window(struct bench *bench, const char *models, const char *model,
                         struct error *err)
{
    char assets[4096], fonts[4200];
    if (!data_path("assets", assets, sizeof assets) ||
        !file_join(fonts, sizeof fonts, assets, "fonts"))
        return fail_with(err, ERR_IO, "the assets folder was not found");
    struct app_options options = {
        .models_root = models, .model = model, .text = sentence, .tau = 1};
    bench->screen = offscreen_create(fonts, true, err);
    bench->app = bench->screen ? app_create(&options, err) : NULL;
    if (!bench->app)
        return false;
    bench->host = offscreen_host(bench->screen, 1);
    bench->input = (struct input){
        .width = WIDTH, .height = HEIGHT, .scale = 1, .x = -1e6f, .y = -1e6f};
    if (!app_settle(bench->app, 10000))
        return fail_with(err, ERR_IO, "the model did not open: %s",
                         app_banner(bench->app));
    return finish(bench, err) && bench_keys(bench, err) && bench_frames(bench, err) &&
           bench_tau(bench, err);
}

static bool bench_decode(struct bench *bench, const char *path, struct error *err)
{
    struct model_dir *dir = model_dir_open(path, err);
    if (!dir)
        return false;
    struct translator translator = {dir->id, &dir->network, dir->source, dir->target};
    struct session *session = session_create(&translator, err);
    int rows = 0, n_src = 0;
    for (int i = 0; session && i < SAMPLES; i++) {
        char text[200];
        // Another text each time, so that the encoder runs too.
        int length = snprintf(text, sizeof text, "%s%s", sentence, i % 2 ? "" : " ");
        double begin = now_ms();
        struct alignment *alignment =
            session_run(session, text, (size_t)length, run_at(1), err);
        double took = now_ms() - begin;
        if (!alignment)
            break;
        rows = alignment_rows(alignment);
        n_src = alignment->n_src;
        sample(bench, took);
        alignment_destroy(alignment);
    }
    bool ok = bench->count == SAMPLES;
    if (ok) {
        qsort(bench->samples, SAMPLES, sizeof *bench->samples, by_size);
        double ms = bench->samples[SAMPLES / 2];
        printf("%-16s p50 %8.2f ms   %.0f µs per target token (%d source, %d target)\n",
               "decode", ms, ms * 1000 / rows, n_src, rows);
    }
    bench->count = 0;
    session_destroy(session);
    model_dir_close(dir);
    return ok;
}

// Something can be read within ten seconds.
static bool readable(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return poll(&wanted, 1, 10000) == 1;
}

// Politely first; for sure after two seconds.
static void end_child(pid_t child)
{
    kill(child, SIGTERM);
    for (int i = 0; i < 200; i++) {
        if (waitpid(child, NULL, WNOHANG) != 0)
            return;
        usleep(10000);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

// Starts this very program and waits for its word that the first frame is painted.
static double start_once(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    double begin = now_ms();
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
            setenv("SDL_VIDEODRIVER", "dummy", 0);
        execl("/proc/self/exe", "alphascope", "--report", "--text", sentence, "--size",
              "1440x900", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    char seen[65536];
    size_t used = 0;
    ssize_t n = 1;
    while (child > 0 && used < sizeof seen - 1 && n > 0 && readable(ends[0])) {
        n = read(ends[0], seen + used, sizeof seen - 1 - used);
        used += n > 0 ? (size_t)n : 0;
        seen[used] = '\0';
        if (strstr(seen, "\"ready\""))
            break;
    }
    double took = now_ms() - begin;
    bool ready = used && strstr(seen, "\"ready\"");
    close(ends[0]);
    if (child > 0) {
        end_child(child);
    }
    return ready ? took : -1;
}

static void bench_start(struct bench *bench)
{
    for (int i = 0; i < STARTS; i++) {
        double ms = start_once();
        if (ms >= 0)
            sample(bench, ms);
    }
    if (!bench->count)
        printf("%-16s could not be measured: the window did not open\n", "start");
    print_samples(bench, "start");
}

static void print_memory(void)
{
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        long kib;
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            printf("%-16s %.1f MB resident, window and one model open\n", "memory",
                   (double)kib / 1024);
    }
    if (status)
        fclose(status);
}

static bool run_all(struct bench *bench, const char *wanted, struct error *err)
{
    char models[4096], path[8192];
    if (!data_path("models", models, sizeof models))
        return fail_with(err, ERR_IO, "the models folder was not found");
    struct model_listing listing[MODEL_LISTING_MAX];
    int count = model_dir_list(models, listing, NULL);
    int at = model_listing_first(listing, count);
    bool known = !wanted;
    for (int i = 0; i < count; i++)
        if (wanted && !strcmp(listing[i].id, wanted)) {
            known = true;
            at = i;
        }
    if (!known)
        return fail_with(err, ERR_USAGE, "'%.80s' is not a bundled model", wanted);
    if (at < 0)
        return fail_with(err, ERR_IO, "%s: no model is there", models);
    snprintf(path, sizeof path, "%s", listing[at].path);
    printf("model %s, kernels %s\n", listing[at].id, kernels_best()->name);
    bench_start(bench);
    if (!bench_window(bench, models, listing[at].id, err))
        return false;
    print_memory();
    return bench_decode(bench, path, err);
}

int bench_main(int argc, char **argv)
{
    const char *model = NULL;
    struct command command = {.name = "bench", .words = &model, .max_words = 1};
    if (!options_read(&command, argc, argv))
        return EXIT_USAGE;
    if (command.help) {
        cli_help();
        return EXIT_DONE;
    }
    struct bench *bench = calloc(1, sizeof *bench);
    struct error err = {.text = "out of memory"};
    bool ok = bench && run_all(bench, model, &err);
    if (!ok)
        say_error("bench", &err);
    if (bench) {
        app_destroy(bench->app);
        offscreen_destroy(bench->screen);
    }
    free(bench);
    return ok ? EXIT_DONE : EXIT_INPUT;
}
