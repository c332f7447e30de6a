// SPDX-License-Identifier: MIT
// Products with weights: against sums in double, in every format, on shapes from 1 to
// large, odd ones, misaligned data; and the promise that a sum depends on nothing but its
// row and its vector.
#include "checks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 7 };

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
    tensor_floats(&out, &(struct tensor){at, type, 1, 1, 0});
    return (double)out;
}

struct product { // n vectors through one matrix, with what must come out
    struct tensor w, bias;
    struct block w_block, bias_block, x_block;
    double *values, *biases; // (rows, cols), (rows)
    float *x, *out;          // (n, cols), (n, rows)
    int n;
};

static void product_make(struct product *p, enum dtype type, int rows, int cols, int n,
                         size_t offset)
{
    size_t size = dtype_size(type), r = (size_t)rows, c = (size_t)cols;
    p->w_block = block_make(r * c * size, offset);
    p->bias_block = block_make(r * size, offset);
    p->x_block = block_make((size_t)n * c * sizeof *p->x, 0);
    p->w = (struct tensor){p->w_block.data, type, rows, cols, 0};
    p->bias = (struct tensor){p->bias_block.data, type, rows, 1, 0};
    p->x = (float *)(void *)p->x_block.data;
    p->n = n;
    p->values = malloc(r * c * sizeof *p->values);
    p->biases = malloc(r * sizeof *p->biases);
    p->out = malloc((size_t)n * r * sizeof *p->out);
    assert_true(p->values && p->biases && p->out);
    fill_floats(p->x, n * cols);
    for (size_t i = 0; i < r * c; i++)
        p->values[i] = put_random(p->w_block.data + i * size, type);
    for (size_t i = 0; i < r; i++)
        p->biases[i] = put_random(p->bias_block.data + i * size, type);
}

static void product_free(struct product *p)
{
    free(p->w_block.raw);
    free(p->bias_block.raw);
    free(p->x_block.raw);
    free(p->values);
    free(p->biases);
    free(p->out);
}

static void check_sum(const struct kernels *kernels, const struct product *p, int vector,
                      int row)
{
    const float *x = p->x + (size_t)vector * (size_t)p->w.cols;
    const double *w = p->values + (size_t)row * (size_t)p->w.cols;
    double want = p->biases[row], magnitude = fabs(want);
    float got = p->out[(size_t)vector * (size_t)p->w.rows + (size_t)row];
    for (int i = 0; i < p->w.cols; i++) {
        want += w[i] * (double)x[i];
        magnitude += fabs(w[i] * (double)x[i]);
    }
    // Eight lanes, or four and twice: cols / 8 roundings each, a tree, the bias.
    double bound = (p->w.cols / 8 + 8) * (double)FLT_EPSILON * magnitude;
    if (!(fabs((double)got - want) <= bound + 1e-30))
        fail_msg("%s %s %dx%d: row %d of vector %d of %d is %.9g, expected %.9g",
                 kernels->name, dtype_name(p->w.type), p->w.rows, p->w.cols, row, vector,
                 p->n, (double)got, want);
}

static void check_product(const struct kernels *kernels, const struct product *p)
{
    kernels->product(p->out, &p->w, p->x, p->n, &p->bias);
    for (int vector = 0; vector < p->n; vector++)
        for (int row = 0; row < p->w.rows; row++)
            check_sum(kernels, p, vector, row);
}

static const int shapes[][3] = {
    {1, 1, 1},    {1, 7, 2},    {1, 8, 3},    {2, 9, 4},    {3, 15, 5},     {4, 16, 1},
    {5, 17, 7},   {7, 31, 3},   {8, 32, 6},   {9, 255, 2},  {13, 256, 3},   {64, 33, 4},
    {127, 65, 1}, {33, 320, 5}, {17, 576, 7}, {2, 4099, 3}, {1000, 257, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, RANDOM_SHAPES = 300 };

static void check_shape(enum dtype type, int rows, int cols, int n, size_t offset)
{
    struct product p;
    product_make(&p, type, rows, cols, n, offset);
    for (int k = 0; set_at(k); k++)
        check_product(set_at(k), &p);
    product_free(&p);
}

void products_agree_for_every_shape_format_and_offset(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (int type = DTYPE_F32; type <= DTYPE_BF16; type++)
            for (size_t offset = 0; offset < 4; offset++)
                check_shape((enum dtype)type, shapes[s][0], shapes[s][1], shapes[s][2],
                            offset);
}

static int up_to(int most)
{
    return 1 + (int)(next_random() % (uint32_t)most);
}

void products_agree_for_random_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < RANDOM_SHAPES; i++) {
        int rows = up_to(i % 4 ? 40 : 300), cols = up_to(i % 3 ? 80 : 700);
        enum dtype type = (enum dtype)(DTYPE_F32 + i % 3);
        check_shape(type, rows, cols, up_to(20), next_random() % 4);
    }
}

