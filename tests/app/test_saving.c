// SPDX-License-Identifier: MIT
// Saving, copying, sessions: what leaves the window is what it shows, what comes back
// looks the same, and what cannot be done leaves files and picture as they were.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "driver.h"

static struct driver *driver;
static char folder[] = "/tmp/alphascope-saving-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char line[200];
    snprintf(line, sizeof line, "%s", folder);
    return chdir("/") == 0 && rmdir(line) == 0 ? 0 : -1; // every test cleans up
}

static int open_driver(void **state)
{
    (void)state;
    driver = driver_ready("en-fr-luong-dot", "The black cat sleeps.");
    return driver ? 0 : -1;
}

static int close_driver(void **state)
{
    (void)state;
    driver_close(driver);
    return 0;
}

static void command(const char *line)
{
    struct error err;
    if (!app_command(driver->app, line, &err))
        fail_msg("%s: %s", line, err.text);
    assert_true(driver_settle(driver));
}

static void refuse(const char *line, const char *word)
{
    struct error err;
    assert_false(app_command(driver->app, line, &err));
    if (!strstr(err.text, word))
        fail_msg("'%s' is not in: %s", word, err.text);
}

static void put(const char *path, const char *text)
{
    struct error err;
    assert_true(file_write(path, text, strlen(text), &err));
}

static const char *get(const char *path)
{
    static struct buf text;
    struct error err;
    buf_finish(&text);
    buf_init(&text, 1 << 22);
    if (!file_read(path, &text, &err))
        fail_msg("%s", err.text);
    return buf_text(&text);
}

static uint64_t plain_hash(void)
{
    if (*app_banner(driver->app))
        driver_command(driver, "dismiss");
    driver_frame(driver);
    return driver_hash(driver);
}

static void begin_again(const char *model, const char *text)
{
    driver_close(driver);
    driver = driver_ready(model, text);
    assert_non_null(driver);
}

// Saves the session, opens it in a new window: the same picture, and the same file.
static void comes_back(void)
{
    command("save a.alphascope");
    uint64_t shown = plain_hash();
    char *first = strdup(get("a.alphascope"));
    begin_again(NULL, NULL);
    assert_true(plain_hash() != shown);
    command("open a.alphascope");
    assert_string_equal(app_banner(driver->app), "");
    assert_true(plain_hash() == shown);
    command("save b.alphascope");
    assert_string_equal(get("b.alphascope"), first);
    begin_again("a.alphascope", NULL); // as an argument of the program
    assert_true(plain_hash() == shown);
    driver_drop(driver, "b.alphascope");
    assert_true(driver_settle(driver) && plain_hash() == shown);
    free(first);
    unlink("a.alphascope");
    unlink("b.alphascope");
}

static void a_session_reopens_to_the_same_picture(void **state)
{
    (void)state;
    command("tau 0.3");
    command("theme light");
    command("map cividis");
    command("shade row maximum");
    command("select 2");
    comes_back();
    command("mode re-decode");
    command("set-text I would like a cup of coffee, please.");
    command("tau inf");
    command("select none");
    comes_back();
    command("set-text ");
    comes_back();
}

static void two_models_and_a_step_of_training_come_back(void **state)
{
    (void)state;
    command("beside en-fr-bahdanau");
    command("select last");
    comes_back();
    command("beside en-fr-bahdanau");
    command("beside all");
    command("beside en-fr-rnnencdec"); // away again
    command("beside tau 0.25");
    command("beside before");
    comes_back();
    command("beside off");
    command("beside tau 0.7");
    command("difference on");
    comes_back();
    command("model dates");
    command("checkpoint 12");
    command("select 2");
    comes_back();
}

