// SPDX-License-Identifier: MIT
// Attention over given matrices: each score by hand, masks, limits of τ, what follows
// when a matrix is not given, and what does not fit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "align/attend.h"

static struct arena arena;
static struct attend input;
static struct attend_result result;
static struct error err;

static const double q_at[] = {3, 4, 0, 0, 1, -1}, k_at[] = {1, 0, 0, 2, 5, -3, -2, 1};
static const double v_at[] = {1, 2, 4, 8};
static const struct attend_matrix q = {3, 2, q_at}, k = {4, 2, k_at}, v = {4, 1, v_at};

static int fresh(void **state)
{
    (void)state;
    arena_finish(&arena);
    arena_init(&arena, 1 << 24);
    input = (struct attend){.score = ATTEND_DOT, .tau = 1};
    input.part[ATTEND_Q] = q;
    input.part[ATTEND_K] = k;
    input.part[ATTEND_V] = v;
    return 0;
}

static int done(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static void compute(void)
{
    if (!attend_compute(&result, &input, &arena, &err))
        fail_msg("%s", err.text);
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-12))
        fail_msg("%.17g, expected %.17g", found, expected);
}

static void refused(const char *sentence)
{
    assert_false(attend_compute(&result, &input, &arena, &err));
    assert_string_equal(err.text, sentence);
}

static void each_score_is_its_formula(void **state)
{
    (void)state;
    compute();
    near(result.score[0], 3);
    near(result.score[3], -2);
    near(result.score[2 * 4 + 2], 8);
    input.score = ATTEND_SCALED_DOT;
    compute();
    near(result.score[0], 3 / sqrt(2));
    input.score = ATTEND_COSINE;
    compute();
    near(result.score[0], 3.0 / 5);
    near(result.score[1 * 4], 0); // a row of zeros
    input.score = ATTEND_ADDITIVE;
    compute();
    near(result.score[3], tanh(3 - 2) + tanh(4 + 1));
}

static void the_additive_score_takes_its_weights(void **state)
{
    (void)state;
    static const double w_q[] = {1, 0, 0, 1, 1, 1}, w_k[] = {2, 0, 0, 2, 1, -1};
    static const double w[] = {1, -2, 0.5};
    input.score = ATTEND_ADDITIVE;
    input.part[ATTEND_SCORE_Q] = (struct attend_matrix){3, 2, w_q};
    refused("W_q q has 3 numbers and W_k k has 2: the additive score adds them (one that "
            "is not given is the identity)");
    input.part[ATTEND_SCORE_K] = (struct attend_matrix){3, 2, w_k};
    input.part[ATTEND_SCORE_V] = (struct attend_matrix){1, 3, w};
    compute();
    near(result.score[3], tanh(3 - 4) - 2 * tanh(4 + 2) + 0.5 * tanh(7 - 3));
    input.part[ATTEND_SCORE_V].columns = 2;
    refused("v is 1 × 2, expected 1 × 3: W_q q has as many numbers");
}

static void normalising_first_makes_dot_the_cosine(void **state)
{
    (void)state;
    double cosine[12];
    input.score = ATTEND_COSINE;
    compute();
    memcpy(cosine, result.score, sizeof cosine);
    input.score = ATTEND_DOT;
    input.normalise = true;
    compute();
    for (int i = 0; i < 12; i++)
        near(result.score[i], cosine[i]);
}

static void weights_sum_to_one_and_blend_the_values(void **state)
{
    (void)state;
    compute();
    for (int t = 0; t < 3; t++) {
        double sum = 0, blend = 0, bits = 0;
        for (int s = 0; s < 4; s++) {
            double a = result.alpha[t * 4 + s];
            sum += a;
            blend += a * v_at[s];
            bits -= a > 0 ? a * log2(a) : 0;
        }
        near(sum, 1);
        near(result.output[t], blend);
        near(result.entropy[t], bits);
        assert_true(result.entropy[t] >= 0 && result.entropy[t] <= 2);
    }
    near(result.entropy[1], 2); // a query of zeros reads all alike
    near(result.slope[1], sqrt(0.25 - 2 * 4 / 64.0 + 1 / 16.0));
}

