// SPDX-License-Identifier: MIT
// Each set of kernels against sums in double, and against the plain set: shapes from 1 to
// large, odd ones, misaligned data, every number format with all its values. Data end
// exactly where their block of memory ends, so that a sanitizer sees any read past it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernels.h"

static uint32_t seed = 1;

static uint32_t next_random(void) // xorshift32 (Marsaglia 2003)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static float next_float(void) // -1 .. 1
{
    return (float)((double)next_random() / 2147483648.0 - 1.0);
}

static const struct kernels *sets[2];

static int set_count(void)
{
    sets[0] = &kernels_plain;
    sets[1] = kernels_best();
    return sets[1] == sets[0] ? 1 : 2;
}

struct block { // bytes that end where the allocation ends, off from alignment
    unsigned char *raw, *data;
};

static struct block block_make(size_t bytes, size_t offset)
{
    struct block block = {.raw = malloc(bytes + offset)};
    assert_non_null(block.raw);
    block.data = block.raw + offset;
    return block;
}

// A value of the format, and what it is as a double.
static double put_random(unsigned char *at, enum dtype type)
{
    float value = next_float();
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (type == DTYPE_F32) {
        memcpy(at, &value, sizeof value);
        return (double)value;
    }
    uint16_t small = (uint16_t)(bits >> 16);
    // Any finite half: sign, mantissa and small exponents, so subnormals come too.
    if (type == DTYPE_F16)
        small = (uint16_t)((bits & 0x83ffu) | (next_random() % 16u) << 10);
    memcpy(at, &small, sizeof small);
    float out;
    tensor_floats(&out, &(struct tensor){at, type, 1, 1});
    return (double)out;
}

static void fill_floats(float *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = next_float();
}

struct product { // one product with what it must give
    struct tensor w, bias;
    struct block w_block, bias_block;
    double *want, *magnitude; // (rows) and the sum of absolute values
    float *x, *out;
};

static void product_make(struct product *p, enum dtype type, int rows, int cols,
                         size_t offset)
{
    size_t size = dtype_size(type), r = (size_t)rows, c = (size_t)cols;
    p->w_block = block_make(r * c * size, offset);
    p->bias_block = block_make(r * size, offset);
    p->w = (struct tensor){p->w_block.data, type, rows, cols};
    p->bias = (struct tensor){p->bias_block.data, type, rows, 1};
    p->x = malloc(c * sizeof *p->x);
    p->out = malloc(r * sizeof *p->out);
    p->want = calloc(r, sizeof *p->want);
    p->magnitude = calloc(r, sizeof *p->magnitude);
    assert_true(p->x && p->out && p->want && p->magnitude);
    fill_floats(p->x, cols);
    for (size_t i = 0; i < r; i++) {
        for (size_t j = 0; j < c; j++) {
            double term =
                put_random(p->w_block.data + (i * c + j) * size, type) * (double)p->x[j];
            p->want[i] += term;
            p->magnitude[i] += fabs(term);
        }
        double bias = put_random(p->bias_block.data + i * size, type);
        p->want[i] += bias;
        p->magnitude[i] += fabs(bias);
    }
}

static void product_free(struct product *p)
{
    free(p->w_block.raw);
    free(p->bias_block.raw);
    free(p->x);
    free(p->out);
    free(p->want);
    free(p->magnitude);
}

static void check_product(const struct kernels *kernels, struct product *p)
{
    kernels->product(p->out, &p->w, p->x, 1, &p->bias);
    for (int i = 0; i < p->w.rows; i++) {
        // Eight lanes: cols / 8 roundings each, a tree of three, the bias.
        double bound = (p->w.cols / 8 + 6) * (double)FLT_EPSILON * p->magnitude[i];
        double error = fabs((double)p->out[i] - p->want[i]);
        if (!(error <= bound + 1e-30))
            fail_msg("%s %s %dx%d: row %d is %.9g, expected %.9g", kernels->name,
                     dtype_name(p->w.type), p->w.rows, p->w.cols, i, (double)p->out[i],
                     p->want[i]);
    }
}

