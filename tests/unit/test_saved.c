// SPDX-License-Identifier: MIT
// Session files: there and back, what is kept, and everything that is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "formats/model_dir.h"
#include "formats/saved.h"

static const char whole[] =
    "{\n  \"format\": \"alphascope-session\",\n  \"version\": 1,\n"
    "  \"text\": \"a \\\"b\\\" é\",\n"
    "  \"model\": {\"id\": \"m\", \"path\": \"x/m\", \"hash\": \"xxh3:01\", \"size\": "
    "[1, 2]},"
    "\n  \"tau\": \"inf\",\n  \"mode\": \"re-decode\",\n"
    "  \"view\": [\n    \"theme dark\",\n    \"select 3\"\n  ],\n  \"edits\": [],\n"
    "  \"equation\": [\n    \"sheet type Q 1 0\\n0 1\"\n  ],\n"
    "  \"who\": {\"b\": [null, 1.50]}, \"seen\": true\n}\n";

static struct saved session;
static struct error err;

static int clear(void **state)
{
    (void)state;
    saved_finish(&session);
    session = (struct saved){0};
    err = (struct error){0};
    return 0;
}

static bool parse(const char *text)
{
    saved_finish(&session);
    return saved_parse(&session, text, strlen(text), "s.alphascope", &err);
}

static void what_is_read_is_written_again(void **state)
{
    (void)state;
    if (!parse(whole))
        fail_msg("%s", err.text);
    assert_string_equal(session.text, "a \"b\" é");
    assert_string_equal(session.id, "m");
    assert_string_equal(session.path, "x/m");
    assert_string_equal(session.hash, "xxh3:01");
    assert_true(isinf(session.tau) && !session.reread);
    assert_int_equal(session.n_view, 2);
    assert_string_equal(session.view[1], "select 3");
    assert_int_equal(session.n_edits, 0);
    assert_int_equal(session.n_equation, 1);
    assert_string_equal(session.equation[0], "sheet type Q 1 0\n0 1");
    struct buf out;
    buf_init(&out, 1 << 16);
    assert_true(saved_write(&out, &session, &err));
    assert_string_equal(out.data, whole);
    buf_finish(&out);
}

static void little_is_enough(void **state)
{
    (void)state;
    assert_true(parse("{\"model\":{\"id\":\"m\"},\"text\":\"\",\"version\":1,"
                      "\"format\":\"alphascope-session\"}"));
    assert_true(session.tau >= 1 && session.tau <= 1 && session.reread);
    assert_string_equal(session.path, "");
    assert_string_equal(session.kept, "");
    assert_int_equal(session.n_view + session.n_edits + session.n_equation, 0);
}

static void a_newer_version_is_refused_before_its_fields(void **state)
{
    (void)state;
    assert_false(parse("{\"text\":7,\"model\":3,\"format\":\"alphascope-session\","
                       "\"version\":2}"));
    assert_non_null(strstr(err.text, "s.alphascope: was written by a newer alphascope"));
    assert_int_equal(session.version, 2);
}

// One member of the small session replaced.
static void refuse(const char *text, const char *word)
{
    err = (struct error){0};
    if (parse(text))
        fail_msg("accepted: %s", text);
    if (err.code != ERR_FORMAT || !strstr(err.text, word) ||
        !strstr(err.text, "s.alphascope"))
        fail_msg("%s: %s", text, err.text);
}

#define HEAD "{\"format\":\"alphascope-session\",\"version\":1"
#define MODEL ",\"model\":{\"id\":\"m\"}"
#define TEXT ",\"text\":\"a\""

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "JSON"},
        {"[]", "{"},
        {"{}", "not a session"},
        {"{\"format\":\"other\",\"version\":1}", "not a session"},
        {"{\"format\":\"alphascope-session\"}", "version"},
        {"{\"format\":\"alphascope-session\",\"version\":0}", "version"},
        {"{\"format\":\"alphascope-session\",\"version\":\"1\"}", "version"},
        {HEAD MODEL "}", "'text' is missing"},
        {HEAD TEXT "}", "'model' is missing"},
        {HEAD TEXT ",\"model\":{}}", "'model.id' is missing"},
        {HEAD TEXT ",\"model\":\"m\"}", "'model'"},
        {HEAD TEXT ",\"model\":{\"id\":1}}", "'model.id'"},
        {HEAD TEXT ",\"model\":{\"id\":\"m\",\"id\":\"n\"}}",
         "'model.id' is there twice"},
        {HEAD MODEL ",\"text\":null}", "'text'"},
        {HEAD MODEL TEXT TEXT "}", "'text' is there twice"},
        {HEAD MODEL TEXT ",\"tau\":-1}", "'tau'"},
        {HEAD MODEL TEXT ",\"tau\":1e39}", "'tau'"},
        {HEAD MODEL TEXT ",\"tau\":\"warm\"}", "'tau'"},
        {HEAD MODEL TEXT ",\"mode\":\"read\"}", "'mode'"},
        {HEAD MODEL TEXT ",\"view\":\"theme\"}", "'view'"},
        {HEAD MODEL TEXT ",\"view\":[1]}", "'view'"},
        {HEAD MODEL TEXT ",\"edits\":{}}", "'edits'"},
        {HEAD MODEL TEXT ",\"equation\":\"sheet 1\"}", "'equation'"},
        {HEAD MODEL TEXT ",\"equation\":[{}]}", "'equation'"},
        {HEAD MODEL TEXT "} x", "s.alphascope"},
        {HEAD MODEL TEXT, "s.alphascope"},
        {HEAD MODEL TEXT ",\"a\":[[[[[[[[[[]]]]]]]]]]}", "s.alphascope"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i][0], cases[i][1]);
}