static void tau_has_its_limits(void **state)
{
    (void)state;
    input.tau = 0;
    compute();
    near(result.alpha[1], 1); // 8 is the largest of 3, 8, 3, -2
    near(result.alpha[4], 1); // of equals the first
    near(result.slope[0], 0);
    input.tau = (double)INFINITY;
    compute();
    for (int i = 0; i < 12; i++)
        near(result.alpha[i], 0.25);
    input.tau = 2;
    compute();
    near(result.alpha[0] / result.alpha[1], exp((3 - 8) / 2.0));
    input.tau = -1;
    refused("tau is -1, expected a number from 0");
}

static void a_mask_takes_keys_away(void **state)
{
    (void)state;
    static const double allowed[] = {1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1};
    input.mask = ATTEND_ALLOWED;
    refused("mask is empty, expected 3 × 4 numbers, 1: may be read, 0: not");
    input.part[ATTEND_MASK] = (struct attend_matrix){3, 4, allowed};
    compute();
    near(result.alpha[0] + result.alpha[3], 1);
    assert_true(result.masked[1] && !result.masked[0] && result.readable[0] == 2);
    assert_int_equal(result.readable[1], 0);
    for (int s = 0; s < 4; s++)
        near(result.alpha[4 + s], 0); // nothing to read, and no NaN
    near(result.output[1], 0);
    near(result.entropy[1], 0);
    input.mask = ATTEND_CAUSAL;
    compute();
    near(result.alpha[0], 1);
    assert_int_equal(result.readable[2], 3);
    input.tau = (double)INFINITY;
    compute();
    near(result.alpha[4], 0.5);
    near(result.alpha[6], 0);
}

static void what_is_not_given_follows(void **state)
{
    (void)state;
    static const double places[] = {1, 1, 2, 2, 3, 3};
    input.part[ATTEND_K] = input.part[ATTEND_V] = (struct attend_matrix){0};
    compute();
    assert_int_equal(result.keys, 3);
    assert_int_equal(result.columns, 2);
    near(result.score[0], 25); // q·q
    input.part[ATTEND_POSITIONS] = (struct attend_matrix){3, 2, places};
    compute();
    near(result.score[0], 4 * 4 + 5 * 5);
    near(result.v[0], 4);
    input.part[ATTEND_K] = k;
    refused("positions is 3 × 2, expected 4 × 2: they are added to K");
}

static void weights_are_applied_from_the_right(void **state)
{
    (void)state;
    static const double w[] = {1, 2, 3, 4, 5, 6}, w_v[] = {10, 1};
    input.part[ATTEND_W_Q] = input.part[ATTEND_W_K] = (struct attend_matrix){2, 3, w};
    input.part[ATTEND_W_V] = (struct attend_matrix){1, 2, w_v};
    compute();
    assert_int_equal(result.width, 3);
    near(result.q[0], 3 * 1 + 4 * 4);
    near(result.score[0], 19 * 1 + 26 * 2 + 33 * 3);
    near(result.output[1] * 10, result.output[0]);
    input.part[ATTEND_W_K] = (struct attend_matrix){0};
    refused("a query has 3 numbers and a key 2: the dot score needs equally many");
    input.part[ATTEND_W_Q] = (struct attend_matrix){3, 2, w};
    refused("W_Q is 3 × 2, expected 2 rows: Q has as many columns");
}

