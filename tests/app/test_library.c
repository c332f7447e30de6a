// SPDX-License-Identifier: MIT
// The models at hand, over a long session: opened again and again, asked for all at once,
// measured many times. Nothing piles up, and no choice is lost in silence.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "driver.h"

#define TINY ALPHASCOPE_TESTS "/golden/models/"
#define BUNDLED ALPHASCOPE_TESTS "/../models/"

static void a_model_may_be_dropped_again_and_again(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    int bundled = driver->app->library.count;
    for (int i = 0; i < 40; i++) {
        driver_drop(driver, i % 2 ? TINY "tiny-dot-f32" : TINY "tiny-none-bf16");
        assert_true(driver_settle(driver));
        assert_string_equal(app_banner(driver->app), "");
    }
    assert_true(driver->app->library.count <= bundled + 4);
    assert_true(driver_command(driver, "model en-fr-bahdanau"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "chat"));
    driver_close(driver);
}

// Side by side with itself, opened anew meanwhile, and with a step of its training.
static void a_model_in_use_stays_while_its_place_is_opened_anew(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("dates", NULL);
    assert_true(driver_command(driver, "checkpoint 3"));
    assert_true(driver_settle(driver));
    for (int i = 0; i < 3; i++) {
        driver_drop(driver, BUNDLED "dates");
        assert_true(driver_settle(driver));
        assert_true(driver_command(driver, "checkpoint 2"));
        driver_type(driver, "1");
    }
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "of its training"));
    driver_close(driver);
    driver = driver_ready("en-fr-luong-dot", "The black cat sleeps.");
    assert_true(driver_command(driver, "beside en-fr-rnnencdec"));
    driver_drop(driver, BUNDLED "en-fr-rnnencdec");
    driver_drop(driver, BUNDLED "en-fr-rnnencdec");
    assert_true(driver_settle(driver));
    assert_true(driver_command(driver, "model en-fr-luong-dot"));
    driver_drop(driver, BUNDLED "en-fr-rnnencdec");
    assert_true(driver_settle(driver));
    driver_close(driver);
}

static void a_choice_that_finds_no_room_is_said_and_forgotten(void **state)
{
    (void)state;
    static const char *const choices[] = {"model en-fr-luong-general",
                                          "beside en-fr-rnnencdec", "bottleneck"};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
        for (int k = 0; k < 200 && !*app_banner(driver->app); k++)
            assert_true(driver_command(driver, "model " BUNDLED "./copy"));
        assert_non_null(strstr(app_banner(driver->app), "too many"));
        driver_command(driver, choices[i]);
        assert_true(driver_settle(driver)); // and does not wait for ever
        driver_close(driver);
    }
}

static void a_bad_drop_before_the_first_picture_leaves_the_first_model(void **state)
{
    (void)state;
    struct driver *driver = driver_open(NULL, "The black cat sleeps.");
    driver_drop(driver, "/nowhere/at/all");
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "chat"));
    assert_non_null(strstr(app_banner(driver->app), "/nowhere/at/all"));
    driver_close(driver);
}

static void what_stands_beside_waits_for_the_first_model(void **state)
{
    (void)state;
    static const char *const lines[] = {"beside tau 2", "beside before",
                                        "beside en-fr-luong-dot"};
    struct driver *driver = driver_open(NULL, "The black cat sleeps.");
    for (int i = 0; i < 3; i++) {
        (void)!driver_command(driver, lines[i]);
        driver_frame(driver);
    }
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "τ = 2"));
    driver_close(driver);
}

static void the_next_group_never_leads_to_a_replaced_model(void **state)
{
    (void)state;
    static struct library library;
    library_init(&library, BUNDLED);
    int first = library.first, entry = first;
    for (int i = 0; i < 3; i++) {
        struct model_dir *dir = model_dir_open(BUNDLED "copy", NULL);
        assert_non_null(dir);
        assert_true(library_take(&library, dir) >= 0);
    }
    int groups = 0;
    do {
        entry = library_next_group(&library, entry);
        assert_false(library.entries[entry].replaced);
        groups++;
    } while (entry != first && groups < LIBRARY_MAX);
    assert_int_equal(groups, 5); // en-fr, reverse, copy, dates, de-en
    library_finish(&library);
}

