// SPDX-License-Identifier: MIT
// The attention of a Transformer in the window: which map is seen, all of them at a
// glance, and the encoder's block. The model is a small random one: 2 layers of 4 heads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

static int open_transformer(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/transformers/paper",
             getenv("ALPHASCOPE_TESTS"));
    driver = driver_ready(path, "the cat");
    return driver ? 0 : -1;
}

#define HEADS_CASE(name)                                                                 \
    cmocka_unit_test_setup_teardown(name, open_transformer, close_driver)

static char *matrix(void)
{
    command("copy matrix");
    command("dismiss");
    return strdup(driver->clipboard);
}

static void assert_matrix(const char *expected, bool same)
{
    char *found = matrix();
    assert_true((strcmp(found, expected) == 0) == same);
    free(found);
}

static void the_title_says_which_map_is_seen(void **state)
{
    (void)state;
    char *mean = matrix();
    expect("cross-attention, mean of 2 layers × 4 heads");
    command("attention cross 2 3");
    expect("cross-attention, layer 2 of 2, head 3 of 4");
    assert_matrix(mean, false);
    command("attention head max");
    expect("cross-attention, layer 2 of 2, maximum of 4 heads");
    expect("rows need not sum to 1");
    command("attention layer mean");
    command("attention head mean");
    assert_matrix(mean, true);
    press(KEY_CHAR, 'q', MOD_ALT);
    expect("cross-attention, layer 1 of 2, head 1 of 4");
    press(KEY_CHAR, 'q', MOD_ALT | MOD_SHIFT);
    expect("cross-attention, layer 2 of 2, head 4 of 4");
    free(mean);
}

static void what_is_not_there_is_refused_and_the_picture_kept(void **state)
{
    (void)state;
    command("attention cross 2 3");
    char *shown = matrix();
    uint64_t before = plain_hash();
    refuse("attention cross 9 1", "found layer '9', expected 1 to 2, mean or max");
    refuse("attention cross 1 5", "found head '5', expected 1 to 4, mean or max");
    refuse("attention layer 0", "found layer '0'");
    refuse("attention head -1", "found head '-1'");
    refuse("attention cross 1", "expected cross, encoder, decoder");
    refuse("attention sideways", "found 'sideways'");
    refuse("attention cross 1 1 1", "expected cross");
    refuse("attention ", "expected cross");
    refuse("attention page maybe", "expected on, off or toggle");
    refuse("attention sort colour", "expected grid, entropy, diagonal");
    refuse("attention pool 1", "expected mean, max or toggle");
    refuse("block 10", "a step from 1 to 9");
    refuse("block 0", "a step from 1 to 9");
    driver_frame(driver);
    assert_true(plain_hash() == before);
    assert_matrix(shown, true);
    free(shown);
}

static void a_recurrent_model_has_nothing_to_choose(void **state)
{
    (void)state;
    command("more on"); // what the bar has no room for
    assert_int_equal(driver_count(driver, "Heads"), 1);
    command("attention page on");
    command("model en-fr-luong-dot");
    command("more on");
    assert_int_equal(driver_count(driver, "Heads"), 0);
    command("more off");
    assert_false(driver_sees(driver, "encoder self"));
    refuse("attention cross 1 1", "this model has one attention");
    refuse("attention page on", "this model has one attention");
    refuse("block on", "this model is recurrent");
    press(KEY_CHAR, 'i', MOD_CTRL);
    assert_string_equal(app_banner(driver->app),
                        "block: this model is recurrent, it has no encoder block");
}

static void self_attention_has_its_own_words(void **state)
{
    (void)state;
    command("attention encoder 1 2");
    expect("encoder self-attention, layer 1 of 2, head 2 of 4");
    expect("τ acts on cross-attention only");
    char *encoder = matrix();
    assert_int_equal(driver_count(driver, "h"), 2); // a row and a column
    command("tau 0.3");
    assert_matrix(encoder, true);
    refuse("what-if cell 1 1 0.5", "edits act on the cross-attention");
    command("word-list on");
    expect("self-attention stays in one");
    command("word-list off");
    command("attention decoder 1 2");
    expect("decoder self-attention, layer 1 of 2, head 2 of 4");
    expect("empty or ×: masked");
    expect("<s>");
    command("view merge sum");
    command("view transpose on");
    command("view special hide");
    command("view ribbon on");
    expect("decoder self-attention");
    command("view reset");
    command("attention cross 1 2");
    char *sharp = matrix();
    command("tau 1");
    assert_matrix(sharp, false);
    free(sharp);
    free(encoder);
}

