// SPDX-License-Identifier: MIT
// Rows that are kept for the next edits lie in memory that goes from sentence to
// sentence: nothing of another one, longer, shorter or with words that were given, comes
// back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "align/edit_line.h"
#include "formats/model_dir.h"
#include "translate/translator.h"

static const char text[] = "The black cat sleeps.";
static const char *const others[] = {
    "No.", "The old woman who lives near the river gives it milk every morning."};

static void add_to(struct edits *edits, const char *line)
{
    static struct edit_room room;
    struct edit edit;
    assert_true(edit_parse(line, (struct edit_here){-1, -1}, &edit, &room, NULL) &&
                edits_add(edits, &edit, NULL));
}

static struct alignment *run(struct session *session, const struct edits *edits)
{
    session_edit(session, edits);
    struct alignment *a = session_run(session, text, strlen(text), run_at(1), NULL);
    assert_non_null(a);
    return a;
}

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

static void expect_same(struct session *kept, struct session *fresh,
                        const struct edits *edits)
{
    struct alignment *a = run(kept, edits), *b = run(fresh, edits);
    size_t cells = (size_t)alignment_rows(a) * (size_t)a->n_src;
    assert_int_equal(alignment_rows(a), alignment_rows(b));
    assert_memory_equal(a->score, b->score, cells * sizeof *a->score);
    assert_memory_equal(a->alpha, b->alpha, cells * sizeof *a->alpha);
    assert_string_equal(a->translation, b->translation);
    alignment_destroy(a);
    alignment_destroy(b);
}

static void nothing_of_another_sentence_comes_back(void **state)
{
    (void)state;
    static const char *const ids[] = {"tiny-additive-f32", "family-coverage-concat"};
    for (int k = 0; k < 2; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/golden/models/%s", ALPHASCOPE_TESTS, ids[k]);
        struct model_dir *dir = model_dir_open(path, NULL);
        assert_non_null(dir);
        const struct translator model = {dir->id, &dir->network, dir->source,
                                         dir->target};
        struct session *kept = session_create(&model, NULL);
        for (int i = 0; i < 6; i++) {
            struct edits edits = {.count = 0};
            struct session *fresh = session_create(&model, NULL);
            session_edit(kept, NULL);
            read_another(kept, i);
            add_to(&edits, "cell 2 1 0.5");
            expect_same(kept, fresh, &edits);
            add_to(&edits, "cell 4 2 0.9"); // carries on
            expect_same(kept, fresh, &edits);
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
