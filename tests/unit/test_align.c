// SPDX-License-Identifier: MIT
// align: the alignment's memory, its telemetry, the comparison of two decodings.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "align/alignment.h"
#include "align/compare.h"
#include "align/telemetry.h"

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        int n_src, max_tgt;
        bool fine;
    } cases[] = {
        {0, 0, true},
        {1, 1, true},
        {ALIGNMENT_MAX_SRC, ALIGNMENT_MAX_TGT, true},
        {0, 1, false},
        {1, 0, false},
        {-1, 1, false},
        {1, -1, false},
        {ALIGNMENT_MAX_SRC + 1, 1, false},
        {1, ALIGNMENT_MAX_TGT + 1, false},
        {INT32_MAX, INT32_MAX, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {0};
        struct alignment *alignment =
            alignment_create(cases[i].n_src, cases[i].max_tgt, true, &err);
        assert_int_equal(alignment != NULL, cases[i].fine);
        assert_int_equal(err.code, cases[i].fine ? OK : ERR_LIMIT);
        alignment_destroy(alignment);
    }
    alignment_destroy(NULL);
}

static void a_new_alignment_is_zeroed_and_has_room_for_its_text(void **state)
{
    (void)state;
    int n = 513, rows = 1549;
    struct alignment *a = alignment_create(n, rows, true, NULL);
    assert_non_null(a);
    assert_string_equal(a->text, "");
    assert_string_equal(a->translation, "");
    assert_int_equal(alignment_rows(a), 0);
    assert_int_equal(alignment_ended(a), ENDED_NOT);
    assert_int_equal(a->tokens_cut, 0);
    size_t last = (size_t)rows * (size_t)n - 1;
    assert_true(a->score[last] == 0.0f && a->alpha[last] == 0.0f);
    assert_null(a->source[n - 1].text);
    assert_null(a->target[rows - 1].text);
    assert_null(a->top[rows * ALIGNMENT_TOP - 1].text);
    // The longest labels that a tokenizer allows, on every token and candidate.
    char label[513];
    memset(label, 'x', sizeof label);
    for (int i = 0; i < 2 * (n + rows) + ALIGNMENT_TOP * rows; i++)
        assert_non_null(arena_copy(&a->arena, label, sizeof label - 1));
    alignment_destroy(a);
}

static void rows_and_the_end_are_published(void **state)
{
    (void)state;
    struct alignment *a = alignment_create(2, 3, false, NULL);
    assert_false(a->has_attention);
    alignment_publish(a, 1);
    assert_int_equal(alignment_rows(a), 1);
    alignment_publish(a, 3);
    assert_int_equal(alignment_rows(a), 3);
    alignment_end(a, ENDED_LIMIT);
    assert_int_equal(alignment_ended(a), ENDED_LIMIT);
    alignment_destroy(a);
    static const char *const names[] = {"running",   "eos",   "limit",
                                        "cancelled", "empty", "not-finite"};
    for (int i = 0; i <= ENDED_BROKEN; i++)
        assert_string_equal(ended_name((enum ended)i), names[i]);
}

