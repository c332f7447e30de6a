// SPDX-License-Identifier: MIT
// As much of cmocka as the kernel tests need, for processors that have no cmocka here
// (emulated.sh): a failure ends the program.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
};

#define cmocka_unit_test(f)                                                              \
    {                                                                                    \
#f, f                                                                            \
    }
#define print_message(...) printf(__VA_ARGS__)
#define fail_msg(...) (printf(__VA_ARGS__), printf("\n"), exit(1))
#define assert_true(c)                                                                   \
    do {                                                                                 \
        if (!(c))                                                                        \
            fail_msg("%s:%d: not so: %s", __FILE__, __LINE__, #c);                       \
    } while (0)
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define cmocka_run_group_tests_name(group, tests, setup, teardown)                       \
    run_tests(group, tests, sizeof(tests) / sizeof *(tests))

static inline int run_tests(const char *group, const struct CMUnitTest *tests, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        printf("%s\n", tests[i].name);
        fflush(stdout);
        tests[i].test_func(NULL);
    }
    printf("%s: %zu passed\n", group, n);
    return 0;
}
