// SPDX-License-Identifier: MIT
// The options of `alphascope trace`. See trace_options.h. Options that would do nothing
// (--theme without a picture) are refused: a picture that silently ignores what was asked
// is worse than none.
#include "cli/trace_options.h"

#include <string.h>
#include <strings.h>

#include "cli/options.h"

static const char *const mode_names[] = {"re-decode", "re-read"};
static const char *const theme_names[] = {"dark", "light"};

struct raw { // as typed
    const char *tau, *mode, *format, *scale, *theme, *word;
    const char *attention, *layer, *head;
    const char *beam, *length, *nbest, *dropout, *seed, *threads;
    const char *merge, *special, *top, *shade, *map;
};

bool trace_is_picture(int format)
{
    return format >= WRITE_FORMATS;
}

bool trace_is_bare(int format)
{
    return !trace_is_picture(format) &&
           (format == WRITE_TSV || write_formats[format].aligned);
}

const char *trace_format_name(int format)
{
    return trace_is_picture(format)
               ? sheet_kind_name((enum sheet_kind)(format - WRITE_FORMATS))
               : write_formats[format].name;
}

static bool read_tau(struct trace_options *options, const struct raw *raw)
{
    options->tau = 1;
    return !raw->tau || options_tau("trace", raw->tau, &options->tau);
}

static bool read_beam(struct trace_options *options, const struct raw *raw)
{
    options->beam.length = BEAM_LENGTH;
    return (!raw->beam || options_count("trace", "beam", raw->beam, 1, SEARCH_MAX_WIDTH,
                                        &options->beam.width)) &&
           (!raw->length || options_number("trace", "length", raw->length, 0, 5,
                                           &options->beam.length)) &&
           (!raw->nbest || options_count("trace", "nbest", raw->nbest, 1,
                                         SEARCH_MAX_WIDTH, &options->nbest));
}

static bool read_loop(struct trace_options *options, const struct raw *raw)
{
    options->threads = options_processors(TRACE_MAX_THREADS);
    return (!raw->dropout || options_number("trace", "alpha-dropout", raw->dropout, 0,
                                            0.99f, &options->dropout)) &&
           (!raw->seed ||
            options_count("trace", "seed", raw->seed, 0, 999999, &options->seed)) &&
           (!raw->threads || options_count("trace", "threads", raw->threads, 1,
                                           TRACE_MAX_THREADS, &options->threads));
}

static bool read_scale(struct trace_options *options, const struct raw *raw)
{
    options->scale = 1;
    return !raw->scale || options_scale("trace", raw->scale, &options->scale);
}

// By the ending of the output's name: JSON where it has none; -1 after a sentence.
static int format_of_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL,
               *name = slash ? slash + 1 : path;
    const char *dot = name ? strrchr(name, '.') : NULL;
    for (int i = 0; dot && i < TRACE_FORMATS; i++) {
        bool picture = trace_is_picture(i);
        const char *ending = picture ? trace_format_name(i) : write_formats[i].ending;
        if (strcasecmp(dot + picture, ending) == 0)
            return i;
    }
    if (!dot || !dot[1] || dot == name || !strcasecmp(dot, ".jsonl"))
        return WRITE_JSON;
    say_usage("trace",
              "-o %.200s: '%.20s' is no ending of a format, expected .json, .tsv, .txt, "
              ".pharaoh, .soft, .png, .svg or .pdf; --format chooses one for any name",
              path, dot);
    return -1;
}

static int choose_format(const char *name)
{
    const char *names[TRACE_FORMATS];
    for (int i = 0; i < TRACE_FORMATS; i++)
        names[i] = trace_format_name(i);
    return options_choose("trace", "format", name, names, TRACE_FORMATS);
}

static int choose_of(const char *option, const char *value, const char *const *names,
                     int n)
{
    return value ? options_choose("trace", option, value, names, n) : 0;
}

// How it is shown: the words are those of the window's commands.
static bool read_look(struct trace_options *options, const struct raw *raw)
{
    static const char *const merges[] = {"off", "sum", "max"};
    static const char *const specials[] = {"show", "hide"};
    const char *shades[SHADE_COUNT], *maps[MAP_COUNT];
    for (int i = 0; i < SHADE_COUNT; i++)
        shades[i] = shade_name((enum shade)i);
    for (int i = 0; i < MAP_COUNT; i++)
        maps[i] = colormap_name((enum colormap)i);
    int merge = choose_of("merge", raw->merge, merges, 3);
    int special = merge < 0 ? -1 : choose_of("special", raw->special, specials, 2);
    int shade = special < 0 ? -1 : choose_of("shade", raw->shade, shades, SHADE_COUNT);
    int map = shade < 0 ? -1 : choose_of("map", raw->map, maps, MAP_COUNT);
    if (map < 0)
        return false;
    options->lens.merge = (enum lens_merge)merge;
    options->lens.hide_special = special == 1;
    options->shade = (enum shade)shade;
    options->map = (enum colormap)map;
    return !raw->top || options_count("trace", "top", raw->top, 1, ALIGNMENT_MAX_SRC,
                                      &options->lens.top);
}

static bool read_choices(struct trace_options *options, const struct raw *raw)
{
    int mode = 0, theme = 0;
    int format =
        raw->format ? choose_format(raw->format) : format_of_name(options->output);
    if (format >= 0 && raw->mode)
        mode = options_choose("trace", "mode", raw->mode, mode_names, 2);
    if (format >= 0 && mode >= 0 && raw->theme)
        theme = options_choose("trace", "theme", raw->theme, theme_names, 2);
    if (format < 0 || mode < 0 || theme < 0)
        return false;
    options->format = format;
    options->reread = mode == 1;
    options->theme = theme == 1 ? THEME_LIGHT : THEME_DARK;
    return true;
}

