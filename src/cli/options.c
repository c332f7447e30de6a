// SPDX-License-Identifier: MIT
// Command lines by table. See options.h.
#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "text/utf8.h"
#include "view/tau.h"

static void PRINTF_LIKE(2, 0)
    speak(const char *command, const char *format, va_list args, const char *tail)
{
    char text[1024], clean[1024];
    vsnprintf(text, sizeof text, format, args);
    utf8_clean(clean, sizeof clean, text, strlen(text), NULL);
    fprintf(stderr, "alphascope%s%s: %s%s\n", *command ? " " : "", command, clean, tail);
}

void say(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    speak(command, format, args, "");
    va_end(args);
}

int say_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    speak(command, format, args, " (alphascope --help lists what there is)");
    va_end(args);
    return EXIT_USAGE;
}

int say_error(const char *command, const struct error *err)
{
    if (err->code != ERR_CANCELLED)
        say(command, "%s", err->text);
    return EXIT_INPUT;
}

static const struct option_row *find_long(const struct command *command, const char *name,
                                          size_t length)
{
    for (int i = 0; i < command->n_options; i++) {
        const struct option_row *row = &command->options[i];
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return row;
    }
    return NULL;
}

static const struct option_row *find_short(const struct command *command, char letter)
{
    for (int i = 0; i < command->n_options; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    return NULL;
}

// One argument that starts with '-'. *inside: where its value is when it is in the same
// word, else NULL.
static const struct option_row *find(const struct command *command, const char *word,
                                     const char **inside)
{
    *inside = NULL;
    if (word[1] != '-') {
        *inside = word[2] ? word + 2 : NULL;
        return find_short(command, word[1]);
    }
    const char *equals = strchr(word, '=');
    *inside = equals ? equals + 1 : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    return find_long(command, word + 2, length - 2);
}

static bool take_word(struct command *command, const char *word)
{
    if (command->n_words == command->max_words) {
        say_usage(command->name, "one argument too many: '%s'", word);
        return false;
    }
    command->words[command->n_words++] = word;
    return true;
}

static bool take_value(const struct command *command, const struct option_row *row,
                       const char *value)
{
    struct option_list *list = row->list;
    if (!list) {
        *row->value = value;
        return true;
    }
    if (list->n == list->max) {
        say_usage(command->name, "--%s is given too often, the limit is %d", row->name,
                  list->max);
        return false;
    }
    list->items[list->n++] = value;
    return true;
}

static bool take_option(struct command *command, int argc, char **argv, int *i)
{
    const char *inside, *word = argv[*i];
    const struct option_row *row = find(command, word, &inside);
    if (!row) {
        say_usage(command->name, "unknown option '%s'", word);
        return false;
    }
    if (row->given) {
        *row->given = true;
        if (inside)
            say_usage(command->name, "option '--%s' takes no value", row->name);
        return !inside;
    }
    if (!inside && *i + 1 >= argc) {
        say_usage(command->name, "option '%s' needs a value", word);
        return false;
    }
    return take_value(command, row, inside ? inside : argv[++*i]);
}

bool options_read(struct command *command, int argc, char **argv)
{
    bool only_words = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        bool option = !only_words && word[0] == '-' && word[1];
        if (option && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            command->help = true;
            return true;
        }
        if (option && strcmp(word, "--") == 0)
            only_words = true;
        else if (!(option ? take_option(command, argc, argv, &i)
                          : take_word(command, word)))
            return false;
    }
    return true;
}

int options_choose(const char *command, const char *option, const char *value,
                   const char *const *names, int n)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        if (strcmp(value, names[i]) == 0)
            return i;
        int length =
            snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
        used += length > 0 && (size_t)length < sizeof list - used ? (size_t)length : 0;
    }
    say_usage(command, "--%s is '%s', expected one of: %s", option, value, list);
    return -1;
}

bool options_tau(const char *command, const char *value, float *tau)
{
    if (tau_parse(value, tau))
        return true;
    say_usage(command, "--tau is '%.80s', expected " TAU_EXPECTED " or inf", value);
    return false;
}

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

bool options_scale(const char *command, const char *value, float *scale)
{
    if (parse_decimal(value, scale) && *scale >= 0.5f && *scale <= 4)
        return true;
    say_usage(command, "--scale is '%.80s', expected a number from 0.5 to 4", value);
    return false;
}

bool options_number(const char *command, const char *option, const char *value, float low,
                    float high, float *number)
{
    if (parse_decimal(value, number) && *number >= low && *number <= high)
        return true;
    say_usage(command, "--%s is '%.80s', expected a number from %g to %g", option, value,
              (double)low, (double)high);
    return false;
}

bool options_count(const char *command, const char *option, const char *value, int low,
                   int high, int *count)
{
    float number = 0;
    size_t digits = strspn(value, "0123456789");
    if (digits && digits <= 6 && !value[digits] && parse_decimal(value, &number) &&
        number >= (float)low && number <= (float)high) {
        *count = (int)number;
        return true;
    }
    say_usage(command, "--%s is '%.80s', expected a whole number from %d to %d", option,
              value, low, high);
    return false;
}

int options_processors(int most)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > most ? most : (int)n;
}
