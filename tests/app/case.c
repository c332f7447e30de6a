// SPDX-License-Identifier: MIT
// See case.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "case.h"

#include <string.h>

#include "app/state.h"

struct driver *driver;
const char coffee[] = "I would like a cup of coffee, please.";
const char long_text[] =
    "When the old man who lives next to the station came back from his long journey, he "
    "told the children that he had seen a house so beautiful that nobody would ever "
    "want to leave it.";

int open_coffee(void **state)
{
    (void)state;
    driver = driver_ready("en-fr-bahdanau", coffee);
    return driver ? 0 : -1;
}

int close_driver(void **state)
{
    (void)state;
    driver_close(driver);
    return 0;
}

void begin_again(const char *model, const char *text)
{
    driver_close(driver);
    driver = driver_ready(model, text);
    assert_non_null(driver);
}

void command(const char *line)
{
    struct error err;
    if (!app_command(driver->app, line, &err))
        fail_msg("%s: %s", line, err.text);
    assert_true(driver_settle(driver));
}

void refuse(const char *line, const char *words)
{
    struct error err = {0};
    uint64_t before = driver_hash(driver);
    assert_false(app_command(driver->app, line, &err));
    if (!strstr(err.text, words))
        fail_msg("%s: '%s' is not in: %s", line, words, err.text);
    driver_settle(driver); // where there is a picture to come
    assert_true(driver_hash(driver) == before);
}

void press(enum key which, char ch, unsigned mods)
{
    driver_key(driver, which, ch, mods);
    assert_true(driver_settle(driver));
}

void expect(const char *words)
{
    if (!driver_sees(driver, words))
        fail_msg("'%s' is not to be seen", words);
}

void expect_not(const char *words)
{
    if (driver_sees(driver, words))
        fail_msg("'%s' is to be seen", words);
}

int sightings(const char *words)
{
    const struct draw_list *list = app_list(driver->app);
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += list->cmds[i].kind == DRAW_TEXT &&
                 memmem(list->bytes + list->cmds[i].offset, list->cmds[i].length, words,
                        strlen(words));
    return count;
}

void click_text(const char *words)
{
    const struct draw_cmd *cmd = draw_find_text(app_list(driver->app), words);
    if (!cmd)
        fail_msg("'%s' is not to be seen", words);
    else
        driver_click(driver, cmd->rect.x + 2, cmd->rect.y - 4);
    assert_true(driver_settle(driver));
}

const struct draw_cmd *find_word(const char *text)
{
    const struct draw_list *list = app_list(driver->app);
    const struct draw_cmd *found = NULL;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind == DRAW_TEXT && cmd->length == strlen(text) &&
            !memcmp(list->bytes + cmd->offset, text, cmd->length) &&
            (!found || cmd->rect.x < 1070)) // not those of the microscope
            found = cmd;
    }
    assert_non_null(found);
    return found;
}

void click_word(const char *text)
{
    const struct draw_cmd *cmd = find_word(text);
    driver_click(driver, cmd->rect.x + 2, cmd->rect.y - 2);
    driver_move(driver, -1e6f, -1e6f);
}

void put_matrix(float (*cell)(int t, int s))
{
    struct show *show = &driver->app->show;
    int n = show->now->n_src;
    for (int t = 0; t < show->rows; t++)
        for (int s = 0; s < n; s++)
            show->now->alpha[t * n + s] = cell(t, s);
    show->begun++;
    show->stats.done = 0;
    driver_frame(driver);
}