static void entropy_of_known_rows(void **state)
{
    (void)state;
    static const struct {
        float alpha[8];
        int n;
        float bits, sum, max;
        int argmax;
    } cases[] = {
        {{1}, 1, 0.0f, 1.0f, 1.0f, 0},
        {{0.5f, 0.5f}, 2, 1.0f, 1.0f, 0.5f, 0},
        {{0, 1, 0}, 3, 0.0f, 1.0f, 1.0f, 1},
        {{0.25f, 0.25f, 0.25f, 0.25f}, 4, 2.0f, 1.0f, 0.25f, 0},
        {{0.5f, 0.25f, 0.125f, 0.125f}, 4, 1.75f, 1.0f, 0.5f, 0},
        {{0.125f, 0.125f, 0.25f, 0.5f}, 4, 1.75f, 1.0f, 0.5f, 3},
        {{0, 0, 0}, 3, 0.0f, 0.0f, 0.0f, 0},
        {{2, 2}, 2, 1.0f, 4.0f, 2.0f, 0}, // no honest row: of what it is scaled to sum 1
        {{0.4f, 0.4f, 0.4f, 0.4f}, 4, 2.0f, 1.6f, 0.4f, 0},
        {{0.2f, 0, 0.1f, 0.1f}, 4, 1.5f, 0.4f, 0.2f, 0}, // cut by a lens
        {{0}, 0, 0.0f, 0.0f, 0.0f, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct row_stats stats = telemetry_row(cases[i].alpha, cases[i].n);
        assert_float_equal(stats.entropy_bits, cases[i].bits, 1e-6);
        assert_float_equal(stats.sum, cases[i].sum, 1e-6);
        assert_float_equal(stats.max, cases[i].max, 0);
        assert_int_equal(stats.argmax, cases[i].argmax);
        float words = cases[i].n ? (float)(1 << (int)cases[i].bits) : 0.0f;
        if (cases[i].bits == (float)(int)cases[i].bits)
            assert_float_equal(stats.effective, words, 1e-5);
    }
}

static void coverage_sums_columns_of_the_first_rows(void **state)
{
    (void)state;
    const float alpha[] = {0.5f, 0.5f, 0.0f, 0.25f, 0.25f, 0.5f, 9.0f, 9.0f, 9.0f};
    float out[3] = {7, 7, 7};
    telemetry_coverage(alpha, 2, 3, out);
    assert_true(out[0] == 0.75f && out[1] == 0.75f && out[2] == 0.5f);
    telemetry_coverage(alpha, 0, 3, out);
    assert_true(out[0] == 0.0f && out[1] == 0.0f && out[2] == 0.0f);
}

static struct alignment *with_words(const char *words)
{
    int rows = (int)strlen(words);
    struct alignment *a = alignment_create(1, rows + 1, true, NULL);
    assert_non_null(a);
    for (int t = 0; t < rows; t++)
        a->target[t].id = words[t];
    a->target[rows].id = '!'; // not published: must not count
    alignment_publish(a, rows);
    return a;
}

static void changed_words_lie_outside_the_common_subsequence(void **state)
{
    (void)state;
    static const struct {
        const char *before, *now, *changed; // x: changed
    } cases[] = {
        {"", "", ""},
        {"abc", "", ""},
        {"", "abc", "xxx"},
        {"abc", "abc", "..."},
        {"abcd", "abxd", "..x."},
        {"abcd", "abd", "..."},
        {"abd", "abcd", "..x."},
        {"abcd", "wxyz", "xxxx"},
        {"abcabc", "abc", "..."},
        {"abc", "abcabc", NULL}, // three of six, wherever they are
        {"the cat", "a cat sat", NULL},
        {"xaybz", "aqb", ".x."},
        {"aaaa", "aa", ".."},
        {"ab", "ba", NULL},
    };
    static const int kept[] = {0, 0, 0, 3, 3, 3, 3, 0, 3, 3, 4, 2, 2, 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct alignment *before = with_words(cases[i].before);
        struct alignment *now = with_words(cases[i].now);
        int rows = alignment_rows(now), same = 0;
        bool changed[32];
        memset(changed, true, sizeof changed);
        assert_true(compare_words(before, now, changed));
        for (int t = 0; t < rows; t++) {
            same += !changed[t];
            if (cases[i].changed)
                assert_int_equal(changed[t], cases[i].changed[t] == 'x');
        }
        assert_int_equal(same, kept[i]);
        assert_true(changed[rows]); // untouched
        alignment_destroy(before);
        alignment_destroy(now);
    }
}

static void the_longest_decodings_are_compared_in_little_memory(void **state)
{
    (void)state;
    struct alignment *before = alignment_create(1, ALIGNMENT_MAX_TGT, true, NULL);
    struct alignment *now = alignment_create(1, ALIGNMENT_MAX_TGT, true, NULL);
    bool *changed = calloc(ALIGNMENT_MAX_TGT, sizeof *changed);
    assert_true(before && now && changed);
    for (int t = 0; t < ALIGNMENT_MAX_TGT; t++) { // evens are shared, in order
        before->target[t].id = t % 2 ? -1 : t;
        now->target[t].id = t % 2 ? -2 : t;
    }
    now->target[0].id = before->target[ALIGNMENT_MAX_TGT - 1].id = -3;
    alignment_publish(before, ALIGNMENT_MAX_TGT);
    alignment_publish(now, ALIGNMENT_MAX_TGT);
    assert_true(compare_words(before, now, changed));
    for (int t = 0; t < ALIGNMENT_MAX_TGT; t++)
        assert_int_equal(changed[t], t == 0 || t % 2 == 1);
    free(changed);
    alignment_destroy(before);
    alignment_destroy(now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(a_new_alignment_is_zeroed_and_has_room_for_its_text),
        cmocka_unit_test(rows_and_the_end_are_published),
        cmocka_unit_test(entropy_of_known_rows),
        cmocka_unit_test(coverage_sums_columns_of_the_first_rows),
        cmocka_unit_test(changed_words_lie_outside_the_common_subsequence),
        cmocka_unit_test(the_longest_decodings_are_compared_in_little_memory),
    };
    return cmocka_run_group_tests_name("align", tests, NULL, NULL);
}
