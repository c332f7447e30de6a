// SPDX-License-Identifier: MIT
// Two ways of decoding one sentence are timed: the loop of the engine, which gives the
// words, and a session, which gives what the window and the files show: every row with e,
// α, p, the best words beside it and the labels.
#include "bench_decode.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "bench_clock.h"
#include "engine/decoder.h"
#include "engine/score.h"
#include "engine/screen.h"
#include "translate/crew.h"

enum { LONGEST = 500, STEPS = 60, RUNS = 100, MEMORY = 1 << 28 };
enum { SENTENCES_A_TIME = 9, MOST_SENTENCES = SENTENCES_A_TIME * SAMPLES };
enum { MOST_THREADS = 64 };

struct loop { // encoder and decoder on one sentence
    const struct network *network;
    struct arena arena;
    int ids[LONGEST + 1], n_src;
    struct encoding encoding;
    struct decoder decoder;
    struct samples encode, step; // us of the sentence; us per target token
    double best_step;            // the fastest of all steps
    int rows;
};

// At most `steps` rows, to </s> or, when it is not to end there, beyond.
static int run_rows(struct loop *loop, int steps, bool to_the_end)
{
    int rows = 0;
    while (rows < steps) {
        double begin = wall_us();
        decoder_step(&loop->decoder);
        int token = decoder_best(&loop->decoder, 0);
        decoder_feed(&loop->decoder, token);
        loop->best_step = fmin(loop->best_step, wall_us() - begin);
        rows++;
        if (!to_the_end && token == loop->network->config.eos)
            break;
    }
    return rows;
}

static bool run_loop(struct loop *loop, int runs, bool to_the_end, struct error *err)
{
    const struct run_options words = {.tau = 1, .words_only = true};
    loop->encode.count = loop->step.count = 0;
    loop->best_step = HUGE_VAL;
    for (int i = 0; i < runs; i++) {
        arena_reset(&loop->arena);
        double begin = thread_us();
        if (!encoder_run(&loop->encoding, &loop->arena, loop->network, loop->ids,
                         loop->n_src, err))
            return false;
        samples_add(&loop->encode, thread_us() - begin);
        if (!decoder_init(&loop->decoder, &loop->arena, loop->network, &loop->encoding, 1,
                          STEPS, words, err))
            return false;
        begin = thread_us();
        loop->rows = run_rows(loop, loop->decoder.steps, to_the_end);
        samples_add(&loop->step, (thread_us() - begin) / loop->rows);
    }
    return true;
}

// The sentence again and again until there are n_src tokens; 0: once.
static bool take_ids(struct loop *loop, const struct model_dir *dir, const char *text,
                     int n_src, struct error *err)
{
    static struct token tokens[LONGEST];
    int count = 0, end = dir->network.config.source_eos;
    if (!tokenizer_encode(dir->source, text, strlen(text), tokens, LONGEST, &count, err))
        return false;
    if (count == 0)
        return fail_with(err, ERR_FORMAT, "the tokenizer gives no token for '%s'", text);
    loop->n_src = n_src ? n_src : count + end;
    for (int i = 0; i < loop->n_src; i++)
        loop->ids[i] = tokens[i % count].id;
    if (end)
        loop->ids[loop->n_src - 1] = dir->network.config.source_eos_id;
    return true;
}

// Scores, weights and context of the state as it is, as the loop makes them.
static void attend(void *context)
{
    struct loop *loop = context;
    const struct model_config *c = &loop->network->config;
    const struct scorer *scorer = scorer_of(c->score);
    struct decoder *d = &loop->decoder;
    const float *query = decoder_state(d, 0);
    int s = loop->n_src, m = model_memory_width(c), width = scorer->width(c);
    if (scorer->queries) {
        scorer->queries(d->kernels, loop->network, query, 1, d->own.query);
        query = d->own.query;
    }
    scorer->fill(d->kernels, &loop->encoding, query, 1, width, d->now.coverage, d->moved,
                 d->e);
    softmax_tau(d->kernels, d->alpha, d->e, NULL, s, 1);
    d->kernels->blend(d->now.context, d->alpha, loop->encoding.memory, s, m);
}

