// SPDX-License-Identifier: MIT
// What if, inside the loop: what follows from an edit and what does not, for every
// scorer that is bundled.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "edited.h"
#include "tiny_model.h"

static void edits_hold_at_every_temperature(void **state)
{
    struct fixture *fixture = *state;
    static const float taus[] = {0, 0.3f, 1, 4, INFINITY};
    add_to(&fixture->edits, "mute 1");
    add_to(&fixture->edits, "mute 3");
    add_to(&fixture->edits, "boost 2 5");
    add_to(&fixture->edits, "cell 2 4 0.25");
    for (int i = 0; i < MODELS; i++)
        for (size_t k = 0; k < sizeof taus / sizeof *taus; k++) {
            struct alignment *a = run(fixture->session[i], &fixture->edits, taus[k]);
            int n = a->n_src;
            expect_sums(a);
            for (int t = 0; t < alignment_rows(a); t++) {
                assert_float_equal(row_of(a, t)[0], 0, 0);
                assert_float_equal(row_of(a, t)[2], 0, 0);
            }
            assert_float_equal(row_of(a, 1)[3], 0.25f, 0);
            if (isinf(taus[k])) // even but for the factor, and for the edited row
                assert_float_equal(row_of(a, 0)[1], 5.0f / (float)(5 + n - 3), 1e-6f);
            alignment_destroy(a);
        }
}

// At τ = 0 a row has one α; when its column is muted nothing is left of it.
static void a_row_that_edits_empty_is_spread_and_counted(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *plain = run(fixture->session[0], NULL, 0);
    assert_int_equal(plain->rows_spread, 0);
    int n = plain->n_src, at = 0;
    while (!(row_of(plain, 0)[at] > 0.5f))
        at++;
    char line[40];
    snprintf(line, sizeof line, "mute %d", at + 1);
    add_to(&fixture->edits, line);
    struct alignment *a = run(fixture->session[0], &fixture->edits, 0);
    assert_true(a->rows_spread >= 1);
    for (int s = 0; s < n; s++)
        assert_float_equal(row_of(a, 0)[s], s == at ? 0 : 1 / (float)(n - 1), 1e-6f);
    expect_sums(a);
    alignment_destroy(plain);
    alignment_destroy(a);
}

static void rereading_has_the_edits_on_top(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "boost 3 4");
    add_to(&fixture->edits, "cell 2 1 0.5");
    add_to(&fixture->edits, "shuffle 2");
    struct alignment *a = run(fixture->session[0], &fixture->edits, 1);
    int rows = alignment_rows(a);
    size_t cells = (size_t)rows * (size_t)a->n_src;
    float *again = calloc(cells, sizeof *again);
    translate_reread(a, NULL, 1, 0, rows, again);
    assert_memory_not_equal(again, a->alpha, cells * sizeof *again);
    translate_reread(a, &fixture->edits, 1, 0, rows, again);
    assert_memory_equal(again, a->alpha, cells * sizeof *again);
    free(again);
    alignment_destroy(a);
}

static void a_permuted_memory_permutes_alpha_and_keeps_the_words(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "shuffle 7");
    for (int i = 0; i < MODELS; i++) {
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        struct alignment *a = run(fixture->session[i], &fixture->edits, 1);
        assert_non_null(a->order);
        assert_int_equal(a->order[a->n_src - 1], a->n_src - 1); // </s>
        assert_int_equal(alignment_rows(a), alignment_rows(plain));
        assert_string_equal(a->translation, plain->translation);
        int moved = 0;
        for (int s = 0; s < a->n_src; s++) {
            int from = a->order[s];
            moved += from != s;
            assert_string_equal(a->source[s].text, plain->source[from].text);
            for (int t = 0; t < alignment_rows(a); t++) {
                assert_float_equal(row_of(a, t)[s], row_of(plain, t)[from], 1e-4f);
                size_t at = (size_t)t * (size_t)a->n_src;
                assert_float_equal(a->score[at + (size_t)s],
                                   plain->score[at + (size_t)from], 1e-3f);
            }
        }
        assert_true(moved > 1);
        alignment_destroy(plain);
        alignment_destroy(a);
    }
}

static void shuffled_words_are_another_sentence(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "shuffle-words 7");
    for (int i = 0; i < MODELS; i++) {
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        struct alignment *a = run(fixture->session[i], &fixture->edits, 1);
        float most = 0;
        int rows = alignment_rows(a) < alignment_rows(plain) ? alignment_rows(a)
                                                             : alignment_rows(plain);
        for (int s = 0; s < a->n_src; s++) {
            int from = a->order[s];
            assert_string_equal(a->source[s].text, plain->source[from].text);
            for (int t = 0; t < rows; t++)
                most = fmaxf(most, fabsf(row_of(a, t)[s] - row_of(plain, t)[from]));
        }
        assert_true(most > 0.05f);
        assert_string_not_equal(a->translation, plain->translation);
        alignment_destroy(plain);
        alignment_destroy(a);
    }
}

// Columns of edits are tokens of the text, wherever the shuffle puts them.
static void columns_follow_their_tokens(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "shuffle 5");
    add_to(&fixture->edits, "mute 3");
    add_to(&fixture->edits, "cell 2 1 0.5");
    struct alignment *a = run(fixture->session[0], &fixture->edits, 1);
    for (int s = 0; s < a->n_src; s++) {
        if (a->order[s] == 2)
            assert_float_equal(row_of(a, 0)[s], 0, 0);
        if (a->order[s] == 0)
            assert_float_equal(row_of(a, 1)[s], 0.5f, 0);
    }
    alignment_destroy(a);
}

