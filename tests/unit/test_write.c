// SPDX-License-Identifier: MIT
// The exporters, on alignments made by hand: exact bytes, escapes, odd numbers, widths.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/write.h"

struct made { // an alignment and what was written of it
    struct alignment *alignment;
    struct buf out;
};

static struct made made_of(int n_src, int rows, bool attention)
{
    struct made made = {.alignment = alignment_create(n_src, rows, attention, NULL)};
    assert_non_null(made.alignment);
    buf_init(&made.out, 1 << 20);
    made.alignment->text = "a b";
    made.alignment->model = "m";
    made.alignment->translation = "x y";
    return made;
}

// "a b" to "x ⏎": rows (0.25, 0.75) and (1, 0).
static struct made small(bool attention)
{
    struct made made = made_of(2, 2, attention);
    struct alignment *a = made.alignment;
    a->source[0] = (struct label){.piece = "▁a", .text = "a", .begin = 0, .end = 1};
    a->source[1] = (struct label){.piece = "▁b", .text = "b", .begin = 2, .end = 3};
    a->target[0] = (struct label){.piece = "▁x", .text = "x"};
    a->target[1] = (struct label){.piece = "</s>", .text = "⏎", .special = true};
    a->p[0] = 0.5f;
    a->p[1] = 0.125f;
    if (attention) {
        static const float alpha[] = {0.25f, 0.75f, 1, 0}, score[] = {-1, 0.1f, 2, -3};
        memcpy(a->alpha, alpha, sizeof alpha);
        memcpy(a->score, score, sizeof score);
    }
    alignment_publish(a, 2);
    alignment_end(a, ENDED_EOS);
    return made;
}

static void drop(struct made *made)
{
    alignment_destroy(made->alignment);
    buf_finish(&made->out);
}

static struct reading reading_of(const struct made *made)
{
    return (struct reading){.alignment = made->alignment,
                            .alpha = made->alignment->alpha,
                            .tau = 1,
                            .mode = "re-decode",
                            .name = "RNNsearch"};
}

typedef bool writer(struct buf *out, const struct reading *reading, struct error *err);

static const char *written(struct made *made, writer *write)
{
    struct reading reading = reading_of(made);
    buf_clear(&made->out);
    assert_true(write(&made->out, &reading, NULL));
    return buf_text(&made->out);
}

// Of small(): H of (1/4 3/4) is 2 - 3/4 log2 3; CDP is -ln 17/16 and, by the sixth power,
// -ln 4097/4096; AP_in is that of the column (1/5 4/5), halved.
#define SMALL_READINGS                                                                   \
    "{\"rows\":[{\"entropy_bits\":0.811278105,\"entropy_nats\":0.562335134,"             \
    "\"effective_words\":1.75476527,\"peak\":0.75,\"peak_column\":1,\"sum\":1,"          \
    "\"position\":0.75,\"drift\":0.75,\"p\":0.5,\"says\":[],\"flags\":[]},"              \
    "{\"entropy_bits\":0,\"entropy_nats\":0,\"effective_words\":1,\"peak\":1,"           \
    "\"peak_column\":0,\"sum\":1,\"position\":0,\"drift\":0,\"p\":0.125,\"says\":[],"    \
    "\"flags\":[]}],\"columns\":[{\"coverage\":1.25,\"coverage_deviation\":0.25},"       \
    "{\"coverage\":0.75,\"coverage_deviation\":-0.25}],\"matrix\":{"                     \
    "\"entropy_bits\":0.405639052,\"rikters_paper\":{\"exponent\":2,"                    \
    "\"coverage_deviation_penalty\":-0.0606246218,"                                      \
    "\"absentmindedness_out\":-0.281167567,\"absentmindedness_in\":-0.250201225,"        \
    "\"confidence\":-0.591993392,\"percent\":98.2629852},\"rikters_tool\":{"             \
    "\"exponent\":6,\"coverage_deviation_penalty\":-0.000244110823,"                     \
    "\"absentmindedness_out\":-0.281167567,\"absentmindedness_in\":-0.250201225,"        \
    "\"confidence\":-0.531612873,\"percent\":98.5968781},\"monotonicity\":-1,"           \
    "\"diagonal_distance\":0.4375,\"drift\":0.375,\"share_special\":0,"                  \
    "\"share_punctuation\":0,\"share_last\":0.375,\"flags\":[]}}"
#define NO_CONFIDENCE(exponent)                                                          \
    "{\"exponent\":" exponent ",\"coverage_deviation_penalty\":null,"                    \
    "\"absentmindedness_out\":null,\"absentmindedness_in\":null,\"confidence\":null,"    \
    "\"percent\":null}"