static void a_map_of_several_heads_has_no_scores(void **state)
{
    (void)state;
    command("select 2");
    expect("Every head has its own scores");
    assert_false(driver_sees(driver, "nan"));
    command("microscope steps");
    expect("Every head has its own scores");
    command("attention cross 1 1");
    expect("− max");
    assert_false(driver_sees(driver, "nan"));
    command("attention encoder 1 1");
    command("select 2");
    expect("How “h” reads");
    assert_false(driver_sees(driver, "nan"));
}

// The lines that say why there are no scores leave less room for those of the weights.
static void what_several_heads_read_stays_in_its_frame(void **state)
{
    (void)state;
    driver_type(driver, " and the dog and the cat and the dog and the cat");
    assert_true(driver_settle(driver));
    command("select 2");
    expect("Every head has its own scores");
    const struct draw_list *list = app_list(driver->app);
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind == DRAW_TEXT && cmd->rect.x > 1070)
            assert_false(cmd->rect.y > 768 && cmd->rect.y < 800);
    }
}

static void the_page_opens_a_head_by_key_and_by_click(void **state)
{
    (void)state;
    float x, y;
    press(KEY_CHAR, 'h', MOD_CTRL);
    expect("head 4");
    expect("layer 2");
    press(KEY_UP, 0, 0);
    press(KEY_UP, 0, 0);
    press(KEY_PAGE_UP, 0, 0);
    expect("cross-attention, layer 1 of 2, head 4 of 4:");
    press(KEY_ENTER, 0, 0);
    assert_false(driver_sees(driver, "layer × head"));
    expect("cross-attention, layer 1 of 2, head 4 of 4");
    press(KEY_CHAR, 'h', MOD_CTRL);
    find("head 2", &x, &y);
    driver_click(driver, x + 10, y + 20);
    assert_true(driver_settle(driver));
    expect("cross-attention, layer 1 of 2, head 2 of 4");
    assert_false(driver_sees(driver, "layer × head"));
    press(KEY_CHAR, 'k', MOD_CTRL);
    expect("encoder self-attention, layer 1 of 2, head 2 of 4");
    press(KEY_CHAR, 'h', MOD_CTRL);
    press(KEY_ESCAPE, 0, 0);
    assert_false(driver_sees(driver, "layer × head"));
}

// The numbers below the maps, in the order in which they stand.
static int readings(int which, float out[8])
{
    const struct draw_list *list = app_list(driver->app);
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        char text[128];
        float read[3];
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind != DRAW_TEXT || cmd->length >= sizeof text)
            continue;
        memcpy(text, list->bytes + cmd->offset, cmd->length);
        text[cmd->length] = '\0';
        if (sscanf(text, "%f bits ↘ %f ⏎ %f%%", &read[0], &read[1], &read[2]) == 3 &&
            count < 8)
            out[count++] = read[which];
    }
    return count;
}

static void heads_are_sorted_by_what_they_read(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        float sign;
    } sorts[] = {{"attention sort entropy", 1},
                 {"attention sort diagonal", 1},
                 {"attention sort special", -1}};
    float found[8];
    command("attention cross 2 3");
    command("attention page on");
    for (int i = 0; i < 3; i++) {
        command(sorts[i].line);
        assert_int_equal(readings(i, found), 8);
        for (int k = 1; k < 8; k++)
            assert_true(sorts[i].sign * (found[k] - found[k - 1]) >= 0);
        assert_true(sorts[i].sign * (found[7] - found[0]) > 0);
    }
    press(KEY_CHAR, 'l', MOD_CTRL);
    expect("head 1");
    press(KEY_CHAR, 'p', MOD_CTRL);
    assert_int_equal(driver_count(driver, "max"), 3); // switch, column, row
}

