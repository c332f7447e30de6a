// SPDX-License-Identifier: MIT
// Gold alignments and the error rate, by hand-made pairs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "evaluate/aer.h"

static int set_up(void **state)
{
    static struct arena arena;
    arena_init(&arena, 1 << 20);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    arena_finish(*state);
    return 0;
}

static void near(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-12))
        fail_msg("%.15f, expected %.15f", found, wanted);
}

static struct gold parse(struct arena *arena, const char *line)
{
    struct gold gold;
    struct error err = {0};
    if (!gold_parse(&gold, arena, line, strlen(line), &err))
        fail_msg("%s", err.text);
    return gold;
}

static void a_line_is_read(void **state)
{
    struct gold gold = parse(*state, "a b c\tx y\t0-0 1?1 2-1 2?1 0?0");
    assert_int_equal(gold.n_src, 3);
    assert_int_equal(gold.n_tgt, 2);
    assert_int_equal(gold.source_length, 5);
    assert_memory_equal(gold.target, "x y", 3);
    static const unsigned char links[] = {LINK_SURE, LINK_NONE,     LINK_NONE,
                                          LINK_NONE, LINK_POSSIBLE, LINK_SURE};
    assert_memory_equal(gold.links, links, sizeof links);
}

static void a_line_without_links_is_fine(void **state)
{
    struct gold gold = parse(*state, "a\tb\t");
    assert_int_equal(gold.links[0], LINK_NONE);
}

static void what_is_wrong_with_a_line_is_said(void **state)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"a b", "1 columns, expected 3"},
        {"a\tb", "2 columns, expected 3"},
        {"a\tb\t0-0\tmore", "4 columns, expected 3"},
        {"\tb\t0-0", "the source is empty"},
        {"a\t\t0-0", "the target is empty"},
        {"a  b\tc\t0-0", "an empty token in the source"},
        {"a\tb c \t0-0", "an empty token in the target"},
        {" a\tb\t0-0", "an empty token in the source"},
        {"a b\tc\t2-0", "2-0 leads outside 2 source and 1 target tokens"},
        {"a b\tc\t0?1", "0?1 leads outside"},
        {"a\tb\t0:0", "'0:0' is no link"},
        {"a\tb\t0-", "'0-' is no link"},
        {"a\tb\t-0", "'-0' is no link"},
        {"a\tb\t0-0x", "'0-0x' is no link"},
        {"a\tb\t1éééééééééééééééééééé", "'1ééééééééééééééééééé' is no link"},
        {"a\tb\t0000000-0", "is no link"},
        {"a\tb\t99999999999-0", "is no link"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gold gold;
        struct error err = {0};
        assert_false(gold_parse(&gold, *state, rows[i].line, strlen(rows[i].line), &err));
        if (!strstr(err.text, rows[i].words))
            fail_msg("'%s' is not in '%s'", rows[i].words, err.text);
    }
}

static void too_many_tokens_are_refused(void **state)
{
    static char line[4 * GOLD_MAX_WORDS];
    size_t at = 0;
    for (int i = 0; i < GOLD_MAX_WORDS; i++) {
        line[at++] = 'a';
        line[at++] = ' ';
    }
    struct gold gold;
    struct error err = {0};
    memcpy(line + at - 1, "\tb\t", 3);
    assert_true(gold_parse(&gold, *state, line, at + 2, &err));
    memcpy(line + at - 1, " a\tb\t", 5);
    assert_false(gold_parse(&gold, *state, line, at + 4, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

// S = {0-0, 1-1, 2-2}, P adds 1?0, 3?2. A = {0-0, 1-0, 3-2}:
// AER = 1 - (1 + 3) / (3 + 3).
static void the_rate_is_that_of_a_hand(void **state)
{
    struct gold gold = parse(*state, "a b c d\tx y z w\t0-0 1-1 1?0 2-2 3?2");
    struct aer aer = {0};
    aer_add(&aer, &gold, (const int[]){0, 0, 3, -1});
    assert_int_equal(aer.links, 3);
    assert_int_equal(aer.sure, 3);
    assert_int_equal(aer.in_sure, 1);
    assert_int_equal(aer.in_possible, 2);
    near(aer_rate(&aer), 1 - 3.0 / 6.0);
    near(aer_precision(&aer), 2.0 / 3.0);
    near(aer_recall(&aer), 1.0 / 3.0);
    struct aer sum = {0}, perfect = {0};
    aer_add(&perfect, &gold, (const int[]){0, 1, 2, -1});
    assert_true(aer_rate(&perfect) == 0);
    aer_sum(&sum, &aer);
    aer_sum(&sum, &perfect);
    assert_int_equal(sum.pairs, 2);
    near(aer_rate(&sum), 1 - (1 + 2 + 3 + 3) / 12.0);
}

static void nothing_has_no_rate(void **state)
{
    (void)state;
    struct aer aer = {0};
    assert_true(isnan(aer_rate(&aer)) && isnan(aer_precision(&aer)) &&
                isnan(aer_recall(&aer)));
}

static void a_word_links_to_its_maximum_above_the_threshold(void **state)
{
    (void)state;
    assert_int_equal(aer_best((const float[]){0.1f, 0.5f, 0.4f}, 3, 0.2f), 1);
    assert_int_equal(aer_best((const float[]){0.4f, 0.4f}, 2, 0.2f), 0);
    assert_int_equal(aer_best((const float[]){0.2f, 0.1f}, 2, 0.2f), -1);
    assert_int_equal(aer_best((const float[]){0, 0}, 2, 0), -1);
    assert_int_equal(aer_best(NULL, 0, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_read),
        cmocka_unit_test(a_line_without_links_is_fine),
        cmocka_unit_test(what_is_wrong_with_a_line_is_said),
        cmocka_unit_test(too_many_tokens_are_refused),
        cmocka_unit_test(the_rate_is_that_of_a_hand),
        cmocka_unit_test(nothing_has_no_rate),
        cmocka_unit_test(a_word_links_to_its_maximum_above_the_threshold),
    };
    return cmocka_run_group_tests_name("aer", tests, set_up, tear_down);
}