#define NO_READINGS                                                                      \
    "{\"rows\":[],\"columns\":[],\"matrix\":{\"entropy_bits\":null,"                     \
    "\"rikters_paper\":" NO_CONFIDENCE("2") ",\"rikters_tool\":" NO_CONFIDENCE(          \
        "6") ",\"monotonicity\":null,\"diagonal_distance\":null,\"drift\":null,"         \
             "\"share_special\":null,\"share_punctuation\":null,\"share_last\":null,"    \
             "\"flags\":[]}}"

static void aligners_lines_count_the_ends_as_tokens(void **state)
{
    (void)state;
    struct made made = small(true);
    assert_string_equal(written(&made, write_pharaoh), "▁x ||| 0-1 1-0\n");
    assert_string_equal(written(&made, write_soft), "▁x ||| 0.25,0.75 1,0\n");
    made.alignment->target[0].piece = "a|b c";
    assert_string_equal(written(&made, write_pharaoh), "a&#124;b▁c ||| 0-1 1-0\n");
    drop(&made);
    made = made_of(0, 0, true);
    alignment_end(made.alignment, ENDED_EMPTY);
    assert_string_equal(written(&made, write_pharaoh), "|||\n");
    assert_string_equal(written(&made, write_soft), "|||\n");
    drop(&made);
}

static void without_attention_nothing_is_aligned(void **state)
{
    (void)state;
    struct made made = small(false);
    struct reading reading = reading_of(&made);
    struct error err;
    assert_false(write_pharaoh(&made.out, &reading, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_false(write_soft(&made.out, &reading, &err));
    assert_int_equal(made.out.length, 0);
    drop(&made);
}

static void json_has_every_field_in_one_line(void **state)
{
    (void)state;
    struct made made = small(true);
    assert_string_equal(
        written(&made, write_json),
        "{\"text\":\"a b\",\"model\":\"m\",\"tau\":1,\"mode\":\"re-decode\","
        "\"source\":[\"▁a\",\"▁b\"],\"target\":[\"▁x\",\"</s>\"],"
        "\"source_spans\":[[0,1],[2,3]],\"translation\":\"x y\","
        "\"scores\":[[-1,0.100000001],[2,-3]],\"alpha\":[[0.25,0.75],[1,0]],"
        "\"entropy_bits\":[0.811278105,0],\"coverage\":[1.25,0.75],"
        "\"p\":[0.5,0.125],\"readings\":" SMALL_READINGS ",\"ended\":\"eos\"}\n");
    drop(&made);
}

static void json_without_attention_has_nulls(void **state)
{
    (void)state;
    struct made made = small(false);
    const char *text = written(&made, write_json);
    assert_non_null(strstr(text, "\"scores\":null,\"alpha\":null,\"entropy_bits\":null,"
                                 "\"coverage\":null,\"p\":[0.5,0.125],"
                                 "\"readings\":null,"));
    drop(&made);
}

static void json_of_nothing_is_empty_lists(void **state)
{
    (void)state;
    struct made made = made_of(0, 0, true);
    made.alignment->text = "  ";
    made.alignment->translation = NULL;
    alignment_end(made.alignment, ENDED_EMPTY);
    assert_string_equal(
        written(&made, write_json),
        "{\"text\":\"  \",\"model\":\"m\",\"tau\":1,\"mode\":\"re-decode\",\"source\":[],"
        "\"target\":[],\"source_spans\":[],\"translation\":\"\",\"scores\":[],"
        "\"alpha\":[],\"entropy_bits\":[],\"coverage\":[],\"p\":[],"
        "\"readings\":" NO_READINGS ","
        "\"ended\":\"empty\"}\n");
    assert_string_equal(written(&made, write_tsv), "target\n");
    assert_string_equal(written(&made, write_text), "(empty: nothing to translate)\n");
    drop(&made);
}

static void what_was_cut_is_in_every_format_that_has_room(void **state)
{
    (void)state;
    struct made made = small(true);
    struct reading reading = reading_of(&made);
    reading.cut_bytes = 7;
    made.alignment->tokens_cut = 3;
    assert_true(write_json(&made.out, &reading, NULL));
    assert_non_null(strstr(buf_text(&made.out),
                           "\"ended\":\"eos\",\"cut_bytes\":7,\"cut_tokens\":3}"));
    buf_clear(&made.out);
    assert_true(write_text(&made.out, &reading, NULL));
    assert_non_null(strstr(buf_text(&made.out), "The last 7 bytes of the text were cut"));
    assert_non_null(
        strstr(buf_text(&made.out), "The last 3 tokens of the text were cut"));
    drop(&made);
}

static void an_unknown_piece_is_written_as_typed(void **state)
{
    (void)state;
    struct made made = small(true);
    made.alignment->source[1].piece = "<unk>";
    made.alignment->source[1].text = "U+202E"; // as it is shown
    made.alignment->source[1].unknown = true;
    made.alignment->text = "a \xe2\x80\xae";
    made.alignment->source[1].end = made.alignment->source[1].typed_end = 5;
    made.alignment->source[1].typed_begin = 2;
    const char *text = written(&made, write_json);
    assert_non_null(strstr(text, "\"source\":[\"▁a\",\"\xe2\x80\xae\"]"));
    assert_non_null(strstr(text, "\"source_unknown\":[1]"));
    drop(&made);
}

static void strings_escape(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        {NULL, "null"},
        {"", "\"\""},
        {"plain é 你 😀", "\"plain é 你 😀\""},
        {"\"\\/", "\"\\\"\\\\/\""},
        {"\n\r\t", "\"\\n\\r\\t\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"a\xff"
         "b",
         "\"a\xef\xbf\xbd"
         "b\""},
        {"\xe4\xbd", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    };
    struct buf out;
    buf_init(&out, 1000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        buf_clear(&out);
        write_string(&out, cases[i].in);
        assert_string_equal(buf_text(&out), cases[i].out);
    }
    buf_finish(&out);
}

static void numbers_come_back_exactly(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1000);
    uint32_t bits = 1;
    for (int i = 0; i < 100000; i++) {
        float value, back;
        bits = bits * 1664525u + 1013904223u;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        buf_clear(&out);
        write_number(&out, value);
        back = strtof(buf_text(&out), NULL);
        assert_memory_equal(&back, &value, sizeof value);
    }
    buf_finish(&out);
}

static void numbers_that_are_none_are_never_printed(void **state)
{
    (void)state;
    static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        struct made made = small(true);
        struct alignment *a = made.alignment;
        a->score[0] = a->alpha[1] = a->p[1] = odd[i];
        static writer *const writers[] = {write_json, write_tsv, write_text};
        for (int w = 0; w < 3; w++) {
            const char *text = written(&made, writers[w]);
            assert_null(strcasestr(text, "nan"));
            assert_null(strcasestr(text, "inf"));
        }
        assert_non_null(strstr(written(&made, write_json), "\"scores\":[[null,"));
        drop(&made);
    }
}

