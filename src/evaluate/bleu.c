// SPDX-License-Identifier: MIT
// BLEU from sums. See bleu.h.
//
//   p_n = Σ matched n-grams / Σ n-grams, each n-gram counted at most as often as in the
//         reference that has most of it
//   BP  = min(1, exp(1 - r / c)),  r: per segment the reference length closest to c's,
//         the shorter of two that are equally close
//   BLEU = 100 BP exp(¼ Σ ln p_n)
//
// An order without a match has p_n = 1 / (2^k n-grams), k counting such orders ("exp",
// method 3 of Chen and Cherry 2014). No match at all, or an order without n-grams, is 0.
//
// Matching is by sorting: the words of a segment become numbers, and the n-grams of all
// sides one sorted list, in which equal ones lie together.
#include "evaluate/bleu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word { // of one segment; side 0 is the hypothesis, others are references
    const char *text;
    int length, side, at, id;
};

struct gram {
    int ids[BLEU_ORDER], side;
};

struct segment {
    int n_sides, n_words;
    int lengths[BLEU_MAX_REFERENCES + 1]; // words of each side
    struct word *words;                   // (n_words), sides one after the other
    struct gram *grams;                   // (n_words) room
};

static int compare_bytes(const struct word *a, const struct word *b)
{
    int shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, (size_t)shorter);
    return order ? order : a->length - b->length;
}

static int by_text(const void *a, const void *b)
{
    return compare_bytes(a, b);
}

static int by_place(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    return x->side != y->side ? x->side - y->side : x->at - y->at;
}

static int by_gram(const void *a, const void *b)
{
    const struct gram *x = a, *y = b;
    for (int i = 0; i < BLEU_ORDER; i++)
        if (x->ids[i] != y->ids[i])
            return x->ids[i] < y->ids[i] ? -1 : 1;
    return x->side - y->side;
}

static void number_words(struct segment *segment)
{
    struct word *words = segment->words;
    size_t n = (size_t)segment->n_words;
    qsort(words, n, sizeof *words, by_text);
    for (size_t i = 1; i < n; i++)
        words[i].id =
            words[i - 1].id + (compare_bytes(&words[i - 1], &words[i]) != 0 ? 1 : 0);
    qsort(words, n, sizeof *words, by_place);
}

// Words of a text in which one space parts each two.
static int take_words(struct segment *segment, const char *text, int side)
{
    int n = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (segment->words)
            segment->words[segment->n_words + n] =
                (struct word){.text = text, .length = (int)length, .side = side, .at = n};
        text += length + (text[length] ? 1 : 0);
        n++;
    }
    segment->n_words += n;
    return n;
}

static bool read_segment(struct segment *segment, struct arena *scratch,
                         const char *const *texts, struct error *err)
{
    for (int side = 0; side < segment->n_sides; side++)
        take_words(segment, texts[side], side);
    size_t room = (size_t)segment->n_words + 1;
    segment->words = arena_alloc(scratch, room, sizeof *segment->words);
    segment->grams = arena_alloc(scratch, room, sizeof *segment->grams);
    if (!segment->words || !segment->grams)
        return fail_nomem(err, "the words of a segment");
    segment->n_words = 0;
    for (int side = 0; side < segment->n_sides; side++)
        segment->lengths[side] = take_words(segment, texts[side], side);
    number_words(segment);
    return true;
}

static size_t list_grams(struct segment *segment, int n)
{
    size_t count = 0;
    for (int i = 0; i + n <= segment->n_words; i++) {
        const struct word *words = segment->words + i;
        if (words[0].side != words[n - 1].side)
            continue;
        struct gram *gram = &segment->grams[count++];
        *gram = (struct gram){.side = words[0].side};
        for (int j = 0; j < n; j++)
            gram->ids[j] = words[j].id;
    }
    qsort(segment->grams, count, sizeof *segment->grams, by_gram);
    return count;
}

// Equal n-grams from the first one on: the end of the run, and what it adds to matches.
static size_t match_run(const struct segment *segment, size_t first, size_t count,
                        uint64_t *matched)
{
    const struct gram *grams = segment->grams;
    size_t end = first;
    uint64_t mine = 0, best = 0;
    while (end < count &&
           memcmp(grams[end].ids, grams[first].ids, sizeof grams->ids) == 0) {
        int side = grams[end].side;
        uint64_t same = 0;
        for (; end < count && grams[end].side == side &&
               memcmp(grams[end].ids, grams[first].ids, sizeof grams->ids) == 0;
             end++)
            same++;
        if (side == 0)
            mine = same;
        else
            best = same > best ? same : best;
    }
    *matched += mine < best ? mine : best;
    return end;
}

