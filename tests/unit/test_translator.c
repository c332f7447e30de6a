// SPDX-License-Identifier: MIT
// Sessions: what a sentence comes to, limits, bad input; with the bundled model and with
// a tiny one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "sessions.h"
#include "text/utf8.h"

static void assert_label(const struct label *label, const char *piece, bool first)
{
    bool begins = strncmp(piece, "\xe2\x96\x81", 3) == 0; // the mark of a word's begin
    const char *bare = begins ? piece + 3 : piece;
    bool mark = bare[0] && !bare[1] && ispunct((unsigned char)bare[0]);
    assert_string_equal(label->piece, piece);
    assert_string_equal(label->text, bare[0] ? bare : "\xe2\x90\xa3");
    assert_int_equal(label->joined, !first && !begins);
    assert_int_equal(label->punctuation, mark);
    assert_false(label->special || label->unknown);
}

static void assert_end(const struct label *label)
{
    assert_string_equal(label->piece, "</s>");
    assert_string_equal(label->text, "\xe2\x8f\x8e");
    assert_true(label->special);
    assert_false(label->joined || label->punctuation || label->unknown);
}

// The tokenizer's own pieces, where they stand in the text, and </s>.
static void assert_source(const struct alignment *a, const struct tokenizer *tokenizer)
{
    int count = 0, n = (int)strlen(a->text);
    struct token tokens[64];
    assert_true(
        tokenizer_encode(tokenizer, a->text, (size_t)n, tokens, 64, &count, NULL));
    assert_true(count > 3);
    assert_int_equal(a->n_src, count + 1);
    for (int s = 0; s < count; s++) {
        const struct label *label = &a->source[s];
        assert_label(label, tokenizer_piece(tokenizer, tokens[s].id), s == 0);
        assert_int_equal(label->begin, tokens[s].begin);
        assert_int_equal(label->end, tokens[s].end);
        size_t length = strlen(label->text);
        assert_int_equal(label->typed_end - label->typed_begin, length);
        assert_memory_equal(a->text + label->typed_begin, label->text, length);
    }
    assert_end(&a->source[count]);
    assert_int_equal(a->source[count].begin, n);
    assert_int_equal(a->source[count].end, n);
}

// The pieces that were said, </s> behind them, and what they join to.
static void assert_said(const struct alignment *a, const struct tokenizer *tokenizer)
{
    int ids[64], rows = alignment_rows(a);
    struct buf buf;
    assert_in_range(rows, 4, 64);
    for (int t = 0; t < rows; t++)
        ids[t] = a->target[t].id;
    for (int t = 0; t + 1 < rows; t++)
        assert_label(&a->target[t], tokenizer_piece(tokenizer, ids[t]), t == 0);
    assert_end(&a->target[rows - 1]);
    buf_init(&buf, 4096);
    assert_true(tokenizer_decode(tokenizer, ids, rows, &buf, NULL));
    assert_string_equal(a->translation, buf_text(&buf));
    buf_finish(&buf);
    assert_int_equal(alignment_ended(a), ENDED_EOS);
}

static void a_sentence_is_translated_and_labelled(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *a = run(fixture->session, "The black cat sleeps.", 1.0f);
    assert_source(a, fixture->dir->source);
    assert_said(a, fixture->dir->target);
    assert_string_equal(a->text, "The black cat sleeps.");
    assert_string_equal(a->model, "en-fr-bahdanau");
    assert_true(a->source[a->n_src - 2].punctuation && a->source[a->n_src - 2].joined);
    assert_int_equal(a->max_tgt, 3 * a->n_src + 10);
    assert_int_equal(a->tokens_cut, 0);
    assert_true(a->has_attention && a->encode_us > 0 && a->decode_us > 0);
    const struct label *last = &a->target[alignment_rows(a) - 2];
    assert_non_null(strstr(a->translation, "Le chat noir"));
    assert_string_equal(a->target[1].text, "chat");
    assert_true(last->punctuation && last->joined);
    alignment_destroy(a);
}

