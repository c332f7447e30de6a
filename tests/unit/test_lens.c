// SPDX-License-Identifier: MIT
// Lenses, by hand: words, hidden tokens, cut rows, exchanged axes, and the way back; then
// by random matrices what holds of every lens.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align/lens.h"

enum { ROWS = 4, COLUMNS = 4 };

// Source: in side here ⏎ ("inside" is one word); target: x y y2 ⏎ ("yy2" is one word).
static const float weights[ROWS * COLUMNS] = {
    0.5f, 0.25f,  0.125f, 0.125f, // x
    0.0f, 0.5f,   0.25f,  0.25f,  // y
    0.5f, 0.125f, 0.125f, 0.25f,  // y2
    0.0f, 0.0f,   0.0f,   1.0f,   // ⏎
};

static struct alignment *make_alignment(void)
{
    static const char *const source[] = {"in", "side", "here", "⏎"};
    static const char *const target[] = {"x", "y", "y2", "⏎"};
    struct alignment *a = alignment_create(COLUMNS, ROWS, true, NULL);
    assert_non_null(a);
    for (int i = 0; i < COLUMNS; i++)
        a->source[i] = (struct label){.text = source[i], .begin = i, .end = i + 1};
    for (int i = 0; i < ROWS; i++) {
        a->target[i] = (struct label){.text = target[i]};
        a->p[i] = 0.5f;
    }
    a->source[1].joined = a->target[2].joined = true;
    a->source[3].special = a->target[3].special = true;
    memcpy(a->alpha, weights, sizeof weights);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a->score[i] = (float)i;
    alignment_publish(a, ROWS);
    a->text = "inside here";
    a->model = "hand";
    a->translation = "x yy2";
    alignment_end(a, ENDED_EOS);
    return a;
}

static void expect(const struct lens_options *options, int rows, int columns,
                   const float *wanted)
{
    struct alignment *a = make_alignment();
    struct lens *lens = lens_create(a, a->alpha, ROWS, options, NULL);
    assert_non_null(lens);
    assert_int_equal(alignment_rows(lens->shown), rows);
    assert_int_equal(lens->shown->n_src, columns);
    for (int i = 0; i < rows * columns; i++)
        assert_float_equal(lens->shown->alpha[i], wanted[i], 1e-6f);
    lens_destroy(lens);
    alignment_destroy(a);
}

static void a_clear_lens_changes_nothing(void **state)
{
    (void)state;
    struct lens_options clear = {0};
    char said[200];
    assert_true(lens_is_clear(&clear));
    lens_say(&clear, said, sizeof said);
    assert_string_equal(said, "");
    expect(&clear, ROWS, COLUMNS, weights);
}

static void a_word_with_a_letter_is_no_punctuation(void **state)
{
    (void)state;
    static const enum lens_merge how[] = {LENS_PIECES, LENS_SUM};
    for (int i = 0; i < 2; i++) {
        struct alignment *a = make_alignment();
        struct lens_options options = {.merge = how[i]};
        a->source[0].punctuation = true; // and "side" is none
        struct lens *lens = lens_create(a, a->alpha, ROWS, &options, NULL);
        assert_non_null(lens);
        assert_int_equal(lens->shown->source[0].punctuation, how[i] == LENS_PIECES);
        lens_destroy(lens);
        alignment_destroy(a);
    }
}

static void columns_of_a_word_are_summed_and_rows_averaged(void **state)
{
    (void)state;
    static const float wanted[] = {
        0.75f,   0.125f,  0.125f, //
        0.5625f, 0.1875f, 0.25f,  //
        0,       0,       1,
    };
    expect(&(struct lens_options){.merge = LENS_SUM}, 3, 3, wanted);
}

static void or_the_largest_stands_for_them(void **state)
{
    (void)state;
    static const float wanted[] = {0.5f, 0.125f, 0.125f, 0.5f, 0.25f, 0.25f, 0, 0, 1};
    expect(&(struct lens_options){.merge = LENS_MAX}, 3, 3, wanted);
    assert_false(lens_keeps_sums(&(struct lens_options){.merge = LENS_MAX}));
}

static void without_special_tokens_rows_sum_to_one_again(void **state)
{
    (void)state;
    static const float wanted[] = {
        4 / 7.0f, 2 / 7.0f, 1 / 7.0f, //
        0,        2 / 3.0f, 1 / 3.0f, //
        4 / 6.0f, 1 / 6.0f, 1 / 6.0f,
    };
    expect(&(struct lens_options){.hide_special = true}, 3, 3, wanted);
}