// What one option says of another; false after a sentence.
static bool check_search(const struct trace_options *options, const struct raw *raw)
{
    if (!raw->beam && (raw->length || raw->nbest))
        say_usage("trace", "--%s does nothing without --beam",
                  raw->length ? "length" : "nbest");
    else if (options->nbest > options->beam.width)
        say_usage("trace", "--nbest is %d, a beam of %d has no more than that",
                  options->nbest, options->beam.width);
    else if (raw->nbest && trace_is_picture(options->format))
        say_usage("trace", "--nbest is not for pictures: they show the best");
    else if (options->force && raw->beam)
        say_usage("trace", "--force has its own words: there is nothing for --beam");
    else if (raw->seed && !raw->dropout)
        say_usage("trace", "--seed does nothing without --alpha-dropout");
    else
        return true;
    return false;
}

// Where the sentences come from.
static bool check_input(const struct trace_options *options, const struct raw *raw)
{
    bool from_lines = options->force && strcmp(options->force, "-") == 0;
    if (options->force && !from_lines && !options->text)
        say_usage("trace", "--force is for --text; --force - takes lines of source TAB "
                           "target");
    else if (from_lines && options->text)
        say_usage("trace", "--force - takes lines of source TAB target, not --text");
    else if (raw->threads && options->text)
        say_usage("trace", "--threads is for lines on standard input");
    else
        return true;
    return false;
}

static bool check_posterior(const struct trace_options *options, const struct raw *raw)
{
    bool aligned =
        !trace_is_picture(options->format) && write_formats[options->format].aligned;
    if (!options->posterior)
        return true;
    if (!aligned)
        say_usage("trace", "--posterior is for links: --format pharaoh or soft");
    else if (raw->beam)
        say_usage("trace", "--posterior does nothing with --beam");
    else if (options->reread)
        say_usage("trace", "--posterior does nothing with --mode re-read");
    else
        return true;
    return false;
}

static bool check_heads(const struct trace_options *options)
{
    const char *kind = map_kind_word(options->heads.kind);
    bool aligned =
        !trace_is_picture(options->format) && write_formats[options->format].aligned;
    if (options->heads.kind == MAP_CROSS)
        return true;
    if (options->reread)
        say_usage("trace", "--mode re-read is for cross-attention: τ stands in no other");
    else if (aligned)
        say_usage("trace",
                  "--format %s is for cross-attention: --attention %s links no "
                  "source and target",
                  trace_format_name(options->format), kind);
    else
        return true;
    return false;
}

static bool check_pairs(const struct trace_options *options, const struct raw *raw)
{
    bool picture = trace_is_picture(options->format);
    bool table = options->format == WRITE_TSV || options->format == WRITE_TEXT;
    const char *only = raw->scale        ? "scale"
                       : raw->theme      ? "theme"
                       : raw->shade      ? "shade"
                       : raw->map        ? "map"
                       : options->hard   ? "hard"
                       : options->ribbon ? "ribbon"
                                         : NULL;
    if (raw->word)
        say_usage("trace",
                  "'%.80s' is not an option: the sentence comes with --text or on "
                  "standard input",
                  raw->word);
    else if (!picture && only)
        say_usage("trace", "--%s is for pictures: --format png, svg or pdf", only);
    else if (options->lens.transpose && !picture && !table)
        say_usage("trace",
                  "--transpose is for pictures and tables: %s says which side "
                  "is the source",
                  trace_format_name(options->format));
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
        {.name = "model", .letter = 'm', .value = &options->model},
        {.name = "text", .letter = 't', .value = &options->text},
        {.name = "tau", .value = &raw.tau},
        {.name = "mode", .value = &raw.mode},
        {.name = "format", .letter = 'f', .value = &raw.format},
        {.name = "output", .letter = 'o', .value = &options->output},
        {.name = "scale", .value = &raw.scale},
        {.name = "theme", .value = &raw.theme},
        {.name = "beam", .value = &raw.beam},
        {.name = "length", .value = &raw.length},
        {.name = "nbest", .value = &raw.nbest},
        {.name = "force", .value = &options->force},
        {.name = "posterior", .given = &options->posterior},
        {.name = "alpha-dropout", .value = &raw.dropout},
        {.name = "seed", .value = &raw.seed},
        {.name = "threads", .value = &raw.threads},
        {.name = "attention", .value = &raw.attention},
        {.name = "layer", .value = &raw.layer},
        {.name = "head", .value = &raw.head},
        {.name = "merge", .value = &raw.merge},
        {.name = "special", .value = &raw.special},
        {.name = "top", .value = &raw.top},
        {.name = "transpose", .given = &options->lens.transpose},
        {.name = "hard", .given = &options->hard},
        {.name = "ribbon", .given = &options->ribbon},
        {.name = "shade", .value = &raw.shade},
        {.name = "map", .value = &raw.map},
    };
    struct command command = {.name = "trace",
                              .options = rows,
                              .n_options = sizeof rows / sizeof rows[0],
                              .words = &raw.word,
                              .max_words = 1};
    if (!options_read(&command, argc, argv))
        return false;
    options->help = command.help;
    return options->help ||
           (read_tau(options, &raw) && read_scale(options, &raw) &&
            read_beam(options, &raw) && read_loop(options, &raw) &&
            read_look(options, &raw) && read_choices(options, &raw) &&
            heads_option_read(&options->heads, raw.attention, raw.layer, raw.head) &&
            check_heads(options) && check_pairs(options, &raw) &&
            check_posterior(options, &raw) && check_search(options, &raw) &&
            check_input(options, &raw));
}
