// SPDX-License-Identifier: MIT
// The table of IBM Model 1: reading it, refusing it, and laying it over an alignment.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align/ibm1.h"
#include "formats/lexicon.h"

#define NEAR(found, wanted) assert_float_equal(found, wanted, 2e-6)

// NULL, black, cat, the; chat, le, noir. q of 16 is 1/2.
static const unsigned char table[] =
    "IBM1 v1\n"
    "\4\0\0\0\3\0\0\0\5\0\0\0\17\0\0\0\15\0\0\0"
    "\0black\0cat\0the\0"
    "chat\0le\0noir\0"
    "\1\0\1\0\1\0\2\0"     // pairs of each source word
    "\1\0\2\0\0\0\0\0\1\0" // NULL le, black noir, cat chat, the chat, the le
    "\60\20\0\120\20";     // 1/8, 1/2, 1, 1/32, 1/2
enum { TABLE_BYTES = sizeof table - 1 };
enum {
    COUNTS_AT = 28 + 15 + 13,
    TARGETS_AT = COUNTS_AT + 8,
    POWERS_AT = TARGETS_AT + 10
};

static struct lexicon *open_table(void)
{
    struct error err = {0};
    struct lexicon *lexicon = lexicon_parse(table, TABLE_BYTES, "t.ibm1", &err);
    if (!lexicon)
        fail_msg("%s", err.text);
    return lexicon;
}

static float t_of(const struct lexicon *lexicon, const char *e, const char *f)
{
    return lexicon_t(lexicon, lexicon_source(lexicon, e), lexicon_target(lexicon, f));
}

static void pairs_are_found_by_words(void **state)
{
    (void)state;
    struct lexicon *lexicon = open_table();
    assert_int_equal(lexicon_source(lexicon, ""), 0);
    assert_int_equal(lexicon_source(lexicon, "the"), 3);
    assert_int_equal(lexicon_source(lexicon, "dog"), -1);
    assert_int_equal(lexicon_target(lexicon, "chat"), 0);
    assert_int_equal(lexicon_target(lexicon, ""), -1);
    NEAR(t_of(lexicon, "", "le"), 0.125);
    NEAR(t_of(lexicon, "cat", "chat"), 1);
    NEAR(t_of(lexicon, "the", "le"), 0.5);
    NEAR(t_of(lexicon, "the", "chat"), 0.03125);
    NEAR(t_of(lexicon, "the", "noir"), 0);
    NEAR(t_of(lexicon, "dog", "le"), 0);
    NEAR(t_of(lexicon, "the", "chien"), 0);
    lexicon_close(lexicon);
    lexicon_close(NULL);
}

static void refused(const unsigned char *data, size_t size, enum status status,
                    const char *words)
{
    struct error err = {0};
    struct lexicon *lexicon = lexicon_parse(data, size, "t.ibm1", &err);
    assert_null(lexicon);
    assert_int_equal(err.code, status);
    if (!strstr(err.text, words) || strncmp(err.text, "t.ibm1: ", 8) != 0)
        fail_msg("'%s' does not say '%s'", err.text, words);
}

static void every_cut_is_refused(void **state)
{
    (void)state;
    unsigned char longer[TABLE_BYTES + 1] = {0};
    for (size_t size = 0; size < TABLE_BYTES; size++) {
        unsigned char *exact = malloc(size ? size : 1);
        assert_non_null(exact);
        memcpy(exact, table, size);
        refused(exact, size, ERR_FORMAT, size < 28 ? "no table" : "asks for");
        free(exact);
    }
    memcpy(longer, table, TABLE_BYTES);
    refused(longer, sizeof longer, ERR_FORMAT, "asks for");
}

static void what_does_not_hold_is_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        unsigned char value;
        enum status status;
        const char *words;
    } cases[] = {
        {0, 'i', ERR_FORMAT, "no table"},
        {8, 0, ERR_LIMIT, "0 source words"},
        {12, 0, ERR_LIMIT, "0 target words"},
        {10, 1, ERR_LIMIT, "65540 source words"},
        {19, 1, ERR_LIMIT, "16777221 pairs"},
        {8, 5, ERR_FORMAT, "asks for"},
        {23, 0xff, ERR_FORMAT, "asks for"},
        {28, 'a', ERR_FORMAT, "word 0 of the source"}, // NULL must be the first
        {29, 0, ERR_FORMAT, "word 1 of the source"},   // and the only empty one
        {29, 'z', ERR_FORMAT, "word 2 of the source"}, // out of order
        {30, 0xff, ERR_FORMAT, "word 1 of the source"},
        {42, 'x', ERR_FORMAT, "word 3 of the source"}, // no end
        {32, 0, ERR_FORMAT, "word 3 of the source"},   // "bla", "k", and then "cat"
        {43, 0, ERR_FORMAT, "word 0 of the target"},
        {48, 'a', ERR_FORMAT, "word 1 of the target"},
        {COUNTS_AT, 9, ERR_FORMAT, "more pairs than its 5"},
        {COUNTS_AT, 0, ERR_FORMAT, "out of order"},
        {COUNTS_AT + 6, 1, ERR_FORMAT, "4 of its 5 pairs"},
        {TARGETS_AT, 3, ERR_FORMAT, "word 3"},
        {TARGETS_AT + 6, 1, ERR_FORMAT, "word 1, out of order"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char bad[TABLE_BYTES];
        memcpy(bad, table, sizeof bad);
        bad[cases[i].at] = cases[i].value;
        refused(bad, sizeof bad, cases[i].status, cases[i].words);
    }
}

