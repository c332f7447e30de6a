// SPDX-License-Identifier: MIT
// Words of two translations in pairs: what stands beside what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "align/pairs.h"

enum { LETTERS = 16, LONG = 3000 };

// A letter is a word, an apostrophe a mark.
static int words_of(const char *letters, char texts[][2], struct label *labels)
{
    int n = (int)strlen(letters);
    for (int i = 0; i < n; i++) {
        texts[i][0] = letters[i];
        texts[i][1] = '\0';
        labels[i] = (struct label){.text = texts[i], .punctuation = letters[i] == '\''};
    }
    return n;
}

static void pairs_are_the_fewest_changes(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *of_a, *of_b; // as they stand, '-' without a partner
    } cases[] = {
        {"", "", "", ""},
        {"abc", "abc", "abc", "abc"},
        {"abc", "axc", "abc", "axc"}, // stands in for b
        {"abc", "axbc", "a-bc", "axbc"},
        {"abcd", "acd", "abcd", "a-cd"},
        {"abc", "abcde", "abc--", "abcde"},
        {"xabc", "abcy", "xabc-", "-abcy"},
        {"", "ab", "--", "ab"},
        {"ab", "", "ab", "--"},
        {"kitten", "sitting", "kitten-", "sitting"}, // Levenshtein's distance is 3
        {"aab", "ab", "aab", "a-b"},                 // the first of the same
        {"abcabc", "bcab", "abcabc", "-bcab-"},
        {"jvu", "j'au", "j-vu", "j'au"}, // a word stands in for a word
        {"ab'd", "ax'd", "ab'd", "ax'd"},
        {"ab", "a'", "ab", "a'"}, // even so it is the fewest
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char texts[2][LETTERS][2], of_a[2 * LETTERS] = "", of_b[2 * LETTERS] = "";
        struct label a[LETTERS], b[LETTERS];
        struct arena arena;
        struct pairs pairs;
        int n = words_of(cases[i].a, texts[0], a), m = words_of(cases[i].b, texts[1], b);
        arena_init(&arena, pairs_bytes(n, m) + 4096);
        assert_true(pairs_make(&pairs, &arena, a, n, b, m));
        for (int t = 0; t < pairs.count; t++) {
            of_a[t] = pairs.at[0][t] < 0 ? '-' : cases[i].a[pairs.at[0][t]];
            of_b[t] = pairs.at[1][t] < 0 ? '-' : cases[i].b[pairs.at[1][t]];
        }
        if (strcmp(of_a, cases[i].of_a) != 0 || strcmp(of_b, cases[i].of_b) != 0)
            fail_msg("%s and %s stand as %s and %s", cases[i].a, cases[i].b, of_a, of_b);
        arena_finish(&arena);
    }
}

// A table of them would be too large.
static void thousands_are_paired_by_place(void **state)
{
    (void)state;
    static struct label a[LONG], b[LONG];
    struct arena arena;
    struct pairs pairs;
    for (int i = 0; i < LONG; i++) {
        a[i].text = i % 2 ? "x" : "y";
        b[i].text = NULL;
    }
    arena_init(&arena, pairs_bytes(LONG, LONG - 1) + 4096);
    assert_true(pairs_make(&pairs, &arena, a, LONG, b, LONG - 1));
    assert_int_equal(pairs.count, LONG);
    for (int t = 0; t < LONG; t++) {
        assert_int_equal(pairs.at[0][t], t);
        assert_int_equal(pairs.at[1][t], t < LONG - 1 ? t : -1);
    }
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_the_fewest_changes),
        cmocka_unit_test(thousands_are_paired_by_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
