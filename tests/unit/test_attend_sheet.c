// SPDX-License-Identifier: MIT
// Matrices as text, and sheets: what is read, what is refused and how, there and back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/attend_sheet.h"

static struct arena arena;
static struct error err;

static int fresh(void **state)
{
    (void)state;
    arena_finish(&arena);
    arena_init(&arena, 1 << 24);
    return 0;
}

static int done(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static struct attend_matrix parse(const char *text)
{
    struct attend_matrix m;
    if (!attend_text_parse(&m, text, "Q", &arena, &err))
        fail_msg("%s: %s", text, err.text);
    return m;
}

static void a_matrix_can_be_typed_and_pasted(void **state)
{
    (void)state;
    static const char *const same[] = {
        "1 0.5\n-2 3e1",
        "1\t0.5\r\n-2\t30\n\n",
        "1, .5\n-2, 30",
        "[[1, 0.5], [-2, 30]]",
        "[[ 1.   0.5]\n [-2.  30. ]]",
        "[1 0.5; -2 30]",
        "[[1,\n0.5],\n[-2,\n30]]",
        "\n 1 0.5\n\n\xe2\x88\x92"
        "2 +30",
        "1 0.5;-2 30",
        "[1, 0.5]\n[-2, 30]",
    };
    static const double expected[] = {1, 0.5, -2, 30};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct attend_matrix m = parse(same[i]);
        assert_int_equal(m.rows, 2);
        assert_int_equal(m.columns, 2);
        assert_memory_equal(m.at, expected, sizeof expected);
    }
    assert_int_equal(parse("").rows, 0);
    assert_int_equal(parse(" \n\t[]").rows, 0);
    assert_int_equal(parse("[7]").columns, 1);
}

static void what_is_no_matrix_is_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"1 2\n3", "Q: row 2 has 1 number, row 1 has 2"},
        {"1 2\n3 4 5", "Q: row 2 has 3 numbers, row 1 has 2"},
        {"1 2\n3 x", "Q: row 2, column 2: 'x' is not a number"},
        {"1ééééééééééééé", "Q: row 1, column 1: '1ééééééééééé' is not a number"},
        {"nan", "Q: row 1, column 1: 'nan' is not a number"},
        {"1 inf", "Q: row 1, column 2: 'inf' is not a number"},
        {"0x10", "Q: row 1, column 1: '0x10' is not a number"},
        {"-", "Q: row 1, column 1: '-' is not a number"},
        {"1e999", "Q: row 1, column 1: '1e999' is too large for a double"},
        {"[[1, 2]", "Q: a bracket [ is not closed"},
        {"1 2]", "Q: a bracket ] too many"},
        {"abcdefghijklmnopqrstuvw\xc3\xa9x", // é would be cut
         "Q: row 1, column 1: 'abcdefghijklmnopqrstuvw' is not a number"},
    };
    struct attend_matrix m;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(attend_text_parse(&m, wrong[i][0], "Q", &arena, &err));
        assert_string_equal(err.text, wrong[i][1]);
    }
    char lines[2 * (ATTEND_MAX + 1) + 1] = "";
    for (int i = 0; i <= ATTEND_MAX; i++)
        memcpy(lines + 2 * i, "1\n", 3);
    assert_false(attend_text_parse(&m, lines, "Q", &arena, &err));
    assert_string_equal(err.text, "Q has more than 512 rows");
    for (int i = 0; i <= ATTEND_MAX; i++)
        lines[2 * i + 1] = ' ';
    assert_false(attend_text_parse(&m, lines, "Q", &arena, &err));
    assert_string_equal(err.text, "Q has more than 512 columns");
}

static void numbers_are_written_short_and_come_back(void **state)
{
    (void)state;
    static const double values[] = {
        0.1, 1, -2.5, 1.0 / 3, 1e300, 5e-324, 123456, 0.3 - 1e-17 * 6, -0.0};
    struct buf out;
    buf_init(&out, 1 << 16);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        buf_clear(&out);
        attend_text_number(&out, values[i]);
        struct attend_matrix m = parse(buf_text(&out));
        assert_memory_equal(m.at, &values[i], sizeof(double));
    }
    buf_clear(&out);
    attend_text_number(&out, 0.1);
    assert_string_equal(buf_text(&out), "0.1");
    buf_clear(&out);
    struct attend_matrix m = parse("1 2\n3 4.25");
    attend_text_write(&out, &m);
    assert_string_equal(buf_text(&out), "1 2\n3 4.25");
    buf_finish(&out);
}