static void every_way_to_look_comes_back(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "set-text The extraordinarily black caterpillars sleep, I would like to think.",
        "select 3",
        "select extend 5",
        "column 2",
        "column extend 4",
        "view hard on",
        "view top 3",
        "view special hide",
        NULL, // here it comes back
        "view merge max",
        "matrix zoom 2.5",
        "matrix pan 1.5 2",
        NULL,
        "select 2",
        "matrix pan 3 3",
        NULL,
        "view transpose on",
        NULL,
        "view transpose off",
        "view merge sum",
        "view ribbon on",
        "column none",
        NULL,
        "view ribbon off",
        "readings row",
        "word-list on",
        NULL,
        "readings matrix",
        "word-list off",
        "model1 on",
        NULL,
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i])
            command(lines[i]);
        else
            comes_back();
    command("view menu"); // no part of the picture
    uint64_t menu = plain_hash();
    command("save a.alphascope");
    command("open a.alphascope");
    assert_true(plain_hash() == menu);
    assert_null(strstr(get("a.alphascope"), "menu"));
    unlink("a.alphascope");
}

static void typing_leaves_its_cells(void **state)
{
    (void)state;
    command("set-text one two three four five six seven eight nine ten eleven twelve");
    command("set-text one two three four five six"); // cells stay small
    comes_back();
}

static void a_session_ends_what_it_does_not_hold(void **state)
{
    (void)state;
    command("save a.alphascope");
    uint64_t shown = plain_hash();
    command("beside en-fr-bahdanau");
    command("bottleneck");
    command("set-text Hello.");
    command("open a.alphascope");
    assert_true(plain_hash() == shown);
    unlink("a.alphascope");
}

static void unknown_keys_are_kept(void **state)
{
    (void)state;
    static const char old[] =
        "{\"format\": \"alphascope-session\", \"version\": 1, \"who\": {\"a\": [1.50]},\n"
        " \"text\": \"A cat.\", \"model\": {\"id\": \"en-fr-bahdanau\", \"size\": 7}}";
    put("a.alphascope", old);
    command("open a.alphascope");
    command("tau 2");
    command("save a.alphascope");
    const char *text = get("a.alphascope");
    assert_non_null(strstr(text, "\"who\": {\"a\": [1.50]}"));
    assert_non_null(strstr(text, "\"size\": 7}"));
    assert_non_null(strstr(text, "\"tau\": 2"));
    assert_non_null(strstr(text, "\"A cat.\""));
    unlink("a.alphascope");
}

// Opens what was put into a file; the picture stays, and one sentence says why.
static void stays(const char *text, const char *word)
{
    uint64_t before = plain_hash();
    put("bad.alphascope", text);
    driver_drop(driver, "bad.alphascope");
    assert_true(driver_settle(driver));
    if (!strstr(app_banner(driver->app), word))
        fail_msg("'%s' is not in: %s", word, app_banner(driver->app));
    assert_true(plain_hash() == before);
    refuse("open bad.alphascope", word);
    unlink("bad.alphascope");
}

#define HEAD "{\"format\": \"alphascope-session\", \"version\": 1, \"text\": \"A dog.\""
#define MODEL ", \"model\": {\"id\": \"en-fr-bahdanau\"}"

static void what_cannot_be_opened_leaves_the_picture(void **state)
{
    (void)state;
    stays(HEAD ", \"model\": {\"id\": \"no-such\"}}", "'no-such' is not a bundled one");
    stays(HEAD ", \"model\": {\"id\": \"no-such\", \"path\": \"gone/no-such\"}}",
          "gone/no-such is not there");
    stays("{\"format\": \"alphascope-session\", \"version\": 2}", "newer alphascope");
    stays(HEAD MODEL ", \"view\": [\"theme light\", \"quit\"]}", "'quit'");
    stays(HEAD MODEL ", \"view\": [\"save x.png\"]}", "'save x.png'");
    stays(HEAD MODEL ", \"edits\": [\"edit 99 1 0.5\"]}", "'edit 99 1 0.5'");
    stays(HEAD "}", "'model' is missing");
    stays("", "bad.alphascope");
    refuse("open nowhere.alphascope", "nowhere.alphascope");
    refuse("open ", "path");
    assert_int_equal(mkdir("dir.alphascope", 0777), 0);
    refuse("open dir.alphascope", "directory");
    rmdir("dir.alphascope");
}

