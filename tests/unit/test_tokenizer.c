// SPDX-License-Identifier: MIT
// tokenizer: SentencePiece's own ids, spans in bytes of what was typed, refusals. Ids and
// spans are those of tests/unit/vocabularies, which stays as it is whatever the bundled
// models become: 6000 pieces a side, without bytes, so that there is what it does not
// know.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "make_spm.h"
#include "text/tokenizer.h"
#include "text/utf8.h"

struct fixture {
    struct tokenizer *source, *target, *bundled;
    char directory[64];
};

static struct tokenizer *open_below(const char *root, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, name);
    struct error err = {0};
    struct tokenizer *tokenizer = tokenizer_open(path, &err);
    if (!tokenizer)
        print_error("%s\n", err.text);
    return tokenizer;
}

static int set_up(void **state)
{
    static struct fixture fixture = {.directory = "/tmp/alphascope-spm-XXXXXX"};
    const char *root = getenv("ALPHASCOPE_DATA");
    fixture.source = open_below(ALPHASCOPE_TESTS, "unit/vocabularies/source.spm");
    fixture.target = open_below(ALPHASCOPE_TESTS, "unit/vocabularies/target.spm");
    fixture.bundled = open_below(root ? root : ".", "models/en-fr-bahdanau/source.spm");
    *state = &fixture;
    bool opened = fixture.source && fixture.target && fixture.bundled;
    return opened && mkdtemp(fixture.directory) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    tokenizer_close(fixture->source);
    tokenizer_close(fixture->target);
    tokenizer_close(fixture->bundled);
    tokenizer_close(NULL);
    return rmdir(fixture->directory);
}

struct encode_case {
    const char *text;
    int count, ids[8], begin[8], end[8];
};

// The ids are those of Python's sentencepiece on the same file.
static const struct encode_case encode_cases[] = {
    {"The black cat sleeps.",
     6,
     {50, 1013, 422, 355, 11, 4},
     {0, 3, 9, 13, 19, 20},
     {3, 9, 13, 19, 20, 21}},
    {"  caf\xc3\xa9  \xf0\x9f\x98\x80 ok  ",
     6,
     {2788, 161, 4896, 213, 3, 3164},
     {2, 4, 5, 7, 9, 13},
     {4, 5, 7, 9, 13, 16}},
    {"\xef\xbc\xa1\xef\xbc\xa2\xef\xbc\xa3 \xef\xbd\x83\xef\xbd\x81\xef\xbd\x94",
     4,
     {160, 3696, 4034, 422},
     {0, 3, 6, 9},
     {3, 6, 9, 19}},
    {"e\xcc\x81te\xcc\x81 x\xcc\xa7",
     7,
     {213, 4896, 10, 4896, 213, 1416, 3},
     {0, 0, 3, 4, 7, 8, 9},
     {0, 3, 4, 7, 8, 9, 11}},
    {"\xef\xac\x81ne \xc2\xbd \xe6\xbc\xa2\xe5\xad\x97 word\xe6\xbc\xa2",
     8,
     {821, 3092, 3, 2673, 213, 3, 418, 3},
     {0, 5, 6, 6, 8, 9, 15, 20},
     {5, 6, 6, 8, 9, 15, 20, 23}},
    {"\xe2\x80\xa6", 4, {213, 4, 4, 4}, {0, 0, 0, 0}, {0, 0, 0, 3}},
    {"\xc2\xa0x", 2, {213, 1416}, {2, 2}, {2, 3}},
    {"a\xe3\x80\x80"
     "b",
     2,
     {12, 1353},
     {0, 1},
     {1, 5}},
    {"ab  ", 1, {3098}, {0}, {2}},
    {" ", 0, {0}, {0}, {0}},
    {"", 0, {0}, {0}, {0}},
};

static void ids_and_spans_are_those_of_the_typed_bytes(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof encode_cases / sizeof *encode_cases; i++) {
        const struct encode_case *want = &encode_cases[i];
        struct token tokens[16];
        struct error err;
        int count = -1;
        assert_true(tokenizer_encode(fixture->source, want->text, strlen(want->text),
                                     tokens, 16, &count, &err));
        assert_int_equal(count, want->count);
        for (int k = 0; k < count; k++) {
            assert_int_equal(tokens[k].id, want->ids[k]);
            assert_int_equal(tokens[k].begin, want->begin[k]);
            assert_int_equal(tokens[k].end, want->end[k]);
        }
    }
}

