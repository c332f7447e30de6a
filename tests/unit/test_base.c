// SPDX-License-Identifier: MIT
// base: errors, arenas, buffers, files.
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

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"

static void fail_gives_one_clean_sentence(void **state)
{
    (void)state;
    struct error err = {0};
    assert_false(fail_with(&err, ERR_FORMAT, "bad name '%s'", "a\nb\x7f"));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_string_equal(err.text, "bad name 'a?b?'");
    assert_false(fail_with(NULL, ERR_IO, "nobody listens"));
}

static void arena_zeroes_aligns_and_stops_at_its_maximum(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    unsigned char *a = arena_alloc(&arena, 100, 3);
    assert_non_null(a);
    assert_int_equal((uintptr_t)a % 64, 0);
    for (int i = 0; i < 300; i++)
        assert_int_equal(a[i], 0);
    assert_non_null(arena_alloc(&arena, 0, 8));
    assert_null(arena_alloc(&arena, SIZE_MAX / 2, 16));
    assert_null(arena_alloc(&arena, 1 << 20, 1));
    assert_non_null(arena_alloc(&arena, 1 << 19, 1));
    arena_finish(&arena);
}

static void arena_is_clean_again_after_reset(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    for (int round = 0; round < 3; round++) {
        unsigned char *a = arena_alloc(&arena, 70000, 1);
        assert_non_null(a);
        for (int i = 0; i < 70000; i++)
            assert_int_equal(a[i], 0);
        memset(a, 0xff, 70000);
        arena_reset(&arena);
        assert_int_equal(arena.used_bytes, 0);
        assert_true(arena_held(&arena) >= 70000);
    }
    assert_string_equal(arena_copy(&arena, "hello!", 5), "hello");
    arena_finish(&arena);
    assert_int_equal(arena_held(&arena), 0);
    arena_finish(&(struct arena){0});
}

static void buf_fails_stickily_at_its_maximum(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 600);
    for (int i = 0; i < 6; i++)
        assert_true(buf_printf(&buf, "%0100d", i));
    assert_false(buf_add(&buf, "x"));
    assert_true(buf.failed);
    assert_false(buf_append(&buf, "", 0));
    assert_int_equal(buf.length, 600);
    buf_clear(&buf);
    assert_string_equal(buf_text(&buf), "");
    assert_true(buf_add(&buf, "again"));
    buf_finish(&buf);
    assert_string_equal(buf_text(&buf), "");
}

static void files_go_round_and_refuse_what_is_not_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/alphascope-base-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct error err;
    assert_true(file_write(path, "abc", 3, &err));
    struct file_snapshot map;
    assert_true(file_snapshot(&map, path, 10, &err));
    assert_int_equal(map.size, 3);
    assert_memory_equal(map.data, "abc", 3);
    file_release(&map);
    assert_false(file_snapshot(&map, path, 2, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    struct buf buf;
    buf_init(&buf, 10);
    assert_true(file_read(path, &buf, &err));
    assert_string_equal(buf_text(&buf), "abc");
    buf_finish(&buf);
    assert_false(file_snapshot(&map, "/tmp", 10, &err));
    assert_non_null(strstr(err.text, "directory"));
    assert_false(file_snapshot(&map, "/nowhere/at all", 10, &err));
    assert_non_null(strstr(err.text, "/nowhere/at all"));
    assert_false(file_write("/nowhere/at all", "x", 1, &err));
    unlink(path);
}

static void a_head_is_the_first_bytes(void **state)
{
    (void)state;
    static const struct {
        size_t most;
        const char *expected;
    } cases[] = {{0, ""}, {2, "ab"}, {6, "abcdef"}, {7, "abcdef"}};
    char path[] = "/tmp/alphascope-base-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "abcdef", 6), 6);
    close(fd);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out;
        size_t size = 0;
        buf_init(&out, 100);
        assert_true(file_head(path, cases[i].most, &out, &size, NULL));
        assert_string_equal(buf_text(&out), cases[i].expected);
        assert_int_equal(size, 6);
        buf_finish(&out);
    }
    unlink(path);
}

static void check_file(const char *path, const char *expected)
{
    struct buf text;
    buf_init(&text, 100);
    assert_true(file_read(path, &text, NULL));
    assert_string_equal(buf_text(&text), expected);
    buf_finish(&text);
}

static void links_are_written_through(void **state)
{
    (void)state;
    char folder[] = "/tmp/alphascope-base-XXXXXX", path[128], sub[128], loop[128];
    struct error err;
    struct stat st;
    assert_non_null(mkdtemp(folder));
    snprintf(sub, sizeof sub, "%s/sub", folder);
    assert_int_equal(mkdir(sub, 0755), 0);
    // first -> sub/second -> ../file, which comes into being by it
    snprintf(path, sizeof path, "%s/sub/second", folder);
    assert_int_equal(symlink("../file", path), 0);
    snprintf(path, sizeof path, "%s/first", folder);
    assert_int_equal(symlink("sub/second", path), 0);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? "second" : "first";
        assert_true(file_write(path, text, strlen(text), &err));
        assert_int_equal(lstat(path, &st), 0);
        assert_true(S_ISLNK(st.st_mode));
        check_file(path, text);
    }
    snprintf(loop, sizeof loop, "%s/loop", folder);
    assert_int_equal(symlink(loop, loop), 0);
    assert_false(file_write(loop, "x", 1, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(unlink(loop), 0);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(lstat(path, &st), 0);
    assert_true(S_ISREG(st.st_mode));
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/sub/second", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(sub), 0);
    assert_int_equal(rmdir(folder), 0); // nothing was left behind
}

static void paths_split_and_join(void **state)
{
    (void)state;
    char out[8];
    size_t n;
    assert_true(file_join(out, sizeof out, "a/", "b"));
    assert_string_equal(out, "a/b");
    assert_false(file_join(out, sizeof out, "12345", "678"));
    assert_memory_equal(file_basename("x/yz//", &n), "yz", 2);
    assert_int_equal(n, 2);
    file_basename("plain", &n);
    assert_int_equal(n, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_gives_one_clean_sentence),
        cmocka_unit_test(arena_zeroes_aligns_and_stops_at_its_maximum),
        cmocka_unit_test(arena_is_clean_again_after_reset),
        cmocka_unit_test(buf_fails_stickily_at_its_maximum),
        cmocka_unit_test(files_go_round_and_refuse_what_is_not_a_file),
        cmocka_unit_test(a_head_is_the_first_bytes),
        cmocka_unit_test(links_are_written_through),
        cmocka_unit_test(paths_split_and_join),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
