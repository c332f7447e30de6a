// SPDX-License-Identifier: MIT
// The lengths of the vectors behind a row, as they go with an alignment.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bundled.h"

static struct model_dir *dir;

static int open_model(void **state, const char *id)
{
    dir = open_bundled(id);
    *state = dir ? open_session(dir) : NULL;
    return *state ? 0 : -1;
}

static int previous(void **state)
{
    return open_model(state, "en-fr-bahdanau");
}

static int current(void **state)
{
    return open_model(state, "en-fr-luong-general");
}

static int no_attention(void **state)
{
    return open_model(state, "en-fr-rnnencdec");
}

static int tear_down(void **state)
{
    session_destroy(*state);
    model_dir_close(dir);
    return 0;
}

static struct alignment *run(struct session *session, const char *text, float tau)
{
    struct alignment *a = session_run(session, text, strlen(text), run_at(tau), NULL);
    assert_non_null(a);
    assert_true(alignment_rows(a) > 0);
    return a;
}

// No blend is longer than the longest of what it blends, and the lengths of h are those
// of the encoder's memory.
static void the_lengths_of_the_vectors_are_kept(void **state)
{
    struct session *session = *state;
    struct alignment *a = run(session, "I like the red house.", 1);
    float longest = 0;
    for (int s = 0; s < a->n_src; s++) {
        assert_true(a->memory_norm[s] > 0);
        longest = fmaxf(longest, a->memory_norm[s]);
    }
    for (int t = 0; t < alignment_rows(a); t++) {
        float sum = 0;
        for (int s = 0; s < a->n_src; s++)
            sum += a->alpha[t * a->n_src + s] * a->memory_norm[s];
        assert_true(a->query_norm[t] > 0 && a->context_norm[t] > 0);
        assert_true(a->context_norm[t] <= sum * 1.0001f && sum <= longest * 1.0001f);
    }
    alignment_destroy(a);
    a = run(session, "I like the red house.", 0);
    for (int t = 0; t < alignment_rows(a); t++) { // hard: c is one h
        int best = 0;
        while (!(a->alpha[t * a->n_src + best] > 0))
            best++;
        assert_true(fabsf(a->context_norm[t] - a->memory_norm[best]) < 1e-4f);
    }
    alignment_destroy(a);
}

static void without_attention_no_blend_is_known(void **state)
{
    struct alignment *a = run(*state, "I like the red house.", 1);
    for (int t = 0; t < alignment_rows(a); t++)
        assert_false(a->context_norm[t] > 0 || a->query_norm[t] > 0);
    alignment_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_lengths_of_the_vectors_are_kept, previous,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_lengths_of_the_vectors_are_kept, current,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_attention_no_blend_is_known, no_attention,
                                        tear_down),
    };
    return cmocka_run_group_tests_name("lengths", tests, NULL, NULL);
}
