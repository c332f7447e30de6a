// SPDX-License-Identifier: MIT
// Scores pairs with one model. See judge.h. Test pairs are translated together and
// compared; of a gold pair the given translation is forced, its α merged to the words of
// the file, and each target word linked to its maximum.
#include "cli/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align/merge.h"
#include "align/telemetry.h"
#include "evaluate/buckets.h"
#include "evaluate/natural.h"

enum { SCRATCH_BYTES = 64 << 20 };

static const float unread_below = 0.2f;

struct judge {
    struct judge_rules rules;
    bool has_attention;
    char languages[2][32]; // source, target
    struct crew *crew;
    struct session *session; // of gold pairs
    struct judged *pairs;    // (n_pairs) that the crew works on
    int n_pairs, next;
    struct arena scratch;
    float coverage[ALIGNMENT_MAX_SRC];
};

// "en-fr" is "en" and "fr".
static void split_languages(struct judge *judge, const char *pair)
{
    size_t first = strcspn(pair, "-"), size = sizeof judge->languages[0];
    const char *second = pair + first + (pair[first] ? 1 : 0);
    snprintf(judge->languages[0], size, "%.*s", (int)first, pair);
    snprintf(judge->languages[1], size, "%s", second);
}

static struct run_options loop_options(const struct judge *judge)
{
    return (struct run_options){
        .tau = judge->rules.tau, .words_only = true, .mean_only = true};
}

struct judge *judge_create(const struct translator *translator,
                           const struct judge_rules *rules, struct error *err)
{
    struct judge *judge = calloc(1, sizeof *judge);
    if (!judge) {
        fail_nomem(err, "a judge");
        return NULL;
    }
    judge->rules = *rules;
    judge->has_attention = translator->network->config.score != SCORE_NONE;
    split_languages(judge, translator->network->config.languages);
    arena_init(&judge->scratch, SCRATCH_BYTES);
    judge->session = session_create(translator, err);
    if (judge->session)
        session_want_posterior(judge->session, rules->posterior);
    const struct crew_orders orders = {
        .options = loop_options(judge), .beam = rules->beam, .most = 1};
    judge->crew = judge->session ? crew_create(translator, &orders, err) : NULL;
    if (judge->crew)
        return judge;
    judge_destroy(judge);
    return NULL;
}

void judge_destroy(struct judge *judge)
{
    if (!judge)
        return;
    crew_destroy(judge->crew);
    session_destroy(judge->session);
    arena_finish(&judge->scratch);
    free(judge);
}

static bool check_whole(const struct alignment *alignment, struct error *err)
{
    return alignment->tokens_cut == 0 ||
           fail_with(err, ERR_LIMIT, "the source has %d tokens, the limit is %d",
                     SENTENCE_MAX_TOKENS + alignment->tokens_cut, SENTENCE_MAX_TOKENS);
}

static void judge_rows(struct judgement *out, const struct alignment *alignment)
{
    for (int t = 0; t < alignment_rows(alignment); t++) {
        if (alignment->target[t].special)
            continue;
        struct row_stats stats = telemetry_row(
            alignment->alpha + (size_t)t * (size_t)alignment->n_src, alignment->n_src);
        out->rows++;
        out->entropy_bits += (double)stats.entropy_bits;
        out->max += (double)stats.max;
    }
}

static void judge_columns(struct judge *judge, struct judgement *out,
                          const struct alignment *alignment)
{
    telemetry_coverage(alignment->alpha, alignment_rows(alignment), alignment->n_src,
                       judge->coverage);
    for (int s = 0; s < alignment->n_src; s++) {
        if (alignment->source[s].special)
            continue;
        out->columns++;
        out->unread += judge->coverage[s] < unread_below;
        out->coverage_gap += fabs((double)judge->coverage[s] - 1);
    }
}

