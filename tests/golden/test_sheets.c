// SPDX-License-Identifier: MIT
// The bundled sheets come to what sheets.py computed from the equations, and their files
// are as the program writes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/attend_sheet.h"
#include "formats/model_dir.h"

enum { MAX_ROWS = 16, MAX_NUMBERS = 1024 };

struct expected {
    char name[32];
    int rows, columns;
    double at[MAX_NUMBERS];
};

static struct expected dump[MAX_ROWS];
static int n_dump;

static void read_dump(const char *sheet)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/sheets/%s.txt", ALPHASCOPE_TESTS, sheet);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (n_dump = 0; n_dump < MAX_ROWS; n_dump++) {
        struct expected *e = &dump[n_dump];
        if (fscanf(file, "%31s %d %d", e->name, &e->rows, &e->columns) != 3)
            break;
        assert_in_range(e->rows * e->columns, 1, MAX_NUMBERS);
        for (int i = 0; i < e->rows * e->columns; i++)
            assert_int_equal(fscanf(file, "%lf", &e->at[i]), 1);
    }
    fclose(file);
    assert_true(n_dump > 0);
}

static void same(const char *name, const double *found, int rows, int columns)
{
    for (int k = 0; k < n_dump; k++) {
        const struct expected *e = &dump[k];
        if (strcmp(e->name, name) != 0)
            continue;
        assert_int_equal(e->rows, rows);
        assert_int_equal(e->columns, columns);
        for (int i = 0; i < rows * columns; i++)
            if (!(fabs(found[i] - e->at[i]) <= 1e-12 * (1 + fabs(e->at[i]))))
                fail_msg("%s: number %d is %.17g, expected %.17g", name, i, found[i],
                         e->at[i]);
        return;
    }
    fail_msg("the dump has no %s", name);
}

static void open_sheet(struct attend_sheet *sheet, const char *name, char path[4096])
{
    char assets[3000];
    struct error err = {0};
    assert_true(data_path("assets", assets, sizeof assets));
    snprintf(path, 4096, "%s/sheets/%s.json", assets, name);
    if (!attend_sheet_read(sheet, path, &err))
        fail_msg("%s", err.text);
}

static void check_scaling(const struct scaling *scaling)
{
    struct scaling_point points[SCALING_SIZES];
    double rows[SCALING_SIZES * 7];
    scaling_measure(scaling, points);
    for (int i = 0; i < SCALING_SIZES; i++) {
        const struct scaling_reading *plain = &points[i].plain;
        const struct scaling_reading *scaled = &points[i].scaled;
        const double row[7] = {points[i].d,  plain->variance,  plain->entropy_bits,
                               plain->slope, scaled->variance, scaled->entropy_bits,
                               scaled->slope};
        memcpy(rows + 7 * i, row, sizeof row);
    }
    same("points", rows, SCALING_SIZES, 7);
}

static void check_attention(const struct attend_sheet *sheet, struct arena *arena)
{
    struct attend_result r;
    struct error err = {0};
    assert_true(attend_compute(&r, &sheet->input, arena, &err));
    same("scores", r.score, r.queries, r.keys);
    same("weights", r.alpha, r.queries, r.keys);
    same("output", r.output, r.queries, r.columns);
    same("entropy", r.entropy, 1, r.queries);
    same("slope", r.slope, 1, r.queries);
    if (sheet->beside != BESIDE_HARD && sheet->beside != BESIDE_IN_ORDER)
        return;
    struct attend beside = attend_sheet_beside(sheet);
    assert_true(attend_compute(&r, &beside, arena, &err));
    same("beside-weights", r.alpha, r.queries, r.keys);
    same("beside-output", r.output, r.queries, r.columns);
}

static void every_sheet_comes_to_what_the_equations_say(void **state)
{
    (void)state;
    for (int i = 0; i < attend_sheet_bundled_count; i++) {
        struct attend_sheet sheet;
        struct arena arena;
        char path[4096];
        arena_init(&arena, 1 << 24);
        read_dump(attend_sheet_bundled[i]);
        open_sheet(&sheet, attend_sheet_bundled[i], path);
        assert_true(*sheet.title && *sheet.note);
        if (sheet.is_scaling)
            check_scaling(&sheet.scaling);
        else
            check_attention(&sheet, &arena);
        arena_finish(&arena);
        attend_sheet_finish(&sheet);
    }
}