static void every_size_has_its_bound(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text, 1 << 20);
    buf_add(&text, HEAD MODEL ",\"text\":\"");
    for (int i = 0; i < 4096; i++)
        buf_add(&text, "x");
    size_t full = text.length;
    buf_add(&text, "\"}");
    assert_true(parse(text.data));
    text.length = full;
    buf_add(&text, "x\"}");
    refuse(text.data, "at most 4096 bytes");
    buf_clear(&text);
    buf_add(&text, HEAD MODEL TEXT ",\"edits\":[\"");
    for (int i = 0; i < 16383; i++)
        buf_add(&text, "x");
    full = text.length;
    buf_add(&text, "\"]}");
    assert_true(parse(text.data));
    assert_int_equal(strlen(session.edits[0]), 16383);
    text.length = full;
    buf_add(&text, "x\"]}");
    refuse(text.data, "at most 16383 bytes");
    buf_clear(&text);
    buf_add(&text, HEAD MODEL TEXT ",\"view\":[\"a\"");
    for (int i = 1; i < SAVED_MAX_LINES; i++)
        buf_add(&text, ",\"a\"");
    full = text.length;
    buf_add(&text, "]}");
    assert_true(parse(text.data));
    assert_int_equal(session.n_view, SAVED_MAX_LINES);
    text.length = full;
    buf_add(&text, ",\"a\"]}");
    assert_false(parse(text.data));
    assert_int_equal(err.code, ERR_LIMIT);
    buf_finish(&text);
}

static void no_part_of_a_session_is_one(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof whole - 3; length++) {
        saved_finish(&session);
        assert_false(saved_parse(&session, whole, length, "s.alphascope", &err));
        assert_true(err.code != OK && err.text[0]);
    }
}

static void a_session_is_known_by_name_or_content(void **state)
{
    (void)state;
    char path[] = "/tmp/alphascope-session-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_true(saved_is("anywhere/x.alphascope"));
    assert_false(saved_is(path));
    assert_true(file_write(path, whole, sizeof whole - 1, &err));
    assert_true(saved_is(path));
    assert_true(saved_read(&session, path, &err));
    unlink(path);
    assert_false(saved_is(path));
    assert_false(saved_is("/tmp"));
    saved_finish(&session);
    assert_false(saved_read(&session, path, &err));
    assert_int_equal(err.code, ERR_IO);
}

static void a_hash_is_of_facts_and_weights(void **state)
{
    (void)state;
    char one[MODEL_HASH_BYTES], again[MODEL_HASH_BYTES], other[MODEL_HASH_BYTES];
    struct model_dir *dir = model_dir_open(ALPHASCOPE_TESTS "/../models/copy", &err);
    struct model_dir *reverse =
        model_dir_open(ALPHASCOPE_TESTS "/../models/reverse", &err);
    assert_non_null(dir);
    assert_non_null(reverse);
    assert_true(model_dir_hash(dir, one, &err));
    assert_true(model_dir_hash(dir, again, &err));
    assert_true(model_dir_hash(reverse, other, &err));
    assert_string_equal(one, again);
    assert_string_not_equal(one, other);
    assert_int_equal(strlen(one), strlen("xxh3:0123456789abcdef"));
    model_dir_close(dir);
    model_dir_close(reverse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_read_is_written_again, clear, clear),
        cmocka_unit_test_setup_teardown(little_is_enough, clear, clear),
        cmocka_unit_test_setup_teardown(a_newer_version_is_refused_before_its_fields,
                                        clear, clear),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_named, clear, clear),
        cmocka_unit_test_setup_teardown(every_size_has_its_bound, clear, clear),
        cmocka_unit_test_setup_teardown(no_part_of_a_session_is_one, clear, clear),
        cmocka_unit_test_setup_teardown(a_session_is_known_by_name_or_content, clear,
                                        clear),
        cmocka_unit_test(a_hash_is_of_facts_and_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
