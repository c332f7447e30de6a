// SPDX-License-Identifier: MIT
// Bad input into the window: one sentence, nothing lost, the old picture stays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "driver.h"
#include "text/utf8.h"

static struct driver *driver;
static char folder[] = "/tmp/alphascope-bad-XXXXXX";

static int open_driver(void **state)
{
    (void)state;
    driver = driver_open(NULL, "The black cat sleeps.");
    return driver && driver_settle(driver) ? 0 : -1;
}

static int close_driver(void **state)
{
    (void)state;
    driver_close(driver);
    return 0;
}

// A folder with links to the files of a bundled model, but for `without`.
static void link_files(const char *model, const char *name, const char *without)
{
    static const char *const files[] = {"config.json", "model.safetensors", "source.spm",
                                        "target.spm"};
    char path[512], from[1024], to[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0777), 0);
    for (int i = 0; i < 4; i++) {
        if (without && !strcmp(files[i], without))
            continue;
        snprintf(from, sizeof from, "%s/%s/%s", ALPHASCOPE_TESTS, model, files[i]);
        snprintf(to, sizeof to, "%s/%s", path, files[i]);
        assert_int_equal(symlink(from, to), 0);
    }
}

static void link_model(const char *name, const char *without)
{
    link_files("../models/en-fr-luong-dot", name, without);
}

static void put_file(const char *name, const char *file, const char *bytes, size_t size)
{
    char path[1024];
    struct error err;
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    unlink(path);
    assert_true(file_write(path, bytes, size, &err));
}

static void drop(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    driver_drop(driver, path);
    assert_true(driver_settle(driver));
}