static void rows_carry_scores_probabilities_and_candidates(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *a = run(fixture->session, "I like the red house.", 1.0f);
    for (int t = 0; t < alignment_rows(a); t++) {
        const struct candidate *top = a->top + (size_t)t * ALIGNMENT_TOP;
        double sum = 0;
        for (int s = 0; s < a->n_src; s++)
            sum += (double)a->alpha[t * a->n_src + s];
        assert_float_equal(sum, 1.0, 1e-5);
        assert_int_equal(top[0].id, a->target[t].id);
        assert_string_equal(top[0].text, a->target[t].text);
        assert_float_equal(a->p[t], expf(top[0].log_p), 1e-6);
        for (int i = 1; i < ALIGNMENT_TOP; i++)
            assert_true(top[i].log_p <= top[i - 1].log_p && top[i].text[0]);
        assert_int_equal(t && top[0].joins, a->target[t].joined);
    }
    alignment_destroy(a);
}

static void assert_same(const struct alignment *a, const struct alignment *b)
{
    int rows = alignment_rows(a);
    size_t cells = (size_t)rows * (size_t)a->n_src * sizeof(float);
    assert_int_equal(alignment_rows(b), rows);
    assert_int_equal(a->n_src, b->n_src);
    assert_memory_equal(a->score, b->score, cells);
    assert_memory_equal(a->alpha, b->alpha, cells);
    assert_memory_equal(a->p, b->p, (size_t)rows * sizeof(float));
    for (int t = 0; t < rows; t++)
        assert_string_equal(a->target[t].piece, b->target[t].piece);
    for (int s = 0; s < a->n_src; s++)
        assert_string_equal(a->source[s].text, b->source[s].text);
    assert_string_equal(a->translation, b->translation);
}

static void a_new_temperature_does_not_encode_again(void **state)
{
    struct fixture *fixture = *state;
    const char *text = "She reads a long book.";
    struct alignment *first = run(fixture->session, text, 1.0f);
    struct alignment *hot = run(fixture->session, text, 4.0f);
    struct alignment *again = run(fixture->session, text, 1.0f);
    assert_true(first->encode_us > 0);
    assert_true(hot->encode_us == 0 && again->encode_us == 0);
    assert_true(hot->tau == 4.0f);
    assert_memory_not_equal(first->alpha, hot->alpha,
                            (size_t)first->n_src * sizeof(float));
    assert_same(first, again);
    struct alignment *other = run(fixture->session, "She reads a long look.", 1.0f);
    assert_true(other->encode_us > 0);
    struct alignment *back = run(fixture->session, text, 1.0f);
    assert_true(back->encode_us > 0);
    assert_same(first, back);
    alignment_destroy(first);
    alignment_destroy(hot);
    alignment_destroy(again);
    alignment_destroy(other);
    alignment_destroy(back);
}

static void blank_text_is_an_empty_alignment(void **state)
{
    struct fixture *fixture = *state;
    static const char *const blanks[] = {"", "   ", "\xc2\xa0\xe3\x80\x80", "\t\n"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        struct alignment *a = run(fixture->session, blanks[i], 1.0f);
        assert_int_equal(alignment_ended(a), ENDED_EMPTY);
        assert_int_equal(a->n_src, 0);
        assert_int_equal(alignment_rows(a), 0);
        assert_string_equal(a->text, blanks[i]);
        assert_string_equal(a->translation, "");
        assert_false(session_step(fixture->session, a));
        session_cancel(fixture->session, a);
        assert_int_equal(alignment_ended(a), ENDED_EMPTY);
        alignment_destroy(a);
    }
}

