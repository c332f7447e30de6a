// SPDX-License-Identifier: MIT
// Differences of two alignments, by hand: signed cells, divergence in bits, words that
// differ, rows that only one has, and columns that do not match.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "align/difference.h"

struct piece {
    const char *text;
    int begin, end;
    bool joined;
};

// "a cat" as two words, and as one with pieces.
static const struct piece whole[] = {{"a", 0, 1, false}, {"cat", 2, 5, false}};
static const struct piece pieces[] = {
    {"a", 0, 1, false}, {"c", 2, 3, false}, {"at", 3, 5, true}};

static struct alignment *make(const char *model, const struct piece *source, int n_src,
                              const char *const *words, int rows, const float *alpha)
{
    struct alignment *a = alignment_create(n_src, rows, true, NULL);
    assert_non_null(a);
    a->text = "a cat";
    a->model = model;
    for (int s = 0; s < n_src; s++)
        a->source[s] = (struct label){.text = source[s].text,
                                      .begin = source[s].begin,
                                      .end = source[s].end,
                                      .typed_begin = source[s].begin,
                                      .typed_end = source[s].end,
                                      .joined = source[s].joined};
    for (int t = 0; t < rows; t++)
        a->target[t] = (struct label){.text = words[t]};
    memcpy(a->alpha, alpha, (size_t)(rows * n_src) * sizeof *alpha);
    a->translation = words[0];
    alignment_publish(a, rows);
    alignment_end(a, ENDED_EOS);
    return a;
}

static struct difference_side side_of(const struct alignment *a)
{
    return (struct difference_side){a, a->alpha, alignment_rows(a)};
}

static struct difference *of(const struct alignment *a, const struct alignment *b,
                             struct lens_options options, struct error *err)
{
    struct difference_side one = side_of(a), other = side_of(b);
    return difference_create(&one, &other, &options, err);
}

static const struct lens_options clear;
static const char *const cat[] = {"un", "chat"};
static const char *const dog[] = {"un", "chien", "."};

static void equal_words_and_stand_ins_are_subtracted(void **state)
{
    (void)state;
    static const float alpha_a[] = {1, 0, 0.5f, 0.5f};
    static const float alpha_b[] = {0.5f, 0.5f, 0.25f, 0.75f, 0, 1};
    struct alignment *a = make("A", whole, 2, cat, 2, alpha_a);
    struct alignment *b = make("B", whole, 2, dog, 3, alpha_b);
    struct difference *d = of(a, b, clear, NULL);
    assert_non_null(d);
    assert_int_equal(difference_only(d, 1), -1);
    assert_int_equal(difference_only(d, 2), 1);
    assert_false(d->by_words);
    assert_int_equal(alignment_rows(d->shown), 3);
    static const float wanted[] = {-0.5f, 0.5f, -0.25f, 0.25f, 0, 0};
    for (int i = 0; i < 6; i++)
        assert_float_equal(d->shown->alpha[i], wanted[i], 0);
    assert_float_equal(d->a[2], 0.5f, 0);
    assert_false(d->differs[0] || d->differs[2]);
    assert_true(d->differs[1]);
    assert_string_equal(d->shown->target[0].text, "un");
    assert_string_equal(d->shown->target[1].text, "chat / chien");
    assert_string_equal(d->shown->target[2].text, ".");
    // H(3/4, 1/4) - (H(1, 0) + H(1/2, 1/2)) / 2 = 0.811278 - 0.5
    assert_float_equal(d->bits[0], 0.311278f, 1e-6f);
    // H(3/8, 5/8) - (1 + H(1/4, 3/4)) / 2 = 0.954434 - 0.905639
    assert_float_equal(d->bits[1], 0.048795f, 1e-6f);
    assert_true(isnan(d->bits[2]));
    assert_float_equal(d->mean_bits, 0.1800365f, 1e-6f);
    difference_destroy(d);
    d = of(b, a, clear, NULL); // the other way round: the sign, and whose rows are left
    assert_non_null(d);
    assert_int_equal(difference_only(d, 2), 0);
    assert_float_equal(d->shown->alpha[0], 0.5f, 0);
    assert_string_equal(d->shown->target[1].text, "chien / chat");
    assert_string_equal(d->words[0], "un");
    assert_float_equal(d->mean_bits, 0.1800365f, 1e-6f);
    difference_destroy(d);
    alignment_destroy(a);
    alignment_destroy(b);
}

static void what_is_the_same_has_no_difference(void **state)
{
    (void)state;
    static const float alpha[] = {0.25f, 0.75f, 1, 0};
    struct alignment *a = make("A", whole, 2, cat, 2, alpha);
    struct difference *d = of(a, a, clear, NULL);
    assert_non_null(d);
    for (int i = 0; i < 4; i++)
        assert_float_equal(d->shown->alpha[i], 0, 0);
    assert_float_equal(d->mean_bits, 0, 0);
    assert_int_equal(difference_only(d, 0), -1);
    assert_int_equal(difference_only(d, 1), -1);
    difference_destroy(d);
    alignment_destroy(a);
}

