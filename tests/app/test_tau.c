// SPDX-License-Identifier: MIT
// The temperature: on its slider, and as a person types it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "app/state.h"
#include "driver.h"
#include "ui/style.h"
#include "view/tau.h"

static void tau_goes_round_and_snaps(void **state)
{
    (void)state;
    assert_true(tau_of_position(0) == 0);
    assert_true(tau_of_position(1) == INFINITY);
    assert_true(tau_of_position(0.5f) == 1);
    assert_true(tau_of_position(0.505f) == 1);
    assert_true(tau_to_position(0) == 0);
    assert_true(tau_to_position(INFINITY) == 1);
    for (float position = 0.03f; position < 0.97f; position += 0.01f)
        assert_true(fabsf(tau_to_position(tau_of_position(position)) - position) <
                    0.013f);
    for (int i = 0; i < TAU_TICKS; i++) {
        float tau = tau_of_position(tau_ticks()[i].position), want;
        char word[16] = {0};
        for (int k = 0; k < 15 && tau_ticks()[i].label[k] > ' '; k++)
            word[k] = tau_ticks()[i].label[k];
        if (tau_parse(word, &want) && isfinite(want))
            assert_true(fabsf(tau - want) <= 0.02f * want);
    }
}

static void tau_is_parsed_strictly(void **state)
{
    (void)state;
    float tau = -7;
    assert_true(tau_parse("0.3", &tau) && tau == 0.3f);
    assert_true(tau_parse(" 0,5 ", &tau) && tau == 0.5f);
    assert_true(tau_parse("∞", &tau) && isinf(tau));
    assert_true(tau_parse("1e2", &tau) && tau == 100);
    assert_true(tau_parse("1e-37", &tau) && tau == 1e-37f);
    assert_true(tau_parse("3e38", &tau) && tau == 3e38f);
    assert_true(tau_parse("0.0e9", &tau) && tau == 0);
    static const char *const bad[] = {"",      "-1",    "-0",    "nan", "1x",
                                      "0x10",  "--",    "1 2",   "e",   "0x",
                                      "1e400", "1e-50", "1e-40", "4e38"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tau_parse(bad[i], &tau));
}

static int dots_beside_rows(const struct driver *driver)
{
    const struct draw_list *list = app_list(driver->app);
    struct color warn = style_of(THEME_DARK)->warn;
    int dots = 0;
    for (int i = 0; i < list->count; i++)
        dots += list->cmds[i].kind == DRAW_FILL && list->cmds[i].rect.w <= 6 &&
                !memcmp(&list->cmds[i].color, &warn, sizeof warn);
    return dots;
}

// Where rows are so low that not every label has room, too.
static void every_changed_row_is_marked(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(
        NULL,
        "When I came home yesterday evening the children were already asleep and my "
        "wife was reading a book about the history of the railway in Canada.");
    assert_true(driver_command(driver, "mode re-decode"));
    assert_true(driver_command(driver, "tau 0.4"));
    assert_true(driver_settle(driver));
    const struct show *show = &driver->app->show;
    int changed = 0;
    for (int t = 0; t < show->rows; t++)
        changed += show->changed[t];
    assert_true(changed >= 3);
    assert_int_equal(dots_beside_rows(driver), changed);
    assert_true(driver_command(driver, "view transpose on"));
    assert_true(driver_settle(driver));
    assert_int_equal(dots_beside_rows(driver), changed);
    assert_true(driver_command(driver, "view transpose off"));
    driver->input.width = 640;
    driver->input.height = 360;
    assert_true(driver_settle(driver));
    assert_false(driver_sees_rows(driver));
    assert_int_equal(dots_beside_rows(driver), changed);
    driver_close(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tau_goes_round_and_snaps),
        cmocka_unit_test(tau_is_parsed_strictly),
        cmocka_unit_test(every_changed_row_is_marked),
    };
    return cmocka_run_group_tests_name("tau", tests, NULL, NULL);
}
