// SPDX-License-Identifier: MIT
// `alphascope trace`: sentences in, what the decoder attended to out.
//
// A filter: one sentence a line, in order, one write per sentence. One thread reads lines
// into slots and writes results, the others decode, each what there is, several sentences
// together. Memory does not grow with the stream:
// there are as many slots as are given, a line is cut at a limit that is said, and what
// belongs to a sentence is given back with it. Nobody who writes a line and waits for its
// answer waits for ever: lines are read ahead only while they are there to be read.
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/pick.h"
#include "cli/pool.h"
#include "cli/progress.h"
#include "cli/sink.h"
#include "cli/trace_job.h"
#include "engine/screen.h"
#include "translate/translator.h"

enum { SLOTS_PER_THREAD = 64, JOBS_BYTES = 64 << 20 };

struct trace {
    struct trace_options options;
    struct model_dir *dir;
    struct screen *screen;                     // of its output layer; NULL: none
    struct tracer *tracers[TRACE_MAX_THREADS]; // made by the thread that uses it
    struct arena arena;
    struct trace_job *jobs; // (n_jobs)
    int n_jobs;
    struct pool *pool;
    struct sink sink;
    struct progress progress;
    struct lines lines;
    long broken;
};

static bool open_model(struct trace *trace, struct error *err)
{
    const struct trace_options *options = &trace->options;
    trace->dir = pick_model(options->model, err);
    if (!trace->dir)
        return false;
    bool attention = trace->dir->network.config.score != SCORE_NONE;
    // Making a screen takes as long as it saves in a dozen sentences.
    if (trace_is_bare(options->format) && !options->beam.width && !options->force &&
        !options->text)
        trace->dir->network.screen = trace->screen = screen_create(&trace->dir->network);
    if (options->heads.given && trace->dir->network.config.family != FAMILY_TRANSFORMER)
        return fail_with(err, ERR_USAGE,
                         "%s has one attention: --attention, --layer and --head are for "
                         "a Transformer",
                         model_dir_name(trace->dir));
    if (!attention && options->tau != 1)
        say("trace", "%s has no attention: τ changes nothing",
            model_dir_name(trace->dir));
    if (!attention && options->dropout > 0)
        say("trace", "%s has no attention: dropout on α changes nothing",
            model_dir_name(trace->dir));
    else if (options->dropout > 0 && trace_is_bare(options->format))
        say("trace", "dropout %g on α, seed %d: rows need not sum to 1",
            (double)options->dropout, options->seed);
    return true;
}

static bool make_jobs(struct trace *trace, int count, struct error *err)
{
    trace->jobs = arena_alloc(&trace->arena, (size_t)count, sizeof *trace->jobs);
    if (!trace->jobs)
        return fail_nomem(err, "the sentences");
    for (; trace->n_jobs < count; trace->n_jobs++)
        trace_job_init(&trace->jobs[trace->n_jobs]);
    return true;
}

// Where the sentence came from.
static void place_of(const struct trace *trace, const struct trace_job *job, char *out,
                     size_t size)
{
    if (trace->options.text)
        snprintf(out, size, "--text");
    else
        snprintf(out, size, "line %ld", job->number + 1);
}

static void say_sentence(const char *place, const char *what,
                         const struct sentence *sentence)
{
    if (sentence->invalid)
        say("trace", "%s: %snot valid UTF-8, %d bad sequence%s became U+FFFD", place,
            what, sentence->invalid, sentence->invalid == 1 ? "" : "s");
    if (sentence->cut_bytes)
        say("trace", "%s: %stoo long, the last %zu bytes were cut off (the limit is %d)",
            place, what, sentence->cut_bytes, TEXT_MAX_BYTES);
}

static void say_changes(struct trace *trace, const struct trace_job *job)
{
    char place[32];
    place_of(trace, job, place, sizeof place);
    progress_clear(&trace->progress);
    say_sentence(place, "", &job->source);
    say_sentence(place, "the target is ", &job->target);
    if (job->tokens_cut)
        say("trace", "%s: too long, the last %d tokens were cut off (the limit is %d)",
            place, job->tokens_cut, SENTENCE_MAX_TOKENS);
    if (job->broken)
        say("trace", "%s: %s", place, job->why.text);
}

