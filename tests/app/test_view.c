// SPDX-License-Identifier: MIT
// Views without pixels: geometry, colour, temperature, pooling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "view/colormap.h"
#include "view/grid.h"
#include "view/heatmap.h"
#include "view/panel.h"
#include "view/tau.h"

static const struct cell_size none;

static void cells_fit_and_are_whole_pixels(void **state)
{
    (void)state;
    static const float scales[] = {1, 1.1f, 1.5f, 2, 3};
    for (int n = 1; n <= 513; n = n * 5 / 4 + 1)
        for (int i = 0; i < 5; i++) {
            struct rect room = rect_make(130, 230, 610, 430);
            struct grid grid = grid_fit(room, 96, n, n, scales[i], none);
            assert_true(grid.area.w <= room.w + 0.01f && grid.area.h <= room.h + 0.01f);
            float px = grid.cell_w * scales[i];
            if (grid.cell_w >= 6)
                assert_true(fabsf(px - roundf(px)) < 0.01f);
            struct rect a = grid_cell(&grid, 0, 0), b = grid_cell(&grid, n - 1, n - 1);
            assert_true(a.x >= room.x && b.x + b.w <= room.x + room.w + 0.01f);
        }
}

static void cells_change_only_where_they_must(void **state)
{
    (void)state;
    struct rect room = rect_make(0, 0, 612, 430);
    struct cell_size keep = {0};
    int changes = 0;
    float before = 0;
    for (int n = 1; n <= 20; n++) { // typing: one more column at a time
        struct grid grid = grid_fit(room, 96, n, n, 1, keep);
        keep = (struct cell_size){grid.cell_w, grid.cell_h};
        assert_true(before <= 0 || grid.cell_w <= before); // never wider again
        changes += before > 0 && grid.cell_w < before;
        before = grid.cell_w;
    }
    assert_true(changes <= 6);
    struct grid same = grid_fit(room, 96, 19, 14, 1, keep); // a shorter one next
    assert_true(same.cell_w == keep.w && same.cell_h == keep.h);
    struct grid few = grid_fit(room, 96, 4, 4, 1, keep);
    assert_true(few.cell_w > keep.w);
}

static void a_point_in_a_cell_finds_that_cell(void **state)
{
    (void)state;
    struct grid grid = grid_fit(rect_make(100, 200, 600, 400), 96, 11, 14, 1, none);
    for (int t = 0; t < 14; t++)
        for (int s = 0; s < 11; s++) {
            struct rect cell = grid_cell(&grid, t, s);
            int row = -1, column = -1;
            assert_true(
                grid_hit(&grid, cell.x + cell.w / 2, cell.y + cell.h / 2, &row, &column));
            assert_int_equal(row, t);
            assert_int_equal(column, s);
        }
    int row, column;
    assert_false(grid_hit(&grid, 99, 300, &row, &column));
    assert_false(grid_hit(&grid, grid.area.x + grid.area.w, 300, &row, &column));
}

static void pooling_keeps_the_maximum(void **state)
{
    (void)state;
    const float alpha[6] = {0, 0.9f, 0, 0, 0.1f, 0};
    assert_true(heatmap_pool(alpha, 0, 3) == 0.9f);
    assert_true(heatmap_pool(alpha, 2, 6) == 0.1f);
    assert_true(heatmap_pool(alpha, 2, 2) == 0);
}

static float lightness(struct color c)
{
    return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b;
}

static void colour_maps_grow_steadily(void **state)
{
    (void)state;
    for (int map = 0; map < MAP_COUNT; map++)
        for (int theme = 0; theme < THEME_COUNT; theme++) {
            float sign = theme == THEME_DARK ? 1 : -1, before = -1e9f;
            for (int i = 0; i <= 100; i++) {
                float at = lightness(colormap_at((enum colormap)map, (enum theme)theme,
                                                 (float)i / 100)) *
                           sign;
                assert_true(at >= before - 1);
                before = at;
            }
        }
    struct color nan = colormap_at(MAP_THEME, THEME_DARK, NAN);
    struct color zero = colormap_at(MAP_THEME, THEME_DARK, 0);
    assert_int_equal(nan.r, zero.r);
}

