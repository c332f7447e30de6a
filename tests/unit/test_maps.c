// SPDX-License-Identifier: MIT
// align/maps and align/map_view: made by hand, small enough to be checked by eye.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "align/alignment.h"

enum { LAYERS = 2, HEADS = 3, SRC = 2, TGT = 3 };

static float weight(int kind, int l, int h, int t, int s)
{
    return (float)(kind * 1000 + l * 100 + h * 10 + t + s) / 4096;
}

static struct alignment *made(void)
{
    const struct map_shape shape = {{LAYERS, 1, LAYERS}, {HEADS, 1, HEADS}, SRC, TGT};
    static const char *const words[] = {"a", "b", "c"};
    struct alignment *a = alignment_create(SRC, TGT, true, NULL);
    a->maps = maps_create(&shape, "<s>", 7, NULL);
    a->tau = 0.5f;
    for (int kind = 0; kind < MAP_KINDS; kind++)
        for (int l = 0; l < shape.layers[kind]; l++)
            for (int h = 0; h < shape.heads[kind]; h++)
                for (int t = 0; t < (kind == MAP_ENCODER ? SRC : TGT); t++)
                    for (int s = 0; s < maps_columns(a->maps, (enum map_kind)kind, t);
                         s++) {
                        maps_alpha(a->maps, (enum map_kind)kind, l, h, t)[s] =
                            weight(kind, l, h, t, s);
                        maps_score(a->maps, (enum map_kind)kind, l, h, t)[s] =
                            -weight(kind, l, h, t, s);
                    }
    for (int t = 0; t < TGT; t++) {
        a->target[t] = (struct label){.piece = words[t], .text = words[t], .id = t};
        a->p[t] = 0.5f;
    }
    for (int s = 0; s < SRC; s++)
        a->source[s] = (struct label){.piece = words[s], .text = words[s], .id = 10 + s};
    alignment_publish(a, TGT);
    alignment_end(a, ENDED_EOS);
    return a;
}

static void one_head_has_its_scores(void **state)
{
    (void)state;
    struct alignment *a = made();
    struct alignment *view = map_view(a, (struct map_choice){MAP_CROSS, 1, 2}, NULL);
    assert_int_equal(alignment_rows(view), TGT);
    for (int t = 0; t < TGT; t++)
        for (int s = 0; s < SRC; s++) {
            assert_float_equal(view->alpha[t * SRC + s], weight(0, 1, 2, t, s), 0);
            assert_float_equal(view->score[t * SRC + s], -weight(0, 1, 2, t, s), 0);
        }
    assert_null(view->blocked);
    assert_float_equal(view->tau, 0.5f, 0);
    alignment_destroy(a); // the view has all it shows, and holds the maps
    assert_string_equal(view->target[2].text, "c");
    assert_true(maps_kept(view->maps, MAP_DECODER));
    alignment_destroy(view);
}

// The window draws the columns before the first row is there.
static void a_view_without_rows_has_its_columns(void **state)
{
    (void)state;
    struct alignment *whole = made();
    struct alignment *a = alignment_create(SRC, TGT, true, NULL);
    a->text = a->model = "x";
    for (int s = 0; s < SRC; s++)
        a->source[s] = whole->source[s];
    a->maps = whole->maps;
    maps_hold(a->maps);
    struct alignment *view = map_view(a, (struct map_choice){MAP_CROSS, 1, 2}, NULL);
    assert_int_equal(alignment_rows(view), 0);
    for (int s = 0; s < SRC; s++)
        assert_string_equal(view->source[s].text, whole->source[s].text);
    assert_string_equal(view->text, "x");
    assert_string_equal(view->model, "x");
    alignment_destroy(view);
    view = map_view(a, (struct map_choice){MAP_DECODER, 0, 1}, NULL);
    assert_int_equal(view->n_src, 0);
    alignment_destroy(view);
    alignment_destroy(a);
    alignment_destroy(whole);
}

static void heads_are_pooled_before_layers(void **state)
{
    (void)state;
    struct alignment *a = made();
    struct map_choice choice = {MAP_CROSS, MAP_MEAN, MAP_MAX};
    struct alignment *view = map_view(a, choice, NULL);
    assert_float_equal(view->alpha[0],
                       (weight(0, 0, 2, 0, 0) + weight(0, 1, 2, 0, 0)) / 2, 1e-7f);
    assert_true(isnan(view->score[0]));
    assert_false(map_keeps_sums(a->maps, choice));
    alignment_destroy(view);
    view = map_view(a, (struct map_choice){MAP_CROSS, MAP_MAX, MAP_MEAN}, NULL);
    assert_float_equal(view->alpha[3], weight(0, 1, 1, 1, 1), 1e-7f);
    alignment_destroy(view);
    alignment_destroy(a);
}