// In the thread that reads and writes: what became of a sentence.
static bool take_job(struct trace *trace, const struct trace_job *job, struct error *err)
{
    char place[32];
    place_of(trace, job, place, sizeof place);
    trace->broken += job->broken;
    if (!job->failed || job->broken)
        say_changes(trace, job);
    if (job->failed && job->broken)
        return fail_with(err, ERR_CANCELLED, "not finite");
    if (job->failed && job->why.code == ERR_USAGE)
        return fail_with(err, ERR_USAGE, "%s", job->why.text);
    if (job->failed)
        return fail_with(err, job->why.code, "%s: %s", place, job->why.text);
    return sink_write(&trace->sink, job->out.data, job->out.length, err);
}

struct share { // of the stream: what one thread works on
    struct trace *trace;
    struct pool *pool; // NULL: there is one job
    bool taken;        // and that is in hand
};

static void finish_job(void *context, struct trace_job *job)
{
    struct share *share = context;
    if (share->pool)
        pool_done(share->pool, (int)(job - share->trace->jobs));
}

// What has failed already goes back as it is.
static struct trace_job *next_job(void *context, bool wait)
{
    struct share *share = context;
    struct trace_job *job = NULL;
    do {
        if (job)
            finish_job(share, job);
        int slot = share->pool ? pool_take(share->pool, wait) : -share->taken;
        share->taken = true;
        job = slot < 0 ? NULL : &share->trace->jobs[slot];
        if (job)
            job->broken = false;
    } while (job && job->failed);
    return job;
}

static void run_jobs(void *context, int thread, struct pool *pool)
{
    struct trace *trace = context;
    struct share share = {.trace = trace, .pool = pool};
    const struct job_queue queue = {next_job, finish_job, &share};
    struct tracer **tracer = &trace->tracers[thread];
    struct error why;
    *tracer = tracer_create(&trace->options, trace->dir, &why);
    if (*tracer)
        tracer_run(*tracer, &queue);
    for (struct trace_job *job; !*tracer && (job = next_job(&share, true));) {
        job->failed = true;
        job->why = why;
        finish_job(&share, job);
    }
}

static bool run_here(struct trace *trace, struct error *err)
{
    run_jobs(trace, 0, NULL);
    return take_job(trace, &trace->jobs[0], err);
}

// With --force - the target stands behind a tab.
static void split_line(const struct trace *trace, struct trace_job *job,
                       const struct line *line)
{
    const char *force = trace->options.force;
    const char *tab = force ? memchr(line->bytes, '\t', line->length) : NULL;
    size_t length = tab ? (size_t)(tab - line->bytes) : line->length;
    job->failed = force && !tab;
    if (job->failed)
        fail_with(&job->why, ERR_FORMAT, "there is no tab, expected source TAB target");
    sentence_take(&job->source, line->bytes, length, tab ? 0 : line->dropped);
    if (tab)
        sentence_take(&job->target, tab + 1, line->length - length - 1, line->dropped);
}

static enum lines_result read_job(struct trace *trace, struct trace_job *job,
                                  struct error *err)
{
    struct line line;
    enum lines_result result = lines_next_raw(&trace->lines, &line, err);
    job->number = trace->lines.count - 1;
    if (result == LINES_ONE)
        split_line(trace, job, &line);
    return result;
}

static bool trace_pooled(struct trace *trace, struct error *err)
{
    enum lines_result result = LINES_ONE;
    for (long read = 0, written = 0;; written++) {
        int slot;
        while (result == LINES_ONE && (slot = pool_free(trace->pool)) >= 0 &&
               (read == written || lines_ready(&trace->lines))) {
            result = read_job(trace, &trace->jobs[slot], err);
            if (result != LINES_ONE)
                break;
            pool_put(trace->pool);
            read++;
        }
        slot = pool_oldest(trace->pool);
        if (slot < 0)
            return result == LINES_END;
        if (!take_job(trace, &trace->jobs[slot], err))
            return false;
        pool_release(trace->pool);
        progress_step(&trace->progress, written + 1);
    }
}

