// SPDX-License-Identifier: MIT
// Sessions: what is opened looks as it was saved, and what cannot be opened leaves the
// picture as it was.
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

#include "app/state.h"
#include "files.h"

#define HEAD "{\"format\": \"alphascope-session\", \"version\": 1, \"text\": \"A dog.\""
#define MODEL ", \"model\": {\"id\": \"en-fr-bahdanau\"}"

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

// Takes the last ones away until so many are left, of more.
static void leave_beside(int count)
{
    const struct rivals *rivals = &driver->app->rivals;
    assert_true(rivals->count > count);
    while (rivals->count > count) {
        char line[100];
        const struct rival *last = rivals->list[rivals->count - 1];
        snprintf(line, sizeof line, "beside %s", last->show.now->model);
        command(line);
    }
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
    leave_beside(3);
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

static void what_was_tried_out_comes_back(void **state)
{
    (void)state;
    command("select 2");
    command("what-if cell 2 1 0.9");
    comes_back();
    command("what-if pin 3");
    command("what-if mute 2");
    command("what-if word 1 2");
    command("what-if hard on 4");
    command("select last"); // a row that only the edits made
    comes_back();
    command("what-if shuffle 7");
    command("what-if prefix Ce chat");
    comes_back();
    command("what-if mode on");
    command("what-if before on");
    comes_back();
    command("what-if before off");
    command("save a.alphascope");
    uint64_t shown = plain_hash();
    command("what-if boost 3 4"); // goes when the session comes
    assert_true(plain_hash() != shown);
    command("open a.alphascope");
    assert_true(plain_hash() == shown);
    unlink("a.alphascope");
}

static void a_lecture_comes_back(void **state)
{
    (void)state;
    command("microscope 3");
    comes_back();
    command("microscope lookup");
    comes_back();
    command("microscope close");
    command("reveal start");
    command("reveal next");
    command("reveal next");
    comes_back();
}

static void what_was_undone_can_be_redone(void **state)
{
    (void)state;
    command("select 2");
    command("what-if cell 2 3 0.7");
    command("what-if mute 1");
    command("what-if word 3 2");
    command("what-if undo");
    command("what-if undo");
    comes_back();
    command("what-if redo");
    assert_true(driver_sees(driver, "2 edits"));
    command("what-if clear");
    comes_back();
    assert_true(driver_sees(driver, "0 edits"));
    command("what-if redo");
    assert_true(driver_sees(driver, "1 edit"));
    command("what-if word 3 \"zzq☃\"");
    command("dismiss"); // what the banner said of its pieces
    comes_back();
}

static void an_edit_outside_the_matrix_is_said(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"what-if cell 99 1 0.5", "row 99, the matrix has"},
        {"what-if cell 1 99 0.5", "99"},
        {"what-if cell 5000 1 0.5", "5000"},
        {"what-if mute 0", "what-if"},
        {"what-if word 1 id 999999", "what-if"},
        {"what-if nonsense", "what-if"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[400];
        snprintf(text, sizeof text, HEAD MODEL ", \"edits\": [\"%s\"]}", lines[i][0]);
        put("a.alphascope", text);
        command("open a.alphascope");
        if (!strstr(app_banner(driver->app), lines[i][1]) ||
            !strstr(app_banner(driver->app), "a.alphascope"))
            fail_msg("%s: %s", lines[i][0], app_banner(driver->app));
        assert_true(driver_sees(driver, "A dog."));
    }
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

// Its hash is that of the weights of today.
static void the_session_of_the_readme_opens(void **state)
{
    (void)state;
    static const char open[] = "```json\n";
    char *session = (char *)strstr(get(ALPHASCOPE_TESTS "/../README.md"), open);
    assert_non_null(session);
    session += sizeof open - 1;
    *strstr(session, "```") = '\0';
    assert_non_null(strstr(session, "xxh3:"));
    put("a.alphascope", session);
    command("open a.alphascope");
    assert_string_equal(app_banner(driver->app), "");
    assert_true(driver_sees(driver, "RNNsearch"));
    assert_true(driver_sees(driver, "row 2 of"));
    unlink("a.alphascope");
}

static void a_line_that_fails_is_said_and_the_rest_is_shown(void **state)
{
    (void)state;
    put("a.alphascope", HEAD MODEL ", \"view\": [\"map pink\", \"select 1\"]}");
    command("open a.alphascope");
    assert_non_null(
        strstr(app_banner(driver->app), "a.alphascope: field 'view': map: found 'pink'"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILES_CASE(a_session_reopens_to_the_same_picture),
        FILES_CASE(two_models_and_a_step_of_training_come_back),
        FILES_CASE(every_way_to_look_comes_back),
        FILES_CASE(what_was_tried_out_comes_back),
        FILES_CASE(a_lecture_comes_back),
        FILES_CASE(what_was_undone_can_be_redone),
        FILES_CASE(an_edit_outside_the_matrix_is_said),
        FILES_CASE(typing_leaves_its_cells),
        FILES_CASE(a_session_ends_what_it_does_not_hold),
        FILES_CASE(unknown_keys_are_kept),
        FILES_CASE(what_cannot_be_opened_leaves_the_picture),
        FILES_CASE(a_model_that_is_broken_leaves_the_picture),
        FILES_CASE(other_weights_are_said),
        FILES_CASE(the_session_of_the_readme_opens),
        FILES_CASE(a_line_that_fails_is_said_and_the_rest_is_shown),
        FILES_CASE(another_choice_ends_a_session_on_its_way),
        FILES_CASE(a_model_of_ones_own_moves_with_its_session),
        FILES_CASE(a_newer_session_is_not_written_over),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