void a_missing_bias_adds_nothing(void **state)
{
    const float w[] = {1, 2, 3, 4, 5, 6}, x[] = {1, 10, 100, 2, 20, 200};
    const struct tensor matrix = {w, DTYPE_F32, 2, 3, 0}, none = {0};
    const float want[] = {321, 654, 642, 1308};
    (void)state;
    for (int k = 0; set_at(k); k++) {
        float out[4] = {-1, -1, -1, -1};
        set_at(k)->product(out, &matrix, x, 2, NULL);
        assert_memory_equal(out, want, sizeof want);
        set_at(k)->product(out, &matrix, x, 2, &none);
        assert_memory_equal(out, want, sizeof want);
    }
}

// The sum of a row with a vector must not depend on what stands beside either.
static void check_alone(const struct kernels *kernels, const struct product *p)
{
    size_t rows = (size_t)p->w.rows, cols = (size_t)p->w.cols;
    kernels->product(p->out, &p->w, p->x, p->n, NULL);
    for (size_t v = 0; v < (size_t)p->n; v++)
        for (size_t r = 0; r < rows; r++) {
            struct tensor row = {p->w_block.data + r * cols * dtype_size(p->w.type),
                                 p->w.type, 1, p->w.cols, 0};
            float alone;
            kernels->product(&alone, &row, p->x + v * cols, 1, NULL);
            assert_memory_equal(&alone, &p->out[v * rows + r], sizeof alone);
        }
}

void a_sum_is_the_same_alone_and_among_others(void **state)
{
    static const int widths[] = {1, 5, 31, 64, 77, 160};
    (void)state;
    for (int type = DTYPE_F32; type <= DTYPE_BF16; type++)
        for (int n = 1; n <= MAX_N; n++)
            for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
                struct product p;
                product_make(&p, (enum dtype)type, 23, widths[i], n, 1);
                for (int k = 0; set_at(k); k++)
                    check_alone(set_at(k), &p);
                product_free(&p);
            }
}

// Of the columns the product, and of the same copied out of the matrix, bit for bit.
static void check_columns(const struct kernels *kernels, struct product *p, int first,
                          int cols)
{
    size_t size = dtype_size(p->w.type), row = (size_t)cols * size;
    size_t rows = (size_t)p->w.rows, bytes = (size_t)p->n * rows * sizeof(float);
    struct block copy = block_make(rows * row, 1);
    float *want = malloc(bytes);
    assert_non_null(want);
    for (size_t r = 0; r < rows; r++)
        memcpy(copy.data + r * row,
               p->w_block.data + (r * (size_t)p->w.cols + (size_t)first) * size, row);
    const struct tensor copied = {copy.data, p->w.type, p->w.rows, cols, 0};
    const struct tensor columns = tensor_columns(&p->w, first, cols);
    kernels->product(want, &copied, p->x, p->n, &p->bias);
    kernels->product(p->out, &columns, p->x, p->n, &p->bias);
    assert_memory_equal(p->out, want, bytes);
    const struct tensor last = tensor_rows(&columns, p->w.rows - 1, 1);
    const struct tensor its = tensor_rows(&p->bias, p->w.rows - 1, 1);
    kernels->product(p->out, &last, p->x, 1, &its);
    assert_memory_equal(p->out, want + rows - 1, sizeof *want);
    free(copy.raw);
    free(want);
}

void columns_are_a_matrix_of_their_own(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (int type = DTYPE_F32; type <= DTYPE_BF16; type++) {
            int cols = shapes[s][1];
            struct product p;
            product_make(&p, (enum dtype)type, shapes[s][0], cols, shapes[s][2], 1);
            for (int k = 0; set_at(k); k++) {
                check_columns(set_at(k), &p, 0, cols - cols / 3);
                check_columns(set_at(k), &p, cols / 3, cols - cols / 3);
                check_columns(set_at(k), &p, cols / 3, cols / 3);
            }
            product_free(&p);
        }
}

