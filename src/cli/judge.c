// SPDX-License-Identifier: MIT
// Scores one pair with one model. See judge.h. A test pair is translated greedily and
// compared; of a gold pair the given translation is forced, its α merged to the words of
// the file, and each target word linked to its maximum.
#include "cli/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align/merge.h"
#include "align/telemetry.h"
#include "evaluate/buckets.h"

enum { SCRATCH_BYTES = 64 << 20 };

static const float unread_below = 0.2f;

struct judge {
    struct judge_rules rules;
    bool has_attention;
    struct session *session;
    struct arena scratch;
    float coverage[ALIGNMENT_MAX_SRC];
};

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
    arena_init(&judge->scratch, SCRATCH_BYTES);
    judge->session = session_create(translator, err);
    if (judge->session)
        return judge;
    judge_destroy(judge);
    return NULL;
}

void judge_destroy(struct judge *judge)
{
    if (!judge)
        return;
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
                              struct judgement *out, struct error *err)
{
    struct alignment *alignment = session_run(judge->session, pair->source.text,
                                              pair->source.length, judge->rules.tau, err);
    if (!alignment)
        return false;
    bool ok = check_whole(alignment, err) &&
              judge_words(judge, pair, out, alignment->translation, err);
    out->words = (uint64_t)bucket_words(pair->source.text, pair->source.length);
    out->tokens = (uint64_t)alignment_rows(alignment);
    out->at_limit = alignment_ended(alignment) == ENDED_LIMIT;
    out->us = alignment->encode_us + alignment->decode_us;
    if (ok && alignment->has_attention) {
        judge_rows(out, alignment);
        judge_columns(judge, out, alignment);
    }
    alignment_destroy(alignment);
    return ok;
}

// The source word of each label, by the words of the text.
static int *words_of(struct arena *arena, const struct label *labels, int n,
                     const char *text, size_t length)
{
    struct merge_span *words = arena_alloc(arena, GOLD_MAX_WORDS, sizeof *words);
    int *out = arena_alloc(arena, (size_t)n, sizeof *out);
    if (words && out)
        merge_map(labels, n, words, merge_split(text, length, words, GOLD_MAX_WORDS),
                  out);
    return words ? out : NULL;
}

static bool link_words(struct judge *judge, const struct gold *gold,
                       const struct alignment *alignment, int *best, struct error *err)
{
    struct arena *arena = &judge->scratch;
    int rows = alignment_rows(alignment), n_src = alignment->n_src;
    const int *row_word =
        words_of(arena, alignment->target, rows, gold->target, gold->target_length);
    const int *column_word =
        words_of(arena, alignment->source, n_src, gold->source, gold->source_length);
    float *merged =
        arena_alloc(arena, (size_t)gold->n_tgt * (size_t)gold->n_src, sizeof *merged);
    if (!row_word || !column_word || !merged)
        return fail_nomem(err, "the words of a pair");
    merge_alpha(alignment->alpha, rows, n_src, row_word, column_word, merged, gold->n_tgt,
                gold->n_src);
    for (int t = 0; t < gold->n_tgt; t++)
        best[t] = aer_best(merged + (size_t)t * (size_t)gold->n_src, gold->n_src,
                           judge->rules.threshold);
    return true;
}

static bool judge_gold(struct judge *judge, const struct pair *pair,
                       struct judgement *out, struct error *err)
{
    struct gold gold;
    int best[GOLD_MAX_WORDS];
    arena_reset(&judge->scratch);
    if (!gold_parse(&gold, &judge->scratch, pair->text, pair->length, err))
        return false;
    if (!judge->has_attention)
        return true;
    struct alignment *alignment =
        session_force(judge->session, gold.source, gold.source_length, gold.target,
                      gold.target_length, judge->rules.tau, err);
    if (!alignment)
        return false;
    bool ok =
        check_whole(alignment, err) && link_words(judge, &gold, alignment, best, err);
    alignment_destroy(alignment);
    if (!ok)
        return false;
    aer_add(&out->aer, &gold, best);
    if (gold.n_src <= judge->rules.max_tokens)
        out->short_aer = out->aer;
    return true;
}

bool judge_pair(struct judge *judge, const struct pair *pair, struct judgement *judgement,
                struct error *err)
{
    *judgement = (struct judgement){0};
    return pair->kind == PAIR_GOLD ? judge_gold(judge, pair, judgement, err)
                                   : judge_translation(judge, pair, judgement, err);
}

void judgement_sum(struct judgement *sum, const struct judgement *part)
{
    bleu_sum(&sum->bleu, &part->bleu);
    bleu_sum(&sum->first, &part->first);
    aer_sum(&sum->aer, &part->aer);
    aer_sum(&sum->short_aer, &part->short_aer);
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