static void measuring_many_times_measures_the_same_text(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    assert_true(driver_command(driver, "bottleneck"));
    assert_true(driver_settle(driver));
    while (!driver_command(driver, "measure"))
        assert_true(driver_settle(driver));
    const struct bottleneck *b = &driver->app->bottleneck;
    char text[TEXT_MAX_BYTES + 1];
    snprintf(text, sizeof text, "%s", b->units[BOTTLENECK_UNITS - 1].text);
    assert_true(strlen(text) > 40);
    for (int i = 0; i < 150; i++) {
        assert_true(driver_command(driver, "bottleneck"));
        assert_true(driver_command(driver, "measure"));
    }
    assert_string_equal(b->units[BOTTLENECK_UNITS - 1].text, text);
    driver_close(driver);
}

static void cells_of_other_languages_begin_anew(void **state)
{
    (void)state;
    static const char *const ways[][3] = {{"model de-en-bahdanau"},
                                          {"model dates", "model de-en-bahdanau"}};
    struct cell_size cells[2];
    for (int i = 0; i < 2; i++) {
        struct driver *driver = driver_ready(NULL, NULL);
        for (int k = 0; k < 3 && ways[i][k]; k++) {
            assert_true(driver_command(driver, ways[i][k]));
            assert_true(driver_settle(driver));
        }
        cells[i] = driver->app->kept_cells;
        assert_true(driver_command(driver, "set-text Er schläft."));
        assert_true(driver_settle(driver)); // typing changes nothing
        assert_memory_equal(&driver->app->kept_cells, &cells[i], sizeof cells[i]);
        driver_close(driver);
    }
    assert_memory_equal(&cells[0], &cells[1], sizeof cells[0]);
}

// The bar says the model's name, with its paper or without, and never half of one.
static void the_name_of_a_model_is_not_cut(void **state)
{
    (void)state;
    static const char whole[] = "RNNsearch · Bahdanau, Cho, Bengio 2015",
                      name[] = "RNNsearch";
    struct driver *driver = driver_ready(NULL, NULL);
    int seen[2] = {0};
    for (int width = 1260; width <= 2400; width += 40) {
        driver->input.width = (float)width;
        driver_frame(driver);
        const struct draw_list *list = app_list(driver->app);
        const struct draw_cmd *said = draw_find_text(list, name);
        assert_non_null(said);
        bool both = said->length == sizeof whole - 1;
        assert_int_equal(said->length, both ? sizeof whole - 1 : sizeof name - 1);
        assert_memory_equal(list->bytes + said->offset, whole, said->length);
        seen[both]++;
    }
    assert_true(seen[0] && seen[1]);
    driver_close(driver);
}

static void cells_of_an_example_fit_it(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    struct cell_size first = {0};
    for (int round = 0; round < 2; round++)
        for (int i = 2; i <= 9; i++) {
            char line[20];
            snprintf(line, sizeof line, "example %d", i);
            assert_true(driver_command(driver, line));
            assert_true(driver_settle(driver));
            if (i == 2 && !round)
                first = driver->app->kept_cells;
            else if (i == 2) // whatever was there between
                assert_memory_equal(&driver->app->kept_cells, &first, sizeof first);
        }
    driver_close(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_of_a_model_is_not_cut),
        cmocka_unit_test(cells_of_other_languages_begin_anew),
        cmocka_unit_test(cells_of_an_example_fit_it),
        cmocka_unit_test(a_model_may_be_dropped_again_and_again),
        cmocka_unit_test(a_model_in_use_stays_while_its_place_is_opened_anew),
        cmocka_unit_test(a_choice_that_finds_no_room_is_said_and_forgotten),
        cmocka_unit_test(a_bad_drop_before_the_first_picture_leaves_the_first_model),
        cmocka_unit_test(what_stands_beside_waits_for_the_first_model),
        cmocka_unit_test(the_next_group_never_leads_to_a_replaced_model),
        cmocka_unit_test(measuring_many_times_measures_the_same_text),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
