// SPDX-License-Identifier: MIT
// formats/safetensors: every rule of the format and of our own, by files built here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/safetensors.h"

struct bytes {
    unsigned char *data;
    size_t size;
};

static struct bytes bytes_make(uint64_t claimed, const char *header, size_t header_bytes,
                               size_t data_bytes)
{
    struct bytes file = {.size = 8 + header_bytes + data_bytes};
    file.data = calloc(1, file.size);
    assert_non_null(file.data);
    for (int i = 0; i < 8; i++)
        file.data[i] = (unsigned char)(claimed >> (8 * i));
    memcpy(file.data + 8, header, header_bytes);
    return file;
}

static struct bytes file_of(const char *header, size_t data_bytes)
{
    return bytes_make(strlen(header), header, strlen(header), data_bytes);
}

// expected NULL: must be accepted.
static void check(struct bytes file, const char *what, const char *expected)
{
    struct safetensors tensors;
    struct error err = {0};
    bool ok = safetensors_parse(&tensors, file.data, file.size, "dir/x.st", &err);
    if (ok != (expected == NULL))
        fail_msg("%.200s: %s", what, ok ? "was accepted" : err.text);
    if (!ok && (strncmp(err.text, "dir/x.st: ", 10) != 0 || !strstr(err.text, expected)))
        fail_msg("%.200s: said \"%s\", expected the file and \"%s\"", what, err.text,
                 expected);
    if (!ok)
        assert_true(err.code == ERR_FORMAT || err.code == ERR_LIMIT);
    safetensors_close(&tensors);
    free(file.data);
}

#define ENTRY(dtype, shape, offsets)                                                     \
    "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data_offsets\":[" offsets   \
    "]}}"
#define TENSOR(name, offsets)                                                            \
    "\"" name "\":{\"dtype\":\"I32\",\"shape\":[2,2],\"data_offsets\":[" offsets "]}"

struct row {
    const char *header;
    size_t data_bytes;
    const char *expected; // NULL: fine
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(file_of(rows[i].header, rows[i].data_bytes), rows[i].header,
              rows[i].expected);
}
#define CHECK_ROWS(rows) check_rows(rows, sizeof rows / sizeof *rows)

