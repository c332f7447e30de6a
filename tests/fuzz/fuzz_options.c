// SPDX-License-Identifier: MIT
// Any bytes as a command line: its words end with newlines, and each command that has
// options reads them. What is accepted must be in range.
#include "fuzz.h"

#include <string.h>

#include "bench_clock.h"
#include "bench_options.h"
#include "cli/evaluate_options.h"
#include "cli/print_options.h"
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
    must(options.format >= 0 && options.format < TRACE_FORMATS);
    must(options.beam.width >= 0 && options.beam.width <= SEARCH_MAX_WIDTH);
    must(options.beam.length >= 0 && options.beam.length <= 5);
    must(options.nbest >= 0 && options.nbest <= options.beam.width);
    must(options.dropout >= 0 && options.dropout < 1 && options.seed >= 0);
    must(options.threads >= 1 && options.threads <= TRACE_MAX_THREADS);
    must(options.lens.top >= 0 && options.lens.top <= ALIGNMENT_MAX_SRC);
}

static void evaluate(int argc, char **argv)
{
    struct evaluate_options options;
    if (!evaluate_options_read(&options, argc, argv) || options.help)
        return;
    must(options.n_models >= 1 && options.n_models <= VERDICT_MAX_MODELS);
    must(options.n_gold >= 0 && options.n_gold <= PAIRS_MAX_GOLD);
    must(options.threads >= 1 && options.threads <= EVALUATE_MAX_THREADS);
    must(options.rules.tau >= 0);
    must(options.rules.threshold >= 0 && options.rules.threshold <= 1);
    must(options.rules.max_tokens >= 1 && options.rules.max_tokens <= GOLD_MAX_WORDS);
}

static void attend(int argc, char **argv)
{
    struct attend_options options;
    if (!attend_options_read(&options, argc, argv) || options.help)
        return;
    must(!options.output || *options.output);
}

static void inspect(int argc, char **argv)
{
    struct inspect_options options;
    if (!inspect_options_read(&options, argc, argv) || options.help)
        return;
    must(options.path != NULL);
}

static void models(int argc, char **argv)
{
    struct models_options options;
    if (!models_options_read(&options, argc, argv) || options.help)
        return;
    must(!options.json || argc > 1);
}

static void bench(int argc, char **argv)
{
    struct bench_options options;
    if (!bench_options_read(&options, argc, argv) || options.help)
        return;
    must(options.times >= 1 && options.times <= SAMPLES);
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
    attend(count, words);
    inspect(count, words);
    models(count, words);
    bench(count, words);
    return 0;
}
