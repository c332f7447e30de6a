// SPDX-License-Identifier: MIT
// What the window teaches with: checkpoints of a training, two models side by side, the
// bottleneck, examples, marks, the help page.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/examples.h"
#include "app/state.h"
#include "base/buf.h"
#include "driver.h"
#include "text/utf8.h"

static void the_training_can_be_watched(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("dates", NULL);
    assert_true(driver_sees(driver, "step 1500"));
    uint64_t trained = driver_hash(driver);
    assert_true(driver_command(driver, "checkpoint 1"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "step 0"));
    assert_true(driver_sees(driver, "exact 0.0 %"));
    driver_key(driver, KEY_PAGE_DOWN, 0, MOD_ALT);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "step 1"));
    driver_key(driver, KEY_F8, 0, 0);
    for (int i = 0; i < 100 && !driver_sees(driver, "step 1500"); i++)
        assert_true(driver_settle(driver));
    driver_frame(driver);
    assert_true(driver_settle(driver));
    assert_true(driver_hash(driver) == trained);
    assert_true(driver_command(driver, "model en-fr-bahdanau"));
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "of its training"));
    assert_false(driver_command(driver, "play"));
    driver_close(driver);
}

static void dropout_is_marked_as_long_as_it_is_on(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("en-fr-bahdanau", "The black cat sleeps.");
    assert_true(driver_sees(driver, "each row sums to 1"));
    assert_true(driver_command(driver, "dropout 0.2 7"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "α dropout 0.2, seed 7"));
    assert_true(driver_sees(driver, "rows need not sum to 1"));
    uint64_t on = driver_hash(driver);
    assert_true(driver_command(driver, "dropout 0.2 8"));
    assert_true(driver_settle(driver));
    assert_true(driver_hash(driver) != on);
    assert_true(driver_command(driver, "dropout 0.2 7"));
    assert_true(driver_settle(driver));
    assert_true(driver_hash(driver) == on);
    assert_true(driver_command(driver, "dropout off"));
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "α dropout"));
    assert_true(driver_sees(driver, "each row sums to 1"));
    driver_key(driver, KEY_CHAR, 'd', MOD_CTRL);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "α dropout 0.2, seed 0"));
    driver_key(driver, KEY_CHAR, 'd', MOD_CTRL | MOD_SHIFT);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "α dropout 0.2, seed 1"));
    driver_key(driver, KEY_CHAR, 'd', MOD_CTRL);
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "α dropout"));
    static const char *const wrong[] = {"dropout",     "dropout 1",       "dropout -0.1",
                                        "dropout nan", "dropout 0.1 2 3", "dropout x"};
    for (int i = 0; i < 6; i++)
        assert_false(driver_command(driver, wrong[i]));
    driver_close(driver);
}

// The frame that takes the click still has the strip's room, but no checkpoints any more.
static void the_strip_goes_with_its_model(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("dates", NULL);
    assert_true(driver_sees(driver, "of its training"));
    const struct draw_cmd *languages =
        draw_find_text(app_list(driver->app), "Date → ISO");
    assert_non_null(languages);
    driver_click(driver, languages->rect.x + 4, languages->rect.y - 4);
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "of its training"));
    assert_false(driver_sees(driver, "Date → ISO"));
    driver_close(driver);
}

// The alignment of the model in use, and of the one beside it.
static const struct alignment *side(struct driver *driver, int i)
{
    assert_int_equal(driver->app->rivals.count, 1);
    return i ? driver->app->rivals.list[0]->show.now : driver->app->show.now;
}

// These words stand wherever one of the two says them, and nowhere else.
static void check_words(struct driver *driver, const char *words)
{
    int say = 0;
    for (int i = 0; i < 2; i++)
        say += !strcmp(side(driver, i)->translation, words);
    assert_int_equal(driver_count(driver, words), say);
}