static void a_checkpoint_says_its_step(void **state)
{
    (void)state;
    struct made made = small(true);
    struct reading reading = reading_of(&made);
    assert_null(strstr(written(&made, write_json), "checkpoint"));
    reading.stage = &(struct stage){30, 1500};
    buf_clear(&made.out);
    assert_true(write_json(&made.out, &reading, NULL));
    assert_non_null(strstr(buf_text(&made.out),
                           ",\"checkpoint\":{\"step\":30,\"of\":1500},\"tau\":1,"));
    drop(&made);
}

static void what_was_edited_says_so(void **state)
{
    (void)state;
    struct made made = small(true);
    assert_null(strstr(written(&made, write_json), "edited"));
    made.alignment->edited = true;
    assert_non_null(
        strstr(written(&made, write_json), "\"mode\":\"re-decode\",\"edited\":true,"));
    drop(&made);
}

static void tau_is_a_number_or_the_word_inf(void **state)
{
    (void)state;
    struct made made = small(true);
    struct reading reading = reading_of(&made);
    reading.tau = INFINITY;
    reading.mode = "re-read";
    assert_true(write_json(&made.out, &reading, NULL));
    assert_non_null(strstr(buf_text(&made.out), "\"tau\":\"inf\",\"mode\":\"re-read\""));
    buf_clear(&made.out);
    write_tau(&made.out, 0);
    assert_string_equal(buf_text(&made.out), "0");
    drop(&made);
}

static void tsv_is_the_matrix_and_its_labels(void **state)
{
    (void)state;
    struct made made = small(true);
    assert_string_equal(written(&made, write_tsv),
                        "target\ta\tb\nx\t0.25\t0.75\n⏎\t1\t0\n");
    made.alignment->source[0].text = "t\tn\nr\rb\\";
    assert_string_equal(written(&made, write_tsv),
                        "target\tt\\tn\\nr\\rb\\\\\tb\nx\t0.25\t0.75\n⏎\t1\t0\n");
    drop(&made);
    made = small(false);
    assert_string_equal(written(&made, write_tsv), "target\tp\nx\t0.5\n⏎\t0.125\n");
    drop(&made);
}

#define SUMMARY                                                                          \
    "Mean entropy 0.41 bits; 0 % of α on special tokens; confidence 98 % (Rikters and " \
    "Fishel 2017).\n"

static void text_lines_up(void **state)
{
    (void)state;
    struct made made = small(true);
    assert_string_equal(written(&made, write_text), "            a     b   bits  p(y)\n"
                                                    "x        0.25  0.75*  0.81  0.50\n"
                                                    "⏎        1.00* 0.00   0.00  0.12\n"
                                                    "coverage 1.25  0.75\n" SUMMARY);
    drop(&made);
    made = small(false);
    assert_string_equal(written(&made, write_text),
                        "          p(y)\n"
                        "x         0.50\n"
                        "⏎         0.12\n"
                        "RNNsearch has no attention: the decoder reads one fixed "
                        "vector.\n");
    drop(&made);
}