static void a_model_that_is_broken_leaves_the_picture(void **state)
{
    (void)state;
    uint64_t before = plain_hash();
    assert_int_equal(mkdir("broken", 0777), 0);
    put("a.alphascope", HEAD ", \"model\": {\"id\": \"b\", \"path\": \"broken\"}}");
    driver_drop(driver, "a.alphascope");
    assert_true(driver_settle(driver));
    assert_non_null(strstr(app_banner(driver->app), "config.json"));
    assert_true(plain_hash() == before);
    rmdir("broken");
    unlink("a.alphascope");
}

static void other_weights_are_said(void **state)
{
    (void)state;
    put("a.alphascope", HEAD ", \"model\": {\"id\": \"en-fr-luong-dot\", \"hash\": "
                             "\"xxh3:0000000000000000\"}}");
    command("open a.alphascope");
    assert_non_null(strstr(app_banner(driver->app), "other weights of en-fr-luong-dot"));
    driver_frame(driver);
    assert_true(driver_sees(driver, "A dog."));
    unlink("a.alphascope");
}

static void a_line_that_fails_is_said_and_the_rest_is_shown(void **state)
{
    (void)state;
    put("a.alphascope", HEAD MODEL ", \"view\": [\"map pink\", \"select 1\"]}");
    command("open a.alphascope");
    assert_non_null(strstr(app_banner(driver->app), "a.alphascope: map: found 'pink'"));
    assert_true(driver_sees(driver, "row 1 of"));
    unlink("a.alphascope");
}

static void another_choice_ends_a_session_on_its_way(void **state)
{
    (void)state;
    put("a.alphascope", HEAD ", \"model\": {\"id\": \"en-fr-luong-general\"}}");
    assert_true(driver_command(driver, "open a.alphascope"));
    assert_true(driver_command(driver, "model en-fr-rnnencdec"));
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "The black cat sleeps."));
    assert_true(driver_sees(driver, "RNNencdec"));
    unlink("a.alphascope");
}

static void link_model(const char *to)
{
    static const char *const files[] = {"config.json", "model.safetensors", "source.spm",
                                        "target.spm"};
    assert_int_equal(mkdir(to, 0777), 0);
    for (int i = 0; i < 4; i++) {
        char from[400], path[400];
        snprintf(from, sizeof from, "%s/../models/copy/%s", ALPHASCOPE_TESTS, files[i]);
        snprintf(path, sizeof path, "%s/%s", to, files[i]);
        assert_int_equal(symlink(from, path), 0);
    }
}

static void drop_model(const char *name)
{
    char line[300];
    static const char *const files[] = {"config.json", "model.safetensors", "source.spm",
                                        "target.spm"};
    for (int i = 0; i < 4; i++) {
        snprintf(line, sizeof line, "%s/%s", name, files[i]);
        unlink(line);
    }
    rmdir(name);
}

static void a_model_of_ones_own_moves_with_its_session(void **state)
{
    (void)state;
    assert_int_equal(mkdir("one", 0777), 0);
    link_model("one/mine");
    command("model one/mine");
    command("set-text abc");
    command("save one/a.alphascope");
    uint64_t shown = plain_hash();
    assert_non_null(strstr(get("one/a.alphascope"), "\"path\": \"mine\""));
    assert_int_equal(rename("one", "two"), 0);
    begin_again(NULL, NULL);
    command("open two/a.alphascope");
    assert_string_equal(app_banner(driver->app), "");
    assert_true(plain_hash() == shown);
    command("save b.alphascope");
    assert_non_null(strstr(get("b.alphascope"), "\"path\": \"two/mine\""));
    assert_int_equal(mkdir("far", 0777), 0);
    command("save far/c.alphascope");
    assert_non_null(strstr(get("far/c.alphascope"), "two/mine\""));
    assert_non_null(strstr(get("far/c.alphascope"), "\"path\": \"/"));
    unlink("far/c.alphascope");
    unlink("b.alphascope");
    unlink("two/a.alphascope");
    drop_model("two/mine");
    rmdir("two");
    rmdir("far");
}

