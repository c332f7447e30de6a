// SPDX-License-Identifier: MIT
// Saving and copying: what leaves the window is what it shows, and what cannot be done
// leaves files and picture as they were.
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

#include "app/state.h"
#include "base/file.h"
#include "files.h"

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

static void a_picture_is_marked_as_its_edits_are(void **state)
{
    (void)state;
    static const char *const said[] = {"● edited", "● changed by the edits", "1 edit"};
    struct draw_list list;
    struct sheet sheet;
    assert_true(draw_init(&list, 20000, 1 << 22));
    command("what-if word 2 2");
    app_draw_sheet(driver->app, &list, &sheet);
    for (int i = 0; i < 3; i++) {
        assert_true(driver_sees(driver, said[i]));
        assert_non_null(draw_find_text(&list, said[i]));
    }
    draw_finish(&list);
}

static void a_difference_is_saved_as_a_picture_alone(void **state)
{
    (void)state;
    static const char *const data[] = {"d.json", "d.tsv", "d.txt", "d.pharaoh", "d.soft"};
    command("difference on");
    for (int i = 0; i < 5; i++) {
        char line[32];
        snprintf(line, sizeof line, "save %s", data[i]);
        refuse(line, "a difference is saved as .png, .svg or .pdf");
        assert_false(file_exists(data[i]));
    }
    refuse("copy matrix", "a difference is saved as");
    command("save d.svg");
    command("save");
    assert_true(driver_sees(driver, "PNG") && driver_sees(driver, "Session"));
    assert_false(driver_sees(driver, "TSV"));
    command("save");
    command("difference off");
    command("save d.tsv");
    unlink("d.svg");
    unlink("d.tsv");
}

static void what_is_saved_says_how_far_its_model_had_learned(void **state)
{
    (void)state;
    struct driver *dates = driver_ready("dates", NULL);
    struct draw_list list;
    struct sheet sheet;
    assert_true(draw_init(&list, 20000, 1 << 22));
    app_draw_sheet(dates->app, &list, &sheet);
    assert_null(draw_find_text(&list, " · step "));
    assert_true(driver_command(dates, "checkpoint 1"));
    assert_true(driver_settle(dates));
    app_draw_sheet(dates->app, &list, &sheet);
    assert_non_null(draw_find_text(&list, "Date → ISO · step 0 of 1500"));
    draw_finish(&list);
    assert_true(driver_command(dates, "save step.json"));
    assert_non_null(
        strstr(get("step.json"), ",\"checkpoint\":{\"step\":0,\"of\":1500},"));
    assert_true(driver_command(dates, "checkpoint last"));
    assert_true(driver_settle(dates));
    assert_true(driver_command(dates, "save step.json"));
    assert_null(strstr(get("step.json"), "checkpoint"));
    unlink("step.json");
    driver_close(dates);
}

// A step of a training whose weights are gone is neither shown nor saved under its name.
static void a_step_that_does_not_open_is_not_chosen(void **state)
{
    (void)state;
    assert_int_equal(system("cp -r '" ALPHASCOPE_TESTS "/../models/dates' . && "
                            "rm dates/history/step-000031.safetensors"),
                     0);
    struct driver *dates = driver_ready("./dates", NULL);
    assert_true(driver_command(dates, "checkpoint 1"));
    assert_true(driver_settle(dates));
    assert_true(driver_command(dates, "checkpoint 6"));
    assert_true(driver_settle(dates));
    assert_non_null(strstr(app_banner(dates->app), "history/step-000031"));
    assert_true(driver_sees(dates, "of its training, 1 of"));
    driver_type(dates, "9");
    assert_true(driver_settle(dates));
    assert_string_equal(app_banner(dates->app), "");
    assert_true(driver_command(dates, "save step.json"));
    assert_non_null(strstr(get("step.json"), "\"checkpoint\":{\"step\":0,"));
    driver_close(dates);
    assert_int_equal(system("rm -r dates step.json"), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILES_CASE(every_format_says_where_it_went),
        FILES_CASE(what_is_saved_is_what_is_shown),
        FILES_CASE(a_difference_is_saved_as_a_picture_alone),
        FILES_CASE(a_picture_is_marked_as_its_edits_are),
        FILES_CASE(what_is_saved_says_how_far_its_model_had_learned),
        FILES_CASE(a_step_that_does_not_open_is_not_chosen),
        FILES_CASE(nothing_is_lost_when_saving_fails),
        FILES_CASE(the_sheet_asks_for_a_name),
        FILES_CASE(the_sheet_offers_names_that_are_free),
        FILES_CASE(the_keyboard_copies),
        FILES_CASE(before_the_first_picture_nothing_is_saved),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