static void a_row_with_nothing_left_is_zero_and_not_in_the_average(void **state)
{
    (void)state;
    struct alignment *a = make_alignment();
    float alpha[ROWS * COLUMNS];
    memcpy(alpha, weights, sizeof alpha);
    memcpy(alpha, alpha + 3 * COLUMNS, COLUMNS * sizeof *alpha);           // x: ⏎ alone
    memcpy(alpha + COLUMNS, alpha + 3 * COLUMNS, COLUMNS * sizeof *alpha); // y: the same
    struct lens_options options = {.hide_special = true, .merge = LENS_SUM};
    struct lens *lens = lens_create(a, alpha, ROWS, &options, NULL);
    assert_non_null(lens);
    static const float wanted[] = {0, 0, 5 / 6.0f, 1 / 6.0f};
    for (int i = 0; i < 4; i++)
        assert_float_equal(lens->shown->alpha[i], wanted[i], 1e-6f);
    lens_destroy(lens);
    alignment_destroy(a);
}

static void only_the_largest_stay(void **state)
{
    (void)state;
    static const float wanted[] = {
        0.5f, 0.25f, 0,     0, //
        0,    0.5f,  0.25f, 0, // of equals the first
        0.5f, 0,     0,     0.25f, 0, 0, 0, 1,
    };
    expect(&(struct lens_options){.top = 2}, ROWS, COLUMNS, wanted);
    expect(&(struct lens_options){.top = 9}, ROWS, COLUMNS, weights);
}

static void rows_and_columns_exchange_places(void **state)
{
    (void)state;
    struct alignment *a = make_alignment();
    struct lens_options options = {.merge = LENS_SUM, .transpose = true};
    struct lens *lens = lens_create(a, a->alpha, ROWS, &options, NULL);
    assert_non_null(lens);
    static const float wanted[] = {
        0.75f,  0.5625f, 0, //
        0.125f, 0.1875f, 0, //
        0.125f, 0.25f,   1,
    };
    for (int i = 0; i < 9; i++)
        assert_float_equal(lens->shown->alpha[i], wanted[i], 1e-6f);
    assert_string_equal(lens->shown->target[0].text, "inside");
    assert_string_equal(lens->shown->source[1].text, "yy2");
    assert_true(isnan(lens->shown->p[0]));
    lens_destroy(lens);
    // Without a row there is nothing to transpose.
    lens = lens_create(a, a->alpha, 0, &options, NULL);
    assert_non_null(lens);
    assert_int_equal(lens->shown->n_src, 3);
    assert_int_equal(alignment_rows(lens->shown), 0);
    lens_destroy(lens);
    alignment_destroy(a);
}

static void the_way_back_and_the_words(void **state)
{
    (void)state;
    struct alignment *a = make_alignment();
    struct lens_options options = {.merge = LENS_SUM, .hide_special = true};
    struct lens *lens = lens_create(a, a->alpha, ROWS, &options, NULL);
    assert_non_null(lens);
    static const int words[] = {0, 1, 1, -1};
    assert_memory_equal(lens->target.word, words, sizeof words);
    assert_int_equal(lens->target.n, 2);
    assert_int_equal(lens->target.words[1].first, 1);
    assert_int_equal(lens->target.words[1].last, 2);
    assert_int_equal(lens->source.word[2], 1);
    assert_float_equal(lens->shown->p[0], 0.5f, 0);
    assert_float_equal(lens->shown->p[1], 0.25f, 0); // of two pieces
    assert_true(isnan(lens->shown->score[0]));       // of two columns
    assert_float_equal(lens->shown->score[1], 2, 0); // x, here
    assert_true(lens->shown->source[0].end == 2 && !lens->shown->source[1].joined);
    assert_int_equal(alignment_ended(lens->shown), ENDED_EOS);
    assert_string_equal(lens->shown->translation, "x yy2");
    assert_string_equal(lens->shown->text, "inside here");
    assert_string_equal(lens->shown->model, "hand");
    lens_destroy(lens);
    alignment_destroy(a);
}

static void special_tokens_alone_are_not_hidden(void **state)
{
    (void)state;
    struct alignment *a = alignment_create(1, 1, true, NULL);
    assert_non_null(a);
    a->source[0] = a->target[0] = (struct label){.text = "⏎", .special = true};
    a->alpha[0] = 1;
    alignment_publish(a, 1);
    struct lens_options options = {.hide_special = true};
    struct lens *lens = lens_create(a, a->alpha, 1, &options, NULL);
    assert_non_null(lens);
    assert_int_equal(lens->shown->n_src, 1);
    assert_float_equal(lens->shown->alpha[0], 1, 0);
    lens_destroy(lens);
    alignment_destroy(a);
}