static void an_order_moves_keys_and_values(void **state)
{
    (void)state;
    static const double order[] = {3, 1, 4, 2}, twice[] = {1, 2, 2, 4};
    double blend[3];
    compute();
    memcpy(blend, result.output, sizeof blend);
    input.part[ATTEND_ORDER] = (struct attend_matrix){1, 4, order};
    compute();
    near(result.v[0], 4);
    near(result.k[0], 5);
    for (int t = 0; t < 3; t++)
        near(result.output[t], blend[t]);
    input.part[ATTEND_ORDER].at = twice;
    refused("order has 2 at place 3, expected each number from 1 to 4 once");
    input.part[ATTEND_ORDER].columns = 3;
    refused("order is 1 × 3, expected 1 × 4: it says which row stands where");
}

static void what_does_not_fit_is_named(void **state)
{
    (void)state;
    static const double huge[] = {1e200, 1e200}, broken[] = {1, NAN}, half[] = {0.5};
    input.part[ATTEND_V].rows = 2;
    refused("V is 2 × 1, expected 4 rows: each key has a value");
    fresh(NULL);
    input.part[ATTEND_Q] = (struct attend_matrix){0};
    refused("Q is empty, expected rows of numbers");
    input.part[ATTEND_Q] = (struct attend_matrix){1, 2, broken};
    refused("Q: row 1, column 2 is not a finite number");
    input.part[ATTEND_Q] = (struct attend_matrix){ATTEND_MAX + 1, 1, huge};
    refused("Q is 513 × 1, expected at most 512 rows and columns");
    input.part[ATTEND_Q] = input.part[ATTEND_K] = (struct attend_matrix){1, 2, huge};
    input.part[ATTEND_V] = (struct attend_matrix){0};
    refused("the score of query 1 and key 1 is too large for a double");
    fresh(NULL);
    input.part[ATTEND_Q] = input.part[ATTEND_K] = input.part[ATTEND_V] =
        input.part[ATTEND_MASK] = (struct attend_matrix){1, 1, half};
    input.mask = ATTEND_ALLOWED;
    refused("mask: row 1, column 1 is 0.5, expected 1 or 0");
}

static void the_largest_sheet_is_computed(void **state)
{
    (void)state;
    arena_finish(&arena);
    arena_init(&arena, 1 << 26);
    double *ones = arena_alloc(&arena, ATTEND_MAX * 2, sizeof *ones);
    for (int i = 0; i < ATTEND_MAX * 2; i++)
        ones[i] = i % 7 - 3;
    input.part[ATTEND_Q] = input.part[ATTEND_K] =
        (struct attend_matrix){ATTEND_MAX, 2, ones};
    input.part[ATTEND_V] = (struct attend_matrix){0};
    input.mask = ATTEND_CAUSAL;
    compute();
    assert_int_equal(result.readable[ATTEND_MAX - 1], ATTEND_MAX);
    assert_true(isfinite(result.output[2 * ATTEND_MAX - 1]));
}

static void memory_that_runs_out_is_said(void **state)
{
    (void)state;
    for (size_t most = 0; most < 4096; most += 64) {
        arena_finish(&arena);
        arena_init(&arena, most);
        if (attend_compute(&result, &input, &arena, &err))
            return;
        assert_int_equal(err.code, ERR_NOMEM);
    }
    fail_msg("4096 bytes are enough for 3 × 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_score_is_its_formula, fresh),
        cmocka_unit_test_setup(the_additive_score_takes_its_weights, fresh),
        cmocka_unit_test_setup(normalising_first_makes_dot_the_cosine, fresh),
        cmocka_unit_test_setup(weights_sum_to_one_and_blend_the_values, fresh),
        cmocka_unit_test_setup(tau_has_its_limits, fresh),
        cmocka_unit_test_setup(a_mask_takes_keys_away, fresh),
        cmocka_unit_test_setup(what_is_not_given_follows, fresh),
        cmocka_unit_test_setup(weights_are_applied_from_the_right, fresh),
        cmocka_unit_test_setup(an_order_moves_keys_and_values, fresh),
        cmocka_unit_test_setup(what_does_not_fit_is_named, fresh),
        cmocka_unit_test_setup(the_largest_sheet_is_computed, fresh),
        cmocka_unit_test_setup(memory_that_runs_out_is_said, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, done);
}
