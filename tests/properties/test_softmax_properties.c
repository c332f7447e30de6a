// SPDX-License-Identifier: MIT
// What must hold of the softmax with temperature whatever the numbers: on seeded random
// rows, each by one of the sets of kernels that run here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "engine/kernels.h"
#include "numbers.h"

enum { MAX_N = 97, ROUNDS = 4000 };

static const struct kernels *set; // of the row in hand

static void choose_set(void)
{
    const struct kernels *sets[KERNELS_SETS];
    unsigned count = (unsigned)kernels_here(sets);
    set = sets[next_random() % count];
}

static float next_float(float size)
{
    return (float)((double)next_random() / 2147483648.0 - 1.0) * size;
}

// A row of n scores of some magnitude, with ties now and then.
static int random_row(float *e)
{
    int n = 1 + (int)(next_random() % MAX_N);
    choose_set();
    float size = ldexpf(1, (int)(next_random() % 24) - 8);
    for (int i = 0; i < n; i++)
        e[i] = next_random() % 8 ? next_float(size) : size / 2;
    return n;
}

static int first_maximum(const float *e, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (e[i] > e[best])
            best = i;
    return best;
}

static void rows_sum_to_one_at_every_temperature(void **state)
{
    static const float ends[] = {0, INFINITY, FLT_MIN, FLT_MAX, 1e-40f};
    float e[MAX_N + 1], alpha[MAX_N + 1];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int n = random_row(e);
        for (float tau = 1e-6f; tau < 1.1e6f; tau *= 3.1623f) {
            softmax_tau(set, alpha, e, NULL, n, tau);
            assert_true(fabs(sum_of(alpha, n) - 1) < 1e-5);
        }
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            softmax_tau(set, alpha, e, NULL, n, ends[i]);
            assert_true(fabs(sum_of(alpha, n) - 1) < 1e-5);
        }
    }
}

static void the_largest_floats_are_no_trouble(void **state)
{
    const float e[] = {FLT_MAX, -FLT_MAX, FLT_MAX, 0, -INFINITY};
    float alpha[5];
    (void)state;
    for (float tau = 1e-6f; tau < 1.1e6f; tau *= 10) {
        softmax_tau(set, alpha, e, NULL, 5, tau);
        assert_true(alpha[0] == 0.5f && alpha[2] == 0.5f);
        assert_true(alpha[1] == 0 && alpha[3] == 0 && alpha[4] == 0);
    }
    const float infinite[] = {1, INFINITY, NAN, INFINITY};
    softmax_tau(set, alpha, infinite, NULL, 4, 1);
    assert_true(alpha[0] == 0 && alpha[1] == 0.5f && alpha[2] == 0 && alpha[3] == 0.5f);
}

static void temperature_zero_is_the_first_maximum(void **state)
{
    float e[MAX_N + 1], alpha[MAX_N + 1];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int n = random_row(e), best = first_maximum(e, n);
        softmax_tau(set, alpha, e, NULL, n, 0);
        for (int i = 0; i < n; i++)
            assert_true(alpha[i] == (i == best ? 1.0f : 0.0f));
    }
}

static void infinite_temperature_is_uniform(void **state)
{
    float e[MAX_N + 1], alpha[MAX_N + 1];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int n = random_row(e);
        softmax_tau(set, alpha, e, NULL, n, INFINITY);
        for (int i = 0; i < n; i++)
            assert_true(alpha[i] == 1.0f / (float)n);
    }
}

static void a_lower_temperature_sharpens(void **state)
{
    float e[MAX_N + 1], sharp[MAX_N + 1], soft[MAX_N + 1];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int n = random_row(e), best = first_maximum(e, n);
        softmax_tau(set, sharp, e, NULL, n, 0.5f);
        softmax_tau(set, soft, e, NULL, n, 2);
        assert_true(sharp[best] >= soft[best] - 1e-6f);
        assert_int_equal(first_maximum(sharp, n), first_maximum(soft, n));
    }
}

// Blocked positions are exactly 0; the others are the softmax of the row without them.
static void blocked_positions_are_as_if_they_were_not_there(void **state)
{
    static const float taus[] = {0, 0.3f, 1, 7, INFINITY};
    float e[MAX_N + 1], alpha[MAX_N + 1], open[MAX_N + 1], want[MAX_N + 1];
    bool blocked[MAX_N + 1];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int n = random_row(e), m = 0;
        float tau = taus[round % 5];
        for (int i = 0; i < n; i++) {
            blocked[i] = next_random() % 3 == 0;
            if (!blocked[i])
                open[m++] = e[i];
        }
        softmax_tau(set, alpha, e, blocked, n, tau);
        softmax_tau(set, want, open, NULL, m, tau);
        for (int i = 0, at = 0; i < n; i++)
            assert_true(alpha[i] == (blocked[i] ? 0 : want[at++]));
    }
}

static void a_row_with_nothing_open_is_zeros(void **state)
{
    static const float taus[] = {0, 1, INFINITY};
    const float e[] = {1, 2, 3};
    const bool blocked[] = {true, true, true};
    (void)state;
    for (int i = 0; i < 3; i++) {
        float alpha[] = {9, 9, 9};
        softmax_tau(set, alpha, e, blocked, 3, taus[i]);
        assert_true(alpha[0] == 0 && alpha[1] == 0 && alpha[2] == 0);
    }
}

static void only_sane_temperatures_are_valid(void **state)
{
    (void)state;
    assert_true(tau_valid(0) && tau_valid(1e-30f) && tau_valid(INFINITY));
    assert_false(tau_valid(-1e-30f) || tau_valid(-INFINITY) || tau_valid(NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_sum_to_one_at_every_temperature),
        cmocka_unit_test(the_largest_floats_are_no_trouble),
        cmocka_unit_test(temperature_zero_is_the_first_maximum),
        cmocka_unit_test(infinite_temperature_is_uniform),
        cmocka_unit_test(a_lower_temperature_sharpens),
        cmocka_unit_test(blocked_positions_are_as_if_they_were_not_there),
        cmocka_unit_test(a_row_with_nothing_open_is_zeros),
        cmocka_unit_test(only_sane_temperatures_are_valid),
    };
    return cmocka_run_group_tests_name("softmax properties", tests, NULL, NULL);
}