static void text_counts_terminal_columns(void **state)
{
    (void)state;
    struct made made = small(true);
    made.alignment->source[0].text = "你好世界";    // 8 columns, 12 bytes
    made.alignment->source[1].text = "e\xcc\x81te"; // 3 columns: a combining accent
    made.alignment->target[0].text = "longer-than-that";
    assert_string_equal(written(&made, write_text),
                        "                 你好世界   e\xcc\x81te   bits  p(y)\n"
                        "longer-than-that     0.25  0.75*  0.81  0.50\n"
                        "⏎                    1.00* 0.00   0.00  0.12\n"
                        "coverage             1.25  0.75\n" SUMMARY);
    drop(&made);
}

static void doubts_and_what_rows_say_are_written(void **state)
{
    (void)state;
    struct made made = made_of(4, 2, true);
    static const float alpha[] = {0, 0, 0, 1, 0.25f, 0.25f, 0.25f, 0};
    memcpy(made.alignment->alpha, alpha, sizeof alpha);
    for (int s = 0; s < 4; s++)
        made.alignment->source[s].text = "a";
    made.alignment->target[0].text = made.alignment->target[1].text = "x";
    made.alignment->source[3].special = made.alignment->source[3].punctuation = true;
    alignment_publish(made.alignment, 2);
    const char *text = written(&made, write_text);
    assert_non_null(strstr(text, "57 % of α on special tokens")); // 1 of 1.75
    assert_non_null(strstr(text, "\nRow 2 sums to 0.750, not 1: columns may be missing, "
                                 "or dropout was on.\n"));
    text = written(&made, write_json);
    assert_non_null(
        strstr(text, "\"flags\":[{\"name\":\"row-sum\",\"sentence\":\"Row 2 sums to "
                     "0.750, not 1: columns may be missing, or dropout was on.\"}]}],"));
    assert_non_null(strstr(text, "\"share_special\":0.571428597,"));
    made.alignment->source[3].special = false; // it was 3 columns from the start
    assert_non_null(
        strstr(written(&made, write_json),
               "\"says\":[{\"name\":\"drifting\",\"sentence\":\"Drifting: this row reads "
               "3.0 columns away from what earlier rows have read.\"}],"));
    drop(&made);
}

static void text_says_when_the_limit_was_hit(void **state)
{
    (void)state;
    struct made made = small(true);
    alignment_end(made.alignment, ENDED_LIMIT);
    assert_non_null(
        strstr(written(&made, write_text), "Stopped at the length limit of 2 tokens.\n"));
    assert_non_null(strstr(written(&made, write_json), "\"ended\":\"limit\""));
    drop(&made);
}

static void a_full_buffer_is_an_error(void **state)
{
    (void)state;
    static writer *const writers[] = {write_json, write_tsv, write_text};
    struct made made = small(true);
    struct reading reading = reading_of(&made);
    for (int w = 0; w < 3; w++) {
        size_t whole = strlen(written(&made, writers[w]));
        for (size_t max = 0; max < whole; max++) {
            struct buf out;
            struct error err = {0};
            buf_init(&out, max);
            assert_false(writers[w](&out, &reading, &err));
            assert_int_equal(err.code, ERR_NOMEM);
            buf_finish(&out);
        }
    }
    drop(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligners_lines_count_the_ends_as_tokens),
        cmocka_unit_test(without_attention_nothing_is_aligned),
        cmocka_unit_test(json_has_every_field_in_one_line),
        cmocka_unit_test(json_without_attention_has_nulls),
        cmocka_unit_test(json_of_nothing_is_empty_lists),
        cmocka_unit_test(what_was_cut_is_in_every_format_that_has_room),
        cmocka_unit_test(an_unknown_piece_is_written_as_typed),
        cmocka_unit_test(strings_escape),
        cmocka_unit_test(numbers_come_back_exactly),
        cmocka_unit_test(numbers_that_are_none_are_never_printed),
        cmocka_unit_test(a_checkpoint_says_its_step),
        cmocka_unit_test(what_was_edited_says_so),
        cmocka_unit_test(tau_is_a_number_or_the_word_inf),
        cmocka_unit_test(tsv_is_the_matrix_and_its_labels),
        cmocka_unit_test(text_lines_up),
        cmocka_unit_test(text_counts_terminal_columns),
        cmocka_unit_test(doubts_and_what_rows_say_are_written),
        cmocka_unit_test(text_says_when_the_limit_was_hit),
        cmocka_unit_test(a_full_buffer_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