static void a_newer_session_is_not_written_over(void **state)
{
    (void)state;
    static const char newer[] = "{\"format\": \"alphascope-session\", \"version\": 9}";
    put("a.alphascope", newer);
    refuse("save a.alphascope", "left as it is");
    assert_string_equal(get("a.alphascope"), newer);
    put("a.alphascope", "no session"); // any other file is replaced
    command("save a.alphascope");
    assert_non_null(strstr(get("a.alphascope"), "alphascope-session"));
    unlink("a.alphascope");
}

static void every_format_says_where_it_went(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"cat.png", "png "},          {"cat.svg", "svg "},
        {"cat.pdf", "pdf "},          {"cat.json", "{\"text\":\"The black cat sleeps.\""},
        {"cat.tsv", "target\tThe"},   {"cat.txt", "  "},
        {"cat.pharaoh", "▁Le ▁chat"}, {"cat.soft", "▁Le ▁chat"},
        {"cat.ALPHASCOPE", "{\n"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[64], said[200];
        snprintf(line, sizeof line, "save %s", names[i][0]);
        command(line);
        snprintf(said, sizeof said, "saved as %s/%s", folder, names[i][0]);
        assert_string_equal(app_banner(driver->app), said);
        if (strncmp(get(names[i][0]), names[i][1], strlen(names[i][1])) != 0)
            fail_msg("%s: %.80s", names[i][0], get(names[i][0]));
        unlink(names[i][0]);
    }
}

static void what_is_saved_is_what_is_shown(void **state)
{
    (void)state;
    command("save a.tsv");
    command("save a.png");
    char *matrix = strdup(get("a.tsv")), *picture = strdup(get("a.png"));
    uint64_t shown = plain_hash();
    driver_move(driver, 300, 400); // the pointer is no part of it
    command("save b.png");
    assert_string_equal(get("b.png"), picture);
    driver_move(driver, -1e6f, -1e6f);
    assert_true(plain_hash() == shown); // and saving changes nothing
    command("copy matrix");
    assert_string_equal(driver->clipboard, matrix);
    command("tau 0");
    command("save b.tsv");
    command("save b.png");
    assert_string_not_equal(get("b.tsv"), matrix);
    assert_string_not_equal(get("b.png"), picture);
    command("copy matrix");
    assert_string_equal(driver->clipboard, get("b.tsv"));
    command("tau 1");
    command("theme light");
    command("save b.png");
    assert_string_not_equal(get("b.png"), picture);
    refuse("copy picture", "expected matrix");
    free(matrix);
    free(picture);
    unlink("a.tsv");
    unlink("a.png");
    unlink("b.tsv");
    unlink("b.png");
}

static void nothing_is_lost_when_saving_fails(void **state)
{
    (void)state;
    static const char *const endings[] = {".png",     ".svg",  ".pdf",
                                          ".json",    ".tsv",  ".txt",
                                          ".pharaoh", ".soft", ".alphascope"};
    struct rlimit kept, tiny;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    tiny = (struct rlimit){8, kept.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    uint64_t before = plain_hash();
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char line[100], name[40];
        snprintf(name, sizeof name, "cat%s", endings[i]);
        put(name, "old");
        snprintf(line, sizeof line, "save %s", name);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &tiny), 0);
        refuse(line, "cannot be written");
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
        assert_string_equal(get(name), "old");
        unlink(name);
        snprintf(line, sizeof line, "save none/%s", name);
        refuse(line, "No such file");
        assert_int_equal(mkdir(name, 0777), 0);
        snprintf(line, sizeof line, "save %s", name);
        refuse(line, name);
        rmdir(name);
    }
    refuse("save cat.bmp", "no ending of a format");
    refuse("save cat", "no ending of a format");
    assert_true(plain_hash() == before);
}

static void find(const char *text, float *x, float *y)
{
    const struct draw_cmd *cmd = draw_find_text(app_list(driver->app), text);
    assert_non_null(cmd);
    *x = cmd->rect.x + 2;
    *y = cmd->rect.y - 3;
}

