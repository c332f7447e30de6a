// SPDX-License-Identifier: MIT
// Each set of kernels that runs here against double, and against itself: products.c,
// functions.c and gates.c. Here: every value of the small formats, and what is not
// finite.
//
// usage: test_kernels [--bench]   (bench.c)
#include "checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t next_random(void) // xorshift32 (Marsaglia 2003)
{
    static uint32_t seed = 1;
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

float next_float(void)
{
    return (float)((double)next_random() / 2147483648.0 - 1.0);
}

void fill_floats(float *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = next_float();
}

struct block block_make(size_t bytes, size_t offset)
{
    struct block block = {.raw = malloc(bytes + offset)};
    assert_non_null(block.raw);
    block.data = block.raw + offset;
    return block;
}

const struct kernels *set_at(int k)
{
    static const struct kernels *sets[KERNELS_SETS];
    static int count;
    if (!count)
        count = kernels_here(sets);
    return k < count ? sets[k] : NULL;
}

double ulps(float got, double want)
{
    float nearest = fabsf((float)want);
    double unit = (double)nextafterf(nearest, INFINITY) - (double)nearest;
    return fabs((double)got - want) / unit;
}

// IEEE binary16 and bfloat16 by their definition.
static double value_of(uint16_t bits, int exponent_bits)
{
    int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    double fraction = ldexp((double)(bits & ((1 << fraction_bits) - 1)), -fraction_bits);
    double sign = bits >> 15 ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1)
        return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias);
    return sign * ldexp(1.0 + fraction, exponent - bias);
}

static void check_small_float(uint16_t bits, enum dtype type)
{
    double want = value_of(bits, type == DTYPE_F16 ? 5 : 8);
    const struct tensor w = {&bits, type, 1, 1, 0};
    float got, one = 1, product;
    tensor_floats(&got, &w);
    if (isnan(want)) {
        assert_true(isnan(got));
        return;
    }
    if ((double)got != want || !signbit(got) != !signbit(want))
        fail_msg("%s 0x%04x is %.9g, expected %.9g", dtype_name(type), bits, (double)got,
                 want);
    for (int k = 0; set_at(k) && isfinite(want); k++) {
        set_at(k)->product(&product, &w, &one, 1, NULL);
        if ((double)product != want)
            fail_msg("%s %s 0x%04x times 1 is %.9g, expected %.9g", set_at(k)->name,
                     dtype_name(type), bits, (double)product, want);
    }
}

static void every_small_float_is_exact(void **state)
{
    (void)state;
    for (int bits = 0; bits < 65536; bits++) {
        check_small_float((uint16_t)bits, DTYPE_F16);
        check_small_float((uint16_t)bits, DTYPE_BF16);
    }
}

static void rows_and_vectors_widen(void **state)
{
    const uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x3800, 0x0000};
    const float want[] = {1, -2, 0x1p-24f, 65504, 0.5f, 0};
    float out[6];
    (void)state;
    tensor_floats(out, &(struct tensor){halves, DTYPE_F16, 6, 1, 0});
    assert_memory_equal(out, want, sizeof want);
    for (int row = 0; row < 2; row++) {
        tensor_row(out, &(struct tensor){halves, DTYPE_F16, 2, 3, 0}, row);
        assert_memory_equal(out, want + 3 * row, 3 * sizeof *out);
    }
    assert_string_equal(dtype_name(DTYPE_BF16), "BF16");
    assert_int_equal(dtype_size(DTYPE_F32), 4);
}

struct special {
    enum dtype type;
    uint32_t bits;
    bool finite;
};

static void check_finite(const struct special *special, size_t n, size_t at)
{
    size_t size = dtype_size(special->type), where = 12345;
    struct block block = block_make(n * size, 1);
    uint32_t word = special->bits;
    uint16_t half = (uint16_t)word;
    memset(block.data, 0x3f, n * size); // an ordinary number in every format
    if (size == 4)
        memcpy(block.data + at * size, &word, 4);
    else
        memcpy(block.data + at * size, &half, 2);
    const struct tensor w = {block.data, special->type, (int)n, 1, 0};
    assert_int_equal(tensor_finite(&w, &where), special->finite);
    if (!special->finite)
        assert_int_equal(where, at);
    free(block.raw);
}

