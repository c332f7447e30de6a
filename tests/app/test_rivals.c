// SPDX-License-Identifier: MIT
// What stands beside: several models, two temperatures, before and after an edit, and the
// difference of two, driven as a person would.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/diverge.h"
#include "app/state.h"
#include "case.h"

static const struct show *rival(int i)
{
    assert_in_range(i, 0, driver->app->rivals.count - 1);
    return &driver->app->rivals.list[i]->show;
}

static int count(void)
{
    return driver->app->rivals.count;
}

// How many "beside all" puts there: the other models of these languages, as many as have
// room.
static int others(void)
{
    int group[LIBRARY_MAX];
    const struct library *library = &driver->app->library;
    int models = library_group(library, driver->app->model, group, LIBRARY_MAX);
    assert_true(models >= 5);
    return models - 1 < RIVALS_MAX ? models - 1 : RIVALS_MAX;
}

// The button of a model, from 1.
static int button_of(const char *id)
{
    int group[LIBRARY_MAX], at = 0;
    const struct library *library = &driver->app->library;
    int models = library_group(library, driver->app->model, group, LIBRARY_MAX);
    while (at < models && strcmp(library->entries[group[at]].listing.id, id) != 0)
        at++;
    assert_true(at < models);
    return at + 1;
}

// The alignment of panel i: the main one, then what stands beside it.
static const struct alignment *panel(int i)
{
    return i ? rival(i - 1)->now : driver->app->show.now;
}

// How many columns of all panels, or rows, have this label.
static int labels(const char *text)
{
    int found = 0;
    for (int i = 0; i <= count(); i++) {
        const struct alignment *now = panel(i);
        for (int s = 0; s < now->n_src; s++)
            found += !strcmp(now->source[s].text, text);
        for (int t = 0; t < alignment_rows(now); t++)
            found += !strcmp(now->target[t].text, text);
    }
    return found;
}

// The row of the main one that has this label.
static int row_of(const char *text)
{
    const struct alignment *now = driver->app->show.now;
    for (int t = 0; t < alignment_rows(now); t++)
        if (!strcmp(now->target[t].text, text))
            return t;
    fail_msg("there is no row '%s'", text);
    return -1;
}

// In how many panels row t has this label.
static int agreeing(int t, const char *text)
{
    int found = 0;
    for (int i = 0; i <= count(); i++)
        found += t < alignment_rows(panel(i)) && !strcmp(panel(i)->target[t].text, text);
    return found;
}

// How often a label is drawn in bold, which says that it is pointed at or chosen.
static int bold(const char *text)
{
    const struct draw_list *list = app_list(driver->app);
    int found = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        found += cmd->kind == DRAW_TEXT && cmd->font == FONT_BOLD &&
                 cmd->length == strlen(text) &&
                 !memcmp(list->bytes + cmd->offset, text, cmd->length);
    }
    return found;
}

static void all_models_of_the_languages_stand_side_by_side(void **state)
{
    (void)state;
    driver_key(driver, KEY_CHAR, 'a', MOD_ALT);
    assert_true(driver_settle(driver));
    assert_int_equal(count(), others());
    assert_true(labels("coffee") > count());
    assert_int_equal(driver_count(driver, "coffee"), labels("coffee"));
    assert_int_equal(sightings(" bits"), count()); // one of them has no attention
    assert_int_equal(sightings("each row sums to 1"), 1);
    assert_true(driver_sees(driver, "no α: the decoder reads"));
    for (int i = 0; i < count(); i++)
        assert_true(driver_sees(driver, rival(i)->now->target[4].text));
    driver_type(driver, " No.");
    assert_true(driver_settle(driver));
    assert_true(driver_count(driver, "No") > count()); // each panel has it as a column
    assert_true(driver_count(driver, "No") <=
                labels("No")); // rows may be too low for text
    for (int i = 0; i < count(); i++)
        assert_string_equal(rival(i)->now->text, driver->app->show.now->text);
    driver_key(driver, KEY_CHAR, 'a', MOD_ALT);
    assert_int_equal(count(), 0);
}

