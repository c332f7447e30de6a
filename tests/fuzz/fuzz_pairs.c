// SPDX-License-Identifier: MIT
// Any bytes as what `evaluate` reads. The first byte says how: as gold alignments, as a
// test file, as one joined to long pairs, or as a test file with references beside it,
// the two parted by a line of three dashes.
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "align/merge.h"
#include "cli/pairs.h"
#include "evaluate/bleu.h"
#include "evaluate/buckets.h"
#include "evaluate/gold.h"
#include "evaluate/natural.h"
#include "text/utf8.h"

enum { AS_GOLD, AS_TEST, AS_JOINED, AS_BOTH, WAYS };
enum { SCRATCH_BYTES = 16 << 20 };

static struct fuzz_file files[2];

static void remove_files(void)
{
    unlink(files[0].path);
    unlink(files[1].path);
}

static void check_side(const char *text, size_t length, const char *language)
{
    static struct natural_word words[GOLD_MAX_WORDS];
    static struct merge_span spans[GOLD_MAX_WORDS];
    char *joined = malloc(length + 1);
    size_t joined_length = 0;
    must(joined != NULL);
    int count = natural_join(text, length, language, joined, &joined_length, words,
                             GOLD_MAX_WORDS);
    must(joined_length <= length && count <= GOLD_MAX_WORDS);
    must(merge_split(text, length, spans, GOLD_MAX_WORDS) == count);
    for (int i = 0; i < count; i++)
        must(words[i].begin >= 0 && words[i].begin <= words[i].end &&
             (size_t)words[i].end <= joined_length);
    free(joined);
}

static void check_gold(struct arena *arena, const struct pair *pair)
{
    struct gold gold;
    struct error err = {0};
    arena_reset(arena);
    if (!gold_parse(&gold, arena, pair->text, pair->length, &err)) {
        must(err.code != OK && err.text[0]);
        return;
    }
    must(gold.n_src >= 1 && gold.n_src <= GOLD_MAX_WORDS);
    must(gold.n_tgt >= 1 && gold.n_tgt <= GOLD_MAX_WORDS);
    for (int i = 0; i < gold.n_src * gold.n_tgt; i++)
        must(gold.links[i] <= LINK_SURE);
    check_side(gold.source, gold.source_length, "en");
    check_side(gold.target, gold.target_length, "fr");
}

static void check_test(struct arena *arena, const struct pair *pair)
{
    struct bleu bleu = {0};
    must(pair->n_references >= 1 && pair->n_references <= BLEU_MAX_REFERENCES);
    must(pair->source.length <= TEXT_MAX_BYTES);
    must(bucket_words(pair->source.text, pair->source.length) >= 0);
    arena_reset(arena);
    must(
        bleu_add(&bleu, arena, pair->source, pair->references, pair->n_references, NULL));
    double score = bleu_score(&bleu).score;
    must(isfinite(score) && score >= 0 && score <= 100.001);
}

static void read_all(struct pairs *pairs)
{
    static struct pair pair;
    struct error err = {0};
    struct arena arena;
    arena_init(&arena, SCRATCH_BYTES);
    pairs_measure(pairs);
    enum lines_result result;
    while ((result = pairs_next(pairs, &pair, &err)) == LINES_ONE) {
        must(pair.length <= LINE_KEPT_BYTES && pair_path(pairs, &pair) != NULL);
        must(pairs_share(pairs) <= 1);
        must(!pair.failed || (pair.why.code != OK && pair.why.text[0]));
        if (pair.failed)
            continue;
        must(utf8_valid(pair.text, pair.length));
        if (pair.kind == PAIR_GOLD)
            check_gold(&arena, &pair);
        else
            check_test(&arena, &pair);
    }
    must(result == LINES_END);
    arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "---\n";
    if (size == 0)
        return 0;
    for (int i = 0; i < 2 && !files[i].path[0]; i++) {
        fuzz_file_make(&files[i]);
        if (i == 1)
            atexit(remove_files);
    }
    int way = data[0] % WAYS;
    const uint8_t *rest = data + 1, *cut = NULL;
    size_t left = size - 1, before = left;
    if (way == AS_BOTH && left)
        cut = memmem(rest, left, mark, sizeof mark - 1);
    if (cut) {
        before = (size_t)(cut - rest);
        cut += sizeof mark - 1;
        fuzz_file_fill(files[1].path, cut, left - before - (sizeof mark - 1));
    }
    fuzz_file_fill(files[0].path, rest, before);
    struct pairs *pairs = pairs_create(NULL);
    must(pairs != NULL);
    if (way == AS_GOLD)
        pairs->gold[pairs->n_gold++] = files[0].path;
    else
        pairs->test = files[0].path;
    pairs->references = cut ? files[1].path : NULL;
    pairs->joined = way == AS_JOINED;
    read_all(pairs);
    pairs_destroy(pairs);
    return 0;
}
