// SPDX-License-Identifier: MIT
// Edits, by hand: the arithmetic of a row, the list with what was undone, what parts two
// lists, what cannot be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/edit_line.h"
#include "align/edits.h"

enum { N = 4 };

static const float row[N] = {0.5f, 0.25f, 0.125f, 0.125f};
static const struct edit_here here = {6, 2};

static struct edits edits; // emptied by each test

static void add(enum edit_kind kind, int t, int s, float value)
{
    struct edit edit = edit_make(kind, t, s, value);
    assert_true(edits_add(&edits, &edit, NULL));
}

static void add_line(const char *line)
{
    static struct edit_room room;
    struct edit edit;
    struct error err = {0};
    if (!edit_parse(line, here, &edit, &room, &err))
        fail_msg("%s: %s", line, err.text);
    assert_true(edits_add(&edits, &edit, NULL));
}

static bool apply(int t, const float *from, float a, float b, float c, float d)
{
    float alpha[N];
    memcpy(alpha, from, sizeof alpha);
    bool spread = edits_apply(&edits, t, alpha, N);
    assert_float_equal(alpha[0], a, 1e-6f);
    assert_float_equal(alpha[1], b, 1e-6f);
    assert_float_equal(alpha[2], c, 1e-6f);
    assert_float_equal(alpha[3], d, 1e-6f);
    return spread;
}

static int tear_down(void **state)
{
    (void)state;
    edits_finish(&edits);
    return 0;
}

static void a_cell_takes_from_the_others_in_proportion(void **state)
{
    (void)state;
    add(EDIT_CELL, 2, 1, 0.5f);
    assert_false(apply(2, row, 1.0f / 3, 0.5f, 1.0f / 12, 1.0f / 12));
    assert_false(apply(1, row, 0.5f, 0.25f, 0.125f, 0.125f));
    add(EDIT_CELL, 2, 0, 0); // later cells rescale those before
    apply(2, row, 0, 0.75f, 0.125f, 0.125f);
    add(EDIT_CELL, 2, 3, 1);
    apply(2, row, 0, 0, 0, 1);
}

static void a_column_is_muted_or_boosted_in_every_row(void **state)
{
    (void)state;
    add(EDIT_COLUMN, EDIT_ALL, 0, 0);
    assert_false(apply(0, row, 0, 0.5f, 0.25f, 0.25f));
    apply(9, row, 0, 0.5f, 0.25f, 0.25f);
    add(EDIT_COLUMN, EDIT_ALL, 1, 2);
    apply(0, row, 0, 2.0f / 3, 1.0f / 6, 1.0f / 6);
    add(EDIT_COLUMN, EDIT_ALL, 1, 1); // the last of a column counts
    add(EDIT_COLUMN, EDIT_ALL, 0, 4);
    apply(0, row, 0.8f, 0.1f, 0.05f, 0.05f);
}

static void hard_is_the_first_of_the_largest(void **state)
{
    (void)state;
    const float even[N] = {0.1f, 0.4f, 0.4f, 0.1f};
    add(EDIT_HARD, 3, EDIT_ALL, 1);
    apply(3, even, 0, 1, 0, 0);
    apply(2, row, 0.5f, 0.25f, 0.125f, 0.125f);
    add(EDIT_HARD, EDIT_ALL, EDIT_ALL, 1);
    apply(2, row, 1, 0, 0, 0);
    add(EDIT_COLUMN, EDIT_ALL, 0, 0); // columns come first
    apply(2, row, 0, 1, 0, 0);
    add(EDIT_HARD, 2, EDIT_ALL, 0);
    apply(2, row, 0, 0.5f, 0.25f, 0.25f);
    apply(3, row, 0, 1, 0, 0);
}

static void a_pin_outlasts_columns_and_hard(void **state)
{
    (void)state;
    const float other[N] = {0.1f, 0.2f, 0.3f, 0.4f};
    add(EDIT_CELL, 1, 3, 1);
    add_line("pin 2 0.5 0.25 0.125 0.125");
    add(EDIT_COLUMN, EDIT_ALL, 0, 0);
    add(EDIT_HARD, EDIT_ALL, EDIT_ALL, 1);
    apply(1, other, 0.5f, 0.25f, 0.125f, 0.125f);
    assert_true(edits_pinned(&edits, 1));
    add(EDIT_CELL, 1, 1, 0.5f); // cells after the pin are cells of the pinned row
    apply(1, other, 1.0f / 3, 0.5f, 1.0f / 12, 1.0f / 12);
    add_line("unpin 2");
    assert_false(edits_pinned(&edits, 1));
    apply(1, other, 0, 0.5f, 0, 0.5f);
}