// 2 layers and their mean by 4 heads and theirs, and the line of the chosen one.
static void all_maps_are_read_in_one_form(void **state)
{
    (void)state;
    bool some = false, all = false;
    command("attention page on");
    for (float w = 700; w <= 1300; w += 4) {
        driver->input.width = w;
        driver_frame(driver);
        int spelt = sightings(" bits   ↘ ");
        assert_true(spelt == 1 || spelt == 16);
        some = some || spelt == 1;
        all = all || spelt == 16;
    }
    assert_true(some && all);
}

static void another_search_and_sides_keep_the_choice(void **state)
{
    (void)state;
    command("attention decoder 2 1");
    command("beam 3");
    expect("decoder self-attention, layer 2 of 2, head 1 of 4");
    char *best = matrix();
    command("beam show 2");
    expect("decoder self-attention, layer 2 of 2, head 1 of 4");
    command("beam show 1");
    assert_matrix(best, true);
    command("beam off");
    command("attention cross 2 1");
    command("beside tau 0.25");
    expect("τ = 0.25 · layer 2 of 2, head 1 of 4");
    command("set-text ");
    command("attention page on");
    expect("nothing to translate yet");
    command("block on");
    expect("nothing to translate yet");
    command("set-text fox");
    expect("f");
    free(best);
}

// Saved, disturbed and opened again.
static void opens_again(void)
{
    uint64_t shown = plain_hash();
    command("save a.alphascope");
    command("dismiss");
    command("attention cross 1 1");
    command("attention sort grid");
    command("attention pool mean");
    command("set-text dog");
    command("block 2");
    command("open a.alphascope");
    assert_string_equal(app_banner(driver->app), "");
    assert_true(plain_hash() == shown);
    unlink("a.alphascope");
}

static void a_session_brings_the_map_and_the_page_back(void **state)
{
    (void)state;
    command("attention encoder 2 max");
    command("select 3");
    opens_again();
    command("attention pool max");
    command("attention decoder 2 3");
    command("attention sort diagonal");
    command("attention page on");
    opens_again();
    command("attention encoder 2 3");
    command("select 5");
    command("block 4");
    opens_again();
}

// 70 positions, of which 68 are used.
static void a_sentence_without_positions_keeps_the_picture(void **state)
{
    (void)state;
    char path[4096], line[128] = "set-text ";
    snprintf(path, sizeof path, "open %s/golden/transformers/learned",
             getenv("ALPHASCOPE_TESTS"));
    command(path);
    char *before = matrix();
    memset(line + strlen(line), 'a', 80);
    command(line);
    expect("the sentence has 81 tokens, config.json's field 'position_count' is 70, "
           "of which the first 2 are not used");
    assert_matrix(before, true);
    command("save a.alphascope");
    command("set-text the cat");
    command("open a.alphascope");
    expect("the sentence has 81 tokens");
    assert_matrix(before, true);
    command("set-text the dog");
    assert_matrix(before, false);
    unlink("a.alphascope");
    free(before);
}

static void the_block_is_told_a_key_a_step(void **state)
{
    (void)state;
    static const char *const formulas[] = {"√d · E[t]",
                                           "x = √d · E + P(0)",
                                           "x,   k = ",
                                           "e",
                                           "αⱼ = exp(eⱼ) / Σ exp(e)",
                                           "z = Σ αⱼ vⱼ",
                                           " [z₁ ; … ; z",
                                           "x′ = LN(x + y)",
                                           "x″ = LN("};
    press(KEY_CHAR, 'i', MOD_CTRL);
    for (int i = 0; i < 9; i++) {
        expect("“t”, position 1 of 8   ·   encoder layer 1 of 2, head 1 of 4");
        expect(formulas[i]);
        press(KEY_PAGE_DOWN, 0, 0);
    }
    press(KEY_PAGE_UP, 0, 0);
    expect("x′ = LN(x + y)");
    press(KEY_DOWN, 0, 0);
    press(KEY_CHAR, 'q', MOD_ALT);
    expect("“h”, position 2 of 8   ·   encoder layer 1 of 2, head 2 of 4");
    driver_type(driver, "s");
    assert_true(driver_settle(driver));
    expect("“h”, position 2 of 9");
    press(KEY_ESCAPE, 0, 0);
    expect("encoder self-attention, layer 1 of 2, head 2 of 4");
    press(KEY_CHAR, 'i', MOD_CTRL);
    press(KEY_CHAR, 'k', MOD_CTRL);
    expect("decoder self-attention, layer 1 of 2, head 2 of 4");
}