static void the_bundled_tables_know_everyday_words(void **state)
{
    (void)state;
    static const struct {
        const char *languages, *e, *f;
    } cases[] = {
        {"en-fr", "cat", "chat"},       {"en-fr", "black", "noir"},
        {"en-fr", "house", "maison"},   {"de-en", "katze", "cat"},
        {"de-en", "schwarze", "black"}, {"de-en", "haus", "house"},
    };
    char path[4200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {0};
        assert_true(lexicon_path(cases[i].languages, path, sizeof path));
        struct lexicon *lexicon = lexicon_open(path, &err);
        if (!lexicon)
            fail_msg("%s", err.text);
        if (t_of(lexicon, cases[i].e, cases[i].f) < 0.2f)
            fail_msg("t(%s|%s) is %g", cases[i].f, cases[i].e,
                     (double)t_of(lexicon, cases[i].e, cases[i].f));
        assert_true(t_of(lexicon, cases[i].e, ".") < 0.2f);
        lexicon_close(lexicon);
    }
    assert_false(lexicon_path("xx-yy", path, sizeof path));
    assert_false(lexicon_path("../ibm1/en-fr", path, sizeof path));
    assert_null(lexicon_open("/nowhere", NULL));
}

// "The bl|ack cat. ⏎" to "Le ch|at noir ! ⏎".
static struct alignment *made(const float *alpha)
{
    static const struct label source[] = {
        {.text = "The"},
        {.text = "bl"},
        {.text = "ack", .joined = true},
        {.text = "cat"},
        {.text = ".", .joined = true},
        {.text = "⏎", .special = true},
    };
    static const struct label target[] = {
        {.text = "Le"},   {.text = "ch"}, {.text = "at", .joined = true},
        {.text = "noir"}, {.text = "!"},  {.text = "⏎", .special = true},
    };
    struct alignment *a = alignment_create(6, 6, true, NULL);
    assert_non_null(a);
    memcpy(a->source, source, sizeof source);
    memcpy(a->target, target, sizeof target);
    memcpy(a->alpha, alpha, 36 * sizeof *alpha);
    alignment_publish(a, 6);
    return a;
}

static void it_is_laid_over_words(void **state)
{
    (void)state;
    static const float alpha[] = {
        0.75f, 0.25f, 0, 0,     0,    0, // Le: The
        0,     0.5f,  0, 0.5f,  0,    0, // ch
        0,     0,     0, 1,     0,    0, // at: cat 3/4, bl 1/4
        0.5f,  0,     0, 0.25f, 0.25, 0, // noir: The, against the list
        0,     0,     0, 0,     1,    0, // !: not in the list
        0,     0,     0, 0,     0,    1, // ⏎ is no word
    };
    static const unsigned char cells[] = {IBM1_CELL_AGREES,
                                          0,
                                          0,
                                          0, // the le
                                          0,
                                          0,
                                          IBM1_CELL_AGREES,
                                          0, // cat chat; the chat is under IBM1_LISTED
                                          0,
                                          IBM1_CELL_LISTED,
                                          0,
                                          0, // black noir, which nothing reads
                                          0,
                                          0,
                                          0,
                                          0};
    static const unsigned char rows[] = {IBM1_ROW_AGREES, IBM1_ROW_AGREES,
                                         IBM1_ROW_DISAGREES, IBM1_ROW_UNLISTED};
    static const int best[] = {0, 2, 1, -1}, columns[] = {0, 1, 1, 2, 3, -1};
    struct lexicon *lexicon = open_table();
    struct alignment *a = made(alpha);
    struct lexicon_over over;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    assert_true(lexicon_lay(lexicon, a, a->alpha, 6, &arena, &over, NULL));
    assert_int_equal(over.source.count, 4);
    assert_int_equal(over.target.count, 4);
    assert_string_equal(over.source.word[0], "the");
    assert_string_equal(over.source.word[1], "black");
    assert_string_equal(over.source.word[3], ".");
    assert_string_equal(over.target.word[1], "chat");
    assert_memory_equal(over.source.of_label, columns, sizeof columns);
    NEAR(over.alpha[4 + 1], 0.25);
    NEAR(over.alpha[4 + 2], 0.75);
    NEAR(over.t[0], 0.5);
    NEAR(over.t[4], 0.125);       // NULL le
    NEAR(over.posterior[0], 0.8); // 1/2 / (1/2 + 1/8)
    NEAR(over.posterior[4], 0.2);
    NEAR(over.posterior[5 + 2], 32.0 / 33);
    NEAR(over.posterior[15], 0);
    assert_memory_equal(over.best, best, sizeof best);
    assert_memory_equal(over.cells, cells, sizeof cells);
    assert_memory_equal(over.rows, rows, sizeof rows);
    // Weighed anew with nothing read, no row says a thing; with the same α, the same.
    float none[36] = {0};
    lexicon_weigh(&over, 6, none, 6);
    for (int j = 0; j < 4; j++)
        assert_int_equal(over.rows[j], IBM1_ROW_UNLISTED);
    lexicon_weigh(&over, 6, a->alpha, 6);
    assert_memory_equal(over.cells, cells, sizeof cells);
    assert_memory_equal(over.rows, rows, sizeof rows);
    arena_finish(&arena);
    alignment_destroy(a);
    lexicon_close(lexicon);
}

