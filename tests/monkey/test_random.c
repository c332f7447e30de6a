// SPDX-License-Identifier: MIT
// Window and worker under a random driver: texts, temperatures, models, checkpoints, side
// by side, measuring, drops of models that change on disk, and ends in the middle of
// work. Whenever everything has come to rest, the screen shows the newest of what was
// asked for. ThreadSanitizer watches in ./check.
//
// usage: test_random [STEPS [SEED]]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "driver.h"
#include "lines.h"
#include "random.h"
#include "zoo.h"

enum { STEPS = 250, SEED = 1 };

static int n_steps = STEPS;
static uint64_t seed = SEED;
static struct random dice;
static struct driver *driver;

// A line of the command table; what it refuses is refused.
static void command(const char *line)
{
    (void)driver_command(driver, line);
}

static void any_of(const char *const *lines, size_t n)
{
    command(random_of(&dice, lines, (int)n));
}

#define ANY_OF(...)                                                                      \
    do {                                                                                 \
        static const char *const lines[] = {__VA_ARGS__};                                \
        any_of(lines, sizeof lines / sizeof *lines);                                     \
    } while (0)

static void change_text(void)
{
    ANY_OF("set-text No.", "set-text The black cat sleeps.", "set-text ", "set-text ba",
           "set-text 12 May 2004",
           "set-text I would like a cup of coffee, please, said the old man.");
}

static void type(void)
{
    driver_type(driver, random_below(&dice, 2) ? "a" : " cat");
}

static void change_tau(void)
{
    ANY_OF("tau 0", "tau 1", "tau inf", "tau up", "tau down", "tau 0.4", "mode toggle",
           "mode re-decode", "mode re-read");
}

static void change_model(void)
{
    ANY_OF("model en-fr-bahdanau", "model en-fr-luong-dot", "model dates", "model copy",
           "scorer next", "scorer back", "languages", "button 1", "button 3");
}

static void change_rival(void)
{
    ANY_OF("beside en-fr-rnnencdec", "beside en-fr-luong-general", "beside off",
           "beside copy", "beside en-fr-bahdanau");
}

static void change_page(void)
{
    ANY_OF("bottleneck", "measure", "measure", "dismiss");
}

static void change_checkpoint(void)
{
    ANY_OF("checkpoint next", "checkpoint back", "checkpoint 5", "checkpoint last",
           "play");
}

static void change_example(void)
{
    ANY_OF("example next", "example back", "example 2", "select next", "select none");
}

static void change_look(void)
{
    command(random_line(&dice));
}

static void keep_session(void)
{
    char line[4200];
    snprintf(line, sizeof line, "%s %s", random_below(&dice, 3) ? "open" : "save",
             zoo_session());
    command(line);
}

static void drop(void)
{
    driver_drop(driver, random_below(&dice, 3) ? zoo_good(&dice) : zoo_bad(&dice));
}

static void change_disk(void)
{
    zoo_change(&dice);
}

static void draw(void)
{
    driver_frame(driver);
}

static void wait_a_little(void)
{
    app_settle(driver->app, random_below(&dice, 8));
    driver_frame(driver);
}

static void check_shown(const struct app *app, const struct show *show, int model)
{
    assert_non_null(show->now);
    assert_string_equal(show->now->text, textedit_text(app->edit));
    assert_string_equal(show->now->model, app->library.entries[model].dir->id);
    float tau = show_decoded(show)->tau; // that of self-attention is always 1
    assert_true(app->reread ? tau == 1 : tau == app->tau);
    assert_int_equal(show->rows, alignment_rows(show->now));
}

static void come_to_rest(void)
{
    const struct app *app = driver->app;
    command("dismiss");
    if (!driver_settle(driver))
        fail_msg("never complete: '%s', model %d, wanted %d '%s', job %d shown %d, %d "
                 "beside it",
                 app_banner(app), app->model, app->wanted, app->wanted_path,
                 (int)app->generation, (int)app->shown, app->rivals.count);
    check_shown(app, &app->show, app->model);
    for (int i = 0; i < app->rivals.count; i++)
        assert_string_equal(app->rivals.list[i]->show.now->text,
                            textedit_text(app->edit));
}

static void end_and_begin(void)
{
    static const char *const models[] = {"en-fr-bahdanau", "dates", "copy"};
    driver_close(driver);
    driver = driver_open(random_of(&dice, models, 3), NULL);
    assert_non_null(driver);
}

static const struct {
    int weight; // of 100
    void (*take)(void);
} acts[] = {
    {10, change_text}, {4, type},          {12, change_tau},       {8, change_model},
    {6, change_rival}, {5, change_page},   {6, change_checkpoint}, {4, change_example},
    {8, drop},         {10, change_look},  {2, keep_session},      {3, change_disk},
    {10, draw},        {8, wait_a_little}, {3, come_to_rest},      {1, end_and_begin},
};

static void nothing_is_lost_between_window_and_worker(void **state)
{
    (void)state;
    for (int i = 0; i < n_steps; i++) {
        int at = random_below(&dice, 100), act = 0;
        for (; at >= acts[act].weight; act++)
            at -= acts[act].weight;
        acts[act].take();
    }
    come_to_rest();
}

static int set_up(void **state)
{
    (void)state;
    dice.state = seed;
    driver = driver_open("copy", NULL);
    return driver && zoo_open() ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(driver);
    zoo_close();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_between_window_and_worker),
    };
    if (argc > 1)
        n_steps = atoi(argv[1]);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests_name("random", tests, set_up, tear_down);
}
