// SPDX-License-Identifier: MIT
// What stands on the screen while rows are coming, from hand-made alignments.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/show.h"

// n_src columns, ids from the list; no row is published yet.
static struct alignment *make(int n_src, int rows, const int *ids, float tau)
{
    struct alignment *alignment = alignment_create(n_src, rows, true, NULL);
    assert_non_null(alignment);
    alignment->text = "text";
    alignment->model = "model";
    alignment->tau = tau;
    for (int t = 0; t < rows; t++) {
        alignment->target[t].id = ids[t];
        for (int s = 0; s < n_src; s++) {
            alignment->score[t * n_src + s] = (float)(s == t % n_src);
            alignment->alpha[t * n_src + s] = 1.0f / (float)n_src;
        }
    }
    return alignment;
}

static void old_rows_stand_until_new_ones_replace_them(void **state)
{
    (void)state;
    struct show show;
    struct scene scene = {0};
    show_init(&show);
    struct alignment *old = make(3, 4, (int[]){1, 2, 3, 4}, 1);
    alignment_publish(old, 4);
    alignment_end(old, ENDED_EOS);
    show_begin(&show, old);
    assert_true(show_update(&show, -1, 10, true));
    assert_false(show_update(&show, -1, 11, true)); // told once
    struct alignment *new = make(5, 3, (int[]){1, 9, 3}, 1);
    show_begin(&show, new);
    alignment_publish(new, 2);
    assert_false(show_update(&show, -1, 500, true));
    show_scene(&show, &scene);
    scene.now_ms = 500;
    assert_ptr_equal(scene.now, new);
    assert_ptr_equal(scene.before, old);
    assert_int_equal(scene.rows, 2);
    assert_int_equal(scene.before_rows, 4);
    assert_int_equal(scene_rows(&scene), 4);
    assert_true(scene_row_opacity(&scene, 0) == 1); // the same word stands still
    assert_true(scene_row_opacity(&scene, 1) < 1);  // a new one fades in
    assert_true(scene_fading(&scene));
    alignment_publish(new, 3);
    alignment_end(new, ENDED_EOS);
    assert_true(show_update(&show, -1, 510, true));
    show_scene(&show, &scene);
    assert_null(scene.before);
    scene.now_ms = 5000;
    assert_false(scene_fading(&scene));
    show_finish(&show);
}

static void a_cancelled_one_never_becomes_the_old_picture(void **state)
{
    (void)state;
    struct show show;
    struct scene scene = {0};
    show_init(&show);
    struct alignment *old = make(3, 2, (int[]){1, 2}, 1);
    alignment_publish(old, 2);
    alignment_end(old, ENDED_EOS);
    show_begin(&show, old);
    show_update(&show, -1, 1, true);
    struct alignment *cancelled = make(3, 2, (int[]){5, 6}, 1);
    show_begin(&show, cancelled);
    alignment_publish(cancelled, 1);
    struct alignment *newest = make(3, 2, (int[]){7, 8}, 1);
    show_begin(&show, newest); // while the cancelled one is still being written
    show_update(&show, -1, 2, true);
    show_scene(&show, &scene);
    assert_ptr_equal(scene.before, old);
    assert_int_equal(show.n_retired, 1);
    alignment_end(cancelled, ENDED_CANCELLED);
    show_update(&show, -1, 3, true);
    assert_int_equal(show.n_retired, 0);
    alignment_end(newest, ENDED_EOS);
    show_finish(&show);
}

static void rereading_follows_tau_and_new_rows(void **state)
{
    (void)state;
    struct show show;
    struct scene scene = {0};
    show_init(&show);
    struct alignment *alignment = make(2, 3, (int[]){1, 2, 3}, 1);
    show_begin(&show, alignment);
    alignment_publish(alignment, 1);
    show_update(&show, 0, 1, true);
    show_scene(&show, &scene);
    assert_true(scene.alpha[0] == 1 && scene.alpha[1] == 0);
    alignment_publish(alignment, 3);
    show_update(&show, 0, 1, true);
    show_scene(&show, &scene);
    assert_true(scene.alpha[2] == 0 && scene.alpha[3] == 1);
    assert_true(scene.alpha[4] == 1 && scene.alpha[5] == 0);
    show_update(&show, 1, 1, true); // τ of the decoding: its own α
    show_scene(&show, &scene);
    assert_ptr_equal(scene.alpha, alignment->alpha);
    alignment_end(alignment, ENDED_EOS);
    show_finish(&show);
}

static void changed_words_are_marked_against_the_baseline(void **state)
{
    (void)state;
    struct show show;
    struct scene scene = {0};
    show_init(&show);
    struct alignment *baseline = make(3, 3, (int[]){1, 2, 3}, 1);
    alignment_publish(baseline, 3);
    alignment_end(baseline, ENDED_EOS);
    show_baseline(&show, baseline);
    assert_true(show_has_baseline(&show, "text", 1));
    assert_false(show_has_baseline(&show, "other", 1));
    struct alignment *hot = make(3, 3, (int[]){1, 9, 3}, 3);
    show_begin(&show, hot);
    alignment_publish(hot, 3);
    alignment_end(hot, ENDED_EOS);
    assert_true(show_update(&show, -1, 1, true));
    show_scene(&show, &scene);
    assert_non_null(scene.changed);
    assert_false(scene.changed[0]);
    assert_true(scene.changed[1]);
    assert_false(scene.changed[2]);
    show_finish(&show);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_rows_stand_until_new_ones_replace_them),
        cmocka_unit_test(a_cancelled_one_never_becomes_the_old_picture),
        cmocka_unit_test(rereading_follows_tau_and_new_rows),
        cmocka_unit_test(changed_words_are_marked_against_the_baseline),
    };
    return cmocka_run_group_tests_name("show", tests, NULL, NULL);
}
