// SPDX-License-Identifier: MIT
// The options of `alphascope evaluate`. See evaluate_options.h. Options that would do
// nothing are refused, as everywhere.
#include "cli/evaluate_options.h"

#include <string.h>

#include "cli/options.h"

static const char *const format_names[] = {"text", "json"};

struct raw { // as typed
    const char *tau, *threshold, *max_tokens, *threads, *format, *beam, *length;
};

static bool read_values(struct evaluate_options *options, const struct raw *raw)
{
    struct judge_rules *rules = &options->rules;
    int format = 0;
    *rules = (struct judge_rules){.tau = 1, .threshold = 0.2f, .max_tokens = 12};
    rules->beam.length = BEAM_LENGTH;
    rules->natural = options->natural;
    rules->posterior = options->posterior;
    options->threads = options_processors(EVALUATE_MAX_THREADS);
    if (raw->format)
        format = options_choose("evaluate", "format", raw->format, format_names, 2);
    options->json = format == 1;
    return format >= 0 && (!raw->tau || options_tau("evaluate", raw->tau, &rules->tau)) &&
           (!raw->threshold || options_number("evaluate", "threshold", raw->threshold, 0,
                                              1, &rules->threshold)) &&
           (!raw->max_tokens || options_count("evaluate", "max-tokens", raw->max_tokens,
                                              1, GOLD_MAX_WORDS, &rules->max_tokens)) &&
           (!raw->beam || options_count("evaluate", "beam", raw->beam, 1,
                                        SEARCH_MAX_WIDTH, &rules->beam.width)) &&
           (!raw->length || options_number("evaluate", "length", raw->length, 0, 5,
                                           &rules->beam.length)) &&
           (!raw->threads || options_count("evaluate", "threads", raw->threads, 1,
                                           EVALUATE_MAX_THREADS, &options->threads));
}

// The option that would do nothing, or NULL.
static const char *idle_option(const struct evaluate_options *options,
                               const struct raw *raw)
{
    if (!options->test)
        return options->references ? "refs"
               : options->exact    ? "exact"
               : options->joined   ? "joined"
               : raw->beam         ? "beam"
                                   : NULL;
    if (!options->n_gold)
        return raw->threshold       ? "threshold"
               : raw->max_tokens    ? "max-tokens"
               : options->natural   ? "natural"
               : options->posterior ? "posterior"
                                    : NULL;
    return NULL;
}

// How many of the files are standard input, which can be read only once.
static int from_input(const struct evaluate_options *options)
{
    int n = options->test && strcmp(options->test, "-") == 0;
    n += options->references && strcmp(options->references, "-") == 0;
    for (int i = 0; i < options->n_gold; i++)
        n += strcmp(options->gold[i], "-") == 0;
    return n;
}

static bool check(const struct evaluate_options *options, const struct raw *raw)
{
    const char *idle = idle_option(options, raw);
    if (!options->test && !options->n_gold)
        say_usage("evaluate", "nothing to evaluate on: give --test FILE or --gold FILE");
    else if (idle)
        say_usage("evaluate", "--%s does nothing without --%s", idle,
                  options->test ? "gold" : "test");
    else if (raw->length && !raw->beam)
        say_usage("evaluate", "--length does nothing without --beam");
    else if (from_input(options) > 1)
        say_usage("evaluate", "standard input (-) can be only one of the files");
    else if (options->output && !options->output[0])
        say_usage("evaluate", "-o needs the name of a file");
    else
        return true;
    return false;
}

bool evaluate_options_read(struct evaluate_options *options, int argc, char **argv)
{
    struct raw raw = {0};
    *options = (struct evaluate_options){0};
    struct option_list models = {.items = options->models, .max = VERDICT_MAX_MODELS};
    struct option_list gold = {.items = options->gold, .max = PAIRS_MAX_GOLD};
    const struct option_row rows[] = {
        {.name = "model", .letter = 'm', .list = &models},
        {.name = "test", .value = &options->test},
        {.name = "refs", .value = &options->references},
        {.name = "gold", .list = &gold},
        {.name = "exact", .given = &options->exact},
        {.name = "joined", .given = &options->joined},
        {.name = "natural", .given = &options->natural},
        {.name = "posterior", .given = &options->posterior},
        {.name = "tau", .value = &raw.tau},
        {.name = "threshold", .value = &raw.threshold},
        {.name = "max-tokens", .value = &raw.max_tokens},
        {.name = "beam", .value = &raw.beam},
        {.name = "length", .value = &raw.length},
        {.name = "threads", .value = &raw.threads},
        {.name = "format", .letter = 'f', .value = &raw.format},
        {.name = "output", .letter = 'o', .value = &options->output},
    };
    struct command command = {
        .name = "evaluate", .options = rows, .n_options = sizeof rows / sizeof rows[0]};
    if (!options_read(&command, argc, argv))
        return false;
    options->n_models = models.n ? models.n : 1;
    options->n_gold = gold.n;
    options->help = command.help;
    return options->help || (read_values(options, &raw) && check(options, &raw));
}