static void names_stand_a_line_each_or_on_one(void **state)
{
    (void)state;
    static const char *const same[] = {"the cat\nsat", "the cat, sat", "the cat\tsat\n",
                                       "  the cat \n\n sat "};
    struct attend_names names;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(attend_text_names(&names, same[i], &arena, &err));
        assert_int_equal(names.count, 2);
        assert_string_equal(names.at[0], "the cat");
        assert_string_equal(names.at[1], "sat");
    }
    assert_true(attend_text_names(&names, "a b  c", &arena, &err));
    assert_int_equal(names.count, 3);
    assert_true(attend_text_names(&names, "", &arena, &err));
    assert_int_equal(names.count, 0);
}

#define HEAD "{\"format\":\"alphascope-sheet\",\"version\":1"

static void read_sheet(struct attend_sheet *sheet, const char *text)
{
    if (!attend_sheet_parse(sheet, text, strlen(text), "s.json", &err))
        fail_msg("%s", err.text);
}

static void a_sheet_says_all_that_it_holds(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ",\"title\":\"T\",\"note\":\"N\",\"Q\":[[1,2],[3,4]],\"K\":[[1,0],[0,1],[1,1]],"
        "\"V\":[[1],[2],[3]],\"W_Q\":[[1,0],[0,1]],\"W_q\":[[1,1]],\"W_k\":[[2,2]],"
        "\"v\":[0.5],\"score\":\"additive\",\"normalise\":true,"
        "\"mask\":[[1,1,0],[0,1,1]],\"tau\":\"inf\",\"positions\":[[0,0],[1,1],[2,2]],"
        "\"order\":[2,3,1],\"beside\":\"in-order\","
        "\"names\":{\"queries\":[\"a\",\"b\"],\"values\":[\"x\"]}}";
    struct attend_sheet sheet, again;
    struct buf one, two;
    buf_init(&one, 1 << 16);
    buf_init(&two, 1 << 16);
    read_sheet(&sheet, text);
    assert_string_equal(sheet.title, "T");
    assert_true(isinf(sheet.input.tau) && sheet.input.normalise);
    assert_int_equal(sheet.input.mask, ATTEND_ALLOWED);
    assert_int_equal(sheet.input.score, ATTEND_ADDITIVE);
    assert_int_equal(sheet.beside, BESIDE_IN_ORDER);
    assert_string_equal(sheet.names[NAMED_QUERIES].at[1], "b");
    assert_int_equal(sheet.names[NAMED_KEYS].count, 0);
    assert_true(attend_sheet_write(&one, &sheet, &err));
    read_sheet(&again, buf_text(&one));
    assert_true(attend_sheet_write(&two, &again, &err));
    assert_string_equal(buf_text(&one), buf_text(&two));
    attend_sheet_finish(&sheet);
    attend_sheet_finish(&again);
    buf_finish(&one);
    buf_finish(&two);
}

