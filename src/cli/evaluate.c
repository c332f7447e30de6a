// SPDX-License-Identifier: MIT
// `alphascope evaluate`: how good models are, on pairs of any number.
//
// One thread reads pairs into slots and adds up the results, in the order of the lines;
// the others score, each the pairs that there are together. All models score a pair
// before it is given back, so that a file is read once, a line that cannot be used is
// named once, and a number means the same pairs for every model: a pair that one of them
// cannot score counts for none.
#include "cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/evaluate_options.h"
#include "cli/options.h"
#include "cli/pick.h"
#include "cli/pool.h"
#include "cli/progress.h"
#include "cli/sink.h"
#include "engine/screen.h"

enum { TOGETHER = 64, SLOTS_PER_THREAD = 2 * TOGETHER, OUT_BYTES = 16 << 20 };

struct slot {
    struct pair pair;
    struct judgement judgements[VERDICT_MAX_MODELS];
};

struct evaluation {
    struct evaluate_options options;
    struct model_dir *dirs[VERDICT_MAX_MODELS];
    struct screen *screens[VERDICT_MAX_MODELS]; // of their output layers; NULL: none
    struct judge *judges[EVALUATE_MAX_THREADS][VERDICT_MAX_MODELS];
    struct slot *slots; // (n_slots)
    int n_slots;
    struct pool *pool;
    struct pairs *pairs;
    struct verdicts verdicts;
    struct progress progress;
    struct sink sink;
    struct buf out;
    long scored, broken;
};

static struct evaluation *evaluation_create(const struct evaluate_options *options,
                                            struct error *err)
{
    struct evaluation *evaluation = calloc(1, sizeof *evaluation);
    int n = options->threads * SLOTS_PER_THREAD;
    struct slot *slots = calloc((size_t)n, sizeof *slots);
    if (!evaluation || !slots) {
        free(evaluation);
        free(slots);
        fail_nomem(err, "an evaluation");
        return NULL;
    }
    evaluation->options = *options;
    evaluation->slots = slots;
    evaluation->n_slots = n;
    evaluation->sink.fd = -1;
    buf_init(&evaluation->out, OUT_BYTES);
    progress_init_bar(&evaluation->progress);
    return evaluation;
}

static void evaluation_destroy(struct evaluation *evaluation)
{
    if (!evaluation)
        return;
    pool_destroy(evaluation->pool); // before what its threads use
    for (int i = 0; i < evaluation->options.threads; i++)
        for (int m = 0; m < evaluation->options.n_models; m++)
            judge_destroy(evaluation->judges[i][m]);
    for (int m = 0; m < evaluation->options.n_models; m++) {
        model_dir_close(evaluation->dirs[m]);
        screen_destroy(evaluation->screens[m]);
    }
    pairs_destroy(evaluation->pairs);
    buf_finish(&evaluation->out);
    free(evaluation->slots);
    free(evaluation);
}

static bool open_models(struct evaluation *evaluation, struct error *err)
{
    const struct evaluate_options *options = &evaluation->options;
    for (int m = 0; m < options->n_models; m++) {
        struct model_dir *dir = pick_model(options->models[m], err);
        if (!dir)
            return false;
        struct translator translator = {.id = dir->id,
                                        .network = &dir->network,
                                        .source = dir->source,
                                        .target = dir->target};
        evaluation->dirs[m] = dir;
        if (!options->rules.beam.width)
            dir->network.screen = evaluation->screens[m] = screen_create(&dir->network);
        evaluation->verdicts.models[m].model = dir->id;
        evaluation->verdicts.models[m].has_attention =
            dir->network.config.score != SCORE_NONE;
        for (int i = 0; i < options->threads; i++) {
            evaluation->judges[i][m] = judge_create(&translator, &options->rules, err);
            if (!evaluation->judges[i][m])
                return false;
        }
    }
    return true;
}

// A model without α has no links.
static bool check_gold(const struct evaluation *evaluation, struct error *err)
{
    const struct evaluate_options *options = &evaluation->options;
    const struct verdict *models = evaluation->verdicts.models;
    int without = 0;
    for (int m = 0; m < options->n_models; m++)
        without += !models[m].has_attention;
    if (!options->n_gold || !without)
        return true;
    if (without == options->n_models)
        return fail_with(err, ERR_USAGE,
                         "--gold: %.100s has no attention and so no links to score",
                         models[0].model);
    for (int m = 0; m < options->n_models; m++)
        if (!models[m].has_attention)
            say("evaluate", "%s has no attention: no links of it are scored",
                models[m].model);
    return true;
}

static bool open_pairs(struct evaluation *evaluation, struct error *err)
{
    const struct evaluate_options *options = &evaluation->options;
    struct verdicts *verdicts = &evaluation->verdicts;
    struct pairs *pairs = evaluation->pairs = pairs_create(err);
    if (!pairs)
        return false;
    pairs->test = verdicts->test = options->test;
    pairs->references = options->references;
    pairs->n_gold = verdicts->n_gold = options->n_gold;
    pairs->joined = verdicts->joined = options->joined;
    for (int i = 0; i < options->n_gold; i++)
        pairs->gold[i] = verdicts->gold[i] = options->gold[i];
    verdicts->exact = options->exact;
    verdicts->rules = options->rules;
    verdicts->n_models = options->n_models;
    pairs_measure(pairs);
    return true;
}

