// SPDX-License-Identifier: MIT
// The word list and IBM Model 1 beside what the model attended to, as they stand in the
// window.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "app/state.h"
#include "case.h"

#define sees(...) driver_shows(driver, __VA_ARGS__)

static const struct remarks *remarks(void)
{
    return &driver->app->show.kept.remarks;
}

static bool agrees(const char *target, const char *source)
{
    const struct remarks *r = remarks();
    const struct alignment *now = driver_now(driver);
    for (int i = 0; i < r->n_agree; i++)
        if (!strcmp(now->target[r->agree[i].t].text, target) &&
            !strcmp(now->source[r->agree[i].s].text, source))
            return true;
    return false;
}

static int row_that_says(const char *word)
{
    const struct alignment *now = driver_now(driver);
    for (int t = 0; t < alignment_rows(now); t++)
        if (!strcmp(now->target[t].text, word))
            return t;
    return NOWHERE;
}

// As it was, but that “tasse” reads the first word.
static float astray(int t, int s)
{
    const struct alignment *now = driver_now(driver);
    return t == row_that_says("tasse") ? s == 0 : now->alpha[t * now->n_src + s];
}

static void point_at_label_of(int row)
{
    const struct grid *grid = &driver->app->look.grid;
    driver_move(driver, grid->area.x - 30,
                grid->area.y + ((float)row + 0.5f) * grid->cell_h);
}

static void list_and_attention_are_compared(void **state)
{
    (void)state;
    assert_int_equal(remarks()->n_agree, 0);
    driver_key(driver, KEY_CHAR, 'g', MOD_ALT);
    assert_true(agrees("tasse", "cup"));
    assert_true(agrees("café", "coffee"));
    assert_false(agrees("tasse", "coffee"));
    assert_true(sees("• word list agrees"));
    put_matrix(astray);
    assert_false(agrees("tasse", "cup"));
    assert_non_null(remarks()->words[row_that_says("tasse")].target);
    int other = 0, row = NOWHERE;
    for (int t = 0; t < remarks()->n_tgt; t++)
        if (remarks()->words[t].target) {
            row = t;
            other++;
        }
    assert_true(other > 0 && other < remarks()->n_tgt / 2);
    assert_int_equal(driver_count(driver, "≠"), other);
    assert_true(sees("≠ it has another word"));
    point_at_label_of(row);
    const struct remark_word *word = &remarks()->words[row];
    assert_true(sees("Word list: %s ← %s %.2f; attention: %s.", word->target,
                     word->listed, (double)word->t, word->read));
    assert_true(strcmp(word->listed, word->read) != 0);
    driver_key(driver, KEY_CHAR, 'g', MOD_ALT);
    assert_false(sees("word list"));
    refuse("word-list maybe", "expected on, off or toggle");
}

static void the_list_follows_the_lens(void **state)
{
    (void)state;
    command("word-list on");
    int pieces = remarks()->n_agree;
    command("view transpose on");
    assert_int_equal(remarks()->n_agree, pieces);
    assert_false(sees("≠")); // its rows are source words
    command("view transpose off");
    command("view merge sum");
    const struct remarks *r = remarks();
    assert_true(r->n_agree > 0);
    for (int i = 0; i < r->n_agree; i++) {
        assert_in_range(r->agree[i].t, 0, r->n_tgt - 1);
        assert_in_range(r->agree[i].s, 0, r->n_src - 1);
    }
    command("view special hide");
    assert_true(remarks()->n_agree > 0);
    command("set-text"); // an empty sentence
    command("set-text .");
    command("set-text Unfathomable gobbledygook!");
}

static void languages_without_a_list_say_so(void **state)
{
    (void)state;
    command("word-list on");
    command("model dates");
    assert_true(sees("no word list for date-iso"));
    assert_false(sees("word list agrees"));
    assert_int_equal(remarks()->n_agree, 0);
    command("model copy");
    command("model reverse");
    command("model en-fr-luong-dot");
    assert_true(sees("• word list agrees"));
    int open = 0;
    for (int i = 0; i < WORD_LISTS_KEPT; i++)
        open += driver->app->remarking.lists[i].lexicon != NULL;
    assert_int_equal(open, 1);
    command("what-if shuffle 7");
    assert_true(sees("in another order"));
    assert_int_equal(remarks()->n_agree, 0);
}

static int circles(void)
{
    const struct draw_list *list = app_list(driver->app);
    struct color ink = style_of(THEME_DARK)->ink;
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        count += cmd->kind == DRAW_FRAME && !memcmp(&cmd->color, &ink, sizeof ink) &&
                 cmd->radius > fminf(cmd->rect.w, cmd->rect.h) / 2 - 0.1f;
    }
    return count;
}

static void model_1_is_laid_over_in_its_own_shape(void **state)
{
    (void)state;
    command("set-text The black cat sleeps.");
    int before = circles();
    command("view hard on");
    assert_int_equal(circles(), before); // the arg max has squares
    driver_key(driver, KEY_CHAR, 'o', MOD_ALT);
    const struct remarks *r = remarks();
    assert_true(r->n_links >= 4);
    assert_int_equal(circles(), before + r->n_links);
    assert_true(sees("○ IBM Model 1"));
    assert_true(sees("▢ arg max"));
    const struct alignment *now = driver_now(driver);
    int found = 0;
    for (int i = 0; i < r->n_links; i++) {
        const char *target = now->target[r->links[i].t.first].text;
        const char *source = now->source[r->links[i].s.first].text;
        if (!strcmp(target, "chat"))
            found += !strcmp(source, "cat") ? 1 : 100;
        if (!strcmp(target, "noir"))
            found += !strcmp(source, "black") ? 10 : 100;
    }
    assert_int_equal(found, 11);
    command("view transpose on");
    assert_int_equal(circles(), before + remarks()->n_links);
    command("view ribbon on");
    assert_true(sees("laid over the matrix only"));
}

static void both_models_beside_have_their_marks(void **state)
{
    (void)state;
    command("word-list on");
    command("beside en-fr-luong-dot");
    assert_int_equal(driver_count(driver, "• word list agrees"), 2);
    command("beside off");
    command("model1 on");
    command("beside all"); // small ones: marks in the cells, one legend
    assert_int_equal(driver_count(driver, "• word list agrees"), 1);
    assert_int_equal(driver_count(driver, "≠"), 0);
    assert_true(circles() > 40);
    command("readings off");
    command("readings on"); // of one matrix: where they are is said
    assert_non_null(strstr(app_banner(driver->app), "when the comparison ends"));
    command("beside off");
    command("beside en-fr-luong-dot");
    command("difference on");
    assert_false(sees("word list"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COFFEE_CASE(list_and_attention_are_compared),
        COFFEE_CASE(the_list_follows_the_lens),
        COFFEE_CASE(languages_without_a_list_say_so),
        COFFEE_CASE(model_1_is_laid_over_in_its_own_shape),
        COFFEE_CASE(both_models_beside_have_their_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
