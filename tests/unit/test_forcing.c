// SPDX-License-Identifier: MIT
// A translation that is given: the alignment of its tokens, its ends, what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "sessions.h"

// The same numbers, bit for bit, as of these ids, which stand nowhere in a text.
static void assert_as_ids(struct session *session, const struct alignment *a)
{
    int ids[ALIGNMENT_MAX_TGT], rows = alignment_rows(a);
    for (int t = 0; t < rows; t++)
        ids[t] = a->target[t].id;
    struct alignment *same =
        session_force_ids(session, a->text, strlen(a->text), ids, rows, run_at(1), NULL);
    assert_non_null(same);
    assert_int_equal(alignment_rows(same), rows);
    size_t cells = (size_t)rows * (size_t)a->n_src;
    assert_memory_equal(same->alpha, a->alpha, cells * sizeof *a->alpha);
    assert_memory_equal(same->p, a->p, (size_t)rows * sizeof *a->p);
    assert_string_equal(same->translation, a->translation);
    assert_int_equal(alignment_ended(same), ENDED_EOS);
    for (int t = 0; t < rows; t++)
        assert_int_equal(same->target[t].end, 0);
    alignment_destroy(same);
}

static void what_the_model_says_is_forced_to_the_same(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *greedy = run(fixture->session, "The black cat sleeps.", 1);
    assert_int_equal(alignment_ended(greedy), ENDED_EOS);
    assert_true(alignment_rows(greedy) > 3);
    for (int t = 0; t < alignment_rows(greedy); t++)
        assert_int_equal(greedy->target[t].end, 0);
    assert_as_ids(fixture->session, greedy);
    alignment_destroy(greedy);
}

static void a_given_translation_is_forced(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "The black cat sleeps.", said[] = "Le chat noir dort.";
    struct alignment *a = session_force(fixture->session, text, sizeof text - 1, said,
                                        sizeof said - 1, run_at(1), NULL);
    assert_non_null(a);
    struct token want[64];
    int count = 0, end = 0;
    assert_true(tokenizer_encode(fixture->dir->target, said, sizeof said - 1, want, 64,
                                 &count, NULL));
    assert_int_equal(alignment_rows(a), count + 1);
    assert_true(a->target[count].special);
    assert_string_equal(a->translation, said);
    assert_int_equal(alignment_ended(a), ENDED_EOS);
    for (int t = 0; t <= count; t++) {
        assert_true(t == count || a->target[t].id == want[t].id);
        assert_int_equal(a->target[t].begin, end);
        end = a->target[t].end;
    }
    assert_int_equal(end, (int)sizeof said - 1);
    assert_as_ids(fixture->session, a);
    alignment_destroy(a);
}

static void forcing_other_words_is_less_likely(void **state)
{
    struct fixture *fixture = *state;
    static const char text[] = "The black cat sleeps.";
    static const char *const targets[] = {"Le chat noir dort.", "Le chien noir dort.",
                                          "Un deux trois."};
    double last = 0;
    for (int i = 0; i < 3; i++) {
        struct alignment *a =
            session_force(fixture->session, text, sizeof text - 1, targets[i],
                          strlen(targets[i]), run_at(1), NULL);
        assert_non_null(a);
        double sum = 0;
        for (int t = 0; t < alignment_rows(a); t++)
            sum += log((double)a->p[t]);
        assert_true(i == 0 || sum < last);
        last = sum;
        alignment_destroy(a);
    }
}

static void forcing_has_its_own_ends(void **state)
{
    struct session *session = ((struct fixture *)*state)->tiny_session;
    struct alignment *a = session_force(session, "a", 1, "", 0, run_at(1), NULL);
    assert_non_null(a); // only </s>
    assert_int_equal(alignment_rows(a), 1);
    assert_string_equal(a->translation, "");
    alignment_destroy(a);
    a = session_force(session, " ", 1, "a", 1, run_at(1), NULL);
    assert_non_null(a);
    assert_int_equal(alignment_ended(a), ENDED_EMPTY);
    assert_int_equal(a->n_src, 0);
    alignment_destroy(a);
    a = session_force_ids(session, "a", 1, (const int[]){TINY_A, TINY_B}, 2, run_at(1),
                          NULL);
    assert_non_null(a);
    assert_int_equal(alignment_ended(a), ENDED_LIMIT);
    assert_int_equal(alignment_rows(a), 2);
    alignment_destroy(a);
    static int many[ALIGNMENT_MAX_TGT]; // far beyond the limit of a greedy decoding
    a = session_force_ids(session, "a", 1, many, ALIGNMENT_MAX_TGT, run_at(1), NULL);
    assert_non_null(a);
    assert_int_equal(alignment_rows(a), ALIGNMENT_MAX_TGT);
    alignment_destroy(a);
}

static void what_cannot_be_forced_is_an_error(void **state)
{
    struct session *session = ((struct fixture *)*state)->tiny_session;
    struct error err = {0};
    assert_null(session_force_ids(session, "a", 1, (const int[]){TINY_VOCAB}, 1,
                                  run_at(1), &err));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_null(
        session_force_ids(session, "a", 1, (const int[]){-1}, 1, run_at(1), &err));
    assert_null(session_force_ids(session, "a", 1, NULL, 0, run_at(1), &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_null(session_force(session, "a", 1, "\xff", 1, run_at(1), &err));
    assert_int_equal(err.code, ERR_FORMAT);
    static char bytes[TEXT_MAX_BYTES]; // a piece for each, and one for the first space
    memset(bytes, 'z', sizeof bytes);
    assert_null(session_force(session, "a", 1, bytes, sizeof bytes, run_at(1), &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

// A translation that is typed: each is a token longer, and the memory is that of the last
// ones, not of all.
static void the_memory_of_growing_translations_does_not_add_up(void **state)
{
    enum { FIRST = 40, LAST = 70 };
    struct fixture *fixture = *state;
    static const char text[] = "Le chat.";
    char target[2 * LAST + 1] = "";
    size_t before = 0;
    for (int words = 1; words <= LAST; words++) {
        memcpy(target + 2 * (words - 1), "a ", 3);
        if (words < FIRST)
            continue;
        struct alignment *a = session_force(fixture->session, text, sizeof text - 1,
                                            target, strlen(target) - 1, run_at(1), NULL);
        assert_non_null(a);
        alignment_destroy(a);
        if (words == FIRST)
            before = session_held(fixture->session);
    }
    assert_true(session_held(fixture->session) <= 2 * before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_model_says_is_forced_to_the_same),
        cmocka_unit_test(a_given_translation_is_forced),
        cmocka_unit_test(forcing_other_words_is_less_likely),
        cmocka_unit_test(forcing_has_its_own_ends),
        cmocka_unit_test(what_cannot_be_forced_is_an_error),
        cmocka_unit_test(the_memory_of_growing_translations_does_not_add_up),
    };
    return cmocka_run_group_tests_name("forcing", tests, set_up, tear_down);
}