static void nothing_to_lay_it_over(void **state)
{
    (void)state;
    struct lexicon *lexicon = open_table();
    struct alignment *a = alignment_create(0, 0, true, NULL);
    struct lexicon_over over;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    assert_true(lexicon_lay(lexicon, a, a->alpha, 0, &arena, &over, NULL));
    assert_int_equal(over.source.count, 0);
    assert_int_equal(over.target.count, 0);
    arena_finish(&arena);
    alignment_destroy(a);
    lexicon_close(lexicon);
}

static void null_wins_where_it_is_larger(void **state)
{
    (void)state;
    static const float t[] = {0.1f, 0.1f, 0.3f, 0.25f, 0.25f, 0.25f, 0, 0, 0};
    float posterior[9];
    int best[3];
    ibm1_align(t, 3, 2, posterior, best);
    assert_int_equal(best[0], -1);
    NEAR(posterior[2], 0.6);      // 0.3 / 0.5
    assert_int_equal(best[1], 0); // of equals the first word
    assert_int_equal(best[2], -1);
    NEAR(posterior[8], 0);
}

static void rows_that_cannot_be_read_are_unlisted(void **state)
{
    (void)state;
    static const float t[] = {0.5f, 0, 0, 0.5f, 0, 0, 0.5f, 0, 0};
    static const float alpha[] = {NAN, 1, 0, 0, 1, 0};
    unsigned char cells[6], rows[3];
    ibm1_mark(t, alpha, 3, 2, cells, rows);
    assert_int_equal(rows[0], IBM1_ROW_UNLISTED);
    assert_int_equal(rows[1], IBM1_ROW_UNLISTED);
    assert_int_equal(rows[2], IBM1_ROW_AGREES);
    assert_int_equal(cells[0], IBM1_CELL_LISTED);
    assert_int_equal(cells[4], IBM1_CELL_AGREES);
}

static void equal_weights_are_no_verdict(void **state)
{
    (void)state;
    const float sixth = 1.0f / 6, sixth_more = sixth * (1 + 1e-6f);
    const float alpha[] = {sixth, sixth, sixth, sixth, sixth_more, sixth, // uniform
                           0.1f,  0.1f,  0.3f,  0.3f,  0.1f,       0.1f}; // two alike
    unsigned char cells[12], rows[2];
    const float listed[] = {0.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0};
    ibm1_mark(listed, alpha, 2, 6, cells, rows);
    assert_int_equal(rows[0], IBM1_ROW_UNLISTED);
    assert_int_equal(cells[0], IBM1_CELL_LISTED);
    assert_int_equal(rows[1], IBM1_ROW_UNLISTED);
    assert_int_equal(cells[8], IBM1_CELL_AGREES); // it is read, if not most
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_found_by_words),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(what_does_not_hold_is_refused),
        cmocka_unit_test(the_bundled_tables_know_everyday_words),
        cmocka_unit_test(it_is_laid_over_words),
        cmocka_unit_test(nothing_to_lay_it_over),
        cmocka_unit_test(null_wins_where_it_is_larger),
        cmocka_unit_test(rows_that_cannot_be_read_are_unlisted),
        cmocka_unit_test(equal_weights_are_no_verdict),
    };
    return cmocka_run_group_tests_name("lexicon", tests, NULL, NULL);
}
