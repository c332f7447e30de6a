// SPDX-License-Identifier: MIT
// Every operation under every single failure of memory and of files: it must give an
// error of the right kind with a sentence, leave nothing behind (LeakSanitizer looks, in
// ./check), and succeed once nothing fails. Each is tried with one failure and with
// everything failing from then on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "faults.h"
#include "operations.h"
#include "translate/beam.h"

enum { MOST_CALLS = 20000 };

// What survives a failure by other means may succeed; its result is then right.
static void try_failures(operation *run, enum fault fault, bool sticky, bool survives,
                         enum status expected)
{
    for (int n = 0; n < MOST_CALLS; n++) {
        struct error err = {0};
        faults_arm(fault, n, sticky);
        bool ok = run(&err);
        bool happened = faults_disarm();
        if (!happened) {
            if (!ok)
                fail_msg("fails with nothing wrong: %s", err.text);
            assert_true(n > 0); // or nothing was tried
            return;
        }
        if (ok && survives)
            continue;
        if (ok || err.code != expected || !err.text[0])
            fail_msg("failure %d: %s, code %d: '%s'", n, ok ? "succeeds" : "fails",
                     (int)err.code, err.text);
    }
    fail_msg("still failing after %d calls", MOST_CALLS);
}

static void try_both(int at, enum fault fault, enum status expected)
{
    for (int sticky = 0; sticky < 2; sticky++)
        try_failures(operations[at].run, fault, sticky,
                     fault == FAULT_MEMORY && operations[at].survives, expected);
}

static void test_memory(void **state)
{
    try_both(*(const int *)*state, FAULT_MEMORY, ERR_NOMEM);
}

static void test_files(void **state)
{
    try_both(*(const int *)*state, FAULT_FILES, ERR_IO);
}

static void test_interrupts(void **state)
{
    operation *run = operations[*(const int *)*state].run;
    for (int n = 0; n < 16; n++) {
        struct error err = {0};
        faults_arm(n % 2 ? FAULT_SHORT : FAULT_INTERRUPT, n / 2, false);
        bool ok = run(&err);
        assert_true(faults_disarm() || n > 1);
        if (!ok)
            fail_msg("interruption %d: %s", n, err.text);
    }
}

static bool write_file(struct error *err)
{
    return operations[1].run(err);
}

static void test_close(void **state)
{
    (void)state;
    struct error err = {0};
    faults_arm(FAULT_CLOSE, 0, false);
    assert_false(write_file(&err));
    assert_true(faults_disarm());
    assert_int_equal(err.code, ERR_IO);
}

// A failed write leaves the old file as it was, and nothing beside it.
static void test_write_is_all_or_nothing(void **state)
{
    (void)state;
    struct error err = {0};
    assert_true(file_write(scratch_path, "old", 3, &err));
    for (int n = 0; n < 3; n++) {
        struct buf text;
        buf_init(&text, 100);
        faults_arm(FAULT_FILES, n, false);
        bool ok = write_file(&err);
        assert_true(faults_disarm());
        assert_false(ok);
        assert_true(file_read(scratch_path, &text, &err));
        assert_string_equal(buf_text(&text), "old");
        buf_finish(&text);
    }
    assert_int_equal(unlink(scratch_path), 0);
    assert_int_equal(rmdir(folder), 0); // empty: nothing was left beside it
    assert_non_null(mkdtemp(strcpy(folder, "/tmp/alphascope-oom-XXXXXX")));
}

static void no_step_of_a_search_takes_memory(void **state)
{
    (void)state;
    const struct beam beam = {4, BEAM_LENGTH};
    struct session *session = session_on(model, NULL);
    assert_non_null(session);
    assert_true(
        session_beam_begin(session, sentence, strlen(sentence), run_at(1), &beam, NULL));
    faults_arm(FAULT_MEMORY, 0, true);
    while (session_beam_step(session))
        continue;
    assert_false(faults_disarm());
    assert_int_equal(session_beam_tree(session)->n_results, 4);
    session_destroy(session);
}

int main(void)
{
    static struct CMUnitTest tests[2 * OPERATIONS + 4];
    static char names[2 * OPERATIONS][60];
    static int at[OPERATIONS];
    size_t count = 0;
    for (int i = 0; i < OPERATIONS; i++) {
        at[i] = i;
        for (int files = 0; files < 2; files++) {
            if (!(files ? operations[i].files : operations[i].memory))
                continue;
            snprintf(names[count], sizeof names[count], "%s, %s failing",
                     operations[i].name, files ? "files" : "memory");
            tests[count] =
                (struct CMUnitTest){.name = names[count],
                                    .test_func = files ? test_files : test_memory,
                                    .initial_state = &at[i]};
            count++;
        }
    }
    tests[count++] = (struct CMUnitTest){.name = "reading goes on when interrupted",
                                         .test_func = test_interrupts,
                                         .initial_state = &at[0]};
    tests[count++] = (struct CMUnitTest){.name = "writing goes on when interrupted",
                                         .test_func = test_interrupts,
                                         .initial_state = &at[1]};
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_close);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_write_is_all_or_nothing);
    tests[count++] =
        (struct CMUnitTest)cmocka_unit_test(no_step_of_a_search_takes_memory);
    return _cmocka_run_group_tests("oom", tests, count, operations_begin, operations_end);
}
