// SPDX-License-Identifier: MIT
// A training's history: the index, the plain listing, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "formats/history.h"

static struct model_dir *dates; // the bundled one
static struct model_dir made;   // only its path counts
static struct history history;
static char folder[] = "/tmp/alphascope-history-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[300];
    struct error err;
    snprintf(path, sizeof path, "%s/history/%s", folder, name);
    assert_true(file_write(path, text, strlen(text), &err));
}

static int open_all(void **state)
{
    (void)state;
    struct error err;
    char path[300];
    dates = model_dir_open(ALPHASCOPE_TESTS "/../models/dates", &err);
    if (!dates || !mkdtemp(folder))
        return -1;
    snprintf(made.path, sizeof made.path, "%s", folder);
    snprintf(path, sizeof path, "%s/history", folder);
    return mkdir(path, 0777);
}

static int close_all(void **state)
{
    (void)state;
    char line[300];
    model_dir_close(dates);
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}

static void the_bundled_one_is_in_order_and_opens(void **state)
{
    (void)state;
    struct error err;
    assert_true(history_read(&history, dates, &err));
    assert_true(history.count >= 25);
    assert_true(history.entries[0].step == 0);
    for (int i = 1; i < history.count; i++)
        assert_true(history.entries[i].step > history.entries[i - 1].step);
    const struct history_entry *last = &history.entries[history.count - 1];
    assert_true(last->exact >= 0.995f);
    assert_true(last->entropy_bits < history.entries[0].entropy_bits);
    for (int i = 0; i < history.count; i++) {
        struct checkpoint *checkpoint =
            checkpoint_open(dates, history.entries[i].file, &err);
        assert_non_null(checkpoint);
        checkpoint_close(checkpoint);
    }
    checkpoint_close(NULL);
}

static void the_last_checkpoint_is_the_model(void **state)
{
    (void)state;
    struct error err;
    assert_true(history_read(&history, dates, &err));
    struct checkpoint *last =
        checkpoint_open(dates, history.entries[history.count - 1].file, &err);
    assert_non_null(last);
    const struct tensor *a = &last->network.tgt_embed, *b = &dates->network.tgt_embed;
    size_t bytes = (size_t)a->rows * (size_t)a->cols * dtype_size(a->type);
    assert_memory_equal(a->data, b->data, bytes);
    checkpoint_close(last);
}

static void without_a_folder_there_is_none(void **state)
{
    (void)state;
    struct error err;
    struct model_dir nowhere = {.path = "/nowhere"};
    assert_true(history_read(&history, &nowhere, &err));
    assert_int_equal(history.count, 0);
}

static void without_an_index_the_files_are_taken(void **state)
{
    (void)state;
    struct error err;
    put("step-20.safetensors", "x");
    put("step-3.safetensors", "x");
    put("notes.txt", "x");
    assert_true(history_read(&history, &made, &err));
    assert_int_equal(history.count, 2);
    assert_true(history.entries[0].step == 3 && history.entries[1].step == 20);
    assert_true(isnan(history.entries[0].exact));
    assert_null(checkpoint_open(&made, "step-3.safetensors", &err));
    assert_non_null(strstr(err.text, "step-3.safetensors"));
}

static void a_bad_index_is_one_sentence(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "{}",
        "[{}]",
        "[{\"step\": 1}]",
        "[{\"file\": \"a.safetensors\"}]",
        "[{\"step\": -1, \"file\": \"a\"}]",
        "[{\"step\": 1.5, \"file\": \"a\"}]",
        "[{\"step\": 1, \"file\": \"../a\"}]",
        "[{\"step\": 1, \"file\": \"/etc/passwd\"}]",
        "[{\"step\": 1, \"file\": \"\"}]",
        "[{\"step\": 1, \"file\": 7}]",
        "[{\"step\": 1, \"file\": \"a\", \"exact\": \"much\"}]",
        "[{\"step\": 1, \"file\": \"a\", \"exact\": 1e999}]",
        "[{\"step\": 1, \"file\": \"a\", \"exact\": 1.5}]",
        "[{\"step\": 1, \"file\": \"a\", \"entropy_bits\": -1}]",
        "[{\"step\": 1, \"file\": \"a\"}] x",
        "[{\"step\": 1, \"file\": \"a\"}",
    };
    struct error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err.text[0] = '\0';
        put("index.json", bad[i]);
        assert_false(history_read(&history, &made, &err));
        assert_non_null(strstr(err.text, "index.json"));
        assert_int_equal(history.count, 0);
    }
}

static void too_many_entries_are_refused(void **state)
{
    (void)state;
    struct error err;
    struct buf text;
    buf_init(&text, 1 << 20);
    for (int i = 0; i <= HISTORY_MAX; i++)
        buf_printf(&text, "%c{\"step\": %d, \"file\": \"a\"}", i ? ',' : '[', i);
    buf_add(&text, "]");
    put("index.json", buf_text(&text));
    assert_false(history_read(&history, &made, &err));
    assert_non_null(strstr(err.text, "256"));
    buf_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bundled_one_is_in_order_and_opens),
        cmocka_unit_test(the_last_checkpoint_is_the_model),
        cmocka_unit_test(without_a_folder_there_is_none),
        cmocka_unit_test(without_an_index_the_files_are_taken),
        cmocka_unit_test(a_bad_index_is_one_sentence),
        cmocka_unit_test(too_many_entries_are_refused),
    };
    return cmocka_run_group_tests_name("history", tests, open_all, close_all);
}