static void assert_spans(const struct tokenizer *tokenizer, const char *text, size_t n)
{
    struct token tokens[512];
    int count = 0, end = 0;
    struct error err;
    assert_true(tokenizer_encode(tokenizer, text, n, tokens, 512, &count, &err));
    for (int k = 0; k < count; k++) {
        assert_true(tokens[k].begin >= end && tokens[k].end >= tokens[k].begin);
        end = tokens[k].end;
        assert_true(utf8_valid(text + tokens[k].begin, (size_t)(end - tokens[k].begin)));
    }
    assert_true(end <= (int)n);
}

static void spans_are_ordered_whole_characters_whatever_is_typed(void **state)
{
    struct fixture *fixture = *state;
    static const char *const parts[] = {"cat",          " ",
                                        "  ",           "\xc3\xa9",
                                        "e\xcc\x81",    "\xf0\x9f\x98\x80",
                                        "\xef\xbc\xa1", "\xc2\xbd",
                                        "\xe2\x80\xa6", "\xef\xac\x81",
                                        "\xe3\x80\x80", "\xe6\xbc\xa2",
                                        "\xe2\x80\x8d", "\xcc\xa7",
                                        "<s>",          "\xe2\x96\x81",
                                        "\xd7\xa9",     ".",
                                        "\xef\xb7\xba"};
    uint32_t seed = 7;
    for (int round = 0; round < 2000; round++) {
        char text[256];
        size_t n = 0;
        for (int i = round % 17; i >= 0; i--) {
            const char *part = parts[((seed = seed * 1664525u + 1013904223u) >> 8) %
                                     (sizeof parts / sizeof *parts)];
            size_t length = strlen(part);
            memcpy(text + n, part, length);
            n += length;
        }
        assert_spans(fixture->source, text, n);
        assert_spans(fixture->bundled, text, n);
    }
}