// The text that has these words, until the next call with the same place.
static const char *line_with(char *out, size_t size, const char *words)
{
    const struct draw_list *list = app_list(driver->app);
    const struct draw_cmd *cmd = draw_find_text(list, words);
    if (!cmd)
        fail_msg("not on the screen: %s", words);
    snprintf(out, size, "%.*s", (int)cmd->length, (char *)list->bytes + cmd->offset);
    return out;
}

// The worker makes the numbers; until they are there the old ones stand under the old
// title, however fast one goes on.
static void numbers_of_the_block_stay_with_their_words(void **state)
{
    (void)state;
    enum { POSITIONS = 8, KEYS = 60 };
    char titles[POSITIONS][160], numbers[POSITIONS][160], title[160], number[160];
    command("block 8");
    for (int i = 0; i < POSITIONS; i++) {
        line_with(titles[i], sizeof titles[i], ", position ");
        line_with(numbers[i], sizeof numbers[i], "standard deviation");
        assert_true(!i || strcmp(titles[i], titles[i - 1]) != 0);
        assert_true(!i || strcmp(numbers[i], numbers[i - 1]) != 0);
        press(KEY_DOWN, 0, 0);
    }
    for (int k = 0; k < KEYS; k++) {
        int at = 0;
        driver_key(driver, k / POSITIONS % 2 ? KEY_DOWN : KEY_UP, 0, 0);
        line_with(title, sizeof title, ", position ");
        line_with(number, sizeof number, "standard deviation");
        while (at < POSITIONS && strcmp(titles[at], title) != 0)
            at++;
        assert_in_range(at, 0, POSITIONS - 1);
        assert_string_equal(number, numbers[at]);
    }
    command("select 3");
    assert_string_equal(line_with(title, sizeof title, ", position "), titles[2]);
    driver_type(driver, "s"); // another sentence is on its way
    assert_string_equal(line_with(title, sizeof title, ", position "), titles[2]);
    assert_true(driver_settle(driver));
    expect("position 3 of 9");
}

// The choice was made for the model before, which had more heads.
static void the_block_follows_to_another_model(void **state)
{
    (void)state;
    char path[4096];
    command("attention encoder 2 4");
    command("block 1");
    expect("encoder layer 2 of 2, head 4 of 4");
    snprintf(path, sizeof path, "open %s/golden/transformers/learned",
             getenv("ALPHASCOPE_TESTS"));
    command(path);
    expect("layer 2, head 4 is not of this model");
    press(KEY_CHAR, 'q', MOD_ALT);
    expect("encoder layer 2 of 2, head 1 of 2");
    command("attention encoder 1 1");
    expect("encoder layer 1 of");
}

static void what_the_block_cannot_tell_it_says(void **state)
{
    (void)state;
    command("what-if shuffle 3");
    command("block on");
    expect("the sentence is shuffled by an edit");
    command("what-if clear");
    expect("√d · E[");
    command("set-text the quick brown fox jumps over the lazy dog and over the fox");
    command("select 40");
    command("block 4");
    expect("position 40 of 61");
    expect("more, Σα = ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEADS_CASE(the_title_says_which_map_is_seen),
        HEADS_CASE(what_is_not_there_is_refused_and_the_picture_kept),
        HEADS_CASE(a_recurrent_model_has_nothing_to_choose),
        HEADS_CASE(self_attention_has_its_own_words),
        HEADS_CASE(a_map_of_several_heads_has_no_scores),
        HEADS_CASE(what_several_heads_read_stays_in_its_frame),
        HEADS_CASE(the_page_opens_a_head_by_key_and_by_click),
        HEADS_CASE(heads_are_sorted_by_what_they_read),
        HEADS_CASE(all_maps_are_read_in_one_form),
        HEADS_CASE(another_search_and_sides_keep_the_choice),
        HEADS_CASE(a_session_brings_the_map_and_the_page_back),
        HEADS_CASE(a_sentence_without_positions_keeps_the_picture),
        HEADS_CASE(the_block_is_told_a_key_a_step),
        HEADS_CASE(numbers_of_the_block_stay_with_their_words),
        HEADS_CASE(the_block_follows_to_another_model),
        HEADS_CASE(what_the_block_cannot_tell_it_says),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
