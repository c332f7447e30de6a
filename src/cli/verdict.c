// SPDX-License-Identifier: MIT
// Sums to rates, as JSON and as a table. See verdict.h. A rate of nothing is null in JSON
// and - in the table: it is not 0.
#include "cli/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/show.h"
#include "formats/write.h"
#include "text/utf8.h"

enum { NAME_COLUMNS = 34, MODEL_COLUMNS = 22 };

void verdict_add(struct verdict *verdict, const struct pair *pair,
                 const struct judgement *judgement)
{
    if (pair->kind == PAIR_GOLD) {
        judgement_sum(&verdict->gold[pair->file], judgement);
        return;
    }
    if (pair->joined > 1) {
        judgement_sum(&verdict->joined[pair->joined], judgement);
        return;
    }
    judgement_sum(&verdict->test, judgement);
    judgement_sum(&verdict->bucket[bucket_of((int)judgement->words)], judgement);
    judgement_sum(&verdict->joined[1], judgement);
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

static double bleu_of(const struct bleu *bleu)
{
    return bleu->segments ? bleu_score(bleu).score : (double)NAN;
}

static double mean_words(const struct judgement *of)
{
    return ratio((double)of->words, (double)of->bleu.segments);
}

static double exact_of(const struct judgement *of)
{
    return ratio((double)of->exact, (double)of->bleu.segments);
}

static double entropy_of(const struct judgement *of)
{
    return ratio(of->entropy_bits, (double)of->rows);
}

static double max_of(const struct judgement *of)
{
    return ratio(of->max, (double)of->rows);
}

static double gap_of(const struct judgement *of)
{
    return ratio(of->coverage_gap, (double)of->columns);
}

static double unread_of(const struct judgement *of)
{
    return ratio((double)of->unread, (double)of->columns);
}

static double speed_of(const struct judgement *of)
{
    return ratio((double)of->tokens * 1e6, of->us);
}

static bool several_references(const struct judgement *of)
{
    return of->bleu.most_references > 1;
}

static void json_number(struct buf *out, const char *name, double value)
{
    if (isfinite(value))
        buf_printf(out, ",\"%s\":%.6g", name, value);
    else
        buf_printf(out, ",\"%s\":null", name);
}

static void json_bleu(struct buf *out, const struct judgement *of)
{
    const struct bleu *bleu = &of->bleu;
    struct bleu_score score = bleu_score(bleu);
    char signature[128];
    bleu_signature(bleu, signature, sizeof signature);
    json_number(out, "bleu", bleu_of(bleu));
    json_number(out, "bleu_first_reference", bleu_of(&of->first));
    buf_printf(out, ",\"bleu_signature\":\"%s\",\"bleu_precisions\":[", signature);
    for (int n = 0; n < BLEU_ORDER; n++)
        buf_printf(out, "%s%.6g", n ? "," : "", score.precision[n]);
    buf_printf(out, "],\"bleu_brevity\":%.6g,\"bleu_lengths\":[%llu,%llu]", score.brevity,
               (unsigned long long)bleu->length,
               (unsigned long long)bleu->reference_length);
}

static void json_lengths(struct buf *out, const struct verdict *verdict)
{
    buf_add(out, ",\"bleu_by_length\":[");
    for (int i = 0; i < BUCKETS; i++) {
        const struct judgement *of = &verdict->bucket[i];
        buf_printf(out, "%s{\"words\":\"%s\",\"n\":%llu", i ? "," : "", bucket_name(i),
                   (unsigned long long)of->bleu.segments);
        json_number(out, "bleu", bleu_of(&of->bleu));
        buf_add(out, "}");
    }
    buf_add(out, "]");
}

static void json_joined(struct buf *out, const struct verdicts *all,
                        const struct verdict *verdict)
{
    bool first = true;
    buf_printf(out, ",\"joined_unscored\":%ld,\"bleu_by_joined\":{",
               all->joined_unscored);
    for (int k = 1; k <= PAIRS_JOINED; k++) {
        const struct judgement *of = &verdict->joined[k];
        if (!of->bleu.segments)
            continue;
        buf_printf(out, "%s\"%d\":[%.1f,%.6g]", first ? "" : ",", k, mean_words(of),
                   bleu_of(&of->first));
        first = false;
    }
    buf_add(out, "}");
}

static void json_test(struct buf *out, const struct verdicts *all,
                      const struct verdict *verdict)
{
    const struct judgement *of = &verdict->test;
    buf_add(out, ",\"test\":");
    write_string(out, all->test);
    buf_printf(out, ",\"lines\":%ld,\"unscored\":%ld", all->lines, all->unscored);
    json_bleu(out, of);
    json_lengths(out, verdict);
    if (all->joined)
        json_joined(out, all, verdict);
    if (all->exact)
        json_number(out, "exact", exact_of(of));
    json_number(out, "entropy_bits", entropy_of(of));
    json_number(out, "max_alpha", max_of(of));
    json_number(out, "coverage_gap", gap_of(of));
    json_number(out, "coverage_under_0.2", unread_of(of));
    buf_printf(out, ",\"at_length_limit\":%llu,\"tokens\":%llu",
               (unsigned long long)of->at_limit, (unsigned long long)of->tokens);
    json_number(out, "tokens_per_second", speed_of(of));
}

static void json_aer(struct buf *out, const struct aer *aer)
{
    buf_printf(out, "\"pairs\":%llu,\"links\":%llu", (unsigned long long)aer->pairs,
               (unsigned long long)aer->links);
    json_number(out, "aer", aer_rate(aer));
    json_number(out, "precision", aer_precision(aer));
    json_number(out, "recall", aer_recall(aer));
}

static void json_links(struct buf *out, const struct verdicts *all,
                       const struct judgement *gold, enum links kind)
{
    json_aer(out, &gold->aer[kind]);
    buf_printf(out, ",\"short\":{\"max_tokens\":%d,", all->rules.max_tokens);
    json_aer(out, &gold->short_aer[kind]);
    buf_add(out, "}");
}

static void json_gold(struct buf *out, const struct verdicts *all,
                      const struct verdict *verdict)
{
    json_number(out, "threshold", (double)all->rules.threshold);
    buf_printf(out, ",\"natural\":%s,\"gold\":[", all->rules.natural ? "true" : "false");
    for (int i = 0; i < all->n_gold; i++) {
        buf_add(out, i ? ",{\"file\":" : "{\"file\":");
        write_string(out, all->gold[i]);
        buf_printf(out, ",\"lines\":%ld,\"unscored\":%ld,", all->gold_lines[i],
                   verdict->has_attention ? all->gold_unscored[i] : all->gold_lines[i]);
        json_links(out, all, &verdict->gold[i], LINKS_ALPHA);
        if (verdict->gold[i].aer[LINKS_POSTERIOR].pairs) {
            buf_add(out, ",\"posterior\":{");
            json_links(out, all, &verdict->gold[i], LINKS_POSTERIOR);
            buf_add(out, "}");
        }
        buf_add(out, "}");
    }
    buf_add(out, "]");
}

static void json_beam(struct buf *out, const struct beam *beam)
{
    if (beam->width)
        buf_printf(out, ",\"beam\":{\"width\":%d,\"length\":%g}", beam->width,
                   (double)beam->length);
}

void verdicts_json(struct buf *out, const struct verdicts *verdicts)
{
    for (int m = 0; m < verdicts->n_models; m++) {
        const struct verdict *verdict = &verdicts->models[m];
        buf_add(out, "{\"model\":");
        write_string(out, verdict->model);
        buf_add(out, ",\"tau\":");
        write_tau(out, verdicts->rules.tau);
        json_beam(out, &verdicts->rules.beam);
        if (verdicts->test)
            json_test(out, verdicts, verdict);
        if (verdicts->n_gold)
            json_gold(out, verdicts, verdict);
        buf_add(out, "}\n");
    }
}

static void cell(struct buf *out, double value, int digits, double factor)
{
    if (isfinite(value))
        buf_printf(out, "%*.*f", MODEL_COLUMNS, digits, value * factor);
    else
        buf_printf(out, "%*s", MODEL_COLUMNS, "-");
}

static void end_row(struct buf *out)
{
    buf_add(out, "\n");
}

// One row of the table: a rate of the test of each model.
static void test_row(struct buf *out, const struct verdicts *all, const char *name,
                     double (*rate)(const struct judgement *), int digits, double factor)
{
    show_text(out, name, NAME_COLUMNS);
    for (int m = 0; m < all->n_models; m++)
        cell(out, rate(&all->models[m].test), digits, factor);
    end_row(out);
}

static double full_bleu(const struct judgement *of)
{
    return bleu_of(&of->bleu);
}

static double first_bleu(const struct judgement *of)
{
    return bleu_of(&of->first);
}

static double limit_of(const struct judgement *of)
{
    return (double)of->at_limit;
}

static void bucket_rows(struct buf *out, const struct verdicts *all)
{
    for (int i = 0; i < BUCKETS; i++) {
        char name[64];
        unsigned long long n = (unsigned long long)all->models[0].bucket[i].bleu.segments;
        if (!n)
            continue;
        snprintf(name, sizeof name, "  %s words (%llu)", bucket_name(i), n);
        show_text(out, name, NAME_COLUMNS);
        for (int m = 0; m < all->n_models; m++)
            cell(out, bleu_of(&all->models[m].bucket[i].bleu), 2, 1);
        end_row(out);
    }
}

static void joined_rows(struct buf *out, const struct verdicts *all)
{
    buf_add(out, "BLEU of lines joined, first reference\n");
    for (int k = 1; k <= PAIRS_JOINED; k++) {
        char name[64];
        const struct judgement *of = &all->models[0].joined[k];
        if (!of->bleu.segments)
            continue;
        snprintf(name, sizeof name, "  by %d: %.1f words (%llu)", k, mean_words(of),
                 (unsigned long long)of->bleu.segments);
        show_text(out, name, NAME_COLUMNS);
        for (int m = 0; m < all->n_models; m++)
            cell(out, bleu_of(&all->models[m].joined[k].first), 2, 1);
        end_row(out);
    }
}

static void heading(struct buf *out, const struct verdicts *all, const char *path,
                    long lines, long unscored)
{
    size_t length = 0;
    const char *name = file_basename(path, &length);
    char title[256], what[256];
    snprintf(title, sizeof title, "%.*s", (int)length, name);
    if (out->length)
        end_row(out);
    snprintf(what, sizeof what, "%ld of %ld lines", lines - unscored, lines);
    show_text(out, title, 0);
    buf_printf(out, ": %s scored\n", what);
    show_text(out, "", NAME_COLUMNS);
    for (int m = 0; m < all->n_models; m++) {
        const char *model = all->models[m].model;
        int columns = utf8_columns(model, strlen(model));
        buf_printf(out, "%*s", columns < MODEL_COLUMNS ? MODEL_COLUMNS - columns : 2, "");
        show_text(out, model, 0);
    }
    end_row(out);
}

static void text_test(struct buf *out, const struct verdicts *all)
{
    char signature[128];
    const struct judgement *first = &all->models[0].test;
    bleu_signature(&first->bleu, signature, sizeof signature);
    heading(out, all, all->test, all->lines, all->unscored);
    test_row(out, all, "BLEU", full_bleu, 2, 1);
    bucket_rows(out, all);
    if (several_references(first))
        test_row(out, all, "BLEU, first reference alone", first_bleu, 2, 1);
    if (all->joined)
        joined_rows(out, all);
    if (all->exact)
        test_row(out, all, "exact, %", exact_of, 2, 100);
    test_row(out, all, "entropy of a row, bits", entropy_of, 3, 1);
    test_row(out, all, "largest alpha of a row", max_of, 3, 1);
    test_row(out, all, "|coverage - 1| of a column", gap_of, 3, 1);
    test_row(out, all, "columns with coverage < 0.2, %", unread_of, 1, 100);
    test_row(out, all, "at the length limit", limit_of, 0, 1);
    test_row(out, all, "tokens/s of one thread", speed_of, 0, 1);
    buf_printf(out, "BLEU|%s\n", signature);
}

struct aer_rows {
    const struct verdicts *all;
    int file;
    bool brief;
    enum links kind;
};

static void aer_row(struct buf *out, const struct aer_rows *of, const char *name,
                    double (*rate)(const struct aer *))
{
    show_text(out, name, NAME_COLUMNS);
    for (int m = 0; m < of->all->n_models; m++) {
        const struct judgement *gold = &of->all->models[m].gold[of->file];
        cell(out, rate(of->brief ? &gold->short_aer[of->kind] : &gold->aer[of->kind]), 3,
             1);
    }
    end_row(out);
}

// α first, then its posterior.
static void aer_rows(struct buf *out, struct aer_rows of, const char *name)
{
    of.kind = LINKS_ALPHA;
    aer_row(out, &of, name, aer_rate);
    aer_row(out, &of, "  precision", aer_precision);
    aer_row(out, &of, "  recall", aer_recall);
    if (!of.all->rules.posterior)
        return;
    of.kind = LINKS_POSTERIOR;
    aer_row(out, &of, "  posterior: AER", aer_rate);
    aer_row(out, &of, "    precision", aer_precision);
    aer_row(out, &of, "    recall", aer_recall);
}

static void text_gold(struct buf *out, const struct verdicts *all, int file)
{
    char name[64];
    unsigned long long pairs = 0;
    for (int m = 0; m < all->n_models; m++)
        if (all->models[m].has_attention)
            pairs = (unsigned long long)all->models[m]
                        .gold[file]
                        .short_aer[LINKS_ALPHA]
                        .pairs;
    heading(out, all, all->gold[file], all->gold_lines[file], all->gold_unscored[file]);
    aer_rows(out, (struct aer_rows){.all = all, .file = file}, "AER");
    snprintf(name, sizeof name, "AER, 1-%d tokens (%llu)", all->rules.max_tokens, pairs);
    aer_rows(out, (struct aer_rows){.all = all, .file = file, .brief = true}, name);
}

void verdicts_text(struct buf *out, const struct verdicts *verdicts)
{
    if (verdicts->test)
        text_test(out, verdicts);
    for (int i = 0; i < verdicts->n_gold; i++)
        text_gold(out, verdicts, i);
}