static void a_row_of_which_nothing_is_left_is_spread(void **state)
{
    (void)state;
    const float sharp[N] = {0, 1, 0, 0};
    add(EDIT_CELL, 0, 1, 0); // the only α of a row
    assert_true(apply(0, sharp, 1.0f / 3, 0, 1.0f / 3, 1.0f / 3));
    add(EDIT_COLUMN, EDIT_ALL, 1, 0);
    assert_true(apply(1, sharp, 1.0f / 3, 0, 1.0f / 3, 1.0f / 3));
    add(EDIT_COLUMN, EDIT_ALL, 3, 0);
    assert_true(apply(1, sharp, 0.5f, 0, 0.5f, 0));
    add(EDIT_CELL, 5, 1, 0.4f); // a cell of a muted column counts: it is later
    assert_true(apply(5, sharp, 0.5f * 0.6f, 0.4f, 0.5f * 0.6f, 0));
}

static void all_cells_of_a_row_at_zero(void **state)
{
    (void)state;
    for (int s = 0; s < N; s++)
        add(EDIT_CELL, 0, s, 0);
    float alpha[N];
    memcpy(alpha, row, sizeof alpha);
    assert_true(edits_apply(&edits, 0, alpha, N));
    assert_float_equal(alpha[0] + alpha[1] + alpha[2] + alpha[3], 1, 1e-6f);
    float one = 1;
    assert_false(edits_apply(&edits, 1, &one, 1));
    edits_apply(&edits, 0, &one, 1); // one column has it all
    assert_float_equal(one, 1, 0);
}

static void what_is_not_edited_keeps_every_bit(void **state)
{
    (void)state;
    const float odd[N] = {0.1f, 0.2f, 0.30001f, 0.39999f};
    float alpha[N];
    add(EDIT_CELL, 3, 1, 0.5f);
    add(EDIT_CELL, 0, 7, 0.5f); // outside of this row
    add(EDIT_COLUMN, EDIT_ALL, 1, 1);
    add_line("pin 1 0.5 0.5"); // of a matrix with other columns
    memcpy(alpha, odd, sizeof alpha);
    assert_false(edits_apply(&edits, 0, alpha, N));
    assert_memory_equal(alpha, odd, sizeof alpha);
    add(EDIT_COLUMN, EDIT_ALL, 0, 0);
    alpha[2] = NAN;
    float before[N];
    memcpy(before, alpha, sizeof before);
    edits_apply(&edits, 3, alpha, N);
    assert_memory_equal(alpha, before, sizeof alpha);
}

static void the_list_goes_back_and_forth(void **state)
{
    (void)state;
    assert_false(edits_undo(&edits));
    assert_false(edits_redo(&edits));
    add_line("prefix Le chat");
    add_line("pin 1 0.25 0.75");
    add_line("word 3 id 7 8 9");
    assert_true(edits_undo(&edits));
    assert_int_equal(edits.count, 2);
    assert_int_equal(edits_token(&edits, 2), -1);
    assert_true(edits_redo(&edits));
    assert_int_equal(edits_token(&edits, 4), 9);
    edits_clear(&edits);
    assert_int_equal(edits.count, 0);
    while (edits_redo(&edits))
        continue;
    assert_int_equal(edits.count, 3);
    edits_undo(&edits);
    add_line("mute 1"); // forgets what was undone
    assert_false(edits_redo(&edits));
    assert_int_equal(edits.total, 3);
    struct edits *copy = edits_create(&edits, NULL);
    assert_non_null(copy);
    assert_string_equal(edits_at(copy, 0).text, "Le chat");
    assert_float_equal(edits_at(copy, 1).alpha[1], 0.75f, 0);
    edits_destroy(copy);
}

static void a_drag_is_one_edit_and_there_is_a_limit(void **state)
{
    (void)state;
    struct edit edit = edit_make(EDIT_CELL, 0, 0, 0.1f);
    struct error err;
    assert_true(edits_add(&edits, &edit, &err));
    for (int i = 0; i < 1000; i++) {
        edit.value = (float)i / 1000;
        assert_true(edits_replace(&edits, &edit, &err));
    }
    assert_int_equal(edits.total, 1);
    while (edits.total < EDITS_MAX)
        assert_true(edits_add(&edits, &edit, &err));
    assert_false(edits_add(&edits, &edit, &err));
    assert_non_null(strstr(err.text, "256 edits"));
    assert_int_equal(edits.total, EDITS_MAX);
}