// A word is masked where all of its pieces are, and stays so when the axes are exchanged.
static void what_is_masked_stays_masked(void **state)
{
    (void)state;
    static const bool blocked[ROWS * COLUMNS] = {
        0, 1, 1, 1, // x reads "in" alone: "inside" is read
        0, 0, 1, 1, // y
        0, 0, 0, 1, // y2 reads "here", so yy2 does
        0, 0, 0, 0, // ⏎
    };
    static const bool wanted[3][3] = {{0, 1, 1}, {0, 0, 1}, {0, 0, 0}};
    for (int turned = 0; turned < 2; turned++) {
        struct lens_options options = {.merge = LENS_SUM, .transpose = turned};
        struct alignment *a = make_alignment();
        a->blocked = blocked;
        struct lens *lens = lens_create(a, a->alpha, ROWS, &options, NULL);
        assert_non_null(lens);
        for (int t = 0; t < 3; t++)
            for (int s = 0; s < 3; s++)
                assert_int_equal(lens->shown->blocked[turned ? s * 3 + t : t * 3 + s],
                                 wanted[t][s]);
        lens_destroy(lens);
        alignment_destroy(a);
    }
}

static void what_was_done_is_said(void **state)
{
    (void)state;
    char said[320];
    struct lens_options all = {LENS_SUM, true, 3, true};
    lens_say(&all, said, sizeof said);
    assert_string_equal(said, "⏎ hidden, columns scaled to sum 1 · words: source summed, "
                              "target averaged, p multiplied · the largest 3 of each "
                              "column · entropy of columns scaled to sum 1 · transposed");
    lens_say_brief(&all, said, sizeof said);
    assert_string_equal(said, "⏎ hidden · words: sums · largest 3 · transposed");
    lens_say_brief(&(struct lens_options){.merge = LENS_MAX}, said, sizeof said);
    assert_string_equal(said, "words: largest");
    lens_say_brief(&(struct lens_options){.top = 0}, said, sizeof said);
    assert_string_equal(said, "");
}

static float next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / (float)(1 << 24);
}

static void fill_random(struct alignment *a, int rows, uint32_t *seed)
{
    for (int s = 0; s < a->n_src; s++)
        a->source[s].joined = s > 0 && next_random(seed) < 0.4f;
    a->source[a->n_src - 1].special = true;
    for (int t = 0; t < rows; t++) {
        float sum = 0, *row = a->alpha + (size_t)t * (size_t)a->n_src;
        a->target[t].joined = t > 0 && next_random(seed) < 0.4f;
        a->p[t] = next_random(seed);
        for (int s = 0; s < a->n_src; s++)
            sum += row[s] = next_random(seed) + 0.001f;
        for (int s = 0; s < a->n_src; s++)
            row[s] /= sum;
    }
    alignment_publish(a, rows);
}

// Every token is in one word or hidden, words are in order, and target words sum to 1.
static void check_lens(const struct lens *lens, const struct alignment *a, int rows,
                       const struct lens_options *options)
{
    const struct lens_axis *axes[] = {&lens->target, &lens->source};
    const int tokens[] = {rows, a->n_src};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < tokens[k]; i++) {
            int word = axes[k]->word[i];
            assert_true(word < axes[k]->n);
            assert_true(word < 0 || (axes[k]->words[word].first <= i &&
                                     i <= axes[k]->words[word].last));
        }
    int n = lens->shown->n_src;
    for (int t = 0; t < lens->target.n && lens_keeps_sums(options); t++) {
        double sum = 0;
        for (int s = 0; s < lens->source.n; s++)
            sum += (double)lens->shown->alpha[options->transpose ? s * n + t : t * n + s];
        assert_true(fabs(sum - 1) < 1e-5);
    }
}

static void what_holds_of_every_lens(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 200; round++) {
        int n = 2 + (int)(next_random(&seed) * 30);
        int rows = 1 + (int)(next_random(&seed) * 30);
        struct lens_options options = {(enum lens_merge)(round % 3), round & 4,
                                       round & 8 ? 0 : 3, round & 16};
        struct alignment *a = alignment_create(n, rows, true, NULL);
        assert_non_null(a);
        fill_random(a, rows, &seed);
        struct lens *lens = lens_create(a, a->alpha, rows, &options, NULL);
        assert_non_null(lens);
        check_lens(lens, a, rows, &options);
        lens_destroy(lens);
        alignment_destroy(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clear_lens_changes_nothing),
        cmocka_unit_test(a_word_with_a_letter_is_no_punctuation),
        cmocka_unit_test(columns_of_a_word_are_summed_and_rows_averaged),
        cmocka_unit_test(or_the_largest_stands_for_them),
        cmocka_unit_test(without_special_tokens_rows_sum_to_one_again),
        cmocka_unit_test(a_row_with_nothing_left_is_zero_and_not_in_the_average),
        cmocka_unit_test(only_the_largest_stay),
        cmocka_unit_test(rows_and_columns_exchange_places),
        cmocka_unit_test(the_way_back_and_the_words),
        cmocka_unit_test(special_tokens_alone_are_not_hidden),
        cmocka_unit_test(what_is_masked_stays_masked),
        cmocka_unit_test(what_was_done_is_said),
        cmocka_unit_test(what_holds_of_every_lens),
    };
    return cmocka_run_group_tests_name("lens", tests, NULL, NULL);
}
