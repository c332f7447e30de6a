// SPDX-License-Identifier: MIT
// Readings and doubts of a matrix, against arithmetic done by hand beside each number.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "align/diverge.h"
#include "align/readings.h"
#include "align/trust.h"

#define NEAR(found, wanted) assert_float_equal(found, wanted, 2e-6)

// Three rows over "a b . ⏎": the coverage is 3/4, 3/2, 1/2, 1/4.
static const float mixed[] = {
    0.5f,  0.25f, 0.25f, 0.0f,  // H = 1/2 + 1/2 + 1/2 = 1.5 bits
    0.0f,  1.0f,  0.0f,  0.0f,  // H = 0
    0.25f, 0.25f, 0.25f, 0.25f, // H = 2
};
static const struct label labels[] = {
    {.text = "a"},
    {.text = "b"},
    {.text = ".", .punctuation = true},
    {.text = "⏎", .special = true},
};
static const struct attention of_mixed = {mixed, 3, 4, labels};

static void rows_of_a_mixed_matrix(void **state)
{
    (void)state;
    float read[4] = {0};
    struct row_reading row = readings_row(&of_mixed, 0, read);
    NEAR(row.entropy_bits, 1.5);
    NEAR(row.entropy_nats, 1.0397208); // 1.5 ln 2
    NEAR(row.effective, 2.8284271);    // 2^1.5
    NEAR(row.sum, 1);
    NEAR(row.peak, 0.5);
    assert_int_equal(row.argmax, 0);
    NEAR(row.peak_read, 0);
    NEAR(row.position, 0.75); // 1/4 + 2/4
    NEAR(row.drift, 0.75);    // distances 0 1 2 from the start: 1/4 + 2/4
    assert_int_equal(row.says, 0);
    row = readings_row(&of_mixed, 1, read);
    NEAR(row.entropy_bits, 0);
    NEAR(row.effective, 1);
    NEAR(row.peak_read, 0.25);
    NEAR(row.drift, 0); // b is next to a, of which 1/2 was read
    row = readings_row(&of_mixed, 2, read);
    NEAR(row.entropy_bits, 2);
    NEAR(row.effective, 4);
    NEAR(row.drift, 0); // ⏎ would be at 1, but it is special
    assert_int_equal(row.says, ROW_DIFFUSE);
    NEAR(read[1], 1.5);
}

static void columns_of_a_mixed_matrix(void **state)
{
    (void)state;
    struct column_reading columns[4];
    static const float coverage[] = {0.75f, 1.5f, 0.5f, 0.25f};
    static const float deviation[] = {-0.25f, 0.5f, -0.5f, -0.75f};
    readings_columns(&of_mixed, columns);
    for (int s = 0; s < 4; s++) {
        NEAR(columns[s].coverage, coverage[s]);
        NEAR(columns[s].deviation, deviation[s]);
    }
}

static void confidence_by_both_exponents(void **state)
{
    (void)state;
    struct confidence paper = readings_confidence(&of_mixed, CONFIDENCE_PAPER);
    // -(ln 17/16 + ln 5/4 + ln 5/4 + ln 25/16) / 4
    NEAR(paper.coverage_deviation, -0.2382997);
    NEAR(paper.absentmindedness_out, -0.8086717); // -(1.5 + 0 + 2) ln 2 / 3
    // Columns (2/3 0 1/3), (1/6 4/6 1/6), (1/2 0 1/2), (0 0 1):
    // -(0.6365142 + 0.8675632 + 0.6931472 + 0) / 4
    NEAR(paper.absentmindedness_in, -0.5493061);
    NEAR(paper.total, -1.5962776);
    assert_float_equal(paper.percent, 88.0377, 1e-3); // 100 exp(-0.05 * 2.5481021)
    struct confidence tool = readings_confidence(&of_mixed, CONFIDENCE_TOOL);
    // -(ln 4097/4096 + 2 ln 65/64 + ln 4825/4096) / 4
    NEAR(tool.coverage_deviation, -0.0487631);
    NEAR(tool.absentmindedness_out, -0.8086717);
    NEAR(tool.total, -1.4067409);
    assert_float_equal(tool.percent, 90.5792, 1e-3); // 100 exp(-0.05 * 1.9789201)
}

