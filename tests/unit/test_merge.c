// SPDX-License-Identifier: MIT
// Sub-words to words, by hand: splits on both sides, marks that stand alone or stick to a
// word, elisions, pieces of white space, special tokens.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "align/merge.h"

enum { MOST = 16 };

struct row {
    const char *name, *text;
    int spans[MOST][2]; // of each token; {-1, 0} ends them
    int n_words, words[MOST];
};

static const struct row rows[] = {
    // ▁sleep s ▁well
    {"a split word", "sleeps well", {{0, 5}, {5, 6}, {6, 11}, {-1, 0}}, 2, {0, 0, 1}},
    // ▁well ▁, ▁yes ▁.
    {"marks alone",
     "well , yes .",
     {{0, 4}, {4, 6}, {6, 10}, {10, 12}, {-1, 0}},
     4,
     {0, 1, 2, 3}},
    // ▁well , ▁yes .
    {"marks attached",
     "well, yes.",
     {{0, 4}, {4, 5}, {5, 9}, {9, 10}, {-1, 0}},
     2,
     {0, 0, 1, 1}},
    // ▁l ' ▁heure
    {"an elision apart", "l' heure", {{0, 1}, {1, 2}, {2, 8}, {-1, 0}}, 2, {0, 0, 1}},
    // ▁l ' heure
    {"an elision whole", "l'heure", {{0, 1}, {1, 2}, {2, 7}, {-1, 0}}, 1, {0, 0, 0}},
    // ▁ x: the first piece is only the space that was put there
    {"a dummy prefix", "x y", {{0, 0}, {0, 1}, {1, 2}, {2, 3}, {-1, 0}}, 2, {0, 0, 1, 1}},
    // spaces before, between and behind
    {"many spaces", "  a  b ", {{0, 3}, {3, 6}, {6, 7}, {-1, 0}}, 2, {0, 1, 1}},
    // ½ became 1 ⁄ 2, of which one owns the bytes
    {"pieces without bytes",
     "\xc2\xbd kg",
     {{0, 0}, {0, 0}, {0, 2}, {2, 5}, {-1, 0}},
     2,
     {0, 0, 0, 1}},
    {"no words", "  ", {{0, 2}, {-1, 0}}, 0, {-1}},
};

static int read_labels(const struct row *row, struct label *labels)
{
    int n = 0;
    for (; row->spans[n][0] >= 0; n++)
        labels[n] = (struct label){.begin = row->spans[n][0], .end = row->spans[n][1]};
    return n;
}

static void tokens_find_their_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct label labels[MOST];
        struct merge_span spans[MOST];
        int found[MOST], n = read_labels(&rows[i], labels);
        int words = merge_split(rows[i].text, strlen(rows[i].text), spans, MOST);
        if (words != rows[i].n_words)
            fail_msg("%s: %d words", rows[i].name, words);
        merge_map(labels, n, spans, words, found);
        for (int t = 0; t < n; t++)
            if (found[t] != rows[i].words[t])
                fail_msg("%s: token %d in word %d", rows[i].name, t, found[t]);
    }
}

static void special_tokens_have_no_word(void **state)
{
    (void)state;
    const struct label labels[] = {{.begin = 0, .end = 1},
                                   {.begin = 1, .end = 1, .special = true}};
    struct merge_span span;
    int found[2];
    assert_int_equal(merge_split("a", 1, &span, 1), 1);
    merge_map(labels, 2, &span, 1, found);
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], -1);
}

static void more_words_than_room_are_counted(void **state)
{
    (void)state;
    struct merge_span spans[2] = {{7, 7}, {7, 7}};
    assert_int_equal(merge_split("a b c", 5, spans, 1), 3);
    assert_int_equal(spans[0].end, 1);
    assert_int_equal(spans[1].begin, 7);
}

// Source: a b b </s>; target: x y y </s>. Columns of b are summed, rows of y averaged.
static void columns_are_summed_and_rows_averaged(void **state)
{
    (void)state;
    static const float alpha[] = {
        0.5f, 0.25f,  0.125f, 0.125f, // x
        0.0f, 0.5f,   0.5f,   0.0f,   // y
        0.5f, 0.125f, 0.125f, 0.25f,  // y
        0.0f, 0.0f,   0.0f,   1.0f,   // </s>
    };
    static const int row_word[] = {0, 1, 1, -1}, column_word[] = {0, 1, 1, -1};
    static const float wanted[] = {0.5f, 0.375f, 0.25f, 0.625f};
    float merged[5] = {[4] = 7};
    merge_alpha(alpha, 4, 4, row_word, column_word, merged, 2, 2);
    assert_memory_equal(merged, wanted, sizeof wanted);
    assert_true(merged[4] == 7);
}

static void words_without_tokens_are_zero(void **state)
{
    (void)state;
    static const float alpha[] = {1, 0};
    static const int row_word[] = {2}, column_word[] = {1, 1};
    static const float wanted[] = {0, 0, 0, 0, 0, 1};
    float merged[6];
    merge_alpha(alpha, 1, 2, row_word, column_word, merged, 3, 2);
    assert_memory_equal(merged, wanted, sizeof wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_find_their_words),
        cmocka_unit_test(special_tokens_have_no_word),
        cmocka_unit_test(more_words_than_room_are_counted),
        cmocka_unit_test(columns_are_summed_and_rows_averaged),
        cmocka_unit_test(words_without_tokens_are_zero),
    };
    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
