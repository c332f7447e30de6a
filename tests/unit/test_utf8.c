// SPDX-License-Identifier: MIT
// utf8: cleaning, clusters, word moves, columns.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "text/utf8.h"

#define FAMILY                                                                           \
    "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7" // 18 bytes
#define FRANCE "\xf0\x9f\x87\xab\xf0\x9f\x87\xb7"                              // 8 bytes
#define E_ACUTE "e\xcc\x81"                                                    // 3 bytes
#define HEBREW "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"                              // 8 bytes
#define BOM "\xef\xbb\xbf"
#define BAD "\xef\xbf\xbd"

struct clean_case {
    const char *in;
    size_t length;
    const char *out;
    int invalid, controls;
};

#define CLEAN(in, out, invalid, controls)                                                \
    {                                                                                    \
        in, sizeof(in) - 1, out, invalid, controls                                       \
    }

static void cleaning_gives_valid_text_and_counts(void **state)
{
    (void)state;
    static const struct clean_case cases[] = {
        CLEAN("", "", 0, 0),
        CLEAN("plain", "plain", 0, 0),
        CLEAN("a\r\nb", "a b", 0, 1),
        CLEAN("a\rb\nc", "a b c", 0, 2),
        CLEAN("a\n\n\tb", "a b", 0, 1),
        CLEAN("a\0b\0", "a b ", 0, 2),
        CLEAN("a\x7f"
              "b\xc2\x85"
              "c\xe2\x80\xa8"
              "d",
              "a b c d", 0, 3),
        CLEAN(BOM "x", "x", 0, 0),
        CLEAN(BOM BOM "x", "x", 0, 0),
        CLEAN("x" BOM "y", "x" BOM "y", 0, 0),
        CLEAN(BOM, "", 0, 0),
        CLEAN("\xc0\xaf", BAD BAD, 2, 0),                 // overlong /
        CLEAN("\xe0\x80\xaf", BAD BAD BAD, 3, 0),         // overlong, three bytes
        CLEAN("\xf0\x80\x80\xaf", BAD BAD BAD BAD, 4, 0), // overlong, four
        CLEAN("\xed\xa0\x80", BAD BAD BAD, 3, 0),         // a surrogate
        CLEAN("\xf4\x90\x80\x80", BAD BAD BAD BAD, 4, 0), // > U+10FFFF
        CLEAN("\xf8\x88\x80\x80\x80", BAD BAD BAD BAD BAD, 5, 0),
        CLEAN("\xe2\x82", BAD, 1, 0),      // cut short at the end
        CLEAN("\xe2\x82z", BAD "z", 1, 0), // cut short before z
        CLEAN("\xf0\x9f\x98z", BAD "z", 1, 0),
        CLEAN("\x80", BAD, 1, 0),
        CLEAN("\xff\xfe", BAD BAD, 2, 0),
        CLEAN("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf", 0, 0), // U+10FFFF
        CLEAN("\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80", 0, 0),
        CLEAN(HEBREW, HEBREW, 0, 0),
        CLEAN(FAMILY FRANCE E_ACUTE, FAMILY FRANCE E_ACUTE, 0, 0),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[128];
        struct utf8_report report;
        size_t n = utf8_clean(out, sizeof out, cases[i].in, cases[i].length, &report);
        assert_string_equal(out, cases[i].out);
        assert_int_equal(n, strlen(cases[i].out));
        assert_int_equal(report.invalid, cases[i].invalid);
        assert_int_equal(report.controls, cases[i].controls);
        assert_int_equal(report.in_used, cases[i].length);
        assert_false(report.cut);
    }
}

struct cut_case {
    const char *in;
    size_t out_size;
    const char *out;
    bool cut;
};