static bool judge_words(struct judge *judge, const struct pair *pair,
                        struct judgement *out, const char *translation, struct error *err)
{
    struct bleu_text said = {translation, strlen(translation)};
    if (!bleu_add(&out->bleu, &judge->scratch, said, pair->references, pair->n_references,
                  err))
        return false;
    for (int i = 0; i < pair->n_references && !out->exact; i++)
        out->exact = pair->references[i].length == said.length &&
                     memcmp(pair->references[i].text, said.text, said.length) == 0;
    if (pair->n_references > 1)
        return bleu_add(&out->first, &judge->scratch, said, pair->references, 1, err);
    out->first = out->bleu;
    return true;
}

static bool judge_translation(struct judge *judge, const struct pair *pair,
                              const struct alignment *alignment, struct judgement *out,
                              struct error *err)
{
    bool ok = check_whole(alignment, err) && alignment_check(alignment, err) &&
              judge_words(judge, pair, out, alignment->translation, err);
    out->words = (uint64_t)bucket_words(pair->source.text, pair->source.length);
    out->tokens = (uint64_t)alignment_rows(alignment);
    out->at_limit = alignment_ended(alignment) == ENDED_LIMIT;
    out->us = alignment->encode_us + alignment->decode_us;
    if (ok && alignment->has_attention) {
        judge_rows(out, alignment);
        judge_columns(judge, out, alignment);
    }
    return ok;
}

struct side { // of a gold pair, as the model gets it
    const char *text;
    size_t length;
    struct merge_span *words; // (n_words)
    int n_words;
};

static bool join_side(struct judge *judge, struct side *side, const char *language)
{
    size_t room = (size_t)side->n_words + 1;
    struct natural_word *words = arena_alloc(&judge->scratch, room, sizeof *words);
    char *text = arena_alloc(&judge->scratch, side->length + 1, 1);
    if (!words || !text)
        return false;
    natural_join(side->text, side->length, language, text, &side->length, words,
                 side->n_words);
    side->text = text;
    for (int w = 0; w < side->n_words; w++)
        side->words[w] = (struct merge_span){words[w].begin, words[w].end};
    return true;
}

static bool make_side(struct judge *judge, struct side *side, const char *text,
                      size_t length, const char *language, struct error *err)
{
    *side = (struct side){.text = text, .length = length};
    side->words = arena_alloc(&judge->scratch, GOLD_MAX_WORDS, sizeof *side->words);
    if (!side->words)
        return fail_nomem(err, "the words of a pair");
    side->n_words = merge_split(text, length, side->words, GOLD_MAX_WORDS);
    return !judge->rules.natural || join_side(judge, side, language) ||
           fail_nomem(err, "the words of a pair");
}

// The word of each label.
static int *words_of(struct arena *arena, const struct label *labels, int n,
                     const struct side *side)
{
    int *out = arena_alloc(arena, (size_t)n, sizeof *out);
    if (out)
        merge_map(labels, n, side->words, side->n_words, out);
    return out;
}

// weights (rows, n_src) of the alignment, merged to words: best (words of the target).
static bool link_words(struct judge *judge, const struct side *source,
                       const struct side *target, const struct alignment *alignment,
                       const float *weights, int *best, struct error *err)
{
    struct arena *arena = &judge->scratch;
    int rows = alignment_rows(alignment), n_src = alignment->n_src;
    const int *row_word = words_of(arena, alignment->target, rows, target);
    const int *column_word = words_of(arena, alignment->source, n_src, source);
    size_t words = (size_t)source->n_words;
    float *merged = arena_alloc(arena, (size_t)target->n_words * words, sizeof *merged);
    if (!row_word || !column_word || !merged)
        return fail_nomem(err, "the words of a pair");
    merge_alpha(weights, rows, n_src, row_word, column_word, merged, target->n_words,
                source->n_words);
    for (int t = 0; t < target->n_words; t++)
        best[t] =
            aer_best(merged + (size_t)t * words, source->n_words, judge->rules.threshold);
    return true;
}

