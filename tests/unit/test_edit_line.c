// SPDX-License-Identifier: MIT
// Edits as lines: what is printed reads as the same, and what says nothing is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "align/edit_line.h"

static const struct edit_here here = {6, 2};

static void lines_come_back_as_they_were(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *printed; // printed NULL: the same
    } lines[] = {
        {"cell 3 5 0.800000012", NULL},
        {"cell here here 1", "cell 7 3 1"},
        {"pin 4 0.100000001 0.899999976", NULL},
        {"pin here 1", "pin 7 1"},
        {"unpin 4", NULL},
        {"mute here", "mute 3"},
        {"boost 2", "boost 2 2"},
        {"boost 2 0", "mute 2"},
        {"boost 2 0.5", NULL},
        {"hard on", NULL},
        {"hard off 3", NULL},
        {"shuffle 7", NULL},
        {"shuffle 0", "shuffle off"},
        {"shuffle-words 7", NULL},
        {"word 3 \"ein \"Wort\" \"", NULL},
        {"word 3 id 4 5 6", NULL},
        {"prefix Le chat noir", NULL},
        {"prefix", NULL},
    };
    static struct edit_room room;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct edit edit;
        struct error err = {0};
        struct buf out;
        buf_init(&out, 400);
        if (!edit_parse(lines[i].typed, here, &edit, &room, &err))
            fail_msg("%s: %s", lines[i].typed, err.text);
        assert_true(edit_print(&edit, &out));
        assert_string_equal(buf_text(&out),
                            lines[i].printed ? lines[i].printed : lines[i].typed);
        buf_finish(&out);
    }
}

static void lines_that_say_nothing_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "paint 3",
                                      "cell",
                                      "cell 1 2",
                                      "cell 1 2 x",
                                      "cell 0 1 1",
                                      "cell -1 1 1",
                                      "cell 1 2 0.5 6",
                                      "cell 99999999999 1 1",
                                      "pin",
                                      "pin 1 x",
                                      "pin 1 0.5x",
                                      "unpin",
                                      "unpin 1 2",
                                      "mute",
                                      "mute x",
                                      "boost 1 x",
                                      "boost",
                                      "hard",
                                      "hard maybe",
                                      "hard on x",
                                      "shuffle",
                                      "shuffle x",
                                      "shuffle -1",
                                      "word 1",
                                      "word 1 0",
                                      "word 1 6",
                                      "word 1 \"x",
                                      "word 1 \"x\" y",
                                      "word 1 id",
                                      "word 1 id x",
                                      "cells 1 1 1"};
    static struct edit_room room;
    struct edit edit;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error err = {0};
        if (edit_parse(bad[i], here, &edit, &room, &err))
            fail_msg("'%s' was understood", bad[i]);
        assert_true(*err.text);
    }
    const struct edit_here nowhere = {-1, -1};
    struct error err;
    assert_false(edit_parse("pin here", nowhere, &edit, &room, &err));
    assert_non_null(strstr(err.text, "no row is selected"));
    assert_false(edit_parse("mute here", nowhere, &edit, &room, &err));
    assert_non_null(strstr(err.text, "no column is selected"));
    char text[5000];
    memset(text, 'a', sizeof text);
    memcpy(text, "prefix ", 7);
    text[sizeof text - 1] = '\0';
    assert_false(edit_parse(text, here, &edit, &room, &err));
    assert_non_null(strstr(err.text, "the limit is 4096"));
}

static void what_is_relative_and_what_is_a_choice(void **state)
{
    (void)state;
    static struct edit_room room;
    struct edit edit;
    assert_true(edit_parse("cell 1 1 -0.25", here, &edit, &room, NULL));
    assert_true(room.relative);
    assert_float_equal(edit.value, -0.25f, 0);
    assert_true(edit_parse("cell 1 1 0.25", here, &edit, &room, NULL));
    assert_false(room.relative);
    assert_true(edit_parse("word here 5", here, &edit, &room, NULL));
    assert_int_equal(room.choice, 5);
    assert_int_equal(edit.row, 6);
    assert_true(edit_parse("word 2 \"5\"", here, &edit, &room, NULL));
    assert_int_equal(room.choice, 0);
    assert_string_equal(edit.text, "5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_back_as_they_were),
        cmocka_unit_test(lines_that_say_nothing_are_refused),
        cmocka_unit_test(what_is_relative_and_what_is_a_choice),
    };
    return cmocka_run_group_tests_name("edit lines", tests, NULL, NULL);
}