static void a_cut_falls_between_clusters(void **state)
{
    (void)state;
    static const struct cut_case cases[] = {
        {"abc", 4, "abc", false},
        {"abcd", 4, "abc", true},
        {"ab" E_ACUTE, 6, "ab" E_ACUTE, false},
        {"ab" E_ACUTE, 5, "ab", true},
        {"ab" E_ACUTE, 4, "ab", true},
        {"ab" E_ACUTE "c", 6, "ab" E_ACUTE, true},
        {"a" FAMILY, 20, "a" FAMILY, false},
        {"a" FAMILY, 19, "a", true},
        {"a" FAMILY, 6, "a", true},
        {FAMILY, 18, "", true},
        {FRANCE FRANCE, 9 + 4, FRANCE, true},
        {FRANCE FRANCE, 17, FRANCE FRANCE, false},
        {"a\n\nb", 3, "a ", true},
        {"a", 1, "", true},
        {"", 1, "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[64];
        struct utf8_report report;
        memset(out, '#', sizeof out);
        utf8_clean(out, cases[i].out_size, cases[i].in, strlen(cases[i].in), &report);
        assert_string_equal(out, cases[i].out);
        assert_int_equal(report.cut, cases[i].cut);
        assert_int_equal(out[cases[i].out_size], '#');
    }
}

static void a_cut_reports_only_what_was_kept(void **state)
{
    (void)state;
    char out[8];
    struct utf8_report report;
    const char *in = "a\nb\xff" E_ACUTE "\n\xff";
    assert_int_equal(utf8_clean(out, sizeof out, in, strlen(in), &report), 6);
    assert_string_equal(out, "a b" BAD);
    assert_int_equal(report.in_used, 4);
    assert_int_equal(report.invalid, 1);
    assert_int_equal(report.controls, 1);
    assert_true(report.cut);
    assert_int_equal(utf8_clean(out, 0, "x", 1, &report), 0);
    assert_true(report.cut);
    assert_int_equal(utf8_clean(out, sizeof out, "x", 1, NULL), 1);
}

static void validity_and_blankness(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool valid, blank;
    } cases[] = {
        {"", true, true},
        {" \t\r\n", true, true},
        {"\xc2\xa0\xe3\x80\x80\xe2\x80\x83\xe2\x80\xa9", true, true},
        {" x ", true, false},
        {"\xe2\x80\x8b", true, false}, // zero width space is not white space
        {"\xc3\xa9", true, false},
        {"\xc3", false, false},
        {"\xed\xbf\xbf", false, false},
        {"\xc1\xbf", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].text);
        assert_int_equal(utf8_valid(cases[i].text, n), cases[i].valid);
        assert_int_equal(utf8_blank(cases[i].text, n), cases[i].blank);
    }
    assert_true(utf8_valid("a\0b", 3));
}

static void decoding_walks_code_points(void **state)
{
    (void)state;
    const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
    static const int32_t want[] = {'a', 0xe9, 0x20ac, 0x1f600, -1, -1};
    size_t at = 0;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_int_equal(utf8_decode(text, strlen(text), &at), want[i]);
    assert_int_equal(at, strlen(text));
}

static void clusters_are_what_a_reader_calls_a_character(void **state)
{
    (void)state;
    static const char *const clusters[] = {
        "a",
        E_ACUTE,
        FAMILY,
        FRANCE,
        FRANCE,
        "x",
        "\r\n",
        "\n",
        &HEBREW[6],
        "\xec\x95\x88",
        "n\xcc\xa7\xcc\x83",
        "\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd",
        " ",
        "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", // conjoining Hangul
        "\xe0\xa4\xa8\xe0\xa4\xbf",             // Devanagari with a spacing mark
        "1\xef\xb8\x8f\xe2\x83\xa3",            // keycap
    };
    char text[256] = "";
    size_t ends[32], n = 0, count = sizeof clusters / sizeof *clusters;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(clusters[i]);
        memcpy(text + n, clusters[i], length);
        ends[i] = n += length;
    }
    for (size_t i = 0, at = 0; i < count; at = ends[i++]) {
        for (size_t inside = at; inside < ends[i]; inside++)
            assert_int_equal(utf8_next(text, n, inside), ends[i]);
        for (size_t inside = at + 1; inside <= ends[i]; inside++)
            assert_int_equal(utf8_previous(text, n, inside), at);
    }
    assert_int_equal(utf8_next(text, n, n), n);
    assert_int_equal(utf8_previous(text, n, 0), 0);
    assert_int_equal(utf8_next("", 0, 0), 0);
    assert_int_equal(utf8_previous("", 0, 0), 0);
}