static void a_model_is_put_beside_and_taken_away(void **state)
{
    (void)state;
    int button = button_of("en-fr-luong-general");
    char line[40];
    snprintf(line, sizeof line, "beside button %d", button);
    command("beside en-fr-luong-dot");
    command(line);
    assert_int_equal(count(), 2);
    command("beside en-fr-luong-dot");
    assert_int_equal(count(), 1);
    assert_string_equal(rival(0)->now->model, "en-fr-luong-general");
    driver_key(driver, KEY_CHAR, (char)('0' + button), MOD_CTRL | MOD_SHIFT);
    assert_int_equal(count(), 0);
    const struct draw_cmd *concat = draw_find_text(app_list(driver->app), "Concat");
    assert_non_null(concat);
    float x = concat->rect.x + 4, y = concat->rect.y - 4;
    driver->input.mods = MOD_SHIFT;
    driver_click(driver, x, y);
    driver->input.mods = 0;
    assert_true(driver_settle(driver));
    assert_int_equal(count(), 1);
    assert_string_equal(rival(0)->now->model, "en-fr-luong-concat");
    driver_click(driver, x, y); // beside itself there is nothing to see
    assert_true(driver_settle(driver));
    assert_int_equal(count(), 0);
    assert_string_equal(driver->app->show.now->model, "en-fr-luong-concat");
    refuse("beside en-fr-luong-concat", "stands there already");
    refuse("beside nobody", "a model's id");
    refuse("beside dates", "another language");
    refuse("beside button 99", "a model's id");
    refuse("beside tau cold", "tau X");
}

static void one_more_than_have_room_is_refused(void **state)
{
    (void)state;
    static const char *const taus[] = {"0", "0.1", "0.3", "3", "inf"};
    char line[40];
    for (int i = 0; i < 5; i++) {
        snprintf(line, sizeof line, "beside tau %s", taus[i]);
        command(line);
    }
    assert_int_equal(count(), 5);
    assert_int_equal(driver_count(driver, "coffee"), 6);
    refuse("beside tau 7", "no more than 6");
    command("beside tau 0.3");
    assert_int_equal(count(), 4);
    command("beside off");
    assert_int_equal(count(), 0);
}

static void one_model_stands_at_two_temperatures(void **state)
{
    (void)state;
    command("beside tau 0.3");
    assert_true(driver_sees(driver, "τ = 0.30") && driver_sees(driver, "τ = 1.00"));
    const struct alignment *now = driver->app->show.now, *other = rival(0)->now;
    size_t cells = (size_t)alignment_rows(now) * (size_t)now->n_src;
    assert_memory_equal(now->score, other->score, cells * sizeof *now->score);
    for (int t = 0; t < alignment_rows(now); t++) {
        float sum = 0;
        for (int s = 0; s < now->n_src; s++)
            sum += rival(0)->reread.data[t * now->n_src + s];
        assert_float_equal(sum, 1, 1e-5f);
    }
    int peak = 0;
    for (int s = 1; s < now->n_src; s++)
        peak = now->alpha[s] > now->alpha[peak] ? s : peak;
    assert_true(rival(0)->reread.data[peak] > now->alpha[peak]); // sharper
    command("what-if mute 2");
    assert_true(driver_sees(driver, "τ = 0.30, edited"));
    command("what-if clear");
    assert_false(driver_sees(driver, "edited"));
    command("mode re-decode");
    command("beside tau 3");
    assert_true(rival(1)->now->tau == 3);
    assert_true(driver->app->show.now->tau == 1);
    command("model en-fr-luong-dot"); // a temperature goes with any model
    assert_int_equal(count(), 2);
    assert_string_equal(rival(0)->now->model, "en-fr-luong-dot");
}