static int closest_length(const struct segment *segment)
{
    int length = segment->lengths[0], best = segment->lengths[1];
    for (int side = 2; side < segment->n_sides; side++) {
        int other = segment->lengths[side];
        int nearer = abs(other - length) - abs(best - length);
        if (nearer < 0 || (nearer == 0 && other < best))
            best = other;
    }
    return best;
}

static void count_segment(struct bleu *bleu, struct segment *segment)
{
    int references = segment->n_sides - 1;
    *bleu = (struct bleu){.segments = 1,
                          .length = (uint64_t)segment->lengths[0],
                          .reference_length = (uint64_t)closest_length(segment),
                          .fewest_references = references,
                          .most_references = references};
    for (int n = 1; n <= BLEU_ORDER; n++) {
        size_t count = list_grams(segment, n);
        for (size_t at = 0; at < count;)
            at = match_run(segment, at, count, &bleu->correct[n - 1]);
        if (segment->lengths[0] >= n)
            bleu->total[n - 1] = (uint64_t)(segment->lengths[0] - n + 1);
    }
}

static const char *keep_tokens(struct arena *scratch, struct bleu_text text,
                               struct error *err)
{
    struct buf tokens;
    buf_init(&tokens, 8 * (size_t)BLEU_MAX_BYTES);
    const char *kept = NULL;
    if (bleu_tokenize(&tokens, text, err)) {
        kept = arena_copy(scratch, buf_text(&tokens), tokens.length);
        if (!kept)
            fail_nomem(err, "the tokens of a text");
    }
    buf_finish(&tokens);
    return kept;
}

bool bleu_add(struct bleu *bleu, struct arena *scratch, struct bleu_text hypothesis,
              const struct bleu_text *references, int n_references, struct error *err)
{
    const char *texts[BLEU_MAX_REFERENCES + 1];
    struct segment segment = {.n_sides = n_references + 1};
    struct bleu part;
    if (n_references < 1 || n_references > BLEU_MAX_REFERENCES)
        return fail_with(err, ERR_LIMIT, "%d references, expected 1 to %d", n_references,
                         BLEU_MAX_REFERENCES);
    arena_reset(scratch);
    for (int side = 0; side < segment.n_sides; side++) {
        texts[side] = keep_tokens(scratch, side ? references[side - 1] : hypothesis, err);
        if (!texts[side])
            return false;
    }
    if (!read_segment(&segment, scratch, texts, err))
        return false;
    count_segment(&part, &segment);
    bleu_sum(bleu, &part);
    return true;
}

void bleu_sum(struct bleu *sum, const struct bleu *part)
{
    if (!part->segments)
        return;
    bool first = sum->segments == 0;
    if (first || part->fewest_references < sum->fewest_references)
        sum->fewest_references = part->fewest_references;
    if (first || part->most_references > sum->most_references)
        sum->most_references = part->most_references;
    sum->segments += part->segments;
    sum->length += part->length;
    sum->reference_length += part->reference_length;
    for (int n = 0; n < BLEU_ORDER; n++) {
        sum->correct[n] += part->correct[n];
        sum->total[n] += part->total[n];
    }
}

struct bleu_score bleu_score(const struct bleu *bleu)
{
    struct bleu_score result = {.brevity = 1};
    double c = (double)bleu->length, r = (double)bleu->reference_length;
    double logs = 0, smooth = 1;
    bool any = false, all = true;
    if (c < r)
        result.brevity = c > 0 ? exp(1 - r / c) : 0;
    for (int n = 0; n < BLEU_ORDER; n++)
        any = any || bleu->correct[n];
    for (int n = 0; n < BLEU_ORDER && any && all; n++) {
        double total = (double)bleu->total[n];
        all = bleu->total[n] > 0;
        if (!all)
            break;
        smooth *= bleu->correct[n] ? 1 : 2;
        result.precision[n] = bleu->correct[n] ? 100 * (double)bleu->correct[n] / total
                                               : 100 / (smooth * total);
        logs += log(result.precision[n]);
    }
    if (any && all)
        result.score = result.brevity * exp(logs / BLEU_ORDER);
    return result;
}

void bleu_signature(const struct bleu *bleu, char *out, size_t size)
{
    char references[16] = "var";
    if (bleu->fewest_references == bleu->most_references)
        snprintf(references, sizeof references, "%d", bleu->most_references);
    snprintf(out, size,
             "nrefs:%s|case:mixed|eff:no|tok:13a|smooth:exp|version:2 (as sacreBLEU 2)",
             references);
}