static void words_and_prefixes_force_tokens(void **state)
{
    (void)state;
    static const int four[] = {10, 11, 12, 13}, two[] = {20, 21};
    struct edit prefix = edit_make(EDIT_PREFIX, EDIT_ALL, EDIT_ALL, 0);
    struct edit word = edit_make(EDIT_WORD, 2, EDIT_ALL, 0);
    prefix.tokens = four;
    prefix.n_tokens = 4;
    word.tokens = two;
    word.n_tokens = 2;
    assert_true(edits_add(&edits, &prefix, NULL));
    assert_true(edits_add(&edits, &word, NULL));
    assert_int_equal(edits_token(&edits, 1), 11);
    assert_int_equal(edits_token(&edits, 3), 21);
    assert_int_equal(edits_token(&edits, 4), -1);
    assert_int_equal(edits_forced_rows(&edits), 4);
    prefix.n_tokens = 1; // another prefix replaces the first
    assert_true(edits_add(&edits, &prefix, NULL));
    assert_int_equal(edits_token(&edits, 0), 10);
    assert_int_equal(edits_token(&edits, 1), -1);
    assert_int_equal(edits_token(&edits, 2), 20);
    assert_int_equal(edits_same_rows(&edits, NULL), 0);
}

static int same_rows(const char *const *first, const char *const *second)
{
    struct edits a = {.count = 0}, b = {.count = 0};
    const struct edit_here nowhere = {-1, -1};
    for (int side = 0; side < 2; side++)
        for (const char *const *line = side ? second : first; *line; line++) {
            static struct edit_room room;
            struct edit edit;
            assert_true(edit_parse(*line, nowhere, &edit, &room, NULL));
            assert_true(edits_add(side ? &b : &a, &edit, NULL));
        }
    int same = edits_same_rows(&a, &b);
    assert_int_equal(same, edits_same_rows(&b, &a));
    edits_finish(&a);
    edits_finish(&b);
    return same;
}