// The banner names the file and says this; the picture is what it was.
static void refuses(const char *name, const char *file, const char *words)
{
    drop(name);
    assert_non_null(strstr(app_banner(driver->app), file));
    assert_non_null(strstr(app_banner(driver->app), words));
    assert_null(strchr(app_banner(driver->app), '\n'));
    assert_true(driver_count(driver, "chat") >= 1);
    assert_true(driver_sees(driver, "RNNsearch"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    assert_string_equal(app_banner(driver->app), "");
}

static void broken_directories_leave_the_picture(void **state)
{
    (void)state;
    link_model("no-weights", "model.safetensors");
    refuses("no-weights", "model.safetensors", "");
    link_model("no-config", "config.json");
    refuses("no-config", "config.json", "");
    link_model("bad-config", "config.json");
    put_file("bad-config", "config.json", "{\"format\": 7}", 13);
    refuses("bad-config", "config.json", "format");
    link_model("lfs", "model.safetensors");
    static const char pointer[] =
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";
    put_file("lfs", "model.safetensors", pointer, sizeof pointer - 1);
    refuses("lfs", "model.safetensors", "lfs");
    link_model("garbage", "source.spm");
    put_file("garbage", "source.spm", "not a model", 11);
    refuses("garbage", "source.spm", "");
    refuses("nothing-here", "nothing-here", "");
    put_file(".", "half.json", "{\"format\": \"alphas", 18);
    refuses("half.json", "half.json",
            "neither the format of a session nor that of a sheet");
    put_file(".", "sheet.json", "{\"format\": \"alphascope-sheet\", \"ver", 35);
    refuses("sheet.json", "sheet.json", "");
}

static void a_good_directory_opens_beside_the_others(void **state)
{
    (void)state;
    link_model("mine", NULL);
    drop("mine");
    assert_string_equal(app_banner(driver->app), "");
    assert_true(driver_sees(driver, "Dot · mine"));
    assert_true(driver_sees(driver, "Additive"));
    assert_true(driver_sees(driver, "Luong dot"));
    assert_true(driver_count(driver, "chat") >= 1);
    drop("mine"); // the same place again: one button still
    assert_int_equal(driver_count(driver, "Dot · mine"), 1);
    link_model("other", NULL);
    link_model("other/mine", NULL); // another place of the same name
    drop("other/mine");
    assert_int_equal(driver_count(driver, "Dot · other/mine"), 1);
    link_model("config-only", NULL);
    drop("config-only/config.json");
    assert_true(driver_sees(driver, "Dot · config-only"));
    link_model("by-weights", NULL);
    drop("by-weights/model.safetensors");
    assert_true(driver_sees(driver, "Dot · by-weights"));
    assert_true(driver_command(driver, "model en-fr-bahdanau"));
    assert_true(driver_settle(driver));
}

// The largest floats everywhere, with both signs: finite weights whose sums are not.
static void numbers_that_overflow_are_said_not_drawn(void **state)
{
    (void)state;
    static const char model[] = "golden/models/tiny-additive-f32";
    struct error err;
    struct buf weights;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/model.safetensors", ALPHASCOPE_TESTS, model);
    buf_init(&weights, 64 << 20);
    assert_true(file_read(path, &weights, &err));
    unsigned char *bytes = (unsigned char *)weights.data;
    size_t header = 8 + (size_t)(bytes[0] | bytes[1] << 8 | bytes[2] << 16);
    for (size_t i = header; i + 4 <= weights.length; i += 4)
        memcpy(bytes + i, i % 12 ? "\xff\xff\x7f\x7f" : "\xff\xff\x7f\xff", 4);
    link_files(model, "huge", "model.safetensors");
    put_file("huge", "model.safetensors", weights.data, weights.length);
    buf_finish(&weights);
    snprintf(path, sizeof path, "%s/huge", folder);
    driver_drop(driver, path);
    driver_settle(driver);
    assert_non_null(strstr(app_banner(driver->app), "not finite"));
    assert_false(driver_sees(driver, "nan"));
    assert_false(driver_sees(driver, "inf"));
    assert_true(driver_command(driver, "model en-fr-bahdanau"));
    assert_true(driver_settle(driver));
    assert_true(driver_count(driver, "chat") >= 1);
}

static void the_newest_choice_of_a_model_wins(void **state)
{
    (void)state;
    char line[600];
    link_model("slow", NULL);
    snprintf(line, sizeof line, "model %s/slow", folder);
    assert_true(driver_command(driver, line));
    assert_true(driver_command(driver, "model en-fr-luong-general"));
    assert_true(driver_settle(driver));
    for (int i = 0; i < 5; i++) {
        app_settle(driver->app, 1000);
        driver_frame(driver);
    }
    assert_true(driver_sees(driver, "Luong general"));
}

static void a_hundred_thousand_characters_are_cut_and_it_is_said(void **state)
{
    (void)state;
    size_t used = 0;
    assert_true(driver_command(driver, "model copy") && driver_settle(driver)); // small
    while (used < 100000)
        used += (size_t)snprintf(driver->clipboard + used,
                                 sizeof driver->clipboard - used, "the cat and ");
    driver_key(driver, KEY_CHAR, 'a', MOD_CTRL);
    driver_key(driver, KEY_CHAR, 'v', MOD_CTRL);
    assert_non_null(strstr(app_banner(driver->app), "4096"));
    assert_true(driver_settle(driver));
    assert_non_null(strstr(app_banner(driver->app), "left out"));
    assert_int_equal(app_list(driver->app)->dropped, 0);
    driver_key(driver, KEY_DOWN, 0, 0);
    assert_true(driver_sees(driver, "looked back"));
    assert_true(driver_command(driver, "set-text The black cat sleeps."));
    assert_true(driver_command(driver, "model en-fr-bahdanau") && driver_settle(driver));
}

static void any_bytes_from_the_clipboard_are_text(void **state)
{
    (void)state;
    static const char *const pastes[] = {
        "broken \xff\xc3 bytes \xed\xa0\x80 here",
        "two\nlines\tand\r\ntabs",
        "👩‍👩‍👧‍👦 family and 🇫🇷",
        "مرحبا بالعالم",
        "e\xcc\x81\xcc\x81\xcc\x81 marks",
        "ሰላም 你好",
        ("\xe2\x80\xae"
         "backwards"),
    };
    for (size_t i = 0; i < sizeof pastes / sizeof *pastes; i++) {
        snprintf(driver->clipboard, sizeof driver->clipboard, "%s", pastes[i]);
        driver_key(driver, KEY_CHAR, 'a', MOD_CTRL);
        driver_key(driver, KEY_CHAR, 'v', MOD_CTRL);
        bool said = *app_banner(driver->app) != '\0';
        assert_int_equal(said, i == 0);
        assert_true(driver_settle(driver));
        assert_false(driver_sees(driver, "nothing to translate"));
    }
}

// It stands in the picture as one piece, or all of its characters do.
static bool is_kept(const char *word)
{
    size_t length = strlen(word);
    if (driver_count(driver, word) >= 1)
        return true;
    for (size_t at = 0; at < length;) {
        size_t next = utf8_next(word, length, at);
        const char *one = driver_words("%.*s", (int)(next - at), word + at);
        if (driver_count(driver, one) < 1)
            return false;
        at = next;
    }
    return true;
}

// A vocabulary has a piece for what is unknown, or one for each byte of it.
static void unknown_text_keeps_what_was_typed(void **state)
{
    (void)state;
    assert_true(driver_command(driver, "set-text ሰላም 你好"));
    assert_true(driver_settle(driver));
    assert_true(is_kept("ሰላም"));
    assert_true(is_kept("你好"));
    const char *tiny = "model " ALPHASCOPE_TESTS "/golden/models/tiny-additive-f32";
    assert_true(driver_command(driver, tiny) && driver_settle(driver));
    assert_true(driver_command(driver, "set-text ሰላም 你好"));
    assert_true(driver_settle(driver));
    assert_true(driver_count(driver, "ሰላም") >= 1);
    assert_true(driver_count(driver, "你好") >= 1);
}

// There is room for 15 bytes, and half a character is none.
static void a_typed_tau_is_made_of_whole_characters(void **state)
{
    (void)state;
    driver_key(driver, KEY_CHAR, 't', MOD_CTRL);
    driver_type(driver, "½½½½½½½½½½\xff");
    assert_true(driver_sees(driver, "½½½½½½½"));
    driver_key(driver, KEY_BACKSPACE, 0, 0);
    driver_type(driver, "\xff");
    for (int i = 0; i < app_list(driver->app)->count; i++) {
        const struct draw_cmd *cmd = &app_list(driver->app)->cmds[i];
        if (cmd->kind == DRAW_TEXT)
            assert_true(utf8_valid(
                (const char *)app_list(driver->app)->bytes + cmd->offset, cmd->length));
    }
    driver_key(driver, KEY_ENTER, 0, 0);
    assert_non_null(strstr(app_banner(driver->app), "tau: found '½"));
}

static void bad_commands_are_refused_with_a_sentence(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "nonsense",   "",         "tau",      "tau -1",   "tau nan",  "tau 1x",
        "mode maybe", "select x", "select 0", "theme",    "map pink", "shade none",
        "zoom big",   "zoom inf", "scorer",   "button 0", "model",
    };
    struct error err;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        err.text[0] = '\0';
        assert_false(app_command(driver->app, lines[i], &err));
        assert_true(strlen(err.text) > 8);
    }
}

