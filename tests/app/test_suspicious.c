// SPDX-License-Identifier: MIT
// Matrices that an engineer may bring to find out what is wrong with them: what the
// window and the file say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "case.h"
#include "formats/write.h"

// Everything that is written on the screen, one after the other: a sentence may have
// been broken into lines.
static bool says(const char *sentence)
{
    static char all[1 << 16];
    const struct draw_list *list = app_list(driver->app);
    size_t used = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind != DRAW_TEXT || cmd->length + 2 > sizeof all - used)
            continue;
        memcpy(all + used, list->bytes + cmd->offset, cmd->length);
        used += cmd->length;
        all[used++] = ' ';
    }
    all[used] = '\0';
    return strstr(all, sentence) != NULL;
}

// The same sentence in the window, with that row chosen, and in the JSON.
static void expect_both(int row, const char *sentence)
{
    struct buf json;
    char select[32];
    const struct alignment *now = driver->app->show.now;
    struct reading reading = {
        .alignment = now, .alpha = now->alpha, .tau = 1, .mode = "re-read"};
    buf_init(&json, 1 << 20);
    assert_true(write_json(&json, &reading, NULL));
    if (!strstr(buf_text(&json), sentence))
        fail_msg("not in the JSON: %s", sentence);
    buf_finish(&json);
    snprintf(select, sizeof select, "select %d", row);
    command("readings row");
    command(select);
    if (!says(sentence))
        fail_msg("not on the screen: %s", sentence);
}

static int columns(void)
{
    return driver->app->show.now->n_src;
}

static int rows(void)
{
    return alignment_rows(driver->app->show.now);
}

// All but 5 % on one column.
static float mostly(int column, int s)
{
    return s == column ? 0.95f : 0.05f / (float)(columns() - 1);
}

static float on_the_end(int t, int s)
{
    (void)t;
    return mostly(columns() - 1, s);
}

static float on_the_last_token(int t, int s)
{
    (void)t;
    return mostly(columns() - 2, s);
}

static float turned(int t, int s)
{
    (void)t;
    (void)s;
    return 1.0f / (float)rows();
}

static float drifting(int t, int s)
{
    return s == (t < 3 ? 0 : 5) ? 1 : 0;
}

static void a_matrix_that_reads_the_end_alone(void **state)
{
    (void)state;
    char text[120];
    put_matrix(on_the_end);
    assert_true(rows() >= 7);
    snprintf(text, sizeof text,
             "Collapsed: 95 %% of this row is on column %d (⏎), which earlier rows have "
             "already read 3.8 times.",
             columns());
    expect_both(5, text);
    // 2.85 times is not yet too often
    assert_int_equal(driver_count(driver, "▮"), rows() - 4);
    command("readings matrix");
    assert_true(says("on ⏎ and the like 95 % share of all α; much is a sink"));
}

static void a_matrix_that_collapsed_onto_the_last_token(void **state)
{
    (void)state;
    char text[120];
    put_matrix(on_the_last_token);
    snprintf(text, sizeof text,
             "Collapsed: 95 %% of this row is on column %d (.), which earlier rows have "
             "already read 5.7 times.", // 6 · 0.95
             columns() - 1);
    expect_both(7, text);
    command("readings matrix");
    assert_true(says("on the last token 95 %"));
}

static void a_transposed_matrix(void **state)
{
    (void)state;
    put_matrix(turned);
    expect_both(1, "The columns sum to 1 and the rows do not: the matrix seems to be "
                   "transposed.");
    char text[120];
    assert_true(rows() > columns());
    snprintf(text, sizeof text,
             "Row 1 sums to %.3f, not 1: columns may be missing, or dropout was on.",
             (double)columns() / rows());
    expect_both(1, text);
    assert_int_equal(driver_count(driver, "!"), rows());
}

static void a_row_that_wanders_off(void **state)
{
    (void)state;
    put_matrix(drifting);
    expect_both(4,
                "Drifting: this row reads 4.0 columns away from what earlier rows have "
                "read.");
    assert_int_equal(driver_count(driver, "→"), 1);
    assert_int_equal(driver_count(driver, "!"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COFFEE_CASE(a_matrix_that_reads_the_end_alone),
        COFFEE_CASE(a_matrix_that_collapsed_onto_the_last_token),
        COFFEE_CASE(a_transposed_matrix),
        COFFEE_CASE(a_row_that_wanders_off),
    };
    return cmocka_run_group_tests_name("suspicious", tests, NULL, NULL);
}