static void word_moves_stop_where_editors_stop(void **state)
{
    (void)state;
    // Stops of repeated moves, as digits under the text they stop before.
    static const struct {
        const char *text;
        size_t next[8], previous[8];
    } cases[] = {
        {"The  cat, (sat).", {3, 8, 9, 11, 14, 16, 16}, {14, 11, 10, 8, 5, 0, 0}},
        {"  x", {3, 3}, {2, 0, 0}},
        {"x  ", {1, 3, 3}, {0, 0}},
        {"   ", {3, 3}, {0, 0}},
        {"", {0}, {0}},
        {"don't", {3, 4, 5, 5}, {4, 3, 0, 0}},
        {"a1\xc3\xa9 " E_ACUTE "z", {4, 9, 9}, {5, 0, 0}},
        {"a\xc2\xa0\xe3\x80\x80z", {1, 7, 7}, {6, 0, 0}},
        {HEBREW " " HEBREW, {8, 17, 17}, {9, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].text), at = 0, step = 0;
        do {
            at = utf8_word_next(cases[i].text, n, at);
            assert_int_equal(at, cases[i].next[step]);
        } while (cases[i].next[step++] < n);
        at = n, step = 0;
        do {
            at = utf8_word_previous(cases[i].text, n, at);
            assert_int_equal(at, cases[i].previous[step]);
        } while (cases[i].previous[step++] > 0);
    }
}

static void columns_are_those_of_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int columns;
    } cases[] = {
        {"", 0},
        {"abc", 3},
        {E_ACUTE "x", 2},
        {"\xe6\xbc\xa2\xe5\xad\x97", 4},
        {FAMILY, 2},
        {FRANCE, 2},
        {"\xf0\x9f\x98\x80!", 3},
        {"\xef\xbc\xa1", 2}, // full-width A
        {"\xe2\x80\x8d", 0}, // a joiner alone
        {HEBREW, 4},
        {"\xe2\x96\x81"
         "a",
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_columns(cases[i].text, strlen(cases[i].text)),
                         cases[i].columns);
}

static void marks_are_told_from_letters(void **state)
{
    (void)state;
    assert_true(utf8_is_mark(0x301));
    assert_true(utf8_is_mark(0x93f));
    assert_true(utf8_is_mark(0x20e3));
    assert_false(utf8_is_mark('e'));
    assert_false(utf8_is_mark(0x200d));
}

static uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

// Bytes that meet often enough to make sequences, whole and broken.
static size_t random_bytes(uint32_t *seed, char *out, size_t max)
{
    static const char *const parts[] = {"a",
                                        " ",
                                        "\n",
                                        "\r\n",
                                        "\0",
                                        E_ACUTE,
                                        "\xcc\x81",
                                        "\xe2\x80\x8d",
                                        FAMILY,
                                        "\xf0\x9f\x87\xab",
                                        "\xc3",
                                        "\xe2\x82",
                                        "\xed\xa0\x80",
                                        "\xff",
                                        BOM,
                                        HEBREW,
                                        "\xf0\x9f\x98",
                                        "\x80",
                                        "\xe1\x84\x92",
                                        "\xe1\x85\xa1",
                                        "\xef\xb8\x8f",
                                        "9"};
    size_t n = 0, want = random_next(seed) % max;
    while (n < want) {
        if (random_next(seed) % 4 == 0) {
            out[n++] = (char)(random_next(seed) & 0xff);
            continue;
        }
        const char *part = parts[random_next(seed) % (sizeof parts / sizeof *parts)];
        size_t length = strlen(part) ? strlen(part) : 1;
        for (size_t i = 0; i < length && n < want; i++)
            out[n++] = part[i];
    }
    return n;
}

