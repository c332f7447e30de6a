// SPDX-License-Identifier: MIT
// Decodes and writes sentences. See trace_job.h. τ inside the loop (re-decode) is the
// honest default; re-read decodes at τ = 1 and applies τ to the stored scores, as the
// window does while a knob is dragged. A format that shows no probability asks for none.
#include "cli/trace_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pick.h"
#include "cli/picture_file.h"
#include "translate/crew.h"

enum { SCRATCH_BYTES = 64 << 20, OUT_BYTES = 256 << 20 };

struct tracer {
    const struct trace_options *options;
    const struct model_dir *dir;
    struct crew *crew;
    const struct job_queue *queue;
    struct arena scratch; // of one sentence that is written
};

static struct crew_orders orders_of(const struct trace_options *options)
{
    return (struct crew_orders){
        .options = {.tau = options->reread ? 1 : options->tau,
                    .words_only = trace_is_bare(options->format),
                    .mean_only = trace_is_bare(options->format) && !options->heads.given,
                    .dropout = options->dropout,
                    .seed = (unsigned)options->seed},
        .beam = options->beam,
        .most = options->nbest ? options->nbest : 1,
        .posterior = options->posterior};
}

struct tracer *tracer_create(const struct trace_options *options,
                             const struct model_dir *dir, struct error *err)
{
    struct translator translator = {.id = dir->id,
                                    .network = &dir->network,
                                    .source = dir->source,
                                    .target = dir->target};
    struct crew_orders orders = orders_of(options);
    if (options->posterior && dir->network.config.family == FAMILY_TRANSFORMER) {
        fail_with(err, ERR_USAGE,
                  "%s is a Transformer: many heads blend a word, --posterior is of one α",
                  dir->id);
        return NULL;
    }
    struct tracer *tracer = calloc(1, sizeof *tracer);
    if (!tracer) {
        fail_nomem(err, "a session");
        return NULL;
    }
    tracer->options = options;
    tracer->dir = dir;
    arena_init(&tracer->scratch, SCRATCH_BYTES);
    tracer->crew = crew_create(&translator, &orders, err);
    if (tracer->crew)
        return tracer;
    tracer_destroy(tracer);
    return NULL;
}

void tracer_destroy(struct tracer *tracer)
{
    if (!tracer)
        return;
    crew_destroy(tracer->crew);
    arena_finish(&tracer->scratch);
    free(tracer);
}

// α as it is shown: that of the loop, or the stored scores read again; or its posterior.
static const float *shown_alpha(struct tracer *tracer, const struct alignment *alignment,
                                struct error *err)
{
    int rows = alignment_rows(alignment);
    if (alignment->posterior)
        return alignment->posterior;
    if (!tracer->options->reread || !alignment->has_attention || !rows ||
        alignment->attention.kind != MAP_CROSS)
        return alignment->alpha;
    size_t count = (size_t)rows * (size_t)alignment->n_src;
    float *alpha = arena_alloc(&tracer->scratch, count, sizeof *alpha);
    if (alpha)
        translate_reread(alignment, NULL, tracer->options->tau, 0, rows, alpha);
    else
        fail_nomem(err, "the matrix of a sentence");
    return alpha;
}

// view: of the alignment, the one that was asked for; NULL: itself.
static bool read_hypothesis(struct tracer *tracer, const struct trace_job *job,
                            const struct hypothesis *of, const struct alignment *view,
                            struct rank *rank, struct reading *reading, struct error *err)
{
    const struct trace_options *options = tracer->options;
    const struct alignment *shown = view ? view : of->alignment;
    *rank =
        (struct rank){options->beam.width, options->beam.length, of->log_p, of->score};
    *reading = (struct reading){.alignment = shown,
                                .alpha = shown_alpha(tracer, shown, err),
                                .tau = options->tau,
                                .mode = options->reread ? "re-read" : "re-decode",
                                .name = model_dir_name(tracer->dir),
                                .cut_bytes = job->source.cut_bytes,
                                .rank = options->beam.width ? rank : NULL};
    return reading->alpha || !shown->has_attention || !alignment_rows(shown);
}

static bool choose_map(const struct tracer *tracer, const struct hypothesis *of,
                       struct alignment **view, struct error *err)
{
    if (!tracer->options->heads.given || !of->alignment->n_src)
        return true;
    *view = heads_option_view(&tracer->options->heads, of->alignment, err);
    return *view != NULL;
}