static const int shapes[][2] = {
    {1, 1},  {1, 7},   {1, 8},    {2, 9},   {3, 15},   {4, 16},   {5, 17},     {7, 31},
    {8, 32}, {9, 255}, {13, 256}, {64, 33}, {127, 65}, {33, 320}, {1000, 257}, {2, 4099},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void product_agrees_for_every_shape_format_and_offset(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (int type = DTYPE_F32; type <= DTYPE_BF16; type++)
            for (size_t offset = 0; offset < 4; offset++) {
                struct product p;
                product_make(&p, (enum dtype)type, shapes[s][0], shapes[s][1], offset);
                for (int k = 0; k < set_count(); k++)
                    check_product(sets[k], &p);
                product_free(&p);
            }
}

static void a_missing_bias_adds_nothing(void **state)
{
    const float w[] = {1, 2, 3, 4, 5, 6}, x[] = {1, 10, 100};
    const struct tensor matrix = {w, DTYPE_F32, 2, 3}, none = {0};
    (void)state;
    for (int k = 0; k < set_count(); k++) {
        float out[2] = {-1, -1};
        sets[k]->product(out, &matrix, x, 1, NULL);
        assert_true(out[0] == 321.0f && out[1] == 654.0f);
        sets[k]->product(out, &matrix, x, 1, &none);
        assert_true(out[0] == 321.0f && out[1] == 654.0f);
    }
}

// A sum must not depend on which rows stand beside it, nor on the run.
static void a_row_is_the_same_alone_and_among_others(void **state)
{
    (void)state;
    for (int k = 0; k < set_count(); k++)
        for (int type = DTYPE_F32; type <= DTYPE_BF16; type++) {
            struct product p;
            float again[11], alone;
            product_make(&p, (enum dtype)type, 11, 77, 1);
            sets[k]->product(p.out, &p.w, p.x, 1, NULL);
            sets[k]->product(again, &p.w, p.x, 1, NULL);
            assert_memory_equal(p.out, again, sizeof again);
            for (size_t i = 0; i < 11; i++) {
                struct tensor row = {p.w_block.data + i * 77 * dtype_size(p.w.type),
                                     p.w.type, 1, 77};
                sets[k]->product(&alone, &row, p.x, 1, NULL);
                assert_memory_equal(&alone, &p.out[i], sizeof alone);
            }
            product_free(&p);
        }
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
    const struct tensor w = {&bits, type, 1, 1};
    float got, one = 1, product;
    tensor_floats(&got, &w);
    if (isnan(want)) {
        assert_true(isnan(got));
        return;
    }
    if ((double)got != want || !signbit(got) != !signbit(want))
        fail_msg("%s 0x%04x is %.9g, expected %.9g", dtype_name(type), bits, (double)got,
                 want);
    for (int k = 0; k < set_count() && isfinite(want); k++) {
        sets[k]->product(&product, &w, &one, 1, NULL);
        if ((double)product != want)
            fail_msg("%s %s 0x%04x times 1 is %.9g, expected %.9g", sets[k]->name,
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
    tensor_floats(out, &(struct tensor){halves, DTYPE_F16, 6, 1});
    assert_memory_equal(out, want, sizeof want);
    for (int row = 0; row < 2; row++) {
        tensor_row(out, &(struct tensor){halves, DTYPE_F16, 2, 3}, row);
        assert_memory_equal(out, want + 3 * row, 3 * sizeof *out);
    }
    assert_string_equal(dtype_name(DTYPE_BF16), "BF16");
    assert_int_equal(dtype_size(DTYPE_F32), 4);
}

static void check_tanh(const struct kernels *kernels, float x, double bound)
{
    // Every lane and the tail must have the same tanh.
    for (int at = 0; at < 11; at += 5) {
        float v[11] = {0}, q[11] = {0}, k[11] = {0};
        v[at] = 1;
        q[at] = x / 2;
        k[at] = x - x / 2;
        double got = (double)kernels->dot_tanh(v, q, k, 11);
        double error = fabs(got - tanh((double)(q[at] + k[at])));
        if (!(error <= bound))
            fail_msg("%s: tanh(%.9g) is off by %.2g", kernels->name, (double)x, error);
    }
}

static void tanh_is_within_its_bound(void **state)
{
    const float special[] = {0,     1e-30f, -1e-30f, 1e-8f,  -1e-8f,   9.999f,
                             10.0f, 10.01f, -10.01f, 1e30f,  -FLT_MAX, FLT_MAX,
                             88.0f, -88.0f, 44.0f,   1e-42f, 0.3465f,  -0.3466f};
    (void)state;
    for (int k = 0; k < set_count(); k++) {
        for (size_t i = 0; i < sizeof special / sizeof *special; i++)
            check_tanh(sets[k], special[i], 3e-7);
        for (int i = -120000; i <= 120000; i += 7)
            check_tanh(sets[k], (float)i * 1e-4f, 3e-7);
    }
}

static void dot_products_agree(void **state)
{
    (void)state;
    for (int n = 1; n <= 700; n += 1 + n / 9) {
        struct block ab = block_make((size_t)n * 8, 0);
        float *a = (float *)(void *)ab.data, *b = a + n;
        double want = 0, magnitude = 0, tanh_want = 0, tanh_magnitude = 0;
        fill_floats(a, n);
        fill_floats(b, n);
        for (int i = 0; i < n; i++) {
            double t = (double)b[i] * tanh((double)(a[i] + b[i]));
            want += (double)a[i] * (double)b[i];
            magnitude += fabs((double)a[i] * (double)b[i]);
            tanh_want += t;
            tanh_magnitude += fabs((double)b[i]);
        }
        for (int k = 0; k < set_count(); k++) {
            double slack = (n / 8 + 6) * (double)FLT_EPSILON;
            assert_true(fabs((double)sets[k]->dot(a, b, n) - want) <= slack * magnitude);
            assert_true(fabs((double)sets[k]->dot_tanh(b, a, b, n) - tanh_want) <=
                        (slack + 3e-7) * tanh_magnitude);
        }
        free(ab.raw);
    }
}

static void sums_of_exponentials_agree(void **state)
{
    (void)state;
    for (int n = 1; n <= 6000; n += 1 + n / 3) {
        struct block block = block_make((size_t)n * sizeof(float), 0);
        float *x = (float *)(void *)block.data;
        double want = 0;
        fill_floats(x, n);
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 60 - 60;
        x[n / 2] = 0.5f;
        for (int i = 0; i < n; i++)
            want += exp((double)x[i] - 0.5);
        for (int k = 0; k < set_count(); k++)
            assert_true(fabs((double)sets[k]->sum_exp(x, 0.5f, n) / want - 1) < 2e-6);
        free(block.raw);
    }
}

static void far_exponentials_vanish(void **state)
{
    float x[] = {0, -1e4f, -FLT_MAX, -100, 0, -88, -1e30f, -90, -200, -87};
    (void)state;
    for (int k = 0; k < set_count(); k++)
        assert_true(fabs((double)sets[k]->sum_exp(x, 0, 10) - 2) < 1e-6);
}

static void scaled_vectors_add(void **state)
{
    (void)state;
    for (int n = 1; n < 70; n++) {
        struct block block = block_make((size_t)n * 8, 0);
        float *out = (float *)(void *)block.data, *x = out + n;
        for (int k = 0; k < set_count(); k++) {
            for (int i = 0; i < n; i++) {
                out[i] = (float)i;
                x[i] = (float)(n - i);
            }
            sets[k]->add_scaled(out, x, 0.5f, n);
            for (int i = 0; i < n; i++)
                assert_true(out[i] == (float)i + 0.5f * (float)(n - i));
        }
        free(block.raw);
    }
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
    const struct tensor w = {block.data, special->type, (int)n, 1};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_agrees_for_every_shape_format_and_offset),
        cmocka_unit_test(a_missing_bias_adds_nothing),
        cmocka_unit_test(a_row_is_the_same_alone_and_among_others),
        cmocka_unit_test(every_small_float_is_exact),
        cmocka_unit_test(rows_and_vectors_widen),
        cmocka_unit_test(tanh_is_within_its_bound),
        cmocka_unit_test(dot_products_agree),
        cmocka_unit_test(sums_of_exponentials_agree),
        cmocka_unit_test(far_exponentials_vanish),
        cmocka_unit_test(scaled_vectors_add),
        cmocka_unit_test(what_is_not_finite_is_found_at_its_place),
    };
    print_message("# best kernels here: %s\n", kernels_best()->name);
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