static void check_best(const struct kernels *kernels, const struct product *p)
{
    float out[130];
    int first = 0;
    kernels->product(p->out, &p->w, p->x, 1, &p->bias);
    struct best best = kernels->product_best(out, &p->w, p->x, &p->bias);
    struct best bare = kernels->product_best(NULL, &p->w, p->x, &p->bias);
    for (int i = 1; i < p->w.rows; i++)
        if (p->out[i] > p->out[first])
            first = i;
    assert_memory_equal(out, p->out, (size_t)p->w.rows * sizeof *out);
    assert_int_equal(best.at, first);
    assert_true(best.value == p->out[first]);
    assert_int_equal(bare.at, first);
    assert_true(bare.value == best.value);
}

void the_first_maximum_is_found_while_multiplying(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 130; rows += 1 + rows / 20)
        for (int type = DTYPE_F32; type <= DTYPE_BF16; type++) {
            struct product p;
            product_make(&p, (enum dtype)type, rows, 9, 1, 1);
            for (int k = 0; set_at(k); k++)
                check_best(set_at(k), &p);
            // All rows alike: the first one is the maximum, also below zero.
            memset(p.w_block.data, 0x80, (size_t)rows * 9 * dtype_size(p.w.type));
            memset(p.bias_block.data, 0xb8, (size_t)rows * dtype_size(p.w.type));
            for (int k = 0; set_at(k); k++) {
                check_best(set_at(k), &p);
                assert_int_equal(set_at(k)->product_best(NULL, &p.w, p.x, &p.bias).at, 0);
            }
            product_free(&p);
        }
}

void reading_reads_every_byte(void **state)
{
    (void)state;
    enum { BYTES = 576 }; // not whole 256 of them
    for (size_t at = 0; at < BYTES; at++) {
        struct block block = block_make(BYTES, 1);
        memset(block.data, 0, BYTES);
        block.data[at] = 0x40;
        for (int k = 0; set_at(k); k++)
            assert_int_equal(set_at(k)->read(block.data, BYTES), 0x40u << at % 4 * 8);
        free(block.raw);
    }
}

static void check_blend(const struct kernels *kernels, const float *weights,
                        const float *rows, int n, int width)
{
    float out[90];
    kernels->blend(out, weights, rows, n, width);
    for (int i = 0; i < width; i++) {
        double want = 0, magnitude = 0;
        for (int j = 0; j < n; j++) {
            double term = (double)weights[j] * (double)rows[j * width + i];
            want += term;
            magnitude += fabs(term);
        }
        assert_true(fabs((double)out[i] - want) <=
                    (n + 1) * (double)FLT_EPSILON * magnitude);
    }
}

void blends_agree(void **state)
{
    (void)state;
    for (int width = 1; width <= 90; width++)
        for (int n = 1; n <= 30; n += 1 + n / 2) {
            struct block block = block_make((size_t)(n * width + n) * sizeof(float), 0);
            float *weights = (float *)(void *)block.data;
            fill_floats(weights, n + n * width);
            for (int k = 0; set_at(k); k++)
                check_blend(set_at(k), weights, weights + n, n, width);
            free(block.raw);
        }
}

static void check_small(const struct kernels *kernels, int cols, int n)
{
    int8_t *w = calloc(SMALL_ROWS, (size_t)cols);
    uint8_t *u = calloc((size_t)n, (size_t)cols);
    int32_t *out = calloc((size_t)(SMALL_ROWS * n), sizeof *out);
    for (int i = 0; i < SMALL_ROWS * cols; i++) // the ends more often than not
        w[i] = (int8_t)(next_random() % 3 ? (next_random() % 2 ? 63 : -63)
                                          : (int)(next_random() % 127) - 63);
    for (int i = 0; i < n * cols; i++)
        u[i] = (uint8_t)(next_random() % 3 ? 127 : next_random() % 128);
    kernels->small_product(out, w, cols, u, n);
    for (int v = 0; v < n; v++)
        for (int r = 0; r < SMALL_ROWS; r++) {
            int32_t want = 0;
            for (int i = 0; i < cols; i++)
                want += w[small_at(r, i)] * u[v * cols + i];
            assert_int_equal(out[v * SMALL_ROWS + r], want);
        }
    free(w);
    free(u);
    free(out);
}

void small_products_are_exact(void **state)
{
    static const int columns[] = {64, 128, 256, 1024};
    (void)state;
    for (int k = 0; set_at(k); k++)
        for (int i = 0; set_at(k)->small_product && i < 4; i++)
            for (int n = 1; n <= 9; n++)
                check_small(set_at(k), columns[i], n);
}