static bool print_lengths(struct loop *loop, const struct model_dir *dir,
                          const char *text, struct error *err)
{
    static const int lengths[] = {20, 100, LONGEST};
    const struct model_config *c = &loop->network->config;
    bool attends = c->score != SCORE_NONE && c->family != FAMILY_TRANSFORMER;
    printf("\nby length, one core\n  %13s %24s %24s %14s\n", "source tokens",
           "us per source token", "us per target token", "attention, us");
    for (int i = 0; i < 3; i++) {
        if (model_positions(c) && model_positions(c) < lengths[i])
            continue; // so long a sentence it does not read
        if (!take_ids(loop, dir, text, lengths[i], err) ||
            !run_loop(loop, RUNS / 4, true, err))
            return false;
        printf("  %13d %24.1f %24.1f %14.1f\n", lengths[i],
               samples_at(&loop->encode, 0) / lengths[i], loop->best_step,
               attends ? best_us(attend, loop, 10 * RUNS, 1) : 0);
    }
    return true;
}

static bool time_session(const struct model_dir *dir, const char *text,
                         struct samples *us, double *best, struct error *err)
{
    struct translator translator = {dir->id, &dir->network, dir->source, dir->target};
    struct session *session = session_create(&translator, err);
    bool ok = session != NULL;
    for (int i = 0; ok && i < RUNS; i++) {
        struct alignment *alignment =
            session_begin(session, text, strlen(text), run_at(1), err);
        double begin = thread_us(), last = wall_us(), now;
        for (; alignment && session_step(session, alignment); last = now) {
            now = wall_us();
            *best = fmin(*best, now - last);
        }
        if (alignment)
            samples_add(us, (thread_us() - begin) / alignment_rows(alignment));
        ok = alignment != NULL;
        alignment_destroy(alignment);
    }
    session_destroy(session);
    return ok;
}

static void print_step(const char *name, struct samples *us, double best, double roof_us)
{
    printf("  %-50s %9.1f us %5.0f %%   p50 %9.1f us\n", name, best, 100 * roof_us / best,
           samples_at(us, 0.5));
}

static bool time_decoding(struct loop *loop, const struct model_dir *dir,
                          const char *text, double roof_us, struct error *err)
{
    struct samples shown = {.count = 0};
    double best = HUGE_VAL;
    if (!take_ids(loop, dir, text, 0, err) || !run_loop(loop, RUNS, false, err) ||
        !time_session(dir, text, &shown, &best, err))
        return false;
    printf("\ndecode one sentence on one core, %d source and %d target tokens\n",
           loop->n_src, loop->rows);
    print_step("target token: the words", &loop->step, loop->best_step, roof_us);
    print_step("target token: words, e, alpha, p, the best five", &shown, best, roof_us);
    printf("  %-50s %9.1f us\n", "source token: the encoder",
           samples_at(&loop->encode, 0) / loop->n_src);
    return print_lengths(loop, dir, text, err);
}

bool bench_decode(const struct model_dir *dir, const char *text, double roof_us,
                  struct error *err)
{
    static struct loop loop;
    loop.network = &dir->network;
    arena_init(&loop.arena, MEMORY);
    bool ok = time_decoding(&loop, dir, text, roof_us, err);
    arena_finish(&loop.arena);
    return ok;
}

struct stream {
    const struct model_dir *dir;
    const char *line[MOST_SENTENCES];
    size_t length[MOST_SENTENCES];
    int count, threads;
    struct run_options options;
};

struct share { // every threads-th sentence, from the thread's own number on
    const struct stream *stream;
    int next;
    long rows;
    bool failed;
    struct error err;
};

