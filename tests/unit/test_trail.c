// SPDX-License-Identifier: MIT
// Rows that are kept for the next edits lie in memory that goes from sentence to
// sentence: nothing of another one, longer, shorter or with words that were given, comes
// back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "edited.h"

static const char *const others[] = {
    "No.", "The old woman who lives near the river gives it milk every morning."};

static void read_another(struct session *session, int i)
{
    const char *other = others[i % 2];
    size_t length = strlen(other);
    struct alignment *a = i < 4 ? session_run(session, other, length, run_at(1), NULL)
                                : session_force(session, other, length, text,
                                                strlen(text), run_at(1), NULL);
    assert_non_null(a);
    alignment_destroy(a);
}

static void expect_as_fresh(struct session *kept, struct session *fresh,
                            const struct edits *edits)
{
    struct alignment *a = run(kept, edits, 1), *b = run(fresh, edits, 1);
    expect_same(a, b);
    alignment_destroy(a);
    alignment_destroy(b);
}

static void nothing_of_another_sentence_comes_back(void **state)
{
    (void)state;
    static const char *const ids[] = {"models/tiny-additive-f32",
                                      "models/family-coverage-concat"};
    for (int k = 0; k < 2; k++) {
        struct model_dir *dir = open_made(ids[k]);
        assert_non_null(dir);
        struct session *kept = open_session(dir);
        for (int i = 0; i < 6; i++) {
            struct edits edits = {.count = 0};
            struct session *fresh = open_session(dir);
            session_edit(kept, NULL);
            read_another(kept, i);
            add_to(&edits, "cell 2 1 0.5");
            expect_as_fresh(kept, fresh, &edits);
            add_to(&edits, "cell 4 2 0.9"); // carries on
            expect_as_fresh(kept, fresh, &edits);
            session_edit(kept, NULL);
            edits_finish(&edits);
            session_destroy(fresh);
        }
        session_destroy(kept);
        model_dir_close(dir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_another_sentence_comes_back),
    };
    return cmocka_run_group_tests_name("trail", tests, NULL, NULL);
}
