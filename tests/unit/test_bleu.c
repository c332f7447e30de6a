// SPDX-License-Identifier: MIT
// BLEU against published values of sacreBLEU (its README, its own tests) and, on stranger
// text, against values of an independent implementation in Python: see bleu_values.py.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bleu_values.h"
#include "evaluate/bleu.h"
#include "evaluate/buckets.h"

enum { SCRATCH = 64 << 20, TEXTS = 8 };

static struct bleu_text text_of(const char *text)
{
    return (struct bleu_text){text, strlen(text)};
}

static void add(struct bleu *bleu, const char *hypothesis, const char *const *references)
{
    struct bleu_text texts[TEXTS];
    struct arena scratch;
    struct error err = {0};
    int n = 0;
    for (; references[n]; n++)
        texts[n] = text_of(references[n]);
    arena_init(&scratch, SCRATCH);
    bool ok = bleu_add(bleu, &scratch, text_of(hypothesis), texts, n, &err);
    arena_finish(&scratch);
    if (!ok)
        fail_msg("%s", err.text);
}

static const struct {
    const char *text, *tokens;
} tokenized[] = {
    {"", ""},
    {" \t ", ""},
    {"The dog bit the man.", "The dog bit the man ."},
    {"It wasn't surprising.", "It wasn't surprising ."},
    {"a,b", "a , b"},
    {"1,000.5", "1,000.5"},
    {"1,a", "1 , a"},
    {"a,1", "a , 1"},
    {".5 and 5.", ". 5 and 5 ."},
    {"a..b", "a . . b"},
    {"...", ". . ."},
    {"1990-1995", "1990 - 1995"},
    {"well-known", "well-known"},
    {"(x)/[y]{z}~", "( x ) / [ y ] { z } ~"},
    {"a&quot;b&amp;lt;c", "a \" b < c"},
    {"&lt;b&gt;", "< b >"},
    {"<skipped>word", "word"},
    {"cut-\nword next\nline", "cutword next line"},
    {"end-\n", "end-"},
    {"l'\xc3\xa9t\xc3\xa9, d\xc3\xa9j\xc3\xa0\xc2\xa0!",
     "l'\xc3\xa9t\xc3\xa9 , d\xc3\xa9j\xc3\xa0 !"},
    {"\xc2\xab oui \xc2\xbb", "\xc2\xab oui \xc2\xbb"},
    {"\xe3\x80\x80wide\xe3\x80\x80space", "wide space"},
    {"\xe2\x80\x8bzero", "\xe2\x80\x8bzero"},
    {"100%-$5@home #1*2+3=5", "100 % - $ 5 @ home # 1 * 2 + 3 = 5"},
};

static void text_is_parted_as_13a_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tokenized / sizeof *tokenized; i++) {
        struct buf out;
        buf_init(&out, 1 << 20);
        assert_true(bleu_tokenize(&out, text_of(tokenized[i].text), NULL));
        assert_string_equal(buf_text(&out), tokenized[i].tokens);
        buf_finish(&out);
    }
}

// sacreBLEU's README and tests; by sentence_bleu where there is one segment of four words
// or more, for which effective order changes nothing.
static const struct {
    const char *hypotheses[4];
    const char *references[4][3]; // of each hypothesis
    double score, bound;
} published[] = {
    {{"The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."},
     {{"The dog bit the man.", "The dog had bit the man."},
      {"It was not unexpected.", "No one was surprised."},
      {"The man bit him first.", "The man had bitten the dog."}},
     48.530827009929865,
     1e-9},
    {{"", "", ""},
     {{"The dog bit the man.", "The dog had bit the man."},
      {"It was not unexpected.", "No one was surprised."},
      {"The man bit him first.", "The man had bitten the dog."}},
     0,
     0},
    {{"this is a test"}, {{"this is a test"}}, 100, 1e-9},
    {{"Produc\xc8\x9bia de zah\xc4\x83r prim\xc4\x83 va fi exprimat\xc4\x83 \xc3\xaen "
      "ceea ce "
      "prive\xc8\x99te zah\xc4\x83rul alb;"},
     {{"produc\xc5\xa3ia de zah\xc4\x83r brut se exprim\xc4\x83 \xc3\xaen zah\xc4\x83r "
       "alb;"}},
     8.493,
     1e-3},
    {{"this is a cat"}, {{"okay thanks"}}, 0, 0},
};

static void published_scores_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct bleu bleu = {0};
        for (int s = 0; s < 4 && published[i].hypotheses[s]; s++)
            add(&bleu, published[i].hypotheses[s], published[i].references[s]);
        double score = bleu_score(&bleu).score;
        if (fabs(score - published[i].score) > published[i].bound)
            fail_msg("example %zu: %.12f, expected %.12f", i, score, published[i].score);
    }
}