static void the_whole_of_a_mixed_matrix(void **state)
{
    (void)state;
    struct matrix_reading found = readings_matrix(&of_mixed);
    NEAR(found.entropy_bits, 3.5 / 3);
    NEAR(found.drift, 0.25);       // (0.75 + 0 + 0) / 3
    NEAR(found.monotonicity, 0);   // peaks 0 1 0: one pair in order, one reversed
    NEAR(found.diagonal, 2.0 / 9); // (4.5/24 + 1/8 + 8.5/24) / 3
    NEAR(found.share_special, 0.25 / 3);
    NEAR(found.share_punctuation, 0.5 / 3);
    NEAR(found.share_last, 0.5 / 3); // the full stop
    NEAR(found.paper.total, -1.5962776);
    NEAR(found.tool.total, -1.4067409);
}

static void without_labels_no_column_is_special(void **state)
{
    (void)state;
    struct attention of = of_mixed;
    of.source = NULL;
    struct matrix_reading found = readings_matrix(&of);
    NEAR(found.share_special, 0);
    NEAR(found.share_punctuation, 0);
    NEAR(found.share_last, 0.25 / 3);     // the last column
    NEAR(found.drift, (0.75 + 0.25) / 3); // column 3 is one beyond what was read
}

static void order_and_diagonal_of_known_matrices(void **state)
{
    (void)state;
    static const float forwards[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const float backwards[] = {0, 0, 1, 0, 1, 0, 1, 0, 0};
    static const float pieces[] = {1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    struct matrix_reading found = readings_matrix(&(struct attention){forwards, 3, 3, 0});
    NEAR(found.monotonicity, 1);
    NEAR(found.diagonal, 0);
    NEAR(found.paper.total, 0);
    NEAR(found.paper.percent, 100);
    assert_false(signbit(found.paper.total));
    found = readings_matrix(&(struct attention){backwards, 3, 3, 0});
    NEAR(found.monotonicity, -1);
    NEAR(found.diagonal, 4.0 / 9); // (2/3 + 0 + 2/3) / 3
    NEAR(found.drift, 2.0 / 3);    // the first row skips two columns
    // Two rows on one column are no pair.
    found = readings_matrix(&(struct attention){pieces, 4, 3, 0});
    NEAR(found.monotonicity, 1);
}

static void a_row_says_what_it_does(void **state)
{
    (void)state;
    static const float stuck[] = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0.95f, 0.05f};
    static const float ahead[] = {0, 0, 0, 0.5f, 0.5f, 0, 0, 0, 1, 0};
    struct attention of = {stuck, 4, 3, labels};
    float read[5] = {0};
    struct buf text;
    buf_init(&text, 1000);
    for (int t = 0; t < 3; t++)
        assert_int_equal(readings_row(&of, t, read).says, 0);
    struct row_reading row = readings_row(&of, 3, read);
    assert_int_equal(row.says, ROW_COLLAPSED);
    NEAR(row.peak_read, 3);
    readings_explain(&text, &of, &row, ROW_COLLAPSED);
    assert_string_equal(buf_text(&text),
                        "Collapsed: 95 % of this row is on column 2 (b), which earlier "
                        "rows have already read 3.0 times.");
    of = (struct attention){ahead, 2, 5, NULL};
    memset(read, 0, sizeof read);
    row = readings_row(&of, 0, read);
    NEAR(row.drift, 3.5); // half of it 3 columns from the start, half 4
    assert_int_equal(row.says, ROW_DRIFTING);
    buf_clear(&text);
    readings_explain(&text, &of, &row, ROW_DRIFTING);
    assert_string_equal(buf_text(&text), "Drifting: this row reads 3.5 columns away from "
                                         "what earlier rows have read.");
    NEAR(readings_row(&of, 1, read).drift, 0); // back, and beside what was read
    buf_clear(&text);
    row = (struct row_reading){.effective = 9.25f};
    readings_explain(&text, &of, &row, ROW_DIFFUSE);
    assert_string_equal(buf_text(&text),
                        "Diffuse: this row reads 9.2 of 5 columns about alike.");
    assert_string_equal(readings_says_name(ROW_COLLAPSED), "collapsed");
    assert_string_equal(readings_says_name(ROW_DIFFUSE), "diffuse");
    assert_string_equal(readings_says_name(ROW_DRIFTING), "drifting");
    buf_finish(&text);
}

static void one_token_says_little(void **state)
{
    (void)state;
    static const float one[] = {1};
    struct attention of = {one, 1, 1, NULL};
    float read[1] = {0};
    struct row_reading row = readings_row(&of, 0, read);
    NEAR(row.entropy_bits, 0);
    NEAR(row.effective, 1);
    NEAR(row.drift, 0);
    assert_int_equal(row.says, 0);
    struct matrix_reading found = readings_matrix(&of);
    NEAR(found.paper.percent, 100);
    NEAR(found.diagonal, 0);
    NEAR(found.share_last, 1);
    assert_true(isnan(found.monotonicity)); // no pair
}

static void all_nan(const struct matrix_reading *found)
{
    assert_true(isnan(found->entropy_bits) && isnan(found->drift));
    assert_true(isnan(found->paper.total) && isnan(found->tool.percent));
    assert_true(isnan(found->monotonicity) && isnan(found->diagonal));
    assert_true(isnan(found->share_special) && isnan(found->share_last));
}

static void without_rows_there_is_nothing_to_read(void **state)
{
    (void)state;
    struct column_reading columns[4];
    struct attention of = {mixed, 0, 4, labels};
    struct matrix_reading found = readings_matrix(&of);
    all_nan(&found);
    readings_columns(&of, columns);
    NEAR(columns[3].coverage, 0);
    NEAR(columns[3].deviation, -1);
    of = (struct attention){mixed, 0, 0, NULL};
    found = readings_matrix(&of);
    all_nan(&found);
}

static void rows_that_cannot_be_read_are_left_out(void **state)
{
    (void)state;
    float alpha[] = {0.5f, 0.5f, 0, 0, 0, 1, 0.25f, 0.75f};
    static const float bad[] = {NAN, INFINITY, -0.5f, 0};
    struct attention of = {alpha, 4, 2, NULL};
    for (int i = 0; i < 4; i++) {
        float read[2] = {0};
        struct column_reading columns[2];
        alpha[2] = bad[i];
        struct row_reading row = readings_row(&of, 1, read);
        assert_true(isnan(row.entropy_bits) && isnan(row.peak) && isnan(row.drift));
        assert_int_equal(row.argmax, -1);
        assert_int_equal(row.says, 0);
        assert_true(read[0] == 0 && read[1] == 0);
        struct matrix_reading found = readings_matrix(&of);
        NEAR(found.entropy_bits, 0.6037594); // (1 + 0 + (1/2 + 3/4 log2 4/3)) / 3
        NEAR(found.monotonicity, 1);         // peaks 0 1 1
        readings_columns(&of, columns);
        NEAR(columns[0].coverage, 0.75);
        NEAR(columns[1].coverage, 2.25);
    }
    struct attention none = {alpha + 2, 1, 2, NULL};
    struct matrix_reading found = readings_matrix(&none);
    all_nan(&found);
}

static const struct doubt {
    float alpha[3], score[3], lost;
    enum trust flags;
    const char *name, *sentence;
} doubts[] = {
    {{0.5f, 0.25f, 0.25f}, {0}, 0, 0, NULL, NULL},
    {{0.5f, 0.25f, 0.235f}, {0}, 0, 0, NULL, NULL}, // two digits were printed
    {{NAN, 0.5f, 0.5f},
     {0},
     0,
     TRUST_NOT_FINITE,
     "not-finite",
     "Row 1 holds a number that is not finite: nothing can be read from it."},
    {{1.5f, -0.5f, 0},
     {0},
     0,
     TRUST_NEGATIVE,
     "negative",
     "Row 1 holds a negative weight: it is no distribution."},
    {{0, 0, 0},
     {0},
     0,
     TRUST_ZERO,
     "all-zero",
     "Row 1 is all zero: no attention was exported for it."},
    {{0, 0, 0},
     {-INFINITY, -INFINITY, -INFINITY},
     0,
     TRUST_MASKED,
     "masked",
     "Row 1 is fully masked: there was nothing to attend to."},
    {{0.5f, 0.25f, 0},
     {0},
     0,
     TRUST_SUM,
     "row-sum",
     "Row 1 sums to 0.750, not 1: columns may be missing, or dropout was on."},
    {{0.5f, 0.5f, 0.25f},
     {0},
     0,
     TRUST_SUM,
     "row-sum",
     "Row 1 sums to 1.250, not 1: it is no softmax, or dropout was on."},
    {{0.5f, 0.25f, 0},
     {0},
     0.25f,
     TRUST_CROPPED,
     "cropped",
     "Row 1 sums to 0.750: 0.250 lay in columns that were cut off."},
    {{0.5f, 0.25f, 0},
     {0},
     0.125f,
     TRUST_SUM,
     "row-sum",
     "Row 1 sums to 0.750, not 1: columns may be missing, or dropout was on."},
};

static void every_doubt_of_a_row_has_its_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
        struct trust_of of = {
            doubts[i].alpha, doubts[i].score, &doubts[i].lost, 1, 3, 1, 3};
        struct buf text;
        assert_int_equal(trust_row(&of, 0), doubts[i].flags);
        if (!doubts[i].flags)
            continue;
        buf_init(&text, 1000);
        trust_explain(&text, &of, 0, doubts[i].flags);
        assert_string_equal(buf_text(&text), doubts[i].sentence);
        assert_string_equal(trust_name(doubts[i].flags), doubts[i].name);
        buf_finish(&text);
    }
    const struct trust_of unknown = {doubts[5].alpha, NULL, NULL, 1, 3, -1, -1};
    assert_int_equal(trust_row(&unknown, 0), TRUST_ZERO);
}