static void a_refusal_goes_with_the_next_key(void **state)
{
    (void)state;
    driver_key(driver, KEY_CHAR, 'z', MOD_ALT);
    assert_non_null(strstr(app_banner(driver->app), "no edit to undo"));
    driver_key(driver, KEY_DOWN, 0, 0);
    assert_string_equal(app_banner(driver->app), "");
    driver_key(driver, KEY_CHAR, 'z', MOD_ALT);
    driver_key(driver, KEY_CHAR, 'y', MOD_ALT); // another one takes its place
    assert_non_null(strstr(app_banner(driver->app), "no edit to redo"));
    driver_drop(driver, "/nowhere/at/all"); // this one nobody asked for with a key
    assert_true(driver_settle(driver));
    assert_non_null(strstr(app_banner(driver->app), "/nowhere"));
    driver_key(driver, KEY_UP, 0, 0);
    assert_non_null(strstr(app_banner(driver->app), "/nowhere"));
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(broken_directories_leave_the_picture, open_driver,
                                        close_driver),
        cmocka_unit_test_setup_teardown(a_good_directory_opens_beside_the_others,
                                        open_driver, close_driver),
        cmocka_unit_test_setup_teardown(
            a_hundred_thousand_characters_are_cut_and_it_is_said, open_driver,
            close_driver),
        cmocka_unit_test_setup_teardown(numbers_that_overflow_are_said_not_drawn,
                                        open_driver, close_driver),
        cmocka_unit_test_setup_teardown(the_newest_choice_of_a_model_wins, open_driver,
                                        close_driver),
        cmocka_unit_test_setup_teardown(any_bytes_from_the_clipboard_are_text,
                                        open_driver, close_driver),
        cmocka_unit_test_setup_teardown(unknown_text_keeps_what_was_typed, open_driver,
                                        close_driver),
        cmocka_unit_test_setup_teardown(a_typed_tau_is_made_of_whole_characters,
                                        open_driver, close_driver),
        cmocka_unit_test_setup_teardown(bad_commands_are_refused_with_a_sentence,
                                        open_driver, close_driver),
        cmocka_unit_test_setup_teardown(a_refusal_goes_with_the_next_key, open_driver,
                                        close_driver),
    };
    int failed = cmocka_run_group_tests_name("bad input", tests, NULL, NULL);
    char line[600];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line) != 0 ? 1 : failed;
}
