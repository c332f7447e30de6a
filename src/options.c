// SPDX-License-Identifier: MIT
// Parsing of the window's command line. See options.h.
#include "options.h"

#include <stdio.h>

#include "cli/options.h"
#include "formats/saved.h"

enum { LARGEST = 16384 };

struct raw { // as typed
    const char *tau, *mode, *theme, *scale, *size;
};

static bool read_size(struct options *options, const char *value)
{
    int w = 0, h = 0, used = 0;
    if (sscanf(value, "%5dx%5d%n", &w, &h, &used) == 2 && !value[used] && w >= 320 &&
        h >= 240 && w <= LARGEST && h <= LARGEST) {
        options->width = w;
        options->height = h;
        return true;
    }
    say_usage("",
              "--size is '%.80s', expected WIDTHxHEIGHT in pixels, from 320x240 to %dx%d",
              value, LARGEST, LARGEST);
    return false;
}

static bool read_choices(struct options *options, const struct raw *raw)
{
    static const char *const modes[] = {"re-read", "re-decode"};
    static const char *const themes[] = {"dark", "light"};
    int mode = raw->mode ? options_choose("", "mode", raw->mode, modes, 2) : 0;
    int theme = raw->theme ? options_choose("", "theme", raw->theme, themes, 2) : 0;
    options->redecode = mode == 1;
    options->theme = theme == 1 ? THEME_LIGHT : THEME_DARK;
    return mode >= 0 && theme >= 0;
}

static bool read_values(struct options *options, const struct raw *raw)
{
    return (!raw->tau || options_tau("", raw->tau, &options->tau)) &&
           (!raw->scale || options_scale("", raw->scale, &options->scale)) &&
           (!raw->size || read_size(options, raw->size)) && read_choices(options, raw);
}

// A session says itself what it shows: two answers to one question are an error.
static bool check_session(const struct options *options, const struct raw *raw)
{
    const char *given = options->text ? "text"
                        : raw->tau    ? "tau"
                        : raw->mode   ? "mode"
                        : raw->theme  ? "theme"
                                      : NULL;
    if (!given || !options->model || !saved_is(options->model))
        return true;
    say_usage("", "--%s is not for a session, which has its own", given);
    return false;
}

bool options_parse(struct options *options, int argc, char **argv)
{
    struct raw raw = {0};
    *options = (struct options){.tau = -1, .scale = 1};
    const struct option_row rows[] = {
        {.name = "text", .letter = 't', .value = &options->text},
        {.name = "script", .value = &options->script},
        {.name = "tau", .value = &raw.tau},
        {.name = "mode", .value = &raw.mode},
        {.name = "theme", .value = &raw.theme},
        {.name = "scale", .value = &raw.scale},
        {.name = "size", .value = &raw.size},
        {.name = "report", .given = &options->report},
        {.name = "version", .given = &options->version},
        {.name = "commands", .given = &options->commands},
    };
    struct command command = {.name = "",
                              .options = rows,
                              .n_options = sizeof rows / sizeof rows[0],
                              .words = &options->model,
                              .max_words = 1};
    if (!options_read(&command, argc, argv))
        return false;
    options->help = command.help;
    return options->help || options->version || options->commands ||
           (read_values(options, &raw) && check_session(options, &raw));
}