static void what_is_not_finite_is_found_at_its_place(void **state)
{
    static const struct special specials[] = {
        {DTYPE_F32, 0x7f800000, false}, {DTYPE_F32, 0xff800000, false},
        {DTYPE_F32, 0x7fc00000, false}, {DTYPE_F32, 0xff800001, false},
        {DTYPE_F32, 0x7f7fffff, true},  {DTYPE_F32, 0xff7fffff, true},
        {DTYPE_F16, 0x7c00, false},     {DTYPE_F16, 0xfc00, false},
        {DTYPE_F16, 0x7e00, false},     {DTYPE_F16, 0xfc01, false},
        {DTYPE_F16, 0x7bff, true},      {DTYPE_F16, 0xfbff, true},
        {DTYPE_BF16, 0x7f80, false},    {DTYPE_BF16, 0xff80, false},
        {DTYPE_BF16, 0x7fc0, false},    {DTYPE_BF16, 0xffff, false},
        {DTYPE_BF16, 0x7f7f, true},     {DTYPE_BF16, 0xff7f, true},
    };
    (void)state;
    for (size_t s = 0; s < sizeof specials / sizeof *specials; s++)
        for (size_t n = 1; n < 20; n++)
            for (size_t at = 0; at < n; at++)
                check_finite(&specials[s], n, at);
}

// Every length, start and place; a NaN is above nothing, and what is equal is not above.
static void the_first_value_above_a_limit_is_found(void **state)
{
    enum { LONGEST = 40 };
    float x[LONGEST + 2];
    (void)state;
    for (int n = 0; n <= LONGEST; n++)
        for (int from = 0; from <= n; from++)
            for (int at = from; at <= n; at++) {
                for (int i = 0; i < n + 2; i++)
                    x[i] = i < from || i > at ? 2 : i % 3 ? 1 : NAN;
                x[at] = 1.5f; // beyond n when there is none
                assert_int_equal(floats_above(x, from, n, 1), at);
            }
}

static void floats_of_every_length_are_added(void **state)
{
    enum { LONGEST = 50 };
    float to[LONGEST + 1], from[LONGEST + 1];
    (void)state;
    for (int n = 0; n <= LONGEST; n++) {
        for (int i = 0; i <= LONGEST; i++) {
            to[i] = (float)i;
            from[i] = 100;
        }
        floats_add(to, from, n);
        for (int i = 0; i <= LONGEST; i++)
            assert_true(to[i] == (float)(i < n ? i + 100 : i));
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--bench") == 0) {
        kernels_bench();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree_for_every_shape_format_and_offset),
        cmocka_unit_test(products_agree_for_random_shapes),
        cmocka_unit_test(a_missing_bias_adds_nothing),
        cmocka_unit_test(a_sum_is_the_same_alone_and_among_others),
        cmocka_unit_test(columns_are_a_matrix_of_their_own),
        cmocka_unit_test(the_first_maximum_is_found_while_multiplying),
        cmocka_unit_test(small_products_are_exact),
        cmocka_unit_test(blends_agree),
        cmocka_unit_test(reading_reads_every_byte),
        cmocka_unit_test(every_float_has_its_exponential),
        cmocka_unit_test(every_float_has_its_tangent),
        cmocka_unit_test(every_float_has_its_sigmoid),
        cmocka_unit_test(what_is_special_stays_so),
        cmocka_unit_test(arrays_of_every_length_agree),
        cmocka_unit_test(tanh_dots_agree),
        cmocka_unit_test(sums_of_exponentials_agree),
        cmocka_unit_test(far_exponentials_vanish),
        cmocka_unit_test(gates_agree),
        cmocka_unit_test(softmaxes_agree),
        cmocka_unit_test(softmaxes_leave_out_what_has_no_weight),
        cmocka_unit_test(every_small_float_is_exact),
        cmocka_unit_test(rows_and_vectors_widen),
        cmocka_unit_test(floats_of_every_length_are_added),
        cmocka_unit_test(what_is_not_finite_is_found_at_its_place),
        cmocka_unit_test(the_first_value_above_a_limit_is_found),
    };
    for (int k = 0; set_at(k); k++)
        print_message("# kernels here: %s\n", set_at(k)->name);
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
