// SPDX-License-Identifier: MIT
// Views without pixels: geometry, colour, pooling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "drawn.h"
#include "view/colormap.h"
#include "view/grid.h"
#include "view/heatmap.h"
#include "view/multiples.h"
#include "view/panel.h"
#include "view/plot.h"
#include "view/short.h"

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

// What an eye without one kind of cone makes of a colour (Machado, Oliveira, Fernandes
// 2009, severity 1), in linear light.
static void see(const float matrix[9], struct color c, float out[3])
{
    float in[3] = {powf(c.r / 255.0f, 2.2f), powf(c.g / 255.0f, 2.2f),
                   powf(c.b / 255.0f, 2.2f)};
    for (int i = 0; i < 3; i++) {
        const float *row = matrix + 3 * i;
        float sum = row[0] * in[0] + row[1] * in[1] + row[2] * in[2];
        out[i] = 255 * powf(fminf(fmaxf(sum, 0), 1), 1 / 2.2f);
    }
}

static void differences_have_two_hues_for_every_eye(void **state)
{
    (void)state;
    static const float eyes[4][9] = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1},
        {0.152f, 1.053f, -0.205f, 0.115f, 0.786f, 0.099f, -0.004f, -0.048f, 1.052f},
        {0.367f, 0.861f, -0.228f, 0.280f, 0.673f, 0.047f, -0.012f, 0.043f, 0.969f},
        {1.256f, -0.077f, -0.179f, -0.078f, 0.931f, 0.148f, 0.005f, 0.691f, 0.304f}};
    for (int theme = 0; theme < THEME_COUNT; theme++)
        for (int i = 0; i <= 20; i++) {
            float value = (float)i / 20;
            struct color less = colormap_signed((enum theme)theme, -value);
            struct color more = colormap_signed((enum theme)theme, value);
            struct color zero = colormap_at(MAP_THEME, (enum theme)theme, 0);
            if (i == 0) // the ground
                assert_memory_equal(&less, &zero, sizeof zero);
            assert_true(fabsf(lightness(less) - lightness(more)) < 14); // no side wins
            for (int eye = 0; i >= 7 && eye < 4; eye++) {
                float a[3], b[3];
                see(eyes[eye], less, a);
                see(eyes[eye], more, b);
                float far = fabsf(a[0] - b[0]) + fabsf(a[1] - b[1]) + fabsf(a[2] - b[2]);
                assert_true(far > 30);
            }
        }
}

static void multiples_stay_apart_and_within(void **state)
{
    (void)state;
    for (float w = 200; w <= 2600; w *= 1.17f)
        for (float h = 90; h <= 1400; h *= 1.19f) {
            int before = 1;
            for (int count = 2; count <= MULTIPLES_MAX; count++) {
                bool wide = (int)w % 2, same = (int)h % 2;
                struct multiples m =
                    multiples_place(rect_make(10, 20, w, h), count, wide, same);
                assert_in_range(m.shown, before, count);
                before = m.shown < before ? before : 1;
                assert_true((m.rest.h > 0) == (m.shown < count));
                float bottom = m.rest.h > 0 ? m.rest.y : m.legend.y;
                for (int i = 0; i < m.shown; i++) {
                    struct rect at = m.at[i], other = m.at[(i + 1) % m.shown];
                    assert_true(at.x >= 10 && at.x + at.w <= 10 + w + 0.1f);
                    assert_true(at.y >= 20 && at.y + at.h <= bottom + 0.1f);
                    assert_float_equal(at.w, m.at[0].w, 0.01f);
                    assert_true(m.shown == 1 || at.x + at.w <= other.x ||
                                other.x + other.w <= at.x || at.y + at.h <= other.y ||
                                other.y + other.h <= at.y);
                }
            }
        }
    assert_int_equal(multiples_place(rect_make(0, 0, 1392, 600), 6, false, true).shown,
                     6);
    assert_int_equal(multiples_place(rect_make(0, 0, 990, 430), 6, false, true).shown, 6);
}