static void doubts_about_the_shape(void **state)
{
    (void)state;
    static const float turned[] = {0.5f, 1, 0, 0.5f, 0, 1}; // columns sum to 1
    static const float square[] = {0, 1, 1, 0};             // both do
    struct trust_of of = {turned, NULL, NULL, 2, 3, 2, 3};
    struct buf text;
    buf_init(&text, 1000);
    assert_int_equal(trust_matrix(&of), TRUST_TRANSPOSED);
    trust_explain(&text, &of, 0, TRUST_TRANSPOSED);
    assert_string_equal(buf_text(&text), "The columns sum to 1 and the rows do not: the "
                                         "matrix seems to be transposed.");
    of.target_labels = 3, of.source_labels = 2;
    assert_int_equal(trust_matrix(&of), TRUST_TRANSPOSED);
    buf_clear(&text);
    trust_explain(&text, &of, 0, TRUST_TRANSPOSED);
    assert_string_equal(buf_text(&text),
                        "The matrix has 2 rows and 3 columns for 3 target and 2 source "
                        "tokens: it seems to be transposed.");
    of.target_labels = 2, of.source_labels = 4;
    assert_int_equal(trust_matrix(&of), TRUST_SHAPE);
    buf_clear(&text);
    trust_explain(&text, &of, 0, TRUST_SHAPE);
    assert_string_equal(buf_text(&text),
                        "The matrix has 2 rows and 3 columns for 2 target and 4 source "
                        "tokens: </s> or padding may be on one side only.");
    assert_string_equal(trust_name(TRUST_SHAPE), "shape");
    assert_string_equal(trust_name(TRUST_TRANSPOSED), "transposed");
    const struct trust_of fine[] = {{square, NULL, NULL, 2, 2, 2, 2},
                                    {square, NULL, NULL, 2, 2, -1, -1},
                                    {square, NULL, NULL, 0, 2, 0, 2},
                                    {square, NULL, NULL, 0, 0, 0, 0}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(trust_matrix(&fine[i]), 0);
    buf_finish(&text);
}

static void divergence_in_bits(void **state)
{
    (void)state;
    static const float half[] = {0.5f, 0.5f}, first[] = {1, 0}, other[] = {0, 1};
    static const float twice[] = {2, 0}, none[] = {0, 0}, broken[] = {NAN, 1};
    NEAR(diverge_rows(first, first, 2), 0);
    NEAR(diverge_rows(first, other, 2), 1);
    NEAR(diverge_rows(first, twice, 2), 0); // normalised
    // m = (3/4 1/4): (1/2 log2 2/3 + 1/2 log2 2 + log2 4/3) / 2
    NEAR(diverge_rows(half, first, 2), 0.3112781);
    NEAR(diverge_rows(first, half, 2), 0.3112781);
    assert_true(isnan(diverge_rows(first, none, 2)));
    assert_true(isnan(diverge_rows(broken, first, 2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_mixed_matrix),
        cmocka_unit_test(columns_of_a_mixed_matrix),
        cmocka_unit_test(confidence_by_both_exponents),
        cmocka_unit_test(the_whole_of_a_mixed_matrix),
        cmocka_unit_test(without_labels_no_column_is_special),
        cmocka_unit_test(order_and_diagonal_of_known_matrices),
        cmocka_unit_test(a_row_says_what_it_does),
        cmocka_unit_test(one_token_says_little),
        cmocka_unit_test(without_rows_there_is_nothing_to_read),
        cmocka_unit_test(rows_that_cannot_be_read_are_left_out),
        cmocka_unit_test(every_doubt_of_a_row_has_its_sentence),
        cmocka_unit_test(doubts_about_the_shape),
        cmocka_unit_test(divergence_in_bits),
    };
    return cmocka_run_group_tests_name("readings", tests, NULL, NULL);
}