static void good_files_load(void **state)
{
    static const struct row rows[] = {
        {"{}", 0, NULL},
        {"{}    ", 0, NULL},
        {"\t\r\n  {}", 0, NULL},
        {"{\"__metadata__\":{}}", 0, NULL},
        {"{\"__metadata__\":{\"format\":\"pt\",\"\\u00e9\":\"\"}}", 0, NULL},
        {ENTRY("I32", "", "0,4"), 4, NULL},
        {ENTRY("F32", "2,0", "0,0"), 0, NULL},
        {ENTRY("F16", "2 , 3", " 0 , 12 "), 12, NULL},
        {ENTRY("F4", "3,2", "0,3"), 3, NULL},
        {ENTRY("F6_E2M3", "4", "0,3"), 3, NULL},
        {ENTRY("F8_E8M0", "1,1,1,1,1,1,1,3", "0,3"), 3, NULL},
        {ENTRY("C64", "1", "0,8"), 8, NULL},
        {"{" TENSOR("b", "16,32") "," TENSOR("a", "0,16") "}", 32, NULL},
        {"{\"a\":{\"data_offsets\":[0,2],\"shape\":[1],\"dtype\":\"BF16\"}}", 2, NULL},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void frames_that_lie_are_refused(void **state)
{
    static const char lfs[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0a";
    struct bytes pointer = {.size = sizeof lfs - 1};
    (void)state;
    for (size_t size = 0; size < 8; size++) {
        struct bytes file = bytes_make(0, "", 0, 0);
        file.size = size;
        check(file, "a short file", size ? "has at least 8" : "is empty");
    }
    pointer.data = malloc(pointer.size);
    assert_non_null(pointer.data);
    memcpy(pointer.data, lfs, pointer.size);
    check(pointer, lfs, "is a git-lfs pointer");
    check(bytes_make(60, "", 0, 0), "60 and nothing after", "but only 0 follow");
    check(bytes_make(3, "{}", 2, 0), "one byte short", "but only 2 follow");
    check(bytes_make(0xffffff000000003c, "{}", 2, 0), "huge", "the limit is 16777216");
    check(bytes_make(100000001, "{}", 2, 0), "over 100 MB", "the limit is 16777216");
    check(bytes_make(16777217, "{}", 2, 0), "over 16 MiB", "the limit is 16777216");
    check(bytes_make(16777216, "{}", 2, 0), "16 MiB", "but only 2 follow");
    check(bytes_make(0, "", 0, 0), "no header", "expected '{'");
}

static void what_is_not_strict_json_is_refused(void **state)
{
    static const struct row rows[] = {
        {"{", 0, "byte 1"},
        {"\xff", 0, "UTF-8"},
        {"{\"a\xc3\":1}", 0, "UTF-8"},
        {"\xef\xbb\xbf{}", 0, "expected '{'"},
        {"[]", 0, "expected '{'"},
        {"{}x", 0, "something follows"},
        {"{}{}", 0, "something follows"},
        {"{} \f", 0, "something follows"},
        {"{\"a\"}", 0, "expected ':'"},
        {"{\"a\":}", 0, "not an object"},
        {"{a:1}", 0, "expected a string"},
        {"{'a':1}", 0, "expected a string"},
        {"{,}", 0, "expected a string"},
        {"{\"__metadata__\":{\"a\":\"b\",}}", 0, "expected a string"},
        {"{\"__metadata__\":{\"a\":\"b\" \"c\":\"d\"}}", 0, "expected ',' or '}'"},
        {"{\"__metadata__\":{\"a\":\"b\"]}", 0, "expected ',' or '}'"},
        {"{\"__metadata__\":{\"a\":\"b\nc\"}}", 0, "raw control character"},
        {"{\"__metadata__\":{\"a\":\"b", 0, "does not end"},
        {"{\"__metadata__\":{\"a\":\"\\x41\"}}", 0, "bad escape"},
        {"{\"__metadata__\":{\"a\":\"\\u12g4\"}}", 0, "bad escape"},
        {"{\"__metadata__\":{\"a\":\"\\ud800\"}}", 0, "bad escape"},
        {"{\"__metadata__\":{\"a\":\"\\ud800\\u0041\"}}", 0, "bad escape"},
        {"{\"__metadata__\":{\"a\":\"\\udc00\"}}", 0, "bad escape"},
        {"{\"__metadata__\":{\"a\\u0000b\":\"\"}}", 0, "bad escape"},
        {"{\"a\\u0000b\":{}}", 0, "bad escape"},
        {"{\"__metadata__\":{\"a\":tru}}", 0, "expected a value"},
        {"{\"__metadata__\":{\"a\":NaN}}", 0, "expected a value"},
        {"{\"__metadata__\":{\"a\":[[[[[[[[[1]]]]]]]]]}}", 0, "nested more than 8"},
    };
    (void)state;
    CHECK_ROWS(rows);
    check(bytes_make(5, "{}\0\0\0", 5, 0), "NUL padding", "something follows");
    check(bytes_make(7, "{\"a\0b\"", 7, 0), "a raw NUL", "raw control character");
}

static void integers_are_plain_digits(void **state)
{
    static const struct row rows[] = {
        {ENTRY("U8", "-1", "0,1"), 1, "shape holds -1"},
        {ENTRY("U8", "1.5", "0,1"), 1, "shape holds 1.5"},
        {ENTRY("U8", "1.0", "0,1"), 1, "shape holds 1.0"},
        {ENTRY("U8", "1e0", "0,1"), 1, "shape holds 1e0"},
        {ENTRY("U8", "1E+0", "0,1"), 1, "shape holds 1E+0"},
        {ENTRY("U8", "-0", "0,0"), 0, "shape holds -0"},
        {ENTRY("U8", "01", "0,1"), 1, "a bad number"},
        {ENTRY("U8", "00", "0,0"), 0, "a bad number"},
        {ENTRY("U8", "1.", "0,1"), 1, "a bad number"},
        {ENTRY("U8", "-", "0,1"), 1, "a bad number"},
        {ENTRY("U8", "1e", "0,1"), 1, "a bad number"},
        {ENTRY("U8", "+1", "0,1"), 1, "expected a value"},
        {ENTRY("U8", ".5", "0,1"), 1, "expected a value"},
        {ENTRY("U8", "\"1\"", "0,1"), 1, "shape holds \"1\""},
        {ENTRY("U8", "null", "0,1"), 1, "shape holds null"},
        {ENTRY("U8", "[1]", "0,1"), 1, "shape holds [1]"},
        {ENTRY("U8", "281474976710657", "0,1"), 1, "2^48"},
        {ENTRY("U8", "281474976710656", "0,1"), 1, "need 281474976710656 bytes"},
        {ENTRY("U8", "2,18446744073709551614", "0,1"), 1, "2^48"},
        {ENTRY("U8", "2,9223372036854775807", "0,1"), 1, "2^48"},
        {ENTRY("U8", "99999999999999999999999", "0,1"), 1, "2^48"},
        {ENTRY("U8", "1", "0,1e0"), 1, "data_offsets holds 1e0"},
        {ENTRY("U8", "1", "-1,0"), 1, "data_offsets holds -1"},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void shapes_types_and_offsets_must_agree(void **state)
{
    static const struct row rows[] = {
        {ENTRY("F32", "2,2", "0,4"), 4, "need 16 bytes, its data_offsets give 4"},
        {ENTRY("F32", "2,2", "0,16"), 18, "2 bytes follow the last tensor"},
        {ENTRY("F32", "2,2", "0,16"), 14, "do not lie in the 14 bytes"},
        {ENTRY("F32", "2,2", "4,20"), 20, "a hole before"},
        {ENTRY("F32", "2,2", "16,0"), 16, "do not lie in"},
        {ENTRY("F32", "1", "4"), 4, "are not two numbers"},
        {ENTRY("F32", "1", ""), 4, "are not two numbers"},
        {ENTRY("F32", "1", "0,4,4"), 4, "more than 2 numbers"},
        {ENTRY("F32", "1,1,1,1,1,1,1,1,1", "0,4"), 4, "more than 8 numbers"},
        {ENTRY("F32", "281474976710656,281474976710656", "0,0"), 0, "overflows"},
        {ENTRY("F32", "281474976710656,281474976710656,0", "0,0"), 0, "overflows"},
        {ENTRY("F4", "3", "0,1"), 1, "whole bytes"},
        {ENTRY("F6_E3M2", "1", "0,1"), 1, "whole bytes"},
        {ENTRY("f32", "1", "0,4"), 4, "dtype is 'f32'"},
        {ENTRY("F128", "1", "0,16"), 16, "dtype is 'F128'"},
        {ENTRY("", "1", "0,4"), 4, "dtype is ''"},
        {ENTRY("F32F32F32F32F32F32", "1", "0,4"), 4, "not the name of a type"},
        {"{}", 1, "1 bytes follow"},
        {"{" TENSOR("a", "0,16") "," TENSOR("b", "20,36") "}", 36,
         "'b': there is a hole"},
        {"{" TENSOR("a", "0,16") "," TENSOR("b", "12,28") "}", 28, "overlap"},
        {"{" TENSOR("a", "0,16") "," TENSOR("b", "0,16") "}", 16, "overlap"},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void entries_are_complete_and_have_nothing_else(void **state)
{
    static const struct row rows[] = {
        {"{\"a\":1}", 0, "'a': its description is not an object"},
        {"{\"a\":[]}", 0, "'a': its description is not an object"},
        {"{\"a\":{}}", 0, "one is missing"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[0]}}", 0, "one is missing"},
        {"{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,0]}}", 0, "one is missing"},
        {"{\"a\":{\"shape\":[0],\"data_offsets\":[0,0]}}", 0, "one is missing"},
        {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0, "key 'dtype' twice"},
        {"{\"a\":{\"shape\":[0],\"shape\":[0]}}", 0, "key 'shape' twice"},
        {"{\"a\":{\"Shape\":[0]}}", 0, "unknown key \"Shape\""},
        {"{\"a\":{\"extra\":1}}", 0, "unknown key \"extra\""},
        {"{\"a\":{\"dtype\":8}}", 0, "not the name of a type"},
        {"{\"a\":{\"shape\":1}}", 0, "its shape is no array"},
        {"{\"a\":{\"shape\":{}}}", 0, "its shape is no array"},
        {"{\"a\":{\"data_offsets\":\"0,1\"}}", 0, "its data_offsets is no array"},
        {"{\"\":{\"dtype\":\"U8\"}}", 0, "empty or longer than 512"},
        {"{" TENSOR("a", "0,16") "," TENSOR("a", "16,32") "}", 32, "appears twice"},
        {"{" TENSOR("a", "0,16") "," TENSOR("\\u0061", "16,32") "}", 32, "appears twice"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "not a string"},
        {"{\"__metadata__\":{\"a\":null}}", 0, "not a string"},
        {"{\"__metadata__\":[]}", 0, "not an object of strings"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "appears twice"},
        {"{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0, "the key 'k' twice"},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void long_names_have_a_limit(void **state)
{
    char header[800], name[514];
    (void)state;
    for (size_t length = 512; length <= 513; length++) {
        memset(name, 'n', sizeof name);
        name[length] = '\0';
        snprintf(header, sizeof header,
                 "{\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
                 name);
        check(file_of(header, 1), "a long name",
              length == 512 ? NULL : "longer than 512 bytes");
    }
}

// count tensors, all of them on the same bytes or one after the other.
static char *many_tensors(int count, bool same)
{
    size_t size = (size_t)count * 80 + 3, at = 1;
    char *header = malloc(size);
    assert_non_null(header);
    header[0] = '{';
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(
            header + at, size - at,
            "%s\"t%d\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%d,%d]}",
            i ? "," : "", i, same ? 0 : i, same ? 1 : i + 1);
    snprintf(header + at, size - at, "}");
    return header;
}

static void many_tensors_have_a_limit(void **state)
{
    (void)state;
    for (int count = 65536; count <= 65537; count++) {
        char *header = many_tensors(count, false);
        check(file_of(header, (size_t)count), "many tensors",
              count == 65536 ? NULL : "more than 65536 tensors");
        free(header);
    }
    char *header = many_tensors(10, true);
    check(file_of(header, 1), "ten names on the same bytes", "overlap");
    free(header);
}

// An odd header length leaves every float misaligned; that is legal.
static void entries_point_into_the_file(void **state)
{
    static const char header[] =
        "{\"z\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},\"b\":{"
        "\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[8,16]}, \"\\u00e9\\ud83d"
        "\\ude00\\n\":{\"dtype\":\"U8\",\"shape\":[3,0,9],\"data_offsets\":[8,8]}}";
    struct bytes file = file_of(header, 16);
    struct safetensors tensors;
    struct error err;
    (void)state;
    assert_true(safetensors_parse(&tensors, file.data, file.size, "x", &err));
    assert_int_equal(tensors.count, 3);
    assert_string_equal(tensors.entries[0].name, "b");
    const struct safetensors_entry *z = safetensors_find(&tensors, "z");
    const struct safetensors_entry *b = safetensors_find(&tensors, "b");
    const struct safetensors_entry *empty =
        safetensors_find(&tensors, "\xc3\xa9\xf0\x9f\x98\x80\n");
    assert_true(z && b && empty);
    assert_string_equal(z->dtype, "F32");
    assert_ptr_equal(z->data, file.data + 8 + sizeof header - 1);
    assert_int_equal(z->bytes, 8);
    assert_ptr_equal(b->data, z->data + 8);
    assert_int_equal(b->rank, 0);
    assert_int_equal(empty->rank, 3);
    assert_int_equal(empty->shape[2], 9);
    assert_null(safetensors_find(&tensors, "Z"));
    assert_null(safetensors_find(&tensors, ""));
    safetensors_close(&tensors);
    safetensors_close(&tensors);
    free(file.data);
}

// Whatever one byte is changed to, or wherever the file is cut, there is an answer.
static void damaged_files_never_surprise(void **state)
{
    static const char header[] = "{\"__metadata__\":{\"a\":\"\\u00e9\"},\"w\":{\"dtype\":"
                                 "\"F16\",\"shape\":[2,1],\"data_offsets\":[0,4]}} ";
    int accepted = 0;
    (void)state;
    for (size_t at = 0; at < 8 + sizeof header; at++)
        for (int value = 0; value < 256; value++) {
            struct bytes file = file_of(header, 4);
            struct safetensors tensors;
            struct error err = {0};
            file.data[at] = (unsigned char)value;
            bool ok = safetensors_parse(&tensors, file.data, file.size, "x", &err);
            assert_true(ok || err.text[0]);
            accepted += ok;
            safetensors_close(&tensors);
            free(file.data);
        }
    assert_true(accepted > 256);
    for (size_t size = 0; size < 8 + sizeof header - 1 + 4; size++) {
        struct bytes file = file_of(header, 4);
        unsigned char *cut = malloc(size ? size : 1);
        struct safetensors tensors;
        struct error err = {0};
        assert_non_null(cut);
        memcpy(cut, file.data, size);
        assert_false(safetensors_parse(&tensors, cut, size, "x", &err));
        assert_true(err.text[0]);
        free(cut);
        free(file.data);
    }
}

static void files_open_and_close(void **state)
{
    char directory[] = "/tmp/alphascope-XXXXXX", path[64];
    struct bytes bytes = file_of(ENTRY("F32", "2", "0,8"), 8);
    struct safetensors tensors;
    struct error err = {0};
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/a.safetensors", directory);
    assert_false(safetensors_open(&tensors, path, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, "a.safetensors"));
    assert_false(safetensors_open(&tensors, directory, &err));
    assert_non_null(strstr(err.text, "directory"));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fclose(file);
    assert_false(safetensors_open(&tensors, path, &err));
    assert_non_null(strstr(err.text, "is empty"));
    assert_true(file_write(path, bytes.data, bytes.size, &err));
    assert_true(safetensors_open(&tensors, path, &err));
    assert_int_equal(safetensors_find(&tensors, "a")->bytes, 8);
    safetensors_close(&tensors);
    unlink(path);
    rmdir(directory);
    free(bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_load),
        cmocka_unit_test(frames_that_lie_are_refused),
        cmocka_unit_test(what_is_not_strict_json_is_refused),
        cmocka_unit_test(integers_are_plain_digits),
        cmocka_unit_test(shapes_types_and_offsets_must_agree),
        cmocka_unit_test(entries_are_complete_and_have_nothing_else),
        cmocka_unit_test(long_names_have_a_limit),
        cmocka_unit_test(many_tensors_have_a_limit),
        cmocka_unit_test(entries_point_into_the_file),
        cmocka_unit_test(damaged_files_never_surprise),
        cmocka_unit_test(files_open_and_close),
    };
    return cmocka_run_group_tests_name("safetensors", tests, NULL, NULL);
}