// In a low window those below share the source labels of those above.
static void the_same_columns_are_named_once(void **state)
{
    (void)state;
    struct rect area = {0, 0, 800, 330};
    struct multiples apart = multiples_place(area, 6, false, false);
    struct multiples shared = multiples_place(area, 6, false, true);
    assert_false(apart.shared);
    assert_true(shared.shared);
    assert_int_equal(shared.shown, 6);
    assert_int_equal(shared.columns, apart.columns);
    float gain = shared.at[0].h - apart.at[0].h, lost = shared.at[3].h - apart.at[3].h;
    assert_true(gain > 10);
    assert_float_equal(gain + lost, 0, 0.01f);
    assert_float_equal(shared.at[5].y + shared.at[5].h, apart.at[5].y + apart.at[5].h,
                       0.01f);
    area.h = 500; // there is room for all of them
    assert_false(multiples_place(area, 6, false, true).shared);
    area.h = 330; // nothing is below
    assert_false(multiples_place(area, 3, false, true).shared);
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

static float fixed_width(void *context, enum font font, float size, const char *text,
                         size_t length)
{
    (void)context;
    (void)font;
    (void)text;
    return 0.5f * size * (float)length;
}

struct large { // a thousand rows and columns, one of them sharp
    struct alignment *alignment;
    struct scene scene;
    struct input input;
    struct ui ui;
    struct draw_list list;
    struct rect room;
};

static const struct ui_host fixed_host = {.text_width = fixed_width};

static void open_large(struct large *large, int n, int row, int column)
{
    *large = (struct large){.input = {.width = 1440, .height = 900, .scale = 1},
                            .room = {24, 130, 1050, 600}};
    large->alignment = alignment_create(n, n, true, NULL);
    assert_non_null(large->alignment);
    for (int i = 0; i < n; i++)
        large->alignment->source[i].text = large->alignment->target[i].text = "word";
    large->alignment->source[column].text = "theirs";
    large->alignment->target[row].text = "ours";
    large->alignment->alpha[(size_t)row * (size_t)n + (size_t)column] = 1;
    alignment_publish(large->alignment, n);
    scene_init(&large->scene);
    large->scene.now = large->alignment;
    large->scene.alpha = large->alignment->alpha;
    large->scene.rows = n;
    assert_true(draw_init(&large->list, 24000, 32 << 20));
    ui_init(&large->ui, &fixed_host);
}

static struct panel draw_large(struct large *large)
{
    draw_reset(&large->list);
    ui_begin(&large->ui, &large->input, style_of(THEME_DARK), &large->list);
    struct panel panel = panel_layout(&large->ui, large->room, &large->scene);
    panel_draw(&large->ui, &large->scene, &panel);
    ui_end(&large->ui);
    assert_int_equal(large->list.dropped, 0);
    return panel;
}

static void close_large(struct large *large)
{
    draw_finish(&large->list);
    alignment_destroy(large->alignment);
}

// Pixels of this colour of the images in `room`.
static int pixels_of(const struct large *large, struct rect room, struct color full)
{
    int count = 0;
    for (int i = 0; i < large->list.count; i++) {
        const struct draw_cmd *cmd = &large->list.cmds[i];
        if (cmd->kind != DRAW_IMAGE ||
            !rect_contains(room, cmd->rect.x + 1, cmd->rect.y + cmd->rect.h / 2))
            continue;
        const unsigned char *pixel = large->list.bytes + cmd->offset;
        for (int k = 0; k < cmd->image_w * cmd->image_h; k++, pixel += 4)
            count += pixel[0] == full.r && pixel[1] == full.g && pixel[2] == full.b;
    }
    return count;
}

static int sharp_pixels(const struct large *large, struct rect room)
{
    return pixels_of(large, room, colormap_at(MAP_THEME, THEME_DARK, 1));
}

static void of_a_thousand_rows_one_sharp_cell_is_seen(void **state)
{
    (void)state;
    struct large large;
    open_large(&large, 1000, 777, 333);
    struct panel panel = draw_large(&large);
    assert_true(panel.grid.pooled && grid_is_whole(&panel.grid));
    assert_int_equal(sharp_pixels(&large, panel.grid.sight), 1);
    large.scene.port = (struct grid_port){.zoom = 60, .row = 770, .column = 325};
    panel = draw_large(&large);
    assert_false(panel.grid.pooled);
    assert_int_equal(sharp_pixels(&large, panel.map), 1); // the map shows it too
    assert_non_null(draw_find_text(&large.list, "ours"));
    assert_non_null(draw_find_text(&large.list, "theirs"));
    large.scene.port = (struct grid_port){.zoom = 60};
    panel = draw_large(&large);
    assert_null(draw_find_text(&large.list, "ours"));
    large.scene.ribbon = true;
    draw_large(&large);
    close_large(&large);
}

static void of_a_thousand_differences_one_sharp_cell_is_seen(void **state)
{
    (void)state;
    struct large large;
    static float bits[1000];
    static bool differs[1000];
    static int rows[2][1000];
    open_large(&large, 1000, 777, 333);
    struct difference difference = {.shown = large.alignment,
                                    .rows = {1000, {rows[0], rows[1]}},
                                    .bits = bits,
                                    .differs = differs};
    large.scene.difference = &difference;
    large.scene.names[0] = large.scene.names[1] = "";
    for (float sign = -1; sign <= 1; sign += 2) {
        large.alignment->alpha[777 * 1000 + 333] = sign;
        struct panel panel = draw_large(&large);
        struct color full = colormap_signed(THEME_DARK, sign);
        struct color other = colormap_signed(THEME_DARK, -sign);
        assert_int_equal(pixels_of(&large, panel.grid.sight, full), 1);
        assert_int_equal(pixels_of(&large, panel.grid.sight, other), 0);
    }
    for (int t = 700; t < 1000; t++)
        rows[1][t] = -1; // what has no partner has no colour
    struct panel panel = draw_large(&large);
    assert_int_equal(pixels_of(&large, panel.grid.sight, colormap_signed(THEME_DARK, 1)),
                     0);
    assert_non_null(draw_find_text(&large.list, "only in A"));
    close_large(&large);
}

static void a_large_screen_has_room_for_all_cells(void **state)
{
    (void)state;
    struct large large;
    open_large(&large, 160, 30, 20);
    large.input.width = 3840;
    large.input.height = 2160;
    large.room = rect_make(24, 130, 3700, 1900);
    struct panel panel = draw_large(&large); // drops nothing
    assert_true(panel.grid.cell_h >= 6 && panel.grid.cell_w >= 6);
    close_large(&large);
}

static void the_largest_alignment_can_be_drawn(void **state)
{
    (void)state;
    struct large large;
    open_large(&large, ALIGNMENT_MAX_SRC, 7, 4000);
    struct panel panel = draw_large(&large);
    assert_int_equal(sharp_pixels(&large, panel.grid.sight), 1);
    large.scene.lens.top = 3; // rows are then scaled to be read
    large.scene.lens.transpose = true;
    large.scene.ribbon = true;
    draw_large(&large);
    close_large(&large);
}

static void a_port_stays_within_bounds(void **state)
{
    (void)state;
    static const struct grid_port ports[] = {{0, 0, 0},     {1e9f, 1e9f, 1e9f},
                                             {3, -5, -7},   {-4, 3, 3},
                                             {2.5f, 50, 2}, {7, 1e6f, -1e6f}};
    struct rect room = rect_make(100, 200, 600, 400);
    for (int n = 1; n < 600; n = 2 * n + 1)
        for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
            struct grid grid = grid_fit(room, 96, n, n, 1.5f, none);
            float fitted = grid.cell_w;
            grid_look(&grid, room, 96, 1.5f, ports[i]);
            assert_true(grid.cell_w >= fitted && grid.cell_w <= 200);
            assert_true(grid.area.x <= room.x + 0.01f && grid.area.y <= room.y + 0.01f);
            assert_true(grid.sight.w <= room.w && grid.sight.h <= room.h);
            assert_true(grid.area.x + grid.area.w >= grid.sight.x + grid.sight.w - 0.7f);
            assert_true(grid.from_row >= 0 && grid.to_row <= n &&
                        grid.from_row < grid.to_row);
            assert_true(grid.from_column >= 0 && grid.to_column <= n &&
                        grid.from_column < grid.to_column);
        }
}

