// SPDX-License-Identifier: MIT
// Any bytes as a command line: its words end with newlines, and each command that has
// options reads them. What is accepted must be in range.
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "cli/evaluate_options.h"
#include "cli/trace_options.h"
#include "options.h"

enum { WORDS_MAX = 40, BYTES_MAX = 4096 };

static void window(int argc, char **argv)
{
    struct options options;
    if (!options_parse(&options, argc, argv) || options.help || options.version)
        return;
    must(options.tau >= 0 || options.tau == -1);
    must(options.scale >= 0.5f && options.scale <= 4);
    must(options.width >= 0 && options.width <= 16384 && options.height >= 0 &&
         options.height <= 16384);
}

static void trace(int argc, char **argv)
{
    struct trace_options options;
    if (!trace_options_read(&options, argc, argv) || options.help)
        return;
    must(options.tau >= 0 && options.scale >= 0.5f && options.scale <= 4);
    must(options.format < TRACE_FORMATS);
}

static void evaluate(int argc, char **argv)
{
    struct evaluate_options options;
    if (!evaluate_options_read(&options, argc, argv) || options.help)
        return;
    must(options.n_models >= 1 && options.n_models <= VERDICT_MAX_MODELS);
    must(options.n_gold >= 0 && options.n_gold <= PAIRS_MAX_GOLD);
    must(options.threads >= 0 && options.threads <= EVALUATE_MAX_THREADS);
    must(options.rules.tau >= 0 && isfinite(options.rules.threshold));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[BYTES_MAX + 1], name[] = "alphascope", *words[WORDS_MAX + 2] = {name};
    int count = 1;
    size = size < BYTES_MAX ? size : BYTES_MAX;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *word = text; count <= WORDS_MAX && (size_t)(word - text) < size;) {
        words[count++] = word;
        word += strcspn(word, "\n");
        *word++ = '\0';
    }
    window(count, words);
    trace(count, words);
    evaluate(count, words);
    return 0;
}