static void before_and_after_an_edit_stand_side_by_side(void **state)
{
    (void)state;
    char words[200];
    snprintf(words, sizeof words, "%s", driver->app->show.now->translation);
    command("what-if word 2 2");
    command("beside before");
    assert_true(driver_sees(driver, "before, without edits"));
    assert_true(driver_sees(driver, "after 1 edit"));
    assert_string_equal(rival(0)->now->translation, words);
    assert_string_not_equal(driver->app->show.now->translation, words);
    const struct draw_cmd *before = draw_find_text(app_list(driver->app), "before,");
    const struct draw_cmd *after = draw_find_text(app_list(driver->app), "after 1");
    assert_true(before->rect.x < after->rect.x);
    command("beside tau 0.5"); // has the edits too
    assert_string_equal(rival(1)->now->translation, driver->app->show.now->translation);
    command("beside tau 0.5");
    command("difference on");
    const struct difference *made = driver->app->rivals.made;
    assert_non_null(made);
    assert_string_equal(made->words[0], words); // what came of it, from what was before
    command("what-if clear");
    assert_float_equal(driver->app->rivals.made->mean_bits, 0, 0);
}

// The main one says what the first beside it says, but for the first word.
static void say_the_rest(void)
{
    char line[300];
    const char *rest = strchr(rival(0)->now->translation, ' ');
    assert_non_null(rest);
    snprintf(line, sizeof line, "what-if prefix%s", rest);
    command(line);
}