static bool trace_stream(struct trace *trace, struct error *err)
{
    int threads = trace->options.threads;
    if (!make_jobs(trace, threads * SLOTS_PER_THREAD, err))
        return false;
    trace->pool = pool_create(threads, trace->n_jobs, run_jobs, trace, err);
    return trace->pool && trace_pooled(trace, err);
}

// A picture is of one sentence: the first line, which must be the only one.
static bool trace_one_line(struct trace *trace, struct error *err)
{
    struct line second;
    if (!make_jobs(trace, 1, err))
        return false;
    enum lines_result result = read_job(trace, &trace->jobs[0], err);
    if (result == LINES_END)
        return fail_with(err, ERR_IO, "standard input holds no sentence to picture");
    if (result == LINES_ONE)
        result = lines_next_raw(&trace->lines, &second, err);
    if (result == LINES_ONE)
        return fail_with(err, ERR_USAGE,
                         "--format %s takes one sentence, standard input "
                         "holds more",
                         trace_format_name(trace->options.format));
    return result == LINES_END && run_here(trace, err);
}

static bool trace_text(struct trace *trace, struct error *err)
{
    const char *text = trace->options.text, *force = trace->options.force;
    if (!make_jobs(trace, 1, err))
        return false;
    sentence_take(&trace->jobs[0].source, text, strlen(text), 0);
    if (force)
        sentence_take(&trace->jobs[0].target, force, strlen(force), 0);
    return run_here(trace, err);
}

static bool trace_input(struct trace *trace, struct error *err)
{
    if (trace->options.text)
        return trace_text(trace, err);
    if (isatty(STDIN_FILENO))
        say("trace", "one sentence a line, Ctrl-D ends");
    return trace_is_picture(trace->options.format) ? trace_one_line(trace, err)
                                                   : trace_stream(trace, err);
}

static void finish(struct trace *trace)
{
    pool_destroy(trace->pool); // before what its threads use
    for (int i = 0; i < trace->options.threads; i++)
        tracer_destroy(trace->tracers[i]);
    for (int i = 0; i < trace->n_jobs; i++)
        trace_job_finish(&trace->jobs[i]);
    arena_finish(&trace->arena);
    screen_destroy(trace->screen);
    model_dir_close(trace->dir);
}

static int run(struct trace *trace)
{
    struct error err = {0};
    lines_init(&trace->lines, STDIN_FILENO, "standard input");
    arena_init(&trace->arena, JOBS_BYTES);
    trace->sink.fd = -1;
    bool ok =
        open_model(trace, &err) && sink_open(&trace->sink, trace->options.output, &err);
    progress_init(&trace->progress, STDIN_FILENO, trace->sink.fd);
    ok = ok && trace_input(trace, &err);
    progress_clear(&trace->progress);
    ok = sink_close(&trace->sink, ok, ok ? &err : NULL) && ok;
    finish(trace);
    if (ok)
        return trace->broken ? EXIT_INPUT : EXIT_DONE;
    return err.code == ERR_USAGE ? say_usage("trace", "%s", err.text)
                                 : say_error("trace", &err);
}

int cli_trace(int argc, char **argv)
{
    static struct trace trace; // too large for a stack
    memset(&trace, 0, sizeof trace);
    sink_guard();
    if (!trace_options_read(&trace.options, argc, argv))
        return EXIT_USAGE;
    if (trace.options.help) {
        cli_help();
        return EXIT_DONE;
    }
    if (trace_is_picture(trace.options.format) && !trace.options.output &&
        isatty(STDOUT_FILENO))
        return say_usage("trace",
                         "a picture on a terminal is noise: name a file with -o");
    return run(&trace);
}