// Cells are whole pixels, so they grow by other factors than the one that is asked for.
static void a_zoom_leaves_the_point_where_it_is(void **state)
{
    (void)state;
    struct rect room = rect_make(100, 200, 600, 400);
    for (int n = 20; n < 300; n += 7) {
        struct grid grid = grid_fit(room, 96, n, n, 1, none);
        float x = room.x + grid.sight.w * 0.6f, y = room.y + grid.sight.h * 0.7f;
        grid_look(&grid, room, 96, 1, grid_zoom(&grid, 3, x, y)); // fills its room
        float column = (x - grid.area.x) / grid.cell_w;
        float row = (y - grid.area.y) / grid.cell_h;
        for (int i = 0; i < 8; i++) {
            grid_look(&grid, room, 96, 1, grid_zoom(&grid, 1.2f, x, y));
            assert_true(fabsf((x - grid.area.x) / grid.cell_w - column) < 0.5f);
            assert_true(fabsf((y - grid.area.y) / grid.cell_h - row) < 0.5f);
        }
    }
}

// Each of these once drew ticks without end, or somewhere that is no place.
static void a_plot_of_any_height_has_an_end(void **state)
{
    (void)state;
    static const float heights[] = {0, 1e-40f, 1e-30f, 0.05f, 50, 1e30f, INFINITY, NAN};
    struct large large;
    open_large(&large, 2, 0, 1);
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        const struct plot_point points[] = {{1, 0, 1}, {5, heights[i], 1}};
        const struct plot_series series = {"of them", points, 2, true, false};
        struct plot plot = {.x_name = "x",
                            .y_name = "y",
                            .x_max = 10,
                            .y_max = heights[i],
                            .series = &series,
                            .n_series = 1};
        draw_reset(&large.list);
        ui_begin(&large.ui, &large.input, style_of(THEME_DARK), &large.list);
        plot_draw(&large.ui, large.room, &plot);
        ui_end(&large.ui);
        assert_true(large.list.count < 80);
        const char *wrong = drawn_badly(&large.list);
        if (wrong)
            fail_msg("%g: %s", (double)heights[i], wrong);
    }
    close_large(&large);
}

