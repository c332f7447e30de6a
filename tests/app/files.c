// SPDX-License-Identifier: MIT
// See files.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

char folder[] = "/tmp/alphascope-files-XXXXXX";

int files_begin(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int files_end(void **state)
{
    (void)state;
    char line[200];
    snprintf(line, sizeof line, "%s", folder);
    return chdir("/") == 0 && rmdir(line) == 0 ? 0 : -1; // every test cleans up
}

int open_driver(void **state)
{
    (void)state;
    driver = driver_ready("en-fr-luong-dot", "The black cat sleeps.");
    return driver ? 0 : -1;
}

void put(const char *path, const char *text)
{
    struct error err;
    assert_true(file_write(path, text, strlen(text), &err));
}

const char *get(const char *path)
{
    static struct buf text;
    struct error err;
    buf_finish(&text);
    buf_init(&text, 1 << 22);
    if (!file_read(path, &text, &err))
        fail_msg("%s", err.text);
    return buf_text(&text);
}

void find(const char *text, float *x, float *y)
{
    const struct draw_cmd *cmd = draw_find_text(app_list(driver->app), text);
    assert_non_null(cmd);
    *x = cmd->rect.x + 2;
    *y = cmd->rect.y - 3;
}

// The banner's cross is the one that is drawn last.
uint64_t plain_hash(void)
{
    driver_frame(driver);
    const struct draw_list *list = app_list(driver->app);
    int i = list->count - 1;
    while (i > 0 && (list->cmds[i].kind != DRAW_TEXT ||
                     memcmp(list->bytes + list->cmds[i].offset, "×", 2) != 0))
        i--;
    if (*app_banner(driver->app))
        driver_click(driver, list->cmds[i].rect.x + 2, list->cmds[i].rect.y - 3);
    assert_string_equal(app_banner(driver->app), "");
    driver_move(driver, -1e6f, -1e6f);
    return driver_hash(driver);
}

void comes_back(void)
{
    static int turn;
    command("save a.alphascope");
    uint64_t shown = plain_hash();
    char *first = strdup(get("a.alphascope"));
    begin_again(turn % 3 ? NULL : "a.alphascope", NULL);
    assert_true((plain_hash() == shown) == (turn % 3 == 0));
    if (turn % 3 == 1)
        command("open a.alphascope");
    if (turn++ % 3 == 2)
        driver_drop(driver, "a.alphascope");
    assert_true(driver_settle(driver));
    assert_string_equal(app_banner(driver->app), "");
    assert_true(plain_hash() == shown);
    command("save b.alphascope");
    assert_string_equal(get("b.alphascope"), first);
    free(first);
    unlink("a.alphascope");
    unlink("b.alphascope");
}
