// SPDX-License-Identifier: MIT
// What is measured in one run, so that ratios mean something on a machine that is shared:
//   kernels   each against the roof, reading the same weights and nothing else
//   decoding  one sentence, by length, a stream on one core and on all
//   window    start, key to pixels, frame, τ
#include "bench.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_clock.h"
#include "bench_decode.h"
#include "bench_kernels.h"
#include "bench_options.h"
#include "bench_window.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/pick.h"
#include "formats/model_dir.h"

enum { STARTS = 10 };

static const char sentence[] =
    "The small black cat that sleeps in my sister's garden does not like the big dog.";
static const char long_sentence[] =
    "The small black cat that sleeps in my sister's garden does not like the big dog, "
    "but "
    "the old woman who lives in the house near the river gives it milk every morning, "
    "and "
    "when it rains the cat comes into the kitchen and sits under the table until the sun "
    "is there again.";

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

// Starts this very program, with a model or the first, and waits for its word that the
// first frame is painted.
static double start_once(const char *model)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    double begin = wall_us();
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
            setenv("SDL_VIDEODRIVER", "dummy", 0);
        execl("/proc/self/exe", "alphascope", "--report", "--text", sentence, "--size",
              "1440x900", model, (char *)NULL);
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
    double took = wall_us() - begin;
    bool ready = used && strstr(seen, "\"ready\"");
    close(ends[0]);
    if (child > 0)
        end_child(child);
    return ready ? took : -1;
}

static void bench_start(const char *model, int times)
{
    struct samples samples = {.count = 0};
    for (int i = 0; i < times && i < STARTS; i++) {
        double us = start_once(model);
        if (us >= 0)
            samples_add(&samples, us);
    }
    printf("\nwindow, 1440 x 900\n");
    if (samples.count)
        printf("  %-32s p50 %8.2f ms   p99 %8.2f ms   (%d times)\n",
               "start to the first whole picture", samples_at(&samples, 0.5) / 1e3,
               samples_at(&samples, 0.99) / 1e3, samples.count);
    else
        printf("  %-32s could not be measured: the window did not open\n",
               "start to the first whole picture");
}

static bool run_models(struct model_dir *dir, int times, struct error *err)
{
    char samples[4096], path[4200];
    double roof_us = 0;
    if (!data_path("assets", samples, sizeof samples) ||
        !file_join(path, sizeof path, samples, "samples/en-fr.tsv"))
        return fail_with(err, ERR_IO, "the assets folder was not found");
    return bench_kernels(kernels_best(), &dir->network, &roof_us, err) &&
           bench_decode(dir, sentence, roof_us, err) &&
           bench_stream(dir, path, times, err);
}

static bool run_all(const char *model, int times, struct error *err)
{
    char models[4096];
    if (!data_path("models", models, sizeof models))
        return fail_with(err, ERR_IO, "the models folder was not found");
    struct model_dir *dir = pick_model(model, err);
    if (!dir)
        return false;
    printf("model %s, kernels %s, %ld cores\n", dir->id, kernels_best()->name,
           sysconf(_SC_NPROCESSORS_ONLN));
    bool ok = run_models(dir, times, err);
    model_dir_close(dir);
    if (!ok)
        return false;
    bench_start(model, times);
    return bench_window(models, model, sentence, long_sentence, times, err);
}

int bench_main(int argc, char **argv)
{
    struct bench_options options;
    if (!bench_options_read(&options, argc, argv))
        return EXIT_USAGE;
    if (options.help) {
        cli_help();
        return EXIT_DONE;
    }
    struct error err;
    bool ok = run_all(options.model, options.times, &err);
    if (!ok)
        say_error("bench", &err);
    return ok ? EXIT_DONE : EXIT_INPUT;
}