static void two_models_stand_side_by_side(void **state)
{
    char words[2][200];
    (void)state;
    struct driver *driver = driver_ready(NULL, "The black cat sleeps.");
    assert_true(driver_command(driver, "beside en-fr-rnnencdec"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "RNNencdec · Cho et al. 2014"));
    assert_true(driver_sees(driver, "no α here"));
    for (int i = 0; i < 2; i++) {
        snprintf(words[i], sizeof words[i], "%s", side(driver, i)->translation);
        assert_true(driver_sees(driver, words[i]));
        check_words(driver, words[i]);
    }
    assert_true(driver_sees(driver, "each row sums to 1"));
    driver_type(driver, " No.");
    assert_true(driver_settle(driver));
    assert_string_not_equal(side(driver, 0)->translation, words[0]);
    for (int i = 0; i < 2; i++) {
        check_words(driver, words[i]); // those of before are gone
        check_words(driver, side(driver, i)->translation);
    }
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "RNNencdec"));
    assert_false(driver_command(driver, "beside nobody"));
    driver_close(driver);
}

// Whether models of these names were trained for as long as each other, by their reports.
static bool same_training(const char *one, const char *other)
{
    struct report a, b;
    char path[256];
    snprintf(path, sizeof path, ALPHASCOPE_TESTS "/../models/%s", one);
    assert_true(report_read(&a, path, NULL) && a.steps);
    snprintf(path, sizeof path, ALPHASCOPE_TESTS "/../models/%s", other);
    assert_true(report_read(&b, path, NULL) && b.steps);
    return a.steps == b.steps;
}

static void the_bottleneck_is_plotted_measured_and_entered(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(NULL, NULL);
    driver_key(driver, KEY_F9, 0, 0);
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "The bottleneck"));
    assert_true(driver_sees(driver, "d = 320 numbers"));
    assert_true(driver_sees(driver, "no attention"));
    assert_true(driver_sees(driver, "measure it here"));
    assert_true(driver_sees(driver, "Not the same training") !=
                same_training("en-fr-rnnencdec", "en-fr-bahdanau"));
    driver_key(driver, KEY_F10, 0, 0);
    for (int i = 0; i < 3000 && !driver_sees(driver, "measuring, "); i++) {
        app_settle(driver->app, 10);
        driver_frame(driver);
    }
    assert_true(driver_sees(driver, "measuring, "));
    assert_true(driver_sees(driver, "measuring, "));
    driver_type(driver, "x"); // typing goes on while it measures
    assert_true(driver_settle(driver));
    const struct draw_cmd *name = draw_find_text(app_list(driver->app), "no attention");
    assert_non_null(name);
    driver_click(driver, name->rect.x - 14, name->rect.y + 14);
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "The bottleneck"));
    assert_true(driver_sees(driver, "RNNencdec · Cho et al. 2014"));
    assert_true(driver_sees(driver, "RNNsearch · Bahdanau"));
    driver_close(driver);
    driver = driver_ready("dates", NULL);
    assert_false(driver_command(driver, "bottleneck"));
    driver_close(driver);
}

// The translation of the last decoding, from the report.
static void last_translation(struct driver *driver, char *out, size_t size)
{
    struct buf report;
    buf_init(&report, 1 << 24);
    app_take_report(driver->app, &report);
    const char *at = NULL, *next = buf_text(&report);
    while ((next = strstr(next, "\"translation\":\""))) {
        next += strlen("\"translation\":\"");
        at = next;
    }
    assert_non_null(at);
    snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
    buf_finish(&report);
}

// Whatever a note quotes “like this” stands in the sentence or in its translation, so
// that no note goes on telling of a model that was replaced.
static void check_note(const struct example *example, const char *translation)
{
    char quote[256];
    for (const char *open = strstr(example->note, "“"); open; open = strstr(open, "“")) {
        open += strlen("“");
        const char *close = strstr(open, "”");
        assert_non_null(close);
        snprintf(quote, sizeof quote, "%.*s", (int)(close - open), open);
        char *rest = strstr(quote, " … ");
        if (rest) {
            *rest = '\0';
            rest += strlen(" … ");
            assert_non_null(strstr(translation, rest));
        }
        if (!strstr(translation, quote) && !strstr(example->text, quote))
            print_error("'%s' is not in '%s' nor in '%s'\n", quote, example->text,
                        translation);
        assert_true(strstr(translation, quote) || strstr(example->text, quote));
    }
}

