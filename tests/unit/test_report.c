// SPDX-License-Identifier: MIT
// report.json: the curve of BLEU by length, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/report.h"

static char folder[] = "/tmp/alphascope-report-XXXXXX";

static bool read_text(const char *text, struct report *report, struct error *err)
{
    char path[300];
    snprintf(path, sizeof path, "%s/report.json", folder);
    assert_true(file_write(path, text, strlen(text), err));
    return report_read(report, folder, err);
}

static void the_bundled_curves_are_read(void **state)
{
    (void)state;
    struct report report;
    struct error err;
    assert_true(
        report_read(&report, ALPHASCOPE_TESTS "/../models/en-fr-rnnencdec", &err));
    assert_int_equal(report.count, 6);
    assert_true(report.by_length[0].words > 7 && report.by_length[0].words < 9);
    assert_true(report.by_length[5].bleu < report.by_length[0].bleu / 2);
    assert_true(report_read(&report, ALPHASCOPE_TESTS "/../models/dates", &err));
    assert_int_equal(report.count, 0);
    assert_true(report_read(&report, "/nowhere", &err));
    assert_int_equal(report.count, 0);
}

static void points_are_sorted_by_words(void **state)
{
    (void)state;
    struct report report;
    struct error err;
    assert_true(read_text("{\"a\": [1], \"bleu_by_joined\": {\"2\": [16, 3], \"1\": "
                          "[8.5, 7.25]}, \"z\": {\"y\": null}}",
                          &report, &err));
    assert_int_equal(report.count, 2);
    assert_true(report.by_length[0].words == 8.5f && report.by_length[0].bleu == 7.25f);
    assert_true(read_text("{\"bleu_by_joined\": null}", &report, &err));
    assert_int_equal(report.count, 0);
}

static void steps_are_those_of_the_whole_training(void **state)
{
    (void)state;
    struct report report;
    assert_true(read_text("{\"steps\": 300, \"steps_before\": 9700}", &report, NULL));
    assert_true(report.steps == 10000);
    assert_true(read_text("{\"steps\": 300}", &report, NULL));
    assert_true(report.steps == 300);
    assert_true(read_text("{}", &report, NULL));
    assert_true(report.steps == 0);
}

static void bad_reports_are_one_sentence(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "[]",
        "{\"bleu_by_joined\": {\"1\": 7}}",
        "{\"bleu_by_joined\": {\"1\": [7]}}",
        "{\"bleu_by_joined\": {\"1\": [7, 8, 9]}}",
        "{\"bleu_by_joined\": {\"1\": [7, 101]}}",
        "{\"bleu_by_joined\": {\"1\": [-1, 1]}}",
        "{\"bleu_by_joined\": {\"1\": [\"x\", 1]}}",
        "{\"bleu_by_joined\": {\"1\": [1e999, 1]}}",
        "{\"bleu_by_joined\": {}} x",
        "{\"steps\": -1}",
        "{\"steps\": 1.5}",
        "{\"steps\": \"many\"}",
        "{\"steps\": 3, \"steps_before\": 1000000001}",
    };
    static const char lfs[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0";
    struct report report;
    struct error said = {0};
    assert_false(read_text(lfs, &report, &said));
    assert_non_null(strstr(said.text, "report.json: is a git-lfs pointer"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error err = {0};
        assert_false(read_text(bad[i], &report, &err));
        assert_non_null(strstr(err.text, "report.json"));
        assert_int_equal(report.count, 0);
    }
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bundled_curves_are_read),
        cmocka_unit_test(points_are_sorted_by_words),
        cmocka_unit_test(steps_are_those_of_the_whole_training),
        cmocka_unit_test(bad_reports_are_one_sentence),
    };
    int failed = cmocka_run_group_tests_name("report", tests, NULL, NULL);
    char line[300];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line) != 0 ? 1 : failed;
}