static void a_session_says_what_it_holds(void **state)
{
    struct fixture *fixture = *state;
    struct session *session = open_session(fixture->dir);
    char text[4000] = "";
    assert_non_null(session);
    assert_int_equal(session_held(session), 0);
    alignment_destroy(run(session, "The black cat sleeps.", 1));
    size_t some = session_held(session);
    assert_in_range(some, 1, 4 << 20);
    for (int i = 0; i < 60; i++)
        strcat(text, "The black cat sleeps. ");
    alignment_destroy(run(session, text, 1));
    assert_true(session_held(session) > 2 * some);
    session_destroy(session);
}

static void bad_input_is_an_error_and_the_session_goes_on(void **state)
{
    struct fixture *fixture = *state;
    static char much[TEXT_MAX_BYTES + 1];
    memset(much, 'a', sizeof much);
    const struct {
        const char *text;
        size_t length;
        float tau;
        enum status code;
    } cases[] = {
        {"caf\xe9", 4, 1.0f, ERR_FORMAT},
        {"a\0b", 3, 1.0f, ERR_FORMAT},
        {"\xed\xa0\x80", 3, 1.0f, ERR_FORMAT},
        {much, sizeof much, 1.0f, ERR_LIMIT},
        {"a", 1, -0.5f, ERR_USAGE},
        {"a", 1, NAN, ERR_USAGE},
    };
    struct alignment *before = run(fixture->session, "Good morning!", 1.0f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {0};
        assert_null(session_begin(fixture->session, cases[i].text, cases[i].length,
                                  run_at(cases[i].tau), &err));
        assert_int_equal(err.code, cases[i].code);
        assert_true(err.text[0] != '\0');
    }
    struct alignment *after = run(fixture->session, "Good morning!", 1.0f);
    assert_same(before, after);
    alignment_destroy(before);
    alignment_destroy(after);
}

static void a_long_text_keeps_its_first_tokens_and_says_so(void **state)
{
    struct fixture *fixture = *state;
    static char text[TEXT_MAX_BYTES + 1];
    for (int i = 0; i < TEXT_MAX_BYTES; i++)
        text[i] = "abc "[i % 4];
    struct error err;
    tiny_says(&fixture->tiny, TINY_BYTES + 0xe9); // it never ends by itself
    struct alignment *a =
        session_begin(fixture->tiny_session, text, TEXT_MAX_BYTES, run_at(1), &err);
    assert_non_null(a);
    assert_int_equal(a->n_src, SENTENCE_MAX_TOKENS + 1);
    assert_true(a->tokens_cut > 500);
    assert_int_equal(a->max_tgt, 3 * (SENTENCE_MAX_TOKENS + 1) + 10);
    assert_true(a->source[SENTENCE_MAX_TOKENS - 1].end < TEXT_MAX_BYTES);
    assert_string_equal(a->source[SENTENCE_MAX_TOKENS].text, "\xe2\x8f\x8e");
    for (int i = 0; i < 20; i++)
        assert_true(session_step(fixture->tiny_session, a));
    session_cancel(fixture->tiny_session, a);
    assert_int_equal(alignment_ended(a), ENDED_CANCELLED);
    assert_int_equal(alignment_rows(a), 20);
    assert_true(utf8_valid(a->translation, strlen(a->translation)));
    alignment_destroy(a);
}

static void the_length_limit_is_hit_and_said(void **state)
{
    struct fixture *fixture = *state;
    tiny_says(&fixture->tiny, TINY_A);
    struct alignment *a = run(fixture->tiny_session, "b", 1.0f);
    assert_int_equal(a->n_src, 3); // ▁, b, </s>
    assert_int_equal(alignment_ended(a), ENDED_LIMIT);
    assert_int_equal(alignment_rows(a), 3 * 3 + 10);
    assert_string_equal(a->translation, "a a a a a a a a a a a a a a a a a a a");
    assert_false(session_step(fixture->tiny_session, a));
    assert_int_equal(alignment_rows(a), 3 * 3 + 10);
    alignment_destroy(a);
    tiny_says(&fixture->tiny, 2);
    a = run(fixture->tiny_session, "b", 1.0f);
    assert_int_equal(alignment_ended(a), ENDED_EOS);
    assert_int_equal(alignment_rows(a), 1);
    assert_string_equal(a->translation, "");
    alignment_destroy(a);
}