static void lists_part_at_the_first_row_that_differs(void **state)
{
    (void)state;
    enum { ALL = EDITS_ALL_ROWS };
    static const struct {
        const char *a[4], *b[4];
        int same;
    } cases[] = {
        {{NULL}, {NULL}, ALL},
        {{"cell 4 2 0.9"}, {NULL}, 3},
        {{"cell 4 2 0.9"}, {"cell 4 2 0.9"}, ALL},
        {{"cell 4 2 0.9"}, {"cell 4 2 0.8"}, 3},
        {{"cell 4 2 0.9", "cell 7 1 0.1"}, {"cell 4 2 0.9", "cell 6 1 0.1"}, 5},
        {{"cell 4 2 0.9", "cell 7 1 0.1"}, {"cell 7 1 0.1"}, 3},
        {{"cell 4 2 0.9", "mute 2"}, {"cell 4 2 0.9"}, 0},
        {{"mute 2", "cell 9 1 1"}, {"mute 2"}, 8},
        {{"hard on 5"}, {"hard on 6"}, 4},
        {{"hard on"}, {NULL}, 0},
        {{"pin 3 0.5 0.5"}, {"pin 3 0.5 0.5", "unpin 3"}, 2},
        {{"pin 3 0.5 0.5"}, {"pin 3 0.25 0.75"}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (same_rows(cases[i].a, cases[i].b) != cases[i].same)
            fail_msg("case %zu", i);
    assert_int_equal(edits_same_rows(NULL, NULL), ALL);
}

// Of words only those count that differ.
static void words_part_where_they_differ(void **state)
{
    (void)state;
    static const int three[] = {10, 11, 12}, other[] = {10, 11, 13};
    struct edits more = {.count = 0};
    struct edit prefix = edit_make(EDIT_PREFIX, EDIT_ALL, EDIT_ALL, 0);
    prefix.tokens = three;
    prefix.n_tokens = 3;
    assert_true(edits_add(&edits, &prefix, NULL));
    prefix.tokens = other;
    assert_true(edits_add(&more, &prefix, NULL));
    assert_int_equal(edits_same_rows(&edits, &more), 2);
    prefix.n_tokens = 2;
    assert_true(edits_replace(&more, &prefix, NULL));
    assert_int_equal(edits_same_rows(&edits, &more), 2);
    assert_int_equal(edits_same_rows(&more, NULL), 0);
    edits_finish(&more);
}

static void a_shuffle_is_an_order_of_its_own(void **state)
{
    (void)state;
    int order[40], again[40], seen[40];
    edits_order(&edits, 3, order);
    assert_int_equal(order[2], 2);
    assert_int_equal(edits_shuffle(&edits), EDIT_ALL);
    for (unsigned seed = 1; seed < 60; seed++) {
        char line[40];
        snprintf(line, sizeof line, "%s %u", seed % 2 ? "shuffle" : "shuffle-words",
                 seed);
        add_line(line);
        assert_int_equal(edits_shuffle(&edits),
                         seed % 2 ? EDIT_SHUFFLE : EDIT_SHUFFLE_WORDS);
        for (int n = 0; n <= 40; n += n < 4 ? 1 : 9) {
            memset(seen, 0, sizeof seen);
            edits_order(&edits, n, order);
            edits_order(&edits, n, again);
            assert_memory_equal(order, again, (size_t)n * sizeof *order);
            int moved = 0;
            for (int i = 0; i < n; i++) {
                assert_in_range(order[i], 0, n - 1);
                seen[order[i]]++;
                moved += order[i] != i;
            }
            for (int i = 0; i < n; i++)
                assert_int_equal(seen[i], 1);
            assert_true(n < 2 || moved);
        }
    }
    add_line("shuffle off");
    assert_int_equal(edits_shuffle(&edits), EDIT_ALL);
}

static void edits_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"cell 13 1 0.5", "there is no row 13: the matrix has 12"},
        {"cell 1 5 0.5", "there is no column 5: the matrix has 4"},
        {"cell 1 1 1.5", "α is 1.5, expected a number from 0 to 1"},
        {"cell 1 1 nan", "α is nan"},
        {"cell 1 1 inf", "α is inf"},
        {"boost 1 1e9", "factor of a column is 1e+09"},
        {"boost 1 nan", "factor of a column is nan"},
        {"boost 1 -1", "factor of a column is -1"},
        {"mute 9", "there is no column 9"},
        {"mute 4", "all 4 columns would be muted"},
        {"boost 4 0", "all 4 columns would be muted"},
        {"pin 1 0.5 0.5", "a pinned row has 2 numbers, expected 4"},
        {"pin 1 0.5 0.5 0.5 0.5", "sums to 2"},
        {"pin 1 0.5 -0.5 0.5 0.5", "is -0.5"},
        {"pin 99", "there is no row 99"},
        {"word 40 id 3", "there is no row 40"},
        {"word 3 \"x\"", "no word was given for row 3"},
        {"hard on 400", "there is no row 400"},
    };
    static struct edit_room room;
    add_line("mute 1");
    add_line("mute 2");
    add_line("mute 3");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct edit edit;
        struct error err = {0};
        assert_true(edit_parse(bad[i].line, here, &edit, &room, &err));
        assert_false(edits_check(&edits, &edit, N, 12, &err));
        if (!strstr(err.text, bad[i].says))
            fail_msg("%s: %s", bad[i].line, err.text);
        assert_false(edits_check(&edits, &edit, 0, 0, &err));
        assert_non_null(strstr(err.text, "there is nothing to edit"));
    }
    struct edit edit = edit_make(EDIT_CELL, 0, 0, 0.5f);
    assert_true(edits_check(&edits, &edit, -1, -1, NULL));
    assert_false(edits_check(&edits, &edit, 1, 1, NULL));
    edit.value = 1;
    assert_true(edits_check(&edits, &edit, 1, 1, NULL));
}

#define CASE(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(lists_part_at_the_first_row_that_differs),
        CASE(words_part_where_they_differ),
        CASE(a_cell_takes_from_the_others_in_proportion),
        CASE(a_column_is_muted_or_boosted_in_every_row),
        CASE(hard_is_the_first_of_the_largest),
        CASE(a_pin_outlasts_columns_and_hard),
        CASE(a_row_of_which_nothing_is_left_is_spread),
        CASE(all_cells_of_a_row_at_zero),
        CASE(what_is_not_edited_keeps_every_bit),
        CASE(the_list_goes_back_and_forth),
        CASE(a_drag_is_one_edit_and_there_is_a_limit),
        CASE(words_and_prefixes_force_tokens),
        CASE(a_shuffle_is_an_order_of_its_own),
        CASE(edits_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