static void judge_slots(struct evaluation *evaluation, int thread, const int *slots,
                        int n)
{
    struct judged pairs[TOGETHER];
    for (int m = 0; m < evaluation->options.n_models; m++) {
        for (int i = 0; i < n; i++) {
            struct slot *of = &evaluation->slots[slots[i]];
            pairs[i] = (struct judged){&of->pair, &of->judgements[m]};
        }
        judge_pairs(evaluation->judges[thread][m], pairs, n);
    }
}

// A thread of the pool.
static void judge_all(void *context, int thread, struct pool *pool)
{
    int slots[TOGETHER], slot;
    for (int n = 0; (slot = pool_take(pool, n == 0)) >= 0 || n;) {
        if (slot >= 0)
            slots[n++] = slot;
        if (slot >= 0 && n < TOGETHER)
            continue;
        judge_slots(context, thread, slots, n);
        while (n)
            pool_done(pool, slots[--n]);
    }
}

static void name_failure(struct evaluation *evaluation, const struct pair *pair)
{
    const char *path = pair_path(evaluation->pairs, pair);
    progress_clear(&evaluation->progress);
    if (pair->joined)
        say("evaluate", "%s: lines %ld to %ld joined: %s", path, pair->line,
            pair->last_line, pair->why.text);
    else
        say("evaluate", "%s: line %ld: %s", path, pair->line, pair->why.text);
}

static void count_pair(struct verdicts *verdicts, const struct pair *pair)
{
    if (pair->kind == PAIR_GOLD) {
        verdicts->gold_lines[pair->file]++;
        verdicts->gold_unscored[pair->file] += pair->failed;
    } else if (pair->joined) {
        verdicts->joined_unscored += pair->failed;
    } else {
        verdicts->lines++;
        verdicts->unscored += pair->failed;
    }
}

static void add_slot(struct evaluation *evaluation, const struct slot *slot)
{
    count_pair(&evaluation->verdicts, &slot->pair);
    if (slot->pair.failed)
        name_failure(evaluation, &slot->pair);
    evaluation->broken += slot->pair.failed && slot->pair.why.code == ERR_BROKEN;
    for (int m = 0; m < evaluation->options.n_models && !slot->pair.failed; m++)
        verdict_add(&evaluation->verdicts.models[m], &slot->pair, &slot->judgements[m]);
    evaluation->scored += !slot->pair.failed;
}

// Reads ahead as far as there are slots, then waits for the oldest.
static bool evaluate_all(struct evaluation *evaluation, struct error *err)
{
    enum lines_result result = LINES_ONE;
    for (long done = 0;; done++) {
        int slot;
        while (result == LINES_ONE && (slot = pool_free(evaluation->pool)) >= 0) {
            result = pairs_next(evaluation->pairs, &evaluation->slots[slot].pair, err);
            if (result == LINES_ONE)
                pool_put(evaluation->pool);
        }
        slot = pool_oldest(evaluation->pool);
        if (result == LINES_FAILED || slot < 0)
            break;
        add_slot(evaluation, &evaluation->slots[slot]);
        pool_release(evaluation->pool);
        progress_bar(&evaluation->progress, done + 1, pairs_share(evaluation->pairs));
    }
    progress_clear(&evaluation->progress);
    return result == LINES_END;
}

static void say_rest(const struct evaluation *evaluation)
{
    const struct verdicts *verdicts = &evaluation->verdicts;
    long lines = verdicts->lines, unscored = verdicts->unscored;
    for (int i = 0; i < verdicts->n_gold; i++) {
        lines += verdicts->gold_lines[i];
        unscored += verdicts->gold_unscored[i];
    }
    if (evaluation->pairs->extra)
        say("evaluate", "%s: has %ld lines more than %s", evaluation->options.references,
            evaluation->pairs->extra, evaluation->options.test);
    if (unscored)
        say("evaluate", "%ld of %ld lines could not be scored", unscored, lines);
}

static bool write_all(struct evaluation *evaluation, struct error *err)
{
    struct buf *out = &evaluation->out;
    if (evaluation->options.json)
        verdicts_json(out, &evaluation->verdicts);
    else
        verdicts_text(out, &evaluation->verdicts);
    if (out->failed)
        return fail_nomem(err, "the results");
    return sink_write(&evaluation->sink, out->data, out->length, err);
}

static bool run(struct evaluation *evaluation, struct error *err)
{
    if (!open_models(evaluation, err) || !check_gold(evaluation, err) ||
        !open_pairs(evaluation, err) ||
        !sink_open(&evaluation->sink, evaluation->options.output, err))
        return false;
    evaluation->pool = pool_create(evaluation->options.threads, evaluation->n_slots,
                                   judge_all, evaluation, err);
    if (!evaluation->pool || !evaluate_all(evaluation, err))
        return false;
    say_rest(evaluation);
    if (!evaluation->scored)
        return fail_with(err, ERR_FORMAT, "nothing could be scored");
    return write_all(evaluation, err);
}

int cli_evaluate(int argc, char **argv)
{
    struct evaluate_options options;
    struct error err = {0};
    sink_guard();
    if (!evaluate_options_read(&options, argc, argv))
        return EXIT_USAGE;
    if (options.help) {
        cli_help();
        return EXIT_DONE;
    }
    struct evaluation *evaluation = evaluation_create(&options, &err);
    bool ok = evaluation && run(evaluation, &err);
    if (evaluation)
        ok = sink_close(&evaluation->sink, ok, ok ? &err : NULL) && ok;
    int done = evaluation && evaluation->broken ? EXIT_INPUT : EXIT_DONE;
    evaluation_destroy(evaluation);
    return ok ? done : say_error("evaluate", &err);
}