static void the_difference_is_that_of_the_shown_rows(void **state)
{
    (void)state;
    command("beside en-fr-luong-dot");
    say_the_rest();
    driver_key(driver, KEY_CHAR, 'd', MOD_ALT);
    const struct difference *made = driver->app->rivals.made;
    assert_non_null(made);
    const struct alignment *a = driver->app->show.now, *b = rival(0)->now;
    int n = a->n_src, pairs = 0, only[2] = {0};
    double sum = 0;
    for (int t = 0; t < made->rows.count; t++) {
        if (difference_only(made, t) >= 0) {
            only[difference_only(made, t)]++;
            continue;
        }
        const float *row_a = a->alpha + made->rows.at[0][t] * n;
        const float *row_b = b->alpha + made->rows.at[1][t] * n;
        for (int i = 0; i < n; i++)
            assert_float_equal(made->shown->alpha[t * n + i], row_b[i] - row_a[i], 1e-6f);
        sum += (double)diverge_rows(row_a, row_b, n);
        pairs++;
    }
    assert_int_equal(pairs + only[0], alignment_rows(a));
    assert_int_equal(pairs + only[1], alignment_rows(b));
    assert_true(only[1] > 0); // what was left out
    char text[80], line[40];
    snprintf(text, sizeof text, "mean divergence %.3f bits", sum / pairs);
    assert_true(driver_sees(driver, text));
    assert_int_equal(driver_count(driver, "only in A"), only[0]);
    assert_int_equal(driver_count(driver, "only in B"), only[1]);
    assert_false(driver_sees(driver, "tasse / "));
    int cup = row_of("tasse"); // which stands lower here
    assert_true(difference_place(made, 0, cup) > cup);
    snprintf(line, sizeof line, "select %d", cup + 1);
    command(line);
    assert_int_equal(bold("tasse"), 1);
    click_word("café");
    assert_int_equal(bold("café"), 1);
    assert_int_equal(bold("tasse"), 0);
    snprintf(line, sizeof line, "row %d of %d", row_of("café") + 1, alignment_rows(a));
    assert_true(driver_sees(driver, line));
    command("tau 0.3"); // scores are read again: so is the difference
    assert_false(driver_sees(driver, text));
    command("view merge sum");
    assert_true(driver_sees(driver, "please."));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_int_equal(count(), 1);
    assert_false(driver_sees(driver, "mean divergence"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_int_equal(count(), 0);
}

static void what_has_no_difference_says_why(void **state)
{
    (void)state;
    command("difference on"); // the next scorer comes by itself
    assert_int_equal(count(), 1);
    assert_true(driver_sees(driver, "mean divergence"));
    refuse("difference sideways", "on, off or toggle");
    command("beside tau 2");
    assert_false(driver_sees(driver, "mean divergence")); // three are shown
    refuse("difference on", "3 stand side by side");
    command("beside off");
    command("beside en-fr-rnnencdec");
    command("difference on");
    assert_true(driver_sees(driver, "en-fr-rnnencdec has no attention"));
    command("set-text ");
    command("beside off");
    command("difference on");
    assert_true(driver_sees(driver, "without a sentence"));
    command("set-text Yes."); // and it comes back
    assert_true(driver_sees(driver, "mean divergence"));
    driver_key(driver, KEY_CHAR, 'r', MOD_CTRL); // revealing tells nothing in advance
    driver_frame(driver);
    assert_false(driver_sees(driver, "mean divergence"));
    assert_int_equal(sightings("only in"), 0);
}

static void one_colour_is_one_alpha_in_all(void **state)
{
    (void)state;
    command("shade matrix maximum");
    assert_true(driver_sees(driver, "matrix maximum"));
    command("tau 5");
    command("beside all");
    assert_true(driver_sees(driver, "maximum of all"));
    int numbers = sightings(" bits"); // their mean entropies, whichever way they stand
    assert_true(numbers >= 5);
    command("view transpose on");
    assert_int_equal(sightings(" bits"), numbers);
    command("set-text ");
    assert_true(driver_sees(driver, "nothing to translate yet")); // once for all
    assert_false(driver_sees(driver, "maximum of all"));
}

static void a_column_is_pointed_at_in_all(void **state)
{
    (void)state;
    command("beside all");
    command("select none");
    assert_int_equal(bold("coffee"), 0);
    // A cell of the first panel, under its label.
    const struct draw_cmd *label = draw_find_text(app_list(driver->app), "coffee");
    const struct draw_cmd *row = draw_find_text(app_list(driver->app), "tasse");
    for (int i = 0; i < app_list(driver->app)->count; i++) {
        const struct draw_cmd *cmd = &app_list(driver->app)->cmds[i];
        if (cmd->kind == DRAW_TEXT && cmd->length == 6 && cmd->rect.x > 100 &&
            cmd->rect.x < 450 &&
            !memcmp(app_list(driver->app)->bytes + cmd->offset, "coffee", 6))
            label = cmd;
        if (cmd->kind == DRAW_TEXT && cmd->length == 5 && cmd->rect.x < 90 &&
            cmd->rect.y < 400 &&
            !memcmp(app_list(driver->app)->bytes + cmd->offset, "tasse", 5))
            row = cmd;
    }
    float x = label->rect.x, y = row->rect.y - 4;
    driver_move(driver, x, y);
    assert_int_equal(bold("coffee"), count() + 1);
    assert_int_equal(bold("tasse"), 1); // the row is that one panel's
    assert_true(driver_sees(driver, "tasse ← coffee"));
    driver_click(driver, x, y); // a press chooses the position in all
    driver_move(driver, 2, 2);
    int chosen = driver->app->selected;
    assert_int_equal(chosen, row_of("tasse"));
    for (int i = 0; i <= count(); i++) {
        assert_true(chosen < alignment_rows(panel(i)));
        const char *text = panel(i)->target[chosen].text;
        assert_int_equal(bold(text), agreeing(chosen, text));
    }
}

// What is said of the last ones.
static const char *missing(int n)
{
    static char line[300];
    snprintf(line, sizeof line, "no room for %d more:", n);
    for (int i = count() - n; i < count(); i++) {
        char name[80];
        int model = driver->app->rivals.list[i]->what.model;
        library_label(&driver->app->library, model, name, sizeof name);
        size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s %s", i > count() - n ? "," : "",
                 name);
    }
    return line;
}

static void a_small_window_says_who_is_missing(void **state)
{
    (void)state;
    command("set-text Yes."); // what they say is not looked at
    command("beside all");
    assert_int_equal(sightings("no room for"), 0);
    driver->input.width = 1024;
    driver->input.height = 768;
    driver_frame(driver);
    assert_int_equal(sightings("no room for"), 0);
    driver->input.width = 720;
    driver->input.height = 450;
    driver_frame(driver);
    assert_true(driver_sees(driver, missing(3)));
    assert_int_equal(driver_count(driver, "Dot"), 2); // its button and its panel
    driver->input.width = 420;
    driver->input.height = 330;
    driver_frame(driver);
    assert_true(driver_sees(driver, "no room for"));
}

static void a_large_screen_draws_all_of_it(void **state)
{
    (void)state;
    static const char *const looks[] = {
        "beside off",   "beside tau 0", "difference on",  "beside tau 0.1",
        "beside tau 2", "beside tau 3", "beside tau inf", "view ribbon on"};
    char text[TEXT_MAX_BYTES] = "set-text";
    for (int i = 0; i < 3; i++)
        snprintf(
            text + strlen(text), sizeof text - strlen(text),
            " When the old man who lives next to the station came back from his long "
            "journey, he told the children that he had seen a house so beautiful that "
            "nobody would ever want to leave it.");
    driver->input.width = 3840;
    driver->input.height = 2160;
    command(text);
    assert_true(driver->app->show.now->n_src > 70);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        command(looks[i]);
        assert_int_equal(app_list(driver->app)->dropped, 0);
    }
}