static void tau_goes_round_and_snaps(void **state)
{
    (void)state;
    assert_true(tau_of_position(0) == 0);
    assert_true(tau_of_position(1) == INFINITY);
    assert_true(tau_of_position(0.5f) == 1);
    assert_true(tau_of_position(0.505f) == 1);
    assert_true(tau_to_position(0) == 0);
    assert_true(tau_to_position(INFINITY) == 1);
    for (float position = 0.03f; position < 0.97f; position += 0.01f)
        assert_true(fabsf(tau_to_position(tau_of_position(position)) - position) <
                    0.013f);
    for (int i = 0; i < TAU_TICKS; i++) {
        float tau = tau_of_position(tau_ticks()[i].position), want;
        char word[16] = {0};
        for (int k = 0; k < 15 && tau_ticks()[i].label[k] > ' '; k++)
            word[k] = tau_ticks()[i].label[k];
        if (tau_parse(word, &want) && isfinite(want))
            assert_true(fabsf(tau - want) <= 0.02f * want);
    }
}

static void tau_is_parsed_strictly(void **state)
{
    (void)state;
    float tau = -7;
    assert_true(tau_parse("0.3", &tau) && tau == 0.3f);
    assert_true(tau_parse(" 0,5 ", &tau) && tau == 0.5f);
    assert_true(tau_parse("∞", &tau) && isinf(tau));
    assert_true(tau_parse("1e2", &tau) && tau == 100);
    static const char *const bad[] = {"", "-1", "-0", "nan", "1x", "0x10", "--", "1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tau_parse(bad[i], &tau));
}

static void labels_are_thinned_but_never_the_chosen_one(void **state)
{
    (void)state;
    int shown = 0;
    for (int i = 0; i < 60; i++)
        shown += heatmap_label_shown(i, 3, 31, NOWHERE);
    assert_true(heatmap_label_shown(31, 3, 31, NOWHERE));
    assert_false(heatmap_label_shown(30, 3, 31, NOWHERE));
    assert_true(shown <= 20 && shown >= 18);
}

static void the_hit_of_a_panel_names_rows_and_columns(void **state)
{
    (void)state;
    struct alignment *alignment = alignment_create(5, 6, true, NULL);
    alignment_publish(alignment, 6);
    struct scene scene = {.now = alignment, .alpha = alignment->alpha, .rows = 6};
    struct input input = {.scale = 1};
    struct ui ui = {.input = &input};
    struct panel panel = panel_layout(&ui, rect_make(24, 136, 1000, 600), &scene);
    struct rect cells = panel.grid.area;
    int row, column;
    panel_hit(&panel, &scene, cells.x + 1, cells.y + 1, &row, &column);
    assert_int_equal(row, 0);
    assert_int_equal(column, 0);
    panel_hit(&panel, &scene, panel.readout_x + 10, cells.y + cells.h - 1, &row, &column);
    assert_int_equal(row, 5);
    assert_int_equal(column, NOWHERE);
    panel_hit(&panel, &scene, cells.x + cells.w - 1, cells.y - 20, &row, &column);
    assert_int_equal(row, NOWHERE);
    assert_int_equal(column, 4);
    panel_hit(&panel, &scene, 5, 5, &row, &column);
    assert_int_equal(row, NOWHERE);
    assert_int_equal(column, NOWHERE);
    alignment_destroy(alignment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_fit_and_are_whole_pixels),
        cmocka_unit_test(cells_change_only_where_they_must),
        cmocka_unit_test(a_point_in_a_cell_finds_that_cell),
        cmocka_unit_test(pooling_keeps_the_maximum),
        cmocka_unit_test(colour_maps_grow_steadily),
        cmocka_unit_test(tau_goes_round_and_snaps),
        cmocka_unit_test(tau_is_parsed_strictly),
        cmocka_unit_test(labels_are_thinned_but_never_the_chosen_one),
        cmocka_unit_test(the_hit_of_a_panel_names_rows_and_columns),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