static void the_notes_of_the_examples_tell_of_these_models(void **state)
{
    (void)state;
    static const char *const models[][2] = {{"en-fr-bahdanau", "en-fr"},
                                            {"de-en-bahdanau", "de-en"},
                                            {"dates", "date-iso"},
                                            {"reverse", "text-reversed"},
                                            {"copy", "text-copy"}};
    static struct examples examples;
    char line[32], translation[1024];
    for (int m = 0; m < 5; m++) {
        struct driver *driver = driver_ready(models[m][0], NULL);
        examples_load(&examples, models[m][1]);
        assert_true(examples.count >= 2);
        for (int i = 0; i < examples.count; i++) {
            snprintf(line, sizeof line, "example %d", i + 1);
            assert_true(driver_command(driver, line));
            assert_true(driver_settle(driver));
            assert_true(driver_sees(driver, examples.list[i].text));
            assert_true(strlen(examples.list[i].note) > 10);
            last_translation(driver, translation, sizeof translation);
            check_note(&examples.list[i], translation);
        }
        driver_key(driver, KEY_F12, 0, 0);
        assert_true(driver_settle(driver));
        assert_true(driver_sees(driver, examples.list[0].text));
        driver_close(driver);
    }
}

static void marks_are_against_the_weights_in_use(void **state)
{
    (void)state;
    struct driver *driver = driver_ready("dates", "4 july 1976");
    assert_true(driver_command(driver, "mode re-decode"));
    assert_true(driver_command(driver, "checkpoint 8"));
    assert_true(driver_command(driver, "tau 0.87"));
    assert_true(driver_settle(driver));
    assert_true(driver_command(driver, "checkpoint last"));
    assert_true(driver_settle(driver));
    assert_false(driver_sees(driver, "changed from τ = 1"));
    driver_close(driver);
}

static void help_fits_at_any_zoom(void **state)
{
    (void)state;
    static const float sizes[][2] = {{1440, 900}, {1280, 720}, {720, 450}, {512, 384}};
    struct driver *driver = driver_ready(NULL, NULL);
    for (int i = 0; i < 4; i++) {
        driver->input.width = sizes[i][0];
        driver->input.height = sizes[i][1];
        driver_key(driver, KEY_F1, 0, 0);
        const struct draw_cmd *a = draw_find_text(app_list(driver->app), "by remote");
        const struct draw_cmd *b =
            draw_find_text(app_list(driver->app), "first row, last");
        assert_non_null(a);
        assert_non_null(b);
        assert_true(b->rect.y - a->rect.y >= 13);
        for (int page = 2; page < 6 && !driver_sees(driver, "softmax(e / τ)"); page++)
            driver_key(driver, KEY_F1, 0, 0);
        assert_true(driver_sees(driver, "softmax(e / τ)"));
        driver_key(driver, KEY_F1, 0, 0);
        assert_false(driver_sees(driver, "softmax(e / τ)"));
    }
    driver_close(driver);
}

static void long_labels_are_cut_between_characters(void **state)
{
    (void)state;
    struct driver *driver = driver_ready(
        NULL, "I saw 你你你你你你你你你你你你你你你你你你你жжжжжжжжжжжж today.");
    const struct draw_list *list = app_list(driver->app);
    for (float x = 140; x < 760; x += 20) {
        driver_move(driver, x, 300);
        for (int i = 0; i < list->count; i++)
            if (list->cmds[i].kind == DRAW_TEXT)
                assert_true(utf8_valid((const char *)list->bytes + list->cmds[i].offset,
                                       list->cmds[i].length));
        assert_false(driver_sees(driver, "\xef\xbf\xbd"));
    }
    driver_close(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_training_can_be_watched),
        cmocka_unit_test(dropout_is_marked_as_long_as_it_is_on),
        cmocka_unit_test(the_strip_goes_with_its_model),
        cmocka_unit_test(two_models_stand_side_by_side),
        cmocka_unit_test(the_bottleneck_is_plotted_measured_and_entered),
        cmocka_unit_test(the_notes_of_the_examples_tell_of_these_models),
        cmocka_unit_test(marks_are_against_the_weights_in_use),
        cmocka_unit_test(help_fits_at_any_zoom),
        cmocka_unit_test(long_labels_are_cut_between_characters),
    };
    return cmocka_run_group_tests_name("teaching", tests, NULL, NULL);
}