static void the_sheet_asks_for_a_name(void **state)
{
    (void)state;
    float x, y;
    driver_key(driver, KEY_CHAR, 's', MOD_CTRL);
    assert_true(driver_sees(driver, "the-black-cat-sleeps.png"));
    driver_type(driver, "b b"); // into the field: no key of a presenter
    assert_true(driver_sees(driver, "b b.png"));
    find("Pharaoh", &x, &y);
    driver_click(driver, x, y);
    assert_true(driver_sees(driver, "b b.pharaoh"));
    driver_key(driver, KEY_ENTER, 0, 0);
    assert_false(driver_sees(driver, "Save what is on the screen"));
    assert_non_null(strstr(app_banner(driver->app), "/b b.pharaoh"));
    assert_non_null(strstr(get("b b.pharaoh"), "|||"));
    driver_type(driver, "!"); // the sentence has the keyboard again
    assert_true(driver_settle(driver));
    assert_true(driver_sees(driver, "The black cat sleeps.!"));
    unlink("b b.pharaoh");
}

static void the_sheet_offers_names_that_are_free(void **state)
{
    (void)state;
    float x, y;
    put("the-black-cat-sleeps.png", "old");
    driver_command(driver, "save");
    driver_frame(driver);
    assert_true(driver_sees(driver, "the-black-cat-sleeps-2.png"));
    driver_type(driver, "the-black-cat-sleeps");
    assert_true(driver_sees(driver, "Replace the file"));
    driver_key(driver, KEY_ESCAPE, 0, 0);
    driver_frame(driver);
    assert_false(driver_sees(driver, "Save what is on the screen"));
    driver_command(driver, "save");
    driver_frame(driver);
    driver_click(driver, 300, 500); // beside it
    assert_false(driver_sees(driver, "Save what is on the screen"));
    command("set-text Ça va ? Où ?");
    driver_command(driver, "save");
    driver_frame(driver);
    assert_true(driver_sees(driver, "Ça-va-où.png") ||
                driver_sees(driver, "Ça-va-Où.png"));
    driver_type(driver, "none/x");
    find("Cancel", &x, &y);
    driver_key(driver, KEY_ENTER, 0, 0); // fails: the sheet stays, with its name
    assert_non_null(strstr(app_banner(driver->app), "none/x.png"));
    assert_true(driver_sees(driver, "Save what is on the screen"));
    driver_click(driver, x, y);
    assert_false(driver_sees(driver, "Save what is on the screen"));
    assert_string_equal(get("the-black-cat-sleeps.png"), "old");
    unlink("the-black-cat-sleeps.png");
}

static void the_keyboard_copies(void **state)
{
    (void)state;
    driver_key(driver, KEY_CHAR, 'c', MOD_CTRL | MOD_SHIFT);
    assert_memory_equal(driver->clipboard, "target\tThe\tblack", 16);
    assert_non_null(strstr(app_banner(driver->app), "clipboard"));
}

static void before_the_first_picture_nothing_is_saved(void **state)
{
    (void)state;
    driver_close(driver);
    driver = driver_open("no-such-model", "x");
    assert_non_null(driver);
    driver_frame(driver);
    refuse("save a.png", "no picture yet");
    refuse("save a.alphascope", "no picture yet");
    refuse("copy matrix", "no picture yet");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_driver, close_driver)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_session_reopens_to_the_same_picture),
        CASE(two_models_and_a_step_of_training_come_back),
        CASE(every_way_to_look_comes_back),
        CASE(typing_leaves_its_cells),
        CASE(a_session_ends_what_it_does_not_hold),
        CASE(unknown_keys_are_kept),
        CASE(what_cannot_be_opened_leaves_the_picture),
        CASE(a_model_that_is_broken_leaves_the_picture),
        CASE(other_weights_are_said),
        CASE(a_line_that_fails_is_said_and_the_rest_is_shown),
        CASE(another_choice_ends_a_session_on_its_way),
        CASE(a_model_of_ones_own_moves_with_its_session),
        CASE(a_newer_session_is_not_written_over),
        CASE(every_format_says_where_it_went),
        CASE(what_is_saved_is_what_is_shown),
        CASE(nothing_is_lost_when_saving_fails),
        CASE(the_sheet_asks_for_a_name),
        CASE(the_sheet_offers_names_that_are_free),
        CASE(the_keyboard_copies),
        CASE(before_the_first_picture_nothing_is_saved),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