static bool judge_links(struct judge *judge, const struct gold *gold,
                        const struct side *source, const struct side *target,
                        const struct alignment *alignment, struct judgement *out,
                        struct error *err)
{
    const float *const weights[LINKS] = {alignment->alpha, alignment->posterior};
    int best[GOLD_MAX_WORDS];
    for (int kind = 0; kind < LINKS && weights[kind]; kind++) {
        if (!link_words(judge, source, target, alignment, weights[kind], best, err))
            return false;
        aer_add(&out->aer[kind], gold, best);
        if (gold->n_src <= judge->rules.max_tokens)
            out->short_aer[kind] = out->aer[kind];
    }
    return true;
}

static bool judge_gold(struct judge *judge, const struct pair *pair,
                       struct judgement *out, struct error *err)
{
    struct gold gold;
    struct side source, target;
    arena_reset(&judge->scratch);
    if (!gold_parse(&gold, &judge->scratch, pair->text, pair->length, err) ||
        !make_side(judge, &source, gold.source, gold.source_length, judge->languages[0],
                   err) ||
        !make_side(judge, &target, gold.target, gold.target_length, judge->languages[1],
                   err))
        return false;
    if (!judge->has_attention)
        return true;
    struct alignment *alignment =
        session_force(judge->session, source.text, source.length, target.text,
                      target.length, loop_options(judge), err);
    if (!alignment)
        return false;
    bool ok = check_whole(alignment, err) && alignment_check(alignment, err) &&
              judge_links(judge, &gold, &source, &target, alignment, out, err);
    alignment_destroy(alignment);
    return ok;
}

static bool next_task(void *context, struct task *task, bool wait)
{
    struct judge *judge = context;
    (void)wait;
    while (judge->next < judge->n_pairs) {
        struct judged *of = &judge->pairs[judge->next++];
        if (of->pair->failed || of->pair->kind != PAIR_TEST)
            continue;
        *task = (struct task){.owner = of,
                              .text = of->pair->source.text,
                              .length = of->pair->source.length};
        return true;
    }
    return false;
}

static void finish_task(void *context, struct task *task)
{
    struct judge *judge = context;
    const struct judged *of = task->owner;
    struct pair *pair = of->pair;
    pair->failed = task->failed;
    pair->why = task->why;
    if (!task->failed)
        pair->failed = !judge_translation(judge, pair, task->nbest.at[0].alignment,
                                          of->judgement, &pair->why);
    nbest_finish(&task->nbest);
}

void judge_pairs(struct judge *judge, struct judged *pairs, int n)
{
    const struct crew_work work = {next_task, finish_task, judge};
    for (int i = 0; i < n; i++) {
        struct pair *pair = pairs[i].pair;
        *pairs[i].judgement = (struct judgement){0};
        if (!pair->failed && pair->kind == PAIR_GOLD)
            pair->failed = !judge_gold(judge, pair, pairs[i].judgement, &pair->why);
    }
    judge->pairs = pairs;
    judge->n_pairs = n;
    judge->next = 0;
    crew_run(judge->crew, &work);
}

void judgement_sum(struct judgement *sum, const struct judgement *part)
{
    bleu_sum(&sum->bleu, &part->bleu);
    bleu_sum(&sum->first, &part->first);
    for (int kind = 0; kind < LINKS; kind++) {
        aer_sum(&sum->aer[kind], &part->aer[kind]);
        aer_sum(&sum->short_aer[kind], &part->short_aer[kind]);
    }
    sum->exact += part->exact;
    sum->at_limit += part->at_limit;
    sum->words += part->words;
    sum->tokens += part->tokens;
    sum->rows += part->rows;
    sum->entropy_bits += part->entropy_bits;
    sum->max += part->max;
    sum->columns += part->columns;
    sum->unread += part->unread;
    sum->coverage_gap += part->coverage_gap;
    sum->us += part->us;
}