static void every_sheet_is_as_the_program_writes_it(void **state)
{
    (void)state;
    for (int i = 0; i < attend_sheet_bundled_count; i++) {
        struct attend_sheet sheet;
        struct buf file, written;
        struct error err = {0};
        char path[4096];
        buf_init(&file, 1 << 20);
        buf_init(&written, 1 << 20);
        open_sheet(&sheet, attend_sheet_bundled[i], path);
        assert_true(attend_sheet_is(path));
        assert_true(file_read(path, &file, &err));
        assert_true(attend_sheet_write(&written, &sheet, &err));
        assert_string_equal(buf_text(&written), buf_text(&file));
        buf_finish(&file);
        buf_finish(&written);
        attend_sheet_finish(&sheet);
    }
}

// By hand: q₁·k = 1, 1, 2 and q₂·k = 1, 1, 0, over √3.
static void the_three_keys_are_right_by_hand(void **state)
{
    (void)state;
    struct attend_sheet sheet;
    struct attend_result r;
    struct arena arena;
    struct error err = {0};
    char path[4096];
    double one = exp(1 / sqrt(3)), two = exp(2 / sqrt(3));
    double first = one / (2 * one + two), second = one / (2 * one + 1);
    arena_init(&arena, 1 << 24);
    open_sheet(&sheet, "three-keys", path);
    assert_true(attend_compute(&r, &sheet.input, &arena, &err));
    const double alpha[6] = {first, first, 1 - 2 * first, second, second, 1 - 2 * second};
    const double output[4] = {4 * first, 2 * first + 1 - 2 * first, 4 * second, 1};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(r.alpha[i] - alpha[i]) < 1e-15);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(r.output[i] - output[i]) < 1e-15);
    arena_finish(&arena);
    attend_sheet_finish(&sheet);
}

// A shuffled memory: the same weights elsewhere, the same blend; with positions neither.
static void order_counts_only_with_positions(void **state)
{
    (void)state;
    static const char *const names[] = {"order", "order-positions"};
    for (int k = 0; k < 2; k++) {
        struct attend_sheet sheet;
        struct attend_result r, beside;
        struct arena arena;
        struct error err = {0};
        char path[4096];
        double moved = 0, apart = 0;
        arena_init(&arena, 1 << 24);
        open_sheet(&sheet, names[k], path);
        struct attend other = attend_sheet_beside(&sheet);
        assert_true(attend_compute(&r, &sheet.input, &arena, &err));
        assert_true(attend_compute(&beside, &other, &arena, &err));
        const double *order = sheet.input.part[ATTEND_ORDER].at;
        for (int t = 0; t < r.queries; t++)
            for (int s = 0; s < r.keys; s++)
                moved = fmax(moved, fabs(r.alpha[t * r.keys + s] -
                                         beside.alpha[t * r.keys + (int)order[s] - 1]));
        for (int i = 0; i < r.queries * r.columns; i++)
            apart = fmax(apart, fabs(r.output[i] - beside.output[i]));
        assert_true(k == 0 ? moved < 1e-15 && apart < 1e-15 : moved > 0.1 && apart > 0.1);
        arena_finish(&arena);
        attend_sheet_finish(&sheet);
    }
}

static void only_the_naive_softmax_overflows(void **state)
{
    (void)state;
    struct attend_sheet sheet;
    struct attend_result r;
    struct arena arena;
    struct error err = {0};
    char path[4096];
    double naive[3];
    arena_init(&arena, 1 << 24);
    open_sheet(&sheet, "large-scores", path);
    assert_true(attend_compute(&r, &sheet.input, &arena, &err));
    assert_true(attend_naive(&r, 0, 1, naive));
    for (int s = 0; s < 3; s++)
        assert_true(fabs(naive[s] - r.alpha[s]) < 1e-14);
    assert_false(attend_naive(&r, 1, 1, naive));
    for (int s = 0; s < 3; s++)
        assert_true(isnan(naive[s]) && isfinite(r.alpha[3 + s]));
    assert_true(isfinite(exp(attend_exp_limits[0])));
    assert_true(isinf(exp(attend_exp_limits[0] + 1e-9)));
    assert_true(isfinite(expf(88.72283f)) && isinf(expf(88.72285f)));
    assert_true(exp(attend_exp_limits[2]) <= 65504 && exp(11.09) > 65504);
    arena_finish(&arena);
    attend_sheet_finish(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sheet_comes_to_what_the_equations_say),
        cmocka_unit_test(every_sheet_is_as_the_program_writes_it),
        cmocka_unit_test(the_three_keys_are_right_by_hand),
        cmocka_unit_test(order_counts_only_with_positions),
        cmocka_unit_test(only_the_naive_softmax_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
