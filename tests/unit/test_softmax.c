// SPDX-License-Identifier: MIT
// The softmax taken apart gives the softmax again, and its slopes are those of small
// differences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "align/softmax.h"

enum { N = 7 };

static const float scores[N] = {3.0f, -1.5f, 10.0f, 9.25f, 0, 10.0f, -80.0f};
static const float taus[] = {0.05f, 0.3f, 1, 2.5f, 40};

static void weights(const float *e, float tau, double *out)
{
    struct softmax_parts parts = softmax_take_apart(e, NULL, N, tau);
    for (int s = 0; s < N; s++)
        out[s] = softmax_power(&parts, e, s) / parts.sum;
}

static void the_parts_make_the_softmax(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        struct softmax_parts parts = softmax_take_apart(scores, NULL, N, taus[k]);
        double alpha[N], sum = 0;
        assert_int_equal(parts.best, 2); // the first of equals
        for (int s = 0; s < N; s++)
            sum += exp(((double)scores[s] - 10) / (double)taus[k]);
        weights(scores, taus[k], alpha);
        for (int s = 0; s < N; s++) {
            double a = (double)scores[s] / (double)taus[k];
            assert_true(fabs(softmax_scaled(&parts, scores[s]) - a) <
                        1e-9 * (1 + fabs(a)));
            assert_true(fabs(softmax_shifted(&parts, scores[s]) - (a - parts.most)) <
                        1e-9 * (1 + fabs(a)));
            assert_true(softmax_shifted(&parts, scores[s]) <= 0);
            double expected = exp(((double)scores[s] - 10) / (double)taus[k]) / sum;
            assert_true(fabs(alpha[s] - expected) < 1e-12);
        }
    }
}

static void huge_scores_do_not_overflow(void **state)
{
    (void)state;
    const float e[N] = {3e38f, 1e38f, -3e38f, 0, 1, 2, 3};
    double alpha[N];
    weights(e, 1, alpha);
    assert_true(alpha[0] > 1 - 1e-12 && alpha[2] < 1e-12);
}

static void both_ends_are_the_limits(void **state)
{
    (void)state;
    struct softmax_parts hard = softmax_take_apart(scores, NULL, N, 0);
    struct softmax_parts flat = softmax_take_apart(scores, NULL, N, INFINITY);
    double alpha[N];
    assert_true(isinf(softmax_shifted(&hard, 9.25f)) && softmax_scaled(&hard, 3) > 1e300);
    weights(scores, 0, alpha);
    for (int s = 0; s < N; s++) {
        assert_true(alpha[s] >= (s == 2) && alpha[s] <= (s == 2));
        assert_true(fabs(softmax_power(&flat, scores, s) - 1) < 1e-12);
    }
    assert_true(fabs(flat.sum - N) < 1e-12 && fabs(hard.sum - 1) < 1e-12);
    assert_int_equal(softmax_take_apart(scores, NULL, 0, 1).best, -1);
}

static void slopes_are_those_of_small_differences(void **state)
{
    (void)state;
    const float e[N] = {0.5f, -1, 2, 1.75f, 0, 1.5f, -3};
    for (int k = 1; k < 5; k++) {
        double before[N], after[N];
        float alpha[N], moved[N];
        weights(e, taus[k], before);
        for (int s = 0; s < N; s++)
            alpha[s] = (float)before[s];
        for (int j = 0; j < N; j++) {
            const float step = 0x1p-12f;
            for (int s = 0; s < N; s++)
                moved[s] = e[s] + (s == j ? step : 0);
            weights(moved, taus[k], after);
            for (int i = 0; i < N; i++) {
                double slope = softmax_slope(alpha, i, j, taus[k]);
                double seen = (after[i] - before[i]) / (double)step;
                assert_true(fabs(slope - seen) < 2e-3);
                assert_true(fabs(slope) <= 0.25 / (double)taus[k] + 1e-6);
            }
        }
    }
}

static void what_one_gains_the_others_lose(void **state)
{
    (void)state;
    const float alpha[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    for (int i = 0; i < 4; i++) {
        double row = 0, column = 0;
        for (int j = 0; j < 4; j++) {
            row += softmax_slope(alpha, i, j, 0.5f);
            column += softmax_slope(alpha, j, i, 0.5f);
        }
        assert_true(fabs(row) < 1e-7 && fabs(column) < 1e-7);
    }
    const float half[3] = {0.5f, 0.25f, 0.25f}; // 1/2 1/2 / 2, -1/2 1/4 / 2, 1/4 3/4 / 2
    assert_true(fabs(softmax_slope(half, 0, 0, 2) - 0.125) < 1e-9);
    assert_true(fabs(softmax_slope(half, 0, 1, 2) + 0.0625) < 1e-9);
    assert_true(fabs(softmax_slope(half, 2, 2, 2) - 0.09375) < 1e-9);
    const float sure[2] = {1, 0};
    assert_true(fabs(softmax_slope(sure, 0, 0, 1)) < 1e-12);
    assert_true(fabs(softmax_slope(alpha, 3, 3, 0)) < 1e-12);
    assert_true(fabs(softmax_slope(alpha, 3, 3, INFINITY)) < 1e-12);
}

static void a_mask_takes_positions_out(void **state)
{
    (void)state;
    bool blocked[N] = {false, false, true, false, false, true, false};
    struct softmax_parts parts = softmax_take_apart(scores, blocked, N, 1);
    double sum = 0;
    assert_int_equal(parts.best, 3);
    for (int s = 0; s < N; s++)
        sum += blocked[s] ? 0 : exp((double)scores[s] - 9.25);
    assert_true(fabs(parts.sum - sum) < 1e-12);
    for (int s = 0; s < N; s++)
        blocked[s] = true;
    parts = softmax_take_apart(scores, blocked, N, 1);
    assert_int_equal(parts.best, -1);
    assert_true(parts.sum <= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_make_the_softmax),
        cmocka_unit_test(huge_scores_do_not_overflow),
        cmocka_unit_test(both_ends_are_the_limits),
        cmocka_unit_test(slopes_are_those_of_small_differences),
        cmocka_unit_test(what_one_gains_the_others_lose),
        cmocka_unit_test(a_mask_takes_positions_out),
    };
    return cmocka_run_group_tests_name("softmax", tests, NULL, NULL);
}