static void score_none_has_no_attention_but_translates(void **state)
{
    (void)state;
    struct model_dir *dir = open_bundled("en-fr-rnnencdec");
    assert_non_null(dir);
    struct session *session = open_session(dir);
    struct alignment *a = run(session, "The cat sleeps.", 1.0f);
    assert_false(a->has_attention);
    assert_said(a, dir->target);
    assert_int_equal(strncmp(a->translation, "Le chat", strlen("Le chat")), 0);
    assert_true(a->p[0] > 0.5f && a->p[0] <= 1.0f);
    float alpha[64] = {5, 5};
    translate_reread(a, NULL, 1.0f, 0, 1, alpha);
    assert_true(alpha[0] == 0.0f && alpha[1] == 0.0f);
    alignment_destroy(a);
    session_destroy(session);
    model_dir_close(dir);
}

static void a_cancelled_sentence_runs_again_the_same(void **state)
{
    struct fixture *fixture = *state;
    const char *text = "We will see you tomorrow.";
    struct alignment *whole = run(fixture->session, text, 0.5f);
    struct error err;
    struct alignment *part =
        session_begin(fixture->session, text, strlen(text), run_at(0.5f), &err);
    assert_true(session_step(fixture->session, part));
    assert_true(session_step(fixture->session, part));
    session_cancel(fixture->session, part);
    assert_int_equal(alignment_ended(part), ENDED_CANCELLED);
    assert_false(session_step(fixture->session, part));
    assert_int_equal(alignment_rows(part), 2);
    assert_memory_equal(part->alpha, whole->alpha,
                        2 * (size_t)whole->n_src * sizeof(float));
    assert_true(part->translation[0] != '\0');
    assert_int_equal(
        strncmp(whole->translation, part->translation, strlen(part->translation)), 0);
    struct alignment *again = run(fixture->session, text, 0.5f);
    assert_same(whole, again);
    session_cancel(fixture->session, again);
    assert_int_equal(alignment_ended(again), ENDED_EOS);
    alignment_destroy(whole);
    alignment_destroy(part);
    alignment_destroy(again);
}

static void temperature_at_both_ends_is_exact(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *hard = run(fixture->session, "The old man walks slowly.", 0.0f);
    struct alignment *flat = run(fixture->session, "The old man walks slowly.", INFINITY);
    int n = hard->n_src;
    for (int t = 0; t < alignment_rows(hard); t++) {
        int ones = 0, zeros = 0;
        for (int s = 0; s < n; s++) {
            ones += hard->alpha[t * n + s] == 1.0f;
            zeros += hard->alpha[t * n + s] == 0.0f;
        }
        assert_true(ones == 1 && zeros == n - 1);
    }
    for (int i = 0; i < alignment_rows(flat) * n; i++)
        assert_true(flat->alpha[i] == 1.0f / (float)n);
    alignment_destroy(hard);
    alignment_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_is_translated_and_labelled),
        cmocka_unit_test(rows_carry_scores_probabilities_and_candidates),
        cmocka_unit_test(a_new_temperature_does_not_encode_again),
        cmocka_unit_test(blank_text_is_an_empty_alignment),
        cmocka_unit_test(a_session_says_what_it_holds),
        cmocka_unit_test(bad_input_is_an_error_and_the_session_goes_on),
        cmocka_unit_test(a_long_text_keeps_its_first_tokens_and_says_so),
        cmocka_unit_test(the_length_limit_is_hit_and_said),
        cmocka_unit_test(score_none_has_no_attention_but_translates),
        cmocka_unit_test(a_cancelled_sentence_runs_again_the_same),
        cmocka_unit_test(temperature_at_both_ends_is_exact),
    };
    return cmocka_run_group_tests_name("translator", tests, set_up, tear_down);
}