static void what_the_mask_forbids_is_no_zero(void **state)
{
    (void)state;
    struct alignment *a = made();
    struct alignment *view = map_view(a, (struct map_choice){MAP_DECODER, 0, 1}, NULL);
    assert_int_equal(view->n_src, TGT);
    assert_string_equal(view->source[0].text, "<s>");
    assert_int_equal(view->source[0].id, 7);
    assert_string_equal(view->source[1].text, "a");
    assert_float_equal(view->tau, 1, 0);
    for (int t = 0; t < TGT; t++)
        for (int s = 0; s < TGT; s++) {
            assert_int_equal(view->blocked[t * TGT + s], s > t);
            assert_float_equal(view->alpha[t * TGT + s],
                               s > t ? 0 : weight(2, 0, 1, t, s), 0);
            assert_int_equal(isnan(view->score[t * TGT + s]) != 0, s > t);
        }
    alignment_destroy(view);
    alignment_destroy(a);
}

static void the_encoder_reads_itself(void **state)
{
    (void)state;
    struct alignment *a = made();
    struct alignment *view =
        map_view(a, (struct map_choice){MAP_ENCODER, MAP_MEAN, 0}, NULL);
    assert_int_equal(alignment_rows(view), SRC);
    assert_string_equal(view->target[1].text, "b");
    assert_int_equal(view->source[1].id, 11);
    assert_true(isnan(view->p[0]));
    assert_float_equal(view->alpha[3], weight(1, 0, 0, 1, 1), 0);
    alignment_destroy(view);
    alignment_destroy(a);
}

static void what_there_is_not_is_said(void **state)
{
    static const struct map_choice none[] = {{MAP_CROSS, LAYERS, 0},
                                             {MAP_CROSS, 0, HEADS},
                                             {MAP_ENCODER, 0, 1},
                                             {MAP_CROSS, -3, 0}};
    struct error err = {0};
    (void)state;
    struct alignment *a = made(), *plain = alignment_create(1, 1, true, NULL);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_null(map_view(a, none[i], &err));
    assert_string_equal(err.text, "this choice of attention was not kept");
    assert_null(map_view(plain, none[0], &err));
    assert_string_equal(err.text,
                        "this model has one attention, there is nothing to choose");
    alignment_destroy(plain);
    alignment_destroy(a);
}

static void what_does_not_fit_is_not_kept(void **state)
{
    const struct map_shape shape = {{24, 24, 24}, {64, 64, 64}, 4, 400};
    (void)state;
    struct maps *maps = maps_create(&shape, "", -1, NULL);
    assert_true(maps_kept(maps, MAP_CROSS));
    assert_true(maps_kept(maps, MAP_ENCODER));
    assert_false(maps_kept(maps, MAP_DECODER)); // 24 * 64 * 80200 * 8 bytes
    maps_release(maps);
}

static void a_choice_has_words(void **state)
{
    char text[128];
    int place;
    (void)state;
    struct alignment *a = made();
    map_say(a->maps, (struct map_choice){MAP_CROSS, MAP_MEAN, MAP_MEAN}, text,
            sizeof text);
    assert_string_equal(text, "cross-attention, mean of 2 layers × 3 heads");
    map_say(a->maps, (struct map_choice){MAP_DECODER, 1, MAP_MAX}, text, sizeof text);
    assert_string_equal(text, "decoder self-attention, layer 2 of 2, maximum of 3 heads");
    assert_true(map_place_read("3", 3, &place) && place == 2);
    assert_true(map_place_read("max", 3, &place) && place == MAP_MAX);
    assert_false(map_place_read("4", 3, &place));
    assert_false(map_place_read("0", 3, &place));
    assert_false(map_place_read("1x", 3, &place));
    map_place_print(MAP_MEAN, text, sizeof text);
    assert_string_equal(text, "mean");
    alignment_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_head_has_its_scores),
        cmocka_unit_test(a_view_without_rows_has_its_columns),
        cmocka_unit_test(heads_are_pooled_before_layers),
        cmocka_unit_test(what_the_mask_forbids_is_no_zero),
        cmocka_unit_test(the_encoder_reads_itself),
        cmocka_unit_test(what_there_is_not_is_said),
        cmocka_unit_test(what_does_not_fit_is_not_kept),
        cmocka_unit_test(a_choice_has_words),
    };
    return cmocka_run_group_tests_name("maps", tests, NULL, NULL);
}