static void check_walks(const char *text, size_t n)
{
    size_t count = 0, back = 0;
    for (size_t at = 0; at < n; count++) {
        size_t next = utf8_next(text, n, at);
        assert_true(next > at && next <= n);
        assert_true(utf8_valid(text + at, next - at));
        assert_int_equal(utf8_previous(text, n, next), at);
        at = next;
    }
    for (size_t at = n; at > 0; back++)
        at = utf8_previous(text, n, at);
    assert_int_equal(back, count);
    for (size_t at = 0; at < n;) {
        size_t next = utf8_word_next(text, n, at);
        assert_true(next > at && next <= n);
        at = next;
    }
    for (size_t at = n; at > 0;) {
        size_t before = utf8_word_previous(text, n, at);
        assert_true(before < at);
        at = before;
    }
}

static void any_bytes_become_valid_text(void **state)
{
    (void)state;
    uint32_t seed = 2463534242u;
    for (int round = 0; round < 4000; round++) {
        char in[160], whole[512], cut[512], again[512];
        struct utf8_report report;
        size_t n = random_bytes(&seed, in, sizeof in);
        size_t full = utf8_clean(whole, sizeof whole, in, n, &report);
        assert_true(utf8_valid(whole, full));
        assert_int_equal(strlen(whole), full);
        assert_false(report.cut);
        assert_int_equal(utf8_clean(again, sizeof again, whole, full, &report), full);
        assert_memory_equal(again, whole, full);
        assert_int_equal(report.invalid + report.controls, 0);
        check_walks(whole, full);
        // A cut text is a prefix that ends on a cluster boundary of the whole.
        size_t room = 1 + random_next(&seed) % sizeof cut;
        size_t kept = utf8_clean(cut, room, in, n, &report);
        assert_true(kept < room);
        assert_memory_equal(cut, whole, kept);
        assert_int_equal(report.cut, kept < full || report.in_used < n);
        if (kept > 0)
            assert_int_equal(utf8_next(whole, full, utf8_previous(whole, full, kept)),
                             kept);
        if (report.cut && kept < full)
            assert_true(utf8_next(whole, full, kept) >= room);
    }
}

static void punctuation_is_told_from_words(void **state)
{
    (void)state;
    static const char *const marks[] = {".", "...", "?!", " ; ", "«", "…", "€", "–", "😀"};
    static const char *const others[] = {"",   " ", "a", "7",       "a.",
                                         ".a", "é", "²", "\xcc\x81"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        assert_true(utf8_is_punctuation(marks[i], strlen(marks[i])));
        assert_false(utf8_is_punctuation(others[i], strlen(others[i])));
    }
}

static void text_becomes_lower_case(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""}, {"Chat", "chat"}, {"ÉTÉ 7 ŒUVRE", "été 7 œuvre"}, {"ΣΑΣ", "σασ"}};
    char out[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = utf8_lower(out, sizeof out, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(out, cases[i][1]);
        assert_int_equal(n, strlen(out));
    }
    assert_int_equal(utf8_lower(out, 4, "aÉÉ", 5), 3); // no half character
    assert_string_equal(out, "aé");
    assert_int_equal(utf8_lower(out, 1, "a", 1), 0);
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cleaning_gives_valid_text_and_counts),
        cmocka_unit_test(a_cut_falls_between_clusters),
        cmocka_unit_test(a_cut_reports_only_what_was_kept),
        cmocka_unit_test(validity_and_blankness),
        cmocka_unit_test(decoding_walks_code_points),
        cmocka_unit_test(clusters_are_what_a_reader_calls_a_character),
        cmocka_unit_test(word_moves_stop_where_editors_stop),
        cmocka_unit_test(columns_are_those_of_a_terminal),
        cmocka_unit_test(marks_are_told_from_letters),
        cmocka_unit_test(punctuation_is_told_from_words),
        cmocka_unit_test(text_becomes_lower_case),
        cmocka_unit_test(any_bytes_become_valid_text),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