static void limits_are_said_with_both_numbers(void **state)
{
    struct fixture *fixture = *state;
    const char *text = "The black cat sleeps.";
    struct token tokens[8];
    struct error err = {0};
    int count = 0;
    assert_true(tokenizer_encode(fixture->source, text, 21, tokens, 6, &count, &err));
    assert_false(tokenizer_encode(fixture->source, text, 21, tokens, 5, &count, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "6"));
    assert_non_null(strstr(err.text, "5"));
    tokens[2].id = -7;
    assert_true(
        tokenizer_encode_first(fixture->source, text, 21, tokens, 2, &count, &err));
    assert_int_equal(count, 6);
    assert_int_equal(tokens[1].id, 1013);
    assert_int_equal(tokens[2].id, -7);
    static char much[TEXT_MAX_BYTES + 1];
    memset(much, 'a', sizeof much);
    assert_true(tokenizer_encode_first(fixture->source, much, TEXT_MAX_BYTES, tokens, 8,
                                       &count, &err));
    assert_false(tokenizer_encode_first(fixture->source, much, sizeof much, tokens, 8,
                                        &count, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_false(tokenizer_encode(fixture->source, "a\xff", 2, tokens, 8, &count, &err));
    assert_int_equal(err.code, ERR_FORMAT);
}

static void the_vocabulary_is_the_file_s_own(void **state)
{
    struct fixture *fixture = *state;
    const struct tokenizer *source = fixture->source;
    assert_int_equal(tokenizer_size(source), 6000);
    assert_string_equal(tokenizer_piece(source, 50), "\xe2\x96\x81The");
    assert_string_equal(tokenizer_piece(source, 3), "<unk>");
    assert_null(tokenizer_piece(source, -1));
    assert_null(tokenizer_piece(source, 6000));
    assert_true(tokenizer_is_unknown(source, 3));
    assert_false(tokenizer_is_unknown(source, 6000));
    assert_true(tokenizer_is_control(source, 2));
    assert_false(tokenizer_is_control(source, 50));
    assert_false(tokenizer_is_control(source, -1));
    assert_false(tokenizer_is_byte(source, 50));
    struct tokenizer_specials specials = tokenizer_specials(source);
    assert_int_equal(specials.pad, 0);
    assert_int_equal(specials.bos, 1);
    assert_int_equal(specials.eos, 2);
    assert_int_equal(specials.unk, 3);
}

static void decoding_joins_words_and_skips_controls(void **state)
{
    struct fixture *fixture = *state;
    const int ids[] = {1, 61, 555, 915, 1640, 4, 2};
    struct error err;
    struct buf buf;
    buf_init(&buf, 100);
    assert_true(tokenizer_decode(fixture->target, ids, 7, &buf, &err));
    assert_string_equal(buf_text(&buf), "Le chat noir dort.");
    buf_clear(&buf);
    assert_true(tokenizer_decode(fixture->target, ids, 0, &buf, &err));
    assert_string_equal(buf_text(&buf), "");
    assert_false(tokenizer_decode(fixture->target, (int[]){6000}, 1, &buf, &err));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_false(tokenizer_decode(fixture->target, (int[]){-1}, 1, &buf, &err));
    buf_finish(&buf);
    buf_init(&buf, 4);
    assert_false(tokenizer_decode(fixture->target, ids, 7, &buf, &err));
    assert_int_equal(err.code, ERR_NOMEM);
    buf_finish(&buf);
}

// Opens bytes as a file; the error's text, "" when it opened.
static const char *opening(struct fixture *fixture, const void *bytes, size_t size,
                           struct tokenizer **opened)
{
    static struct error err;
    char path[128];
    snprintf(path, sizeof path, "%s/model.spm", fixture->directory);
    made_write(bytes, size, path);
    err = (struct error){0};
    struct tokenizer *tokenizer = tokenizer_open(path, &err);
    unlink(path);
    if (!tokenizer)
        assert_non_null(strstr(err.text, path));
    if (opened)
        *opened = tokenizer;
    else
        tokenizer_close(tokenizer);
    return tokenizer ? "" : err.text;
}

static void a_file_that_is_no_model_is_refused_in_one_sentence(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        const char *bytes, *says;
    } cases[] = {
        {"", "empty"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n", "git-lfs"},
        {"hello", "not a SentencePiece model"},
        {"{\"a\": 1}", "not a SentencePiece model"},
        {"\n\x02", "not a SentencePiece model"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_non_null(
            strstr(opening(fixture, cases[i].bytes, strlen(cases[i].bytes), NULL),
                   cases[i].says));
    struct error err = {0};
    assert_null(tokenizer_open("/nowhere/x.spm", &err));
    assert_non_null(strstr(err.text, "/nowhere/x.spm"));
    assert_null(tokenizer_open(fixture->directory, &err));
    assert_non_null(strstr(err.text, "directory"));
}

static void a_vocabulary_that_cannot_be_shown_is_refused(void **state)
{
    struct fixture *fixture = *state;
    char big[600];
    memset(big, 'x', sizeof big);
    const struct {
        const char *piece;
        size_t length;
        const char *says;
    } cases[] = {
        {"fine", 4, ""},
        {big, TOKEN_MAX_BYTES, ""},
        {big, TOKEN_MAX_BYTES + 1, "piece 4 has 513 bytes"},
        {"\xff", 1, "UTF-8"},
        {"a\0b", 3, "UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static struct made_spm spm;
        spm.size = 0;
        made_specials(&spm);
        made_piece(&spm, cases[i].piece, cases[i].length, -1, SPM_NORMAL);
        const char *text = opening(fixture, spm.bytes, spm.size, NULL);
        if (cases[i].says[0])
            assert_non_null(strstr(text, cases[i].says));
        else
            assert_string_equal(text, "");
    }
}

enum { TRIE_BYTES = 256 * 4 };

struct table_case { // byte `at` of an honest table becomes `to`
    unsigned at, to, trie_bytes, size;
    bool fine;
};

static void a_normaliser_that_leads_outside_itself_is_refused(void **state)
{
    struct fixture *fixture = *state;
    static const struct table_case cases[] = {
        {0, 0, TRIE_BYTES, TRIE_BYTES + 4, true},
        {TRIE_BYTES + 3, 'x', TRIE_BYTES, TRIE_BYTES + 4, false}, // no NUL at the end
        {3, 1, TRIE_BYTES, TRIE_BYTES + 4, false},                // the root leads away
        {3, 0x80, TRIE_BYTES, TRIE_BYTES + 4, false},             // the root as a leaf
        {0, 0, TRIE_BYTES + 4, TRIE_BYTES + 4, false},            // no room for strings
        {0, 0, TRIE_BYTES - 4, TRIE_BYTES + 4, false},            // successors cut off
        {0, 0, TRIE_BYTES + 2, TRIE_BYTES + 8, false},            // half a unit
        {0, 0, 0xfffffff0, TRIE_BYTES + 4, false},
        {0, 0, 0, 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static struct made_spm spm;
        unsigned char table[TRIE_BYTES + 8] = {0};
        table[cases[i].at] = (unsigned char)cases[i].to;
        spm.size = 0;
        made_specials(&spm);
        made_piece(&spm, "a", 1, -1, SPM_NORMAL);
        made_normalizer(&spm, cases[i].trie_bytes, table, cases[i].size);
        const char *text = opening(fixture, spm.bytes, spm.size, NULL);
        assert_int_equal(text[0] == '\0', cases[i].fine);
    }
}

static void a_leaf_that_names_no_string_is_refused(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned value = 3; value <= 4; value++) { // of strings of 4 bytes
        static struct made_spm spm;
        unsigned char table[TRIE_BYTES + 4] = {[1] = 5, [7] = 0x80}; // leaf at unit 1
        table[4] = (unsigned char)value;
        spm.size = 0;
        made_specials(&spm);
        made_piece(&spm, "a", 1, -1, SPM_NORMAL);
        made_normalizer(&spm, TRIE_BYTES, table, sizeof table);
        const char *text = opening(fixture, spm.bytes, spm.size, NULL);
        assert_int_equal(text[0] == '\0', value == 3);
    }
}

static void byte_pieces_are_known_as_such(void **state)
{
    struct fixture *fixture = *state;
    static struct made_spm spm;
    spm.size = 0;
    made_specials(&spm);
    made_piece(&spm, "\xe2\x96\x81", 3, -1, SPM_NORMAL);
    made_byte_pieces(&spm);
    struct tokenizer *tokenizer;
    assert_string_equal(opening(fixture, spm.bytes, spm.size, &tokenizer), "");
    struct token tokens[8];
    struct error err;
    int count = 0;
    assert_true(tokenizer_encode(tokenizer, "\xc3\xa9", 2, tokens, 8, &count, &err));
    assert_int_equal(count, 3);
    assert_string_equal(tokenizer_piece(tokenizer, tokens[1].id), "<0xC3>");
    assert_true(tokenizer_is_byte(tokenizer, tokens[1].id));
    assert_true(tokenizer_is_byte(tokenizer, tokens[2].id));
    assert_false(tokenizer_is_byte(tokenizer, tokens[0].id));
    struct buf buf;
    buf_init(&buf, 64);
    const int ids[] = {tokens[1].id, tokens[2].id};
    assert_true(tokenizer_decode(tokenizer, ids, 2, &buf, &err));
    assert_string_equal(buf_text(&buf), "\xc3\xa9");
    buf_finish(&buf);
    tokenizer_close(tokenizer);
}

static void nothing_is_said_on_stderr(void **state)
{
    struct fixture *fixture = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/stderr", fixture->directory);
    int kept = dup(2), log = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    assert_true(kept >= 0 && log >= 0);
    dup2(log, 2);
    const int ids[] = {61, 555};
    struct error err;
    struct token tokens[8];
    int count = 0;
    struct buf buf;
    buf_init(&buf, 100);
    const char *why = opening(fixture, "hello", 5, NULL);
    bool encoded =
        tokenizer_encode(fixture->source, "a\xe2\x80\x8d", 4, tokens, 8, &count, &err);
    bool decoded = tokenizer_decode(fixture->target, ids, 2, &buf, &err);
    dup2(kept, 2);
    close(kept);
    off_t said = lseek(log, 0, SEEK_END);
    close(log);
    unlink(path);
    buf_finish(&buf);
    assert_string_not_equal(why, "");
    assert_true(encoded && decoded);
    assert_int_equal(said, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_and_spans_are_those_of_the_typed_bytes),
        cmocka_unit_test(spans_are_ordered_whole_characters_whatever_is_typed),
        cmocka_unit_test(limits_are_said_with_both_numbers),
        cmocka_unit_test(the_vocabulary_is_the_file_s_own),
        cmocka_unit_test(decoding_joins_words_and_skips_controls),
        cmocka_unit_test(a_file_that_is_no_model_is_refused_in_one_sentence),
        cmocka_unit_test(a_vocabulary_that_cannot_be_shown_is_refused),
        cmocka_unit_test(a_normaliser_that_leads_outside_itself_is_refused),
        cmocka_unit_test(a_leaf_that_names_no_string_is_refused),
        cmocka_unit_test(byte_pieces_are_known_as_such),
        cmocka_unit_test(nothing_is_said_on_stderr),
    };
    return cmocka_run_group_tests_name("tokenizer", tests, set_up, tear_down);
}
