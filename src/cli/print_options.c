// SPDX-License-Identifier: MIT
// The options of the subcommands that print one thing. See print_options.h.
#include "cli/print_options.h"

#include <string.h>

#include "cli/options.h"

static bool read_json(const char *command, const char *format, bool *json)
{
    static const char *const formats[] = {"text", "json"};
    int chosen = format ? options_choose(command, "format", format, formats, 2) : 0;
    *json = chosen == 1;
    return chosen >= 0;
}

static bool named(const char *command, const char *output)
{
    if (!output || *output)
        return true;
    say_usage(command, "-o needs the name of a file");
    return false;
}

bool attend_options_read(struct attend_options *options, int argc, char **argv)
{
    const char *format = NULL;
    *options = (struct attend_options){0};
    const struct option_row rows[] = {
        {.name = "format", .letter = 'f', .value = &format},
        {.name = "output", .letter = 'o', .value = &options->output},
    };
    struct command command = {.name = "attend",
                              .options = rows,
                              .n_options = sizeof rows / sizeof rows[0],
                              .words = &options->sheet,
                              .max_words = 1};
    if (!options_read(&command, argc, argv))
        return false;
    options->help = command.help;
    return options->help || (read_json("attend", format, &options->json) &&
                             named("attend", options->output));
}

bool inspect_options_read(struct inspect_options *options, int argc, char **argv)
{
    *options = (struct inspect_options){0};
    struct command command = {.name = "inspect", .words = &options->path, .max_words = 1};
    if (!options_read(&command, argc, argv))
        return false;
    options->help = command.help;
    if (!options->help && !options->path)
        say_usage("inspect", "name a file or a directory");
    return options->help || options->path;
}

bool models_options_read(struct models_options *options, int argc, char **argv)
{
    const char *format = NULL, *word = NULL;
    *options = (struct models_options){0};
    const struct option_row rows[] = {
        {.name = "format", .letter = 'f', .value = &format},
    };
    struct command command = {.name = "models",
                              .options = rows,
                              .n_options = sizeof rows / sizeof rows[0],
                              .words = &word,
                              .max_words = 0};
    if (!options_read(&command, argc, argv))
        return false;
    options->help = command.help;
    return options->help || read_json("models", format, &options->json);
}