static void what_is_wrong_in_a_sheet_is_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"[]", "s.json: is not a sheet of alphascope"},
        {"{}", "s.json: field 'format' is missing"},
        {"{\"format\":\"alphascope-sheet\"}", "s.json: field 'version' is missing"},
        {"{\"format\":\"alphascope-session\",\"version\":1}",
         "s.json: field 'format' is \"alphascope-session\", expected "
         "\"alphascope-sheet\""},
        {"{\"format\":\"alphascope-sheet\",\"version\":2}",
         "s.json: was written by a newer alphascope (version 2 of the format, this one "
         "reads 1)"},
        {HEAD "}", "s.json: Q is empty, expected rows of numbers"},
        {HEAD ",\"Q\":[]}", "s.json: Q is empty, expected rows of numbers"},
        {HEAD ",\"Q\":[[]]}", "s.json: Q: row 1 is empty"},
        {HEAD ",\"Q\":[1,2]}",
         "s.json: field 'Q' is 1, expected rows of numbers, each in brackets"},
        {HEAD ",\"Q\":\"1 2\"}",
         "s.json: field 'Q' is \"1 2\", expected rows of numbers in brackets"},
        {HEAD ",\"Q\":[[1,2],[3]]}", "s.json: Q: row 2 has 1 number, row 1 has 2"},
        {HEAD ",\"Q\":[[1,null]]}",
         "s.json: Q: row 1, column 2 is null, expected a finite number"},
        {HEAD ",\"Q\":[[1e999]]}",
         "s.json: Q: row 1, column 1 is 1e999, expected a finite number"},
        {HEAD ",\"Q\":[[NaN]]}",
         "s.json is not strict JSON at byte 47: expected a value"},
        {HEAD ",\"Q\":[[1]],\"K\":[[1,2]]}",
         "s.json: a query has 1 number and a key 2: the scaled-dot score needs equally "
         "many"},
        {HEAD ",\"Q\":[[1]],\"Q\":[[1]]}", "s.json: field 'Q' is there twice"},
        {HEAD ",\"Q\":[[1]],\"q\":1}", "s.json: a sheet has no field \"q\""},
        {HEAD ",\"Q\":[[1]],\"names\":{\"rows\":[]}}",
         "s.json: a sheet has no field \"rows\" in 'names'"},
        {HEAD ",\"Q\":[[1]],\"score\":\"general\"}",
         "s.json: field 'score' is \"general\", expected \"dot\", \"scaled-dot\", "
         "\"cosine\" or \"additive\""},
        {HEAD ",\"Q\":[[1]],\"mask\":\"given\"}",
         "s.json: field 'mask' is \"given\", expected \"none\" or \"causal\""},
        {HEAD ",\"Q\":[[1]],\"mask\":[[1,1]]}",
         "s.json: mask is 1 × 2, expected 1 × 1: a row for each query, a column for each "
         "key"},
        {HEAD ",\"Q\":[[1]],\"tau\":-1}",
         "s.json: field 'tau' is -1, expected a number from 0, or \"inf\""},
        {HEAD ",\"Q\":[[1]],\"normalise\":1}",
         "s.json: field 'normalise' is 1, expected true or false"},
        {HEAD ",\"Q\":[[1]],\"order\":[1,2]}",
         "s.json: order is 1 × 2, expected 1 × 1: it says which row stands where"},
        {HEAD ",\"Q\":[[1]],\"names\":{\"keys\":[\"a\",\"b\"]}}",
         "s.json: field 'names.keys' has 2 names, expected 1"},
        {HEAD ",\"scaling\":{\"seed\":1,\"queries\":2}}",
         "s.json: field 'scaling' needs a seed, and queries and keys from 1"},
        {HEAD ",\"scaling\":{\"seed\":1,\"queries\":65,\"keys\":2}}",
         "s.json: field 'scaling.queries' is 65, expected a whole number up to 64"},
        {HEAD ",\"Q\":[[1]],\"scaling\":{\"seed\":1,\"queries\":2,\"keys\":2}}",
         "s.json: a sheet with 'scaling' makes its own matrices, and has none"},
    };
    struct attend_sheet sheet;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(
            attend_sheet_parse(&sheet, wrong[i][0], strlen(wrong[i][0]), "s.json", &err));
        assert_string_equal(err.text, wrong[i][1]);
        attend_sheet_finish(&sheet);
    }
}

static void rows_have_their_limit(void **state)
{
    (void)state;
    struct attend_sheet sheet;
    struct buf text;
    buf_init(&text, 1 << 16);
    for (int rows = ATTEND_MAX; rows <= ATTEND_MAX + 1; rows++) {
        buf_clear(&text);
        buf_add(&text, HEAD ",\"Q\":[[1]");
        for (int i = 1; i < rows; i++)
            buf_add(&text, ",[1]");
        buf_add(&text, "]}");
        bool ok = attend_sheet_parse(&sheet, buf_text(&text), text.length, "s", &err);
        assert_true(ok == (rows == ATTEND_MAX));
        attend_sheet_finish(&sheet);
    }
    assert_string_equal(err.text, "s: Q has more than 512 rows");
    buf_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_matrix_can_be_typed_and_pasted, fresh),
        cmocka_unit_test_setup(what_is_no_matrix_is_named, fresh),
        cmocka_unit_test_setup(numbers_are_written_short_and_come_back, fresh),
        cmocka_unit_test_setup(names_stand_a_line_each_or_on_one, fresh),
        cmocka_unit_test(a_sheet_says_all_that_it_holds),
        cmocka_unit_test(what_is_wrong_in_a_sheet_is_named),
        cmocka_unit_test(rows_have_their_limit),
    };
    return cmocka_run_group_tests(tests, NULL, done);
}