static void a_word_that_was_put_in_has_no_partner(void **state)
{
    (void)state;
    static const char *const more[] = {"ah", "un", "gros", "chat"};
    static const float alpha_a[] = {1, 0, 0.25f, 0.75f};
    static const float alpha_b[] = {0, 1, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f};
    struct alignment *a = make("A", whole, 2, cat, 2, alpha_a);
    struct alignment *b = make("B", whole, 2, more, 4, alpha_b);
    struct difference *d = of(a, b, clear, NULL);
    assert_non_null(d);
    static const float wanted[] = {0, 0, -0.5f, 0.5f, 0, 0, 0, 0};
    static const int only[] = {1, -1, 1, -1}, place[] = {1, 3};
    for (int t = 0; t < 4; t++) {
        assert_int_equal(difference_only(d, t), only[t]);
        assert_int_equal(difference_place(d, 1, t), t);
        assert_false(d->differs[t]);
        assert_true(isnan(d->bits[t]) == (only[t] == 1));
        assert_string_equal(d->shown->target[t].text, more[t]);
        for (int s = 0; s < 2; s++)
            assert_float_equal(d->shown->alpha[2 * t + s], wanted[2 * t + s], 0);
    }
    for (int t = 0; t < 2; t++)
        assert_int_equal(difference_place(d, 0, t), place[t]);
    assert_int_equal(difference_place(d, 0, 2), -1);
    assert_int_equal(difference_place(d, 0, -1), -1);
    assert_float_equal(d->a[7], 0.75f, 0);
    assert_float_equal(d->mean_bits, 0.311278f / 2, 1e-6f);
    difference_destroy(d);
    alignment_destroy(a);
    alignment_destroy(b);
}

static void other_pieces_are_compared_by_words(void **state)
{
    (void)state;
    static const float alpha_a[] = {1, 0, 0.5f, 0.5f};
    static const float alpha_b[] = {0.5f, 0.25f, 0.25f, 0, 0.5f, 0.5f};
    struct alignment *a = make("A", whole, 2, cat, 2, alpha_a);
    struct alignment *b = make("B", pieces, 3, cat, 2, alpha_b);
    assert_false(difference_same_source(a, b));
    struct difference *d = of(a, b, clear, NULL);
    assert_non_null(d);
    assert_true(d->by_words);
    assert_int_equal(d->shown->n_src, 2);
    static const float wanted[] = {-0.5f, 0.5f, -0.5f, 0.5f};
    for (int i = 0; i < 4; i++)
        assert_float_equal(d->shown->alpha[i], wanted[i], 1e-6f);
    difference_destroy(d);
    d = of(a, b, (struct lens_options){.merge = LENS_SUM, .top = 1, .transpose = true},
           NULL);
    assert_non_null(d); // asked for: nothing to say. What cuts and turns does not count
    assert_false(d->by_words);
    assert_float_equal(d->shown->alpha[3], 0.5f, 1e-6f);
    difference_destroy(d);
    alignment_destroy(a);
    alignment_destroy(b);
}

static void what_cannot_be_compared_is_said(void **state)
{
    (void)state;
    static const struct piece odd[] = {{"a c", 0, 3, false}, {"at", 3, 5, false}};
    static const float alpha[] = {1, 0, 0.5f, 0.5f};
    struct error err;
    struct alignment *a = make("A", whole, 2, cat, 2, alpha);
    struct alignment *b = make("B", odd, 2, cat, 2, alpha);
    assert_null(of(a, b, clear, &err));
    assert_non_null(strstr(err.text, "in their own way"));
    struct alignment *c = make("C", whole, 2, cat, 2, alpha);
    c->has_attention = false;
    assert_null(of(a, c, clear, &err));
    assert_non_null(strstr(err.text, "C has no attention"));
    struct alignment *empty = alignment_create(0, 0, true, NULL);
    assert_non_null(empty);
    assert_null(of(empty, a, clear, &err));
    assert_non_null(strstr(err.text, "without a sentence"));
    c->has_attention = true;
    c->text = "a dog"; // of the same length, and another sentence
    assert_null(of(a, c, clear, &err));
    alignment_destroy(empty);
    alignment_destroy(c);
    alignment_destroy(b);
    alignment_destroy(a);
}

static void rows_that_cannot_be_read_have_no_bits(void **state)
{
    (void)state;
    static const float alpha[] = {0, 0, 0.5f, 0.5f}, other[] = {1, 0, 0, 1};
    struct alignment *a = make("A", whole, 2, cat, 2, alpha);
    struct alignment *b = make("B", whole, 2, cat, 2, other);
    struct difference *d = of(a, b, clear, NULL);
    assert_non_null(d);
    assert_true(isnan(d->bits[0]));
    assert_float_equal(d->mean_bits, d->bits[1], 0);
    difference_destroy(d);
    struct difference_side one = side_of(a), none = {b, b->alpha, 0};
    d = difference_create(&one, &none, &clear, NULL); // nothing was decoded of b
    assert_non_null(d);
    assert_int_equal(difference_only(d, 0), 0);
    assert_true(isnan(d->mean_bits));
    difference_destroy(d);
    alignment_destroy(b);
    alignment_destroy(a);
}

#define CASE cmocka_unit_test
int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(equal_words_and_stand_ins_are_subtracted),
        CASE(a_word_that_was_put_in_has_no_partner),
        CASE(what_is_the_same_has_no_difference),
        CASE(other_pieces_are_compared_by_words),
        CASE(what_cannot_be_compared_is_said),
        CASE(rows_that_cannot_be_read_have_no_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
