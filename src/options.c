// SPDX-License-Identifier: MIT
// Parsing of the window's command line. See options.h.
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/tau.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static bool bad(struct error *err, const char *option, const char *found,
                const char *expected)
{
    return fail_with(err, ERR_USAGE, "%s: found '%.100s', expected %s", option, found,
                     expected);
}

static bool parse_scale(struct options *options, const char *value, struct error *err)
{
    char *end = NULL;
    float scale = strtof(value, &end);
    if (end == value || *end || !(scale >= 0.5f && scale <= 4))
        return bad(err, "--scale", value, "a factor from 0.5 to 4");
    options->scale = scale;
    return true;
}

static bool parse_size(struct options *options, const char *value, struct error *err)
{
    int w = 0, h = 0, used = 0;
    if (sscanf(value, "%5dx%5d%n", &w, &h, &used) != 2 || value[used] || w < 320 ||
        h < 240 || w > 16384 || h > 16384)
        return bad(err, "--size", value, "WIDTHxHEIGHT in pixels, like 1440x900");
    options->width = w;
    options->height = h;
    return true;
}

// An option with a value.
static bool parse_value(struct options *options, const char *name, const char *value,
                        struct error *err)
{
    if (is(name, "--text"))
        options->text = value;
    else if (is(name, "--script"))
        options->script = value;
    else if (is(name, "--tau"))
        return tau_parse(value, &options->tau) ||
               bad(err, name, value, "a number from 0, or inf");
    else if (is(name, "--scale"))
        return parse_scale(options, value, err);
    else if (is(name, "--size"))
        return parse_size(options, value, err);
    else if (is(name, "--mode") && (is(value, "re-read") || is(value, "re-decode")))
        options->redecode = is(value, "re-decode");
    else if (is(name, "--mode"))
        return bad(err, name, value, "re-read or re-decode");
    else if (is(name, "--theme") && (is(value, "dark") || is(value, "light")))
        options->theme = is(value, "dark") ? THEME_DARK : THEME_LIGHT;
    else
        return bad(err, name, value, "dark or light");
    return true;
}

static bool takes_value(const char *name)
{
    static const char *const names[] = {"--text", "--script", "--tau",  "--scale",
                                        "--size", "--mode",   "--theme"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(name, names[i]))
            return true;
    return false;
}

bool options_parse(struct options *options, int argc, char **argv, struct error *err)
{
    *options = (struct options){.tau = -1, .scale = 1};
    bool words_only = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (words_only || word[0] != '-') {
            if (options->model)
                return fail_with(err, ERR_USAGE,
                                 "two models were named: '%.60s', '%.60s'",
                                 options->model, word);
            options->model = word;
        } else if (is(word, "--")) {
            words_only = true;
        } else if (is(word, "--report")) {
            options->report = true;
        } else if (is(word, "--help") || is(word, "-h")) {
            options->help = true;
        } else if (is(word, "--version")) {
            options->version = true;
        } else if (!takes_value(word)) {
            return fail_with(err, ERR_USAGE, "unknown option '%.60s'", word);
        } else if (i + 1 == argc) {
            return fail_with(err, ERR_USAGE, "%s wants a value", word);
        } else if (!parse_value(options, word, argv[++i], err)) {
            return false;
        }
    }
    return true;
}