static void another_word_is_said_and_the_rest_follows(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < MODELS; i++) {
        edits_finish(&fixture->edits);
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        const struct candidate *second = &plain->top[2 * ALIGNMENT_TOP + 1];
        char line[40];
        snprintf(line, sizeof line, "word 3 id %d", second->id);
        add_to(&fixture->edits, line);
        struct alignment *a = run(fixture->session[i], &fixture->edits, 1);
        expect_same_before(plain, a, 2);
        assert_int_equal(a->target[2].id, second->id);
        assert_float_equal(a->p[2], expf(second->log_p), 1e-6f);
        assert_int_equal(a->top[2 * ALIGNMENT_TOP].id, plain->target[2].id);
        assert_int_equal(alignment_ended(a), ENDED_EOS);
        alignment_destroy(plain);
        alignment_destroy(a);
    }
}

static void the_end_can_be_forced_and_a_prefix_runs_on(void **state)
{
    struct fixture *fixture = *state;
    struct session *session = fixture->session[0];
    struct alignment *plain = run(session, NULL, 1);
    char line[60];
    snprintf(line, sizeof line, "word 2 id %d", fixture->dir[0]->network.config.eos);
    add_to(&fixture->edits, line);
    struct alignment *a = run(session, &fixture->edits, 1);
    assert_int_equal(alignment_rows(a), 2);
    assert_int_equal(alignment_ended(a), ENDED_EOS);
    alignment_destroy(a);
    edits_finish(&fixture->edits);
    struct edit prefix = edit_make(EDIT_PREFIX, EDIT_ALL, EDIT_ALL, 0);
    int ids[600];
    for (int k = 0; k < 600; k++)
        ids[k] = plain->target[k % 2].id;
    prefix.tokens = ids;
    prefix.n_tokens = 600; // far beyond the limit of 3 * n_src + 10 rows
    assert_true(edits_add(&fixture->edits, &prefix, NULL));
    a = run(session, &fixture->edits, 1);
    assert_true(alignment_rows(a) > 600);
    for (int k = 0; k < 600; k++)
        assert_int_equal(a->target[k].id, ids[k]);
    alignment_destroy(a);
    prefix.n_tokens = 3; // what the model says anyway changes nothing
    edits_finish(&fixture->edits);
    for (int k = 0; k < 3; k++)
        ids[k] = plain->target[k].id;
    assert_true(edits_add(&fixture->edits, &prefix, NULL));
    a = run(session, &fixture->edits, 1);
    expect_same_before(plain, a, alignment_rows(plain));
    alignment_destroy(a);
    alignment_destroy(plain);
}

static void a_token_that_the_vocabulary_lacks_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct error err = {0};
    add_to(&fixture->edits, "word 1 id 99999999");
    session_edit(fixture->session[0], &fixture->edits);
    assert_null(session_begin(fixture->session[0], text, strlen(text), run_at(1), &err));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_non_null(strstr(err.text, "the id 99999999"));
}

static void a_pinned_row_stays_when_all_else_changes(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *plain = run(fixture->session[0], NULL, 1);
    struct edit pin = edit_make(EDIT_PIN, 3, EDIT_ALL, 0);
    pin.alpha = row_of(plain, 3);
    pin.n_alpha = plain->n_src;
    assert_true(edits_add(&fixture->edits, &pin, NULL));
    add_to(&fixture->edits, "mute 1");
    add_to(&fixture->edits, "word 1 id 77");
    struct alignment *a = run(fixture->session[0], &fixture->edits, 5);
    assert_true(alignment_rows(a) > 3);
    assert_memory_equal(row_of(a, 3), row_of(plain, 3),
                        (size_t)plain->n_src * sizeof(float));
    alignment_destroy(plain);
    alignment_destroy(a);
}

// No tokens, one token, and no attention at all.
static void small_sentences_and_no_attention(void **state)
{
    struct fixture *fixture = *state;
    static struct tiny tiny;
    static const enum score scores[] = {SCORE_ADDITIVE, SCORE_NONE};
    for (int i = 0; i < 2; i++) {
        assert_true(tiny_open(&tiny, scores[i]));
        tiny.network.config.source_eos = false; // one token is one column
        struct session *session = session_create(&tiny.translator, NULL);
        edits_finish(&fixture->edits);
        add_to(&fixture->edits, "cell 1 1 0");
        add_to(&fixture->edits, "mute 1");
        add_to(&fixture->edits, "shuffle 3");
        add_to(&fixture->edits, "word 2 id 5");
        session_edit(session, &fixture->edits);
        struct alignment *a = session_run(session, "a", 1, run_at(1), NULL);
        assert_non_null(a);
        assert_int_equal(a->n_src, 1);
        assert_true(alignment_rows(a) >= 2);
        assert_int_equal(a->target[1].id, 5);
        for (int t = 0; t < alignment_rows(a) && a->has_attention; t++)
            assert_float_equal(a->alpha[t], 1, 0);
        alignment_destroy(a);
        a = session_run(session, " ", 1, run_at(1), NULL);
        assert_int_equal(alignment_ended(a), ENDED_EMPTY);
        alignment_destroy(a);
        session_destroy(session);
        tiny_close(&tiny);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(edits_hold_at_every_temperature),
        CASE(a_row_that_edits_empty_is_spread_and_counted),
        CASE(rereading_has_the_edits_on_top),
        CASE(a_permuted_memory_permutes_alpha_and_keeps_the_words),
        CASE(shuffled_words_are_another_sentence),
        CASE(columns_follow_their_tokens),
        CASE(another_word_is_said_and_the_rest_follows),
        CASE(the_end_can_be_forced_and_a_prefix_runs_on),
        CASE(a_token_that_the_vocabulary_lacks_is_refused),
        CASE(a_pinned_row_stays_when_all_else_changes),
        CASE(small_sentences_and_no_attention),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