static void typing_never_waits_for_the_others(void **state)
{
    enum { ROUNDS = SANITIZED ? 2 : 6 };
    (void)state;
    char last[80];
    command("beside all");
    snprintf(last, sizeof last, "beside %s", rival(count() - 1)->now->model);
    command(last); // away again: one place is free
    int stay = count();
    assert_int_equal(stay, others() - 1);
    for (int round = 0; round < ROUNDS; round++) {
        driver_type(driver, " They came.");
        char line[40];
        snprintf(line, sizeof line, "beside tau %d", 2 + round / 2); // there and away
        assert_true(driver_command(driver, line)); // while they are decoded
    }
    assert_true(driver_settle(driver));
    assert_int_equal(count(), stay);
    for (int i = 0; i < count(); i++) {
        assert_string_equal(rival(i)->now->text, textedit_text(driver->app->edit));
        assert_int_not_equal(alignment_ended(rival(i)->now), ENDED_CANCELLED);
    }
}

static void other_languages_leave_and_temperatures_stay(void **state)
{
    (void)state;
    command("beside en-fr-luong-dot");
    command("beside tau 0.5");
    command("model dates");
    assert_int_equal(count(), 1);
    assert_int_equal(driver->app->rivals.list[0]->what.kind, RIVAL_TAU);
    assert_string_equal(rival(0)->now->model, "dates");
    command("checkpoint 3"); // the same weights on both sides
    const struct alignment *now = driver->app->show.now;
    assert_int_equal(alignment_rows(now), alignment_rows(rival(0)->now));
    assert_memory_equal(now->score, rival(0)->now->score,
                        (size_t)now->n_src * sizeof *now->score);
    command("beside off");
    refuse("beside all", "no other model");
    refuse("difference on", "beside tau");
}

static void a_sheet_compares_too(void **state)
{
    (void)state;
    command("set-text Yes.");
    command("view menu");
    const struct draw_cmd *all = draw_find_text(app_list(driver->app), "side by side");
    assert_non_null(all);
    driver_click(driver, all->rect.x + 4, all->rect.y - 4);
    assert_true(driver_settle(driver));
    assert_int_equal(count(), others());
    const struct draw_cmd *one = draw_find_text(app_list(driver->app), "one model");
    assert_non_null(one);
    driver_click(driver, one->rect.x + 4, one->rect.y - 4);
    assert_int_equal(count(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COFFEE_CASE(all_models_of_the_languages_stand_side_by_side),
        COFFEE_CASE(a_model_is_put_beside_and_taken_away),
        COFFEE_CASE(one_more_than_have_room_is_refused),
        COFFEE_CASE(one_model_stands_at_two_temperatures),
        COFFEE_CASE(before_and_after_an_edit_stand_side_by_side),
        COFFEE_CASE(the_difference_is_that_of_the_shown_rows),
        COFFEE_CASE(what_has_no_difference_says_why),
        COFFEE_CASE(one_colour_is_one_alpha_in_all),
        COFFEE_CASE(a_column_is_pointed_at_in_all),
        COFFEE_CASE(a_small_window_says_who_is_missing),
        COFFEE_CASE(a_large_screen_draws_all_of_it),
        COFFEE_CASE(typing_never_waits_for_the_others),
        COFFEE_CASE(other_languages_leave_and_temperatures_stay),
        COFFEE_CASE(a_sheet_compares_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
