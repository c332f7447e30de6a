// SPDX-License-Identifier: MIT
// What if, and again: what a session keeps from one run of a sentence to the next, and
// what is decoded anew, for every scorer that is bundled.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "edited.h"

// The i-th list of edits: they are added one by one, and then undone.
static void edit_on(struct edits *edits, int i)
{
    static const char *const lines[] = {"cell 5 2 0.9", "cell 5 2 0.4", "cell 3 1 0",
                                        "hard on 9",    "mute 2",       "cell 9 1 0.5",
                                        "shuffle 3",    "cell 8 3 1"};
    static const int token = 7;
    if (i > 8) {
        edits_undo(edits);
    } else if (i < 8) {
        add_to(edits, lines[i]);
    } else {
        struct edit word = edit_make(EDIT_WORD, 6, EDIT_ALL, 0);
        word.tokens = &token;
        word.n_tokens = 1;
        assert_true(edits_add(edits, &word, NULL));
    }
}

// One session that carries on from edits to edits, and for each a new one. How many rows
// were there before the first step.
static int carry_on(const struct model_dir *dir)
{
    int carried = 0;
    struct edits edits = {.count = 0};
    struct session *kept = open_session(dir);
    for (int i = 0; i < 18; i++) {
        edit_on(&edits, i);
        struct session *fresh = open_session(dir);
        struct alignment *whole = run(fresh, &edits, 1);
        session_edit(kept, &edits);
        struct alignment *a = session_begin(kept, text, strlen(text), run_at(1), NULL);
        assert_non_null(a);
        carried += alignment_rows(a);
        while (session_step(kept, a))
            continue;
        expect_same(a, whole);
        alignment_destroy(a);
        alignment_destroy(whole);
        session_destroy(fresh);
    }
    session_destroy(kept);
    edits_finish(&edits);
    return carried;
}

// The numbers that are kept are those that were compared: a score made of them by the
// scorer's own formula is the score. dot: e = s · h; the others have W or U between.
static void the_kept_query_and_keys_make_the_scores(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *a = run(fixture->session[1], NULL, 1);
    int n = a->n_src, d = a->query_width;
    assert_true(d > 0 && d == a->key_width);
    for (int t = 0; t < alignment_rows(a); t++) {
        double norm = 0;
        for (int k = 0; k < d; k++)
            norm += (double)a->query[t * d + k] * (double)a->query[t * d + k];
        assert_true(fabs(sqrt(norm) - (double)a->query_norm[t]) < 1e-3);
        for (int s = 0; s < n; s++) {
            double e = 0;
            for (int k = 0; k < d; k++)
                e += (double)a->query[t * d + k] * (double)a->key[s * d + k];
            assert_true(fabs(e - (double)a->score[t * n + s]) < 1e-3 * (1 + fabs(e)));
        }
    }
    alignment_destroy(a);
    struct alignment *additive = run(fixture->session[0], NULL, 1);
    for (int t = 0; t < alignment_rows(additive); t++) { // the state before the word
        double norm = 0;
        for (int k = 0; k < additive->query_width; k++) {
            double q = (double)additive->query[t * additive->query_width + k];
            norm += q * q;
        }
        assert_true(fabs(sqrt(norm) - (double)additive->query_norm[t]) < 1e-3);
    }
    alignment_destroy(additive);
}

static void what_stands_before_an_edit_is_not_decoded_again(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "models/tiny-additive-f32",        "models/tiny-none-bf16",
        "models/family-coverage-concat",   "models/family-conditional-gru",
        "models/family-conditional-lstm",  "models/family-keras-stack",
        "models/family-marian-lstm",       "models/family-sutskever",
        "models/family-coverage-fertility"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct model_dir *dir = open_made(ids[i]);
        assert_non_null(dir);
        assert_in_range(carry_on(dir), 20, 18 * 40);
        model_dir_close(dir);
    }
}

// A run at another τ, of another text, or of a translation that is given has nothing in
// common with the one before.
static void another_run_begins_anew(void **state)
{
    struct fixture *fixture = *state;
    struct session *session = fixture->session[0];
    add_to(&fixture->edits, "cell 4 2 0.9");
    alignment_destroy(run(session, &fixture->edits, 1));
    for (int i = 0; i < 4; i++) {
        const char *of = i == 1 ? "No." : text;
        struct run_options options = run_at(i == 0 ? 0.5f : 1);
        options.dropout = i == 3 ? 0.1f : 0;
        struct alignment *a = session_begin(session, of, strlen(of), options, NULL);
        assert_int_equal(alignment_rows(a), 0);
        while (session_step(session, a))
            continue;
        alignment_destroy(a);
    }
    struct alignment *forced =
        session_force(session, text, strlen(text), "Le chat", 7, run_at(1), NULL);
    struct alignment *again = session_begin(session, text, strlen(text), run_at(1), NULL);
    assert_int_equal(alignment_rows(again), 0);
    session_cancel(session, again);
    alignment_destroy(again);
    alignment_destroy(forced);
}

static void the_decoder_carries_on_from_the_first_changed_step(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "cell 4 2 0.9");
    for (int i = 0; i < MODELS; i++) {
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        struct alignment *edited = run(fixture->session[i], &fixture->edits, 1);
        expect_same_before(plain, edited, 3);
        // What the network said of the row is kept; α is the edited one.
        size_t n = (size_t)plain->n_src;
        assert_memory_equal(plain->score + 3 * n, edited->score + 3 * n,
                            n * sizeof(float));
        assert_float_equal(row_of(edited, 3)[1], 0.9f, 0);
        assert_true(fabsf(row_of(plain, 3)[1] - 0.9f) > 0.01f);
        float before = plain->top[3 * ALIGNMENT_TOP].log_p;
        float now = edited->top[3 * ALIGNMENT_TOP].log_p;
        assert_true(before < now || before > now);
        expect_sums(edited);
        alignment_destroy(plain);
        struct alignment *again = run(fixture->session[i], NULL, 1);
        assert_false(again->edited);
        alignment_destroy(edited);
        alignment_destroy(again);
    }
}

static void forgetting_the_edits_gives_the_old_rows_again(void **state)
{
    struct fixture *fixture = *state;
    struct session *session = fixture->session[0];
    struct alignment *plain = run(session, NULL, 1);
    add_to(&fixture->edits, "shuffle 3");
    add_to(&fixture->edits, "mute 2");
    add_to(&fixture->edits, "hard on");
    alignment_destroy(run(session, &fixture->edits, 1));
    edits_clear(&fixture->edits);
    struct alignment *again = run(session, &fixture->edits, 1);
    assert_int_equal(alignment_rows(plain), alignment_rows(again));
    expect_same_before(plain, again, alignment_rows(plain));
    assert_null(again->order);
    alignment_destroy(plain);
    alignment_destroy(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_decoder_carries_on_from_the_first_changed_step),
        CASE(what_stands_before_an_edit_is_not_decoded_again),
        CASE(another_run_begins_anew),
        CASE(the_kept_query_and_keys_make_the_scores),
        CASE(forgetting_the_edits_gives_the_old_rows_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
