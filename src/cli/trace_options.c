// SPDX-License-Identifier: MIT
// The options of `alphascope trace`. See trace_options.h. Options that would do nothing
// (--theme without a picture) are refused: a picture that silently ignores what was asked
// is worse than none.
#include "cli/trace_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/options.h"
#include "view/tau.h"

static const char *const format_names[] = {"json", "tsv", "text", "png"};
static const char *const mode_names[] = {"re-decode", "re-read"};
static const char *const theme_names[] = {"dark", "light"};

struct raw { // as typed
    const char *tau, *mode, *format, *scale, *theme, *word;
};

// strtof alone would take "0x10", " 1", "nan" and "2junk".
static bool parse_decimal(const char *text, float *value)
{
    size_t n = strlen(text);
    if (!n || n > 64 || strspn(text, "0123456789.eE+-") != n ||
        !strpbrk(text, "0123456789"))
        return false;
    char *end = NULL;
    *value = strtof(text, &end);
    return end == text + n;
}

static bool read_tau(struct trace_options *options, const struct raw *raw)
{
    options->tau = 1;
    if (!raw->tau || tau_parse(raw->tau, &options->tau))
        return true;
    say_usage("trace", "--tau is '%.80s', expected a number of 0 or more, or inf",
              raw->tau);
    return false;
}

static bool read_scale(struct trace_options *options, const struct raw *raw)
{
    options->scale = 1;
    if (!raw->scale)
        return true;
    if (parse_decimal(raw->scale, &options->scale) && options->scale >= 0.5f &&
        options->scale <= 4)
        return true;
    say_usage("trace", "--scale is '%.80s', expected a number from 0.5 to 4", raw->scale);
    return false;
}

static enum trace_format format_of_name(const char *path)
{
    static const char *const endings[] = {".json", ".tsv", ".txt", ".png"};
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (int i = 0; dot && i < TRACE_FORMATS; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return (enum trace_format)i;
    return TRACE_JSON;
}

static bool read_choices(struct trace_options *options, const struct raw *raw)
{
    int format = (int)format_of_name(options->output), mode = 0, theme = 0;
    if (raw->format)
        format = options_choose("trace", "format", raw->format, format_names, 4);
    if (format >= 0 && raw->mode)
        mode = options_choose("trace", "mode", raw->mode, mode_names, 2);
    if (format >= 0 && mode >= 0 && raw->theme)
        theme = options_choose("trace", "theme", raw->theme, theme_names, 2);
    if (format < 0 || mode < 0 || theme < 0)
        return false;
    options->format = (enum trace_format)format;
    options->reread = mode == 1;
    options->theme = theme == 1 ? THEME_LIGHT : THEME_DARK;
    return true;
}

static bool check_pairs(const struct trace_options *options, const struct raw *raw)
{
    bool picture = options->format == TRACE_PNG;
    if (raw->word)
        say_usage("trace",
                  "'%.80s' is not an option: the sentence comes with --text or on "
                  "standard input",
                  raw->word);
    else if (!picture && (raw->scale || raw->theme))
        say_usage("trace", "--%s is for --format png", raw->scale ? "scale" : "theme");
    else if (options->output && !options->output[0])
        say_usage("trace", "-o needs the name of a file");
    else
        return true;
    return false;
}

bool trace_options_read(struct trace_options *options, int argc, char **argv)
{
    struct raw raw = {0};
    *options = (struct trace_options){0};
    const struct option_row rows[] = {
        {"model", 'm', &options->model}, {"text", 't', &options->text},
        {"tau", '\0', &raw.tau},         {"mode", '\0', &raw.mode},
        {"format", 'f', &raw.format},    {"output", 'o', &options->output},
        {"scale", '\0', &raw.scale},     {"theme", '\0', &raw.theme},
    };
    struct command command = {.name = "trace",
                              .options = rows,
                              .n_options = sizeof rows / sizeof rows[0],
                              .words = &raw.word,
                              .max_words = 1};
    if (!options_read(&command, argc, argv))
        return false;
    options->help = command.help;
    return options->help || (read_tau(options, &raw) && read_scale(options, &raw) &&
                             read_choices(options, &raw) && check_pairs(options, &raw));
}
