// SPDX-License-Identifier: MIT
// The options of `alphascope bench`. See bench_options.h.
#include "bench_options.h"

#include <stddef.h>

#include "bench_clock.h"
#include "cli/options.h"

bool bench_options_read(struct bench_options *options, int argc, char **argv)
{
    const char *times = NULL;
    *options = (struct bench_options){.times = SAMPLES};
    const struct option_row rows[] = {{.name = "times", .value = &times}};
    struct command command = {.name = "bench",
                              .options = rows,
                              .n_options = sizeof rows / sizeof rows[0],
                              .words = &options->model,
                              .max_words = 1};
    if (!options_read(&command, argc, argv))
        return false;
    options->help = command.help;
    return options->help || !times ||
           options_count("bench", "times", times, 1, SAMPLES, &options->times);
}