// The line that sacreBLEU's README prints: 20.8 54.4/26.6/14.9/8.7 (BP = 1.000 ratio =
// 1.026 hyp_len = 46880 ref_len = 45671).
static void a_published_signature_line_adds_up(void **state)
{
    (void)state;
    const struct bleu bleu = {.segments = 1,
                              .length = 46880,
                              .reference_length = 45671,
                              .correct = {544, 266, 149, 87},
                              .total = {1000, 1000, 1000, 1000},
                              .fewest_references = 1,
                              .most_references = 1};
    struct bleu_score score = bleu_score(&bleu);
    char signature[128];
    assert_float_equal(score.score, 20.8, 0.05);
    assert_true(score.brevity == 1);
    bleu_signature(&bleu, signature, sizeof signature);
    assert_string_equal(
        signature,
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2 (as sacreBLEU 2)");
}

static void statistics_are_those_of_sacrebleus_tests(void **state)
{
    (void)state;
    struct bleu bleu = {0};
    add(&bleu, "am I am a character sequence",
        (const char *const[]){"I am a symbol string sequence a a", NULL});
    static const uint64_t correct[] = {4, 2, 1, 0}, total[] = {6, 5, 4, 3};
    assert_memory_equal(bleu.correct, correct, sizeof correct);
    assert_memory_equal(bleu.total, total, sizeof total);
    assert_int_equal(bleu.length, 6);
    assert_int_equal(bleu.reference_length, 8);
    const struct bleu given = {.segments = 1,
                               .length = 11,
                               .reference_length = 11,
                               .correct = {9, 7, 5, 3},
                               .total = {10, 8, 6, 4}};
    assert_float_equal(bleu_score(&given).score, 83.75922397, 1e-6);
}

static void an_independent_implementation_agrees(void **state)
{
    (void)state;
    struct bleu all = {0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct bleu one = {0};
        add(&one, values[i].hypothesis, values[i].references);
        add(&all, values[i].hypothesis, values[i].references);
        double score = bleu_score(&one).score;
        if (fabs(score - values[i].score) > 1e-9)
            fail_msg("value %zu: %.12f, expected %.12f", i, score, values[i].score);
        if (fabs(bleu_score(&all).score - values[i].so_far) > 1e-9)
            fail_msg("up to value %zu: %.12f, expected %.12f", i, bleu_score(&all).score,
                     values[i].so_far);
    }
}

static void sums_of_parts_are_the_whole(void **state)
{
    (void)state;
    struct bleu whole = {0}, even = {0}, odd = {0}, sum = {0};
    char signature[128];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        add(&whole, values[i].hypothesis, values[i].references);
        add(i % 2 ? &odd : &even, values[i].hypothesis, values[i].references);
    }
    bleu_sum(&sum, &odd);
    bleu_sum(&sum, &even);
    bleu_sum(&sum, &(struct bleu){0});
    assert_memory_equal(&sum, &whole, sizeof sum);
    bleu_signature(&sum, signature, sizeof signature);
    assert_non_null(strstr(signature, "nrefs:var|"));
}

static void limits_are_said(void **state)
{
    (void)state;
    struct arena scratch;
    struct error err = {0};
    struct bleu bleu = {0};
    struct bleu_text one = text_of("a"), many[BLEU_MAX_REFERENCES];
    for (int i = 0; i < BLEU_MAX_REFERENCES; i++)
        many[i] = one;
    arena_init(&scratch, SCRATCH);
    assert_true(bleu_add(&bleu, &scratch, one, many, BLEU_MAX_REFERENCES, &err));
    assert_false(bleu_add(&bleu, &scratch, one, &one, 0, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_false(bleu_add(&bleu, &scratch, one, many, BLEU_MAX_REFERENCES + 1, &err));
    many[0].length = BLEU_MAX_BYTES + 1;
    assert_false(bleu_add(&bleu, &scratch, one, many, 1, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(bleu.segments, 1);
    arena_finish(&scratch);
    arena_init(&scratch, 64); // too small for anything
    assert_false(bleu_add(&bleu, &scratch, text_of("a b c"), &one, 1, &err));
    assert_int_equal(err.code, ERR_NOMEM);
    arena_finish(&scratch);
}

static void no_segment_is_no_score(void **state)
{
    (void)state;
    struct bleu_score score = bleu_score(&(struct bleu){0});
    assert_true(score.score == 0 && score.precision[0] == 0);
}

static void lengths_fall_into_buckets(void **state)
{
    (void)state;
    static const struct {
        int words;
        const char *name;
    } rows[] = {{0, "1-10"},   {1, "1-10"},   {10, "1-10"},  {11, "11-20"},
                {20, "11-20"}, {21, "21-30"}, {40, "31-40"}, {41, "41-50"},
                {50, "41-50"}, {51, "51+"},   {999, "51+"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(bucket_name(bucket_of(rows[i].words)), rows[i].name);
    static const char text[] = "  Deux\xc2\xa0mots, \t trois. ";
    assert_int_equal(bucket_words(text, sizeof text - 1), 3);
    assert_int_equal(bucket_words("", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_parted_as_13a_does),
        cmocka_unit_test(published_scores_come_out),
        cmocka_unit_test(a_published_signature_line_adds_up),
        cmocka_unit_test(statistics_are_those_of_sacrebleus_tests),
        cmocka_unit_test(an_independent_implementation_agrees),
        cmocka_unit_test(sums_of_parts_are_the_whole),
        cmocka_unit_test(limits_are_said),
        cmocka_unit_test(no_segment_is_no_score),
        cmocka_unit_test(lengths_fall_into_buckets),
    };
    return cmocka_run_group_tests_name("bleu", tests, NULL, NULL);
}