static bool next_task(void *context, struct task *task, bool wait)
{
    struct share *share = context;
    const struct stream *stream = share->stream;
    (void)wait;
    if (share->failed || share->next >= stream->count)
        return false;
    *task = (struct task){.text = stream->line[share->next],
                          .length = stream->length[share->next]};
    share->next += stream->threads;
    return true;
}

static void finish_task(void *context, struct task *task)
{
    struct share *share = context;
    if (task->failed) {
        share->failed = true;
        share->err = task->why;
        return;
    }
    share->rows += alignment_rows(task->nbest.at[0].alignment);
    nbest_finish(&task->nbest);
}

static void *run_share(void *context)
{
    struct share *share = context;
    const struct stream *stream = share->stream;
    const struct model_dir *dir = stream->dir;
    struct translator translator = {dir->id, &dir->network, dir->source, dir->target};
    const struct crew_orders orders = {.options = stream->options};
    const struct crew_work work = {next_task, finish_task, share};
    struct crew *crew = crew_create(&translator, &orders, &share->err);
    share->failed = !crew;
    if (crew)
        crew_run(crew, &work);
    crew_destroy(crew);
    return NULL;
}

static bool run_stream(struct stream *stream, int threads, const char *what,
                       struct error *err)
{
    struct share shares[MOST_THREADS] = {{0}};
    pthread_t running[MOST_THREADS];
    long rows = 0;
    int started = 0;
    bool ok = true;
    stream->threads = threads;
    double begin = wall_us(), begin_cpu = process_us();
    for (; started < threads && ok; started += ok) {
        shares[started] = (struct share){.stream = stream, .next = started};
        ok = !pthread_create(&running[started], NULL, run_share, &shares[started]);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(running[i], NULL);
        rows += shares[i].rows;
        if (shares[i].failed)
            *err = shares[i].err;
        ok = ok && !shares[i].failed;
    }
    double seconds = (wall_us() - begin) / 1e6, cpu_us = process_us() - begin_cpu;
    if (ok)
        printf("  %2d thread%s %-16s %9.0f sentences/s %9.0f target tokens/s %8.1f us "
               "of a core each\n",
               threads, threads == 1 ? ": " : "s:", what, stream->count / seconds,
               (double)rows / seconds, cpu_us / (double)rows);
    return ok || (started < threads && fail_with(err, ERR_IO, "no thread could be made"));
}

// The sentences again and again, so that a run takes a while.
static void take_lines(struct stream *stream, const struct buf *text, int most)
{
    const char *begin = text->data, *at = begin, *end = begin + text->length;
    while (at < end && stream->count < most) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        const char *tab = memchr(at, '\t', (size_t)(line_end - at));
        stream->line[stream->count] = at;
        stream->length[stream->count++] = (size_t)((tab ? tab : line_end) - at);
        at = line_end + 1 < end ? line_end + 1 : begin;
    }
}

// The words as the bare formats of `trace` ask for them, and with what the others show.
static bool run_streams(struct stream *stream, int threads, struct error *err)
{
    stream->options = (struct run_options){.tau = 1, .words_only = true};
    if (!run_stream(stream, 1, "words and alpha", err) ||
        (threads > 1 && !run_stream(stream, threads, "words and alpha", err)))
        return false;
    stream->options = run_at(1);
    return run_stream(stream, 1, "and p", err) &&
           (threads == 1 || run_stream(stream, threads, "and p", err));
}

bool bench_stream(struct model_dir *dir, const char *path, int times, struct error *err)
{
    static struct stream stream;
    struct buf text;
    struct screen *screen = screen_create(&dir->network);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (int)cores;
    buf_init(&text, 1 << 24);
    dir->network.screen = screen;
    bool ok = file_read(path, &text, err);
    if (ok) {
        stream = (struct stream){.dir = dir};
        take_lines(&stream, &text, SENTENCES_A_TIME * times);
        printf("\nstream of %d sentences, encoder and loop, many together\n",
               stream.count);
        ok = run_streams(&stream, threads, err);
    }
    dir->network.screen = NULL;
    screen_destroy(screen);
    buf_finish(&text);
    return ok;
}