static bool write_picture(const struct tracer *tracer, struct buf *out,
                          const struct reading *reading, struct error *err)
{
    const struct trace_options *options = tracer->options;
    struct picture_look look = {.kind =
                                    (enum sheet_kind)(options->format - WRITE_FORMATS),
                                .theme = options->theme,
                                .scale = options->scale,
                                .hard = options->hard,
                                .ribbon = options->ribbon,
                                .shade = options->shade,
                                .map = options->map};
    char title[256], of[128];
    // A picture that stops half-way would not say so. The sentence is said already.
    if (!alignment_check(reading->alignment, err))
        return fail_with(err, ERR_CANCELLED, "not finite");
    model_title(tracer->dir, title, sizeof title);
    if (reading->alignment->maps) {
        map_say(reading->alignment->maps, reading->alignment->attention, of, sizeof of);
        snprintf(title + strlen(title), sizeof title - strlen(title), " · %s", of);
    }
    return picture_file(out, reading, title, &look, err);
}

static bool write_readings_of(struct tracer *tracer, struct trace_job *job,
                              const struct reading *readings, int n, struct error *err)
{
    int format = tracer->options->format;
    if (trace_is_picture(format))
        return write_picture(tracer, &job->out, readings, err);
    if (job->number && write_formats[format].apart)
        buf_add(&job->out, "\n");
    return tracer->options->nbest
               ? write_nbest(&job->out, format, job->number, readings, n, err)
               : write_formats[format].write(&job->out, readings, err);
}

static bool write_all(struct tracer *tracer, struct trace_job *job,
                      const struct nbest *nbest, struct error *err)
{
    const struct trace_options *options = tracer->options;
    struct reading readings[SEARCH_MAX_WIDTH];
    struct rank ranks[SEARCH_MAX_WIDTH];
    struct lens *lenses[SEARCH_MAX_WIDTH] = {NULL};
    struct alignment *views[SEARCH_MAX_WIDTH] = {NULL};
    int format = trace_is_picture(options->format) ? -1 : options->format;
    bool ok = true;
    for (int i = 0; i < nbest->n && ok; i++)
        ok = choose_map(tracer, &nbest->at[i], &views[i], err) &&
             read_hypothesis(tracer, job, &nbest->at[i], views[i], &ranks[i],
                             &readings[i], err) &&
             read_through(&readings[i], alignment_rows(readings[i].alignment), format,
                          &options->lens, &lenses[i], err);
    ok = ok && write_readings_of(tracer, job, readings, nbest->n, err);
    for (int i = 0; i < nbest->n; i++)
        lens_destroy(lenses[i]);
    for (int i = 0; i < nbest->n; i++)
        alignment_destroy(views[i]);
    return ok;
}

static bool next_task(void *context, struct task *task, bool wait)
{
    struct tracer *tracer = context;
    struct trace_job *job = tracer->queue->next(tracer->queue->context, wait);
    if (!job)
        return false;
    *task = (struct task){
        .owner = job, .text = job->source.text, .length = job->source.length};
    if (tracer->options->force) {
        task->target = job->target.text;
        task->target_length = job->target.length;
    }
    return true;
}

static void finish_task(void *context, struct task *task)
{
    struct tracer *tracer = context;
    struct trace_job *job = task->owner;
    struct error why = {0};
    arena_reset(&tracer->scratch);
    buf_clear(&job->out);
    job->tokens_cut = 0;
    job->broken = false;
    job->failed = task->failed;
    job->why = task->why;
    if (!job->failed) {
        job->tokens_cut = task->nbest.at[0].alignment->tokens_cut;
        job->broken = !alignment_check(task->nbest.at[0].alignment, &job->why);
        job->failed = !write_all(tracer, job, &task->nbest, &why);
    }
    if (job->failed && !job->broken && !task->failed)
        job->why = why;
    nbest_finish(&task->nbest);
    tracer->queue->done(tracer->queue->context, job);
}

void tracer_run(struct tracer *tracer, const struct job_queue *queue)
{
    const struct crew_work work = {next_task, finish_task, tracer};
    tracer->queue = queue;
    crew_run(tracer->crew, &work);
}

void trace_job_init(struct trace_job *job)
{
    *job = (struct trace_job){0};
    buf_init(&job->out, OUT_BYTES);
}

void trace_job_finish(struct trace_job *job)
{
    buf_finish(&job->out);
}