static void numbers_have_real_signs(void **state)
{
    (void)state;
    assert_string_equal(signed_text(0.25, 2).text, "+0.25");
    assert_string_equal(signed_text(-0.25, 2).text, "−0.25");
    assert_string_equal(signed_text(-0.004, 2).text, "0.00");
    assert_string_equal(signed_text(0.004, 2).text, "0.00");
    assert_string_equal(signed_text(0, 0).text, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plot_of_any_height_has_an_end),
        cmocka_unit_test(numbers_have_real_signs),
        cmocka_unit_test(a_zoom_leaves_the_point_where_it_is),
        cmocka_unit_test(cells_fit_and_are_whole_pixels),
        cmocka_unit_test(cells_change_only_where_they_must),
        cmocka_unit_test(a_point_in_a_cell_finds_that_cell),
        cmocka_unit_test(pooling_keeps_the_maximum),
        cmocka_unit_test(colour_maps_grow_steadily),
        cmocka_unit_test(differences_have_two_hues_for_every_eye),
        cmocka_unit_test(multiples_stay_apart_and_within),
        cmocka_unit_test(the_same_columns_are_named_once),
        cmocka_unit_test(labels_are_thinned_but_never_the_chosen_one),
        cmocka_unit_test(the_hit_of_a_panel_names_rows_and_columns),
        cmocka_unit_test(of_a_thousand_rows_one_sharp_cell_is_seen),
        cmocka_unit_test(of_a_thousand_differences_one_sharp_cell_is_seen),
        cmocka_unit_test(a_large_screen_has_room_for_all_cells),
        cmocka_unit_test(the_largest_alignment_can_be_drawn),
        cmocka_unit_test(a_port_stays_within_bounds),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
