// SPDX-License-Identifier: MIT
// Screening the output layer. See screen.h.
#include "engine/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/readout.h"

enum {
    LARGEST = 63,       // of q and a
    MIDDLE = 64,        // added to a: the kernel takes unsigned ones
    COLS = 64,          // columns are a multiple of it
    MAX_COLS = 1024,    // of a vector
    LANES = 16,         // numbers at a time: loops of constant length become vectors
    BLOCK = SMALL_ROWS, // rows at a time
    TOGETHER = 32,      // vectors at a time
    MAX_OPEN = 64,      // rows that are computed at most
    MAX_BYTES = 1 << 30,
};

struct screen {
    struct arena arena;
    int rows, cols; // with what is added: whole blocks, whole columns
    int8_t *w;      // (rows, cols), block by block: small_at
    int32_t *offset;
    float *scale, *length, *rest, *bias, *slack; // (rows)
    float rounding;              // of a sum, relative to the lengths of its vectors
    float longest, largest_bias; // of all rows
};

// A vector as small integers, (cols) of them with MIDDLE added.
struct vector {
    struct small_vector factors;
    uint8_t *u;
    float low; // just below the greatest lower bound
    bool full; // more rows stayed open than there is room for
    int n_open;
    int open[MAX_OPEN]; // rows, in their order, ...
    float upper[MAX_OPEN];
};

static int up_to(int n, int step)
{
    return (n + step - 1) / step * step;
}

static bool take_memory(struct screen *screen)
{
    struct arena *arena = &screen->arena;
    size_t rows = (size_t)screen->rows;
    float **floats[] = {&screen->scale, &screen->length, &screen->rest, &screen->bias,
                        &screen->slack};
    arena_init(arena, MAX_BYTES);
    screen->w = arena_alloc(arena, rows, (size_t)screen->cols);
    screen->offset = arena_alloc(arena, rows, sizeof *screen->offset);
    bool ok = screen->w && screen->offset;
    for (int i = 0; i < 5; i++) {
        *floats[i] = arena_alloc(arena, rows, sizeof(float));
        ok = ok && *floats[i];
    }
    return ok;
}

// x (n) is about scale times the whole numbers of out.
struct rounded {
    float scale, length, rest; // of scale out; of x - scale out
    int sum;
};

// To the nearest whole number, of |x| < 2^22.
static float whole_of(float x)
{
    return (x + 0x1.8p23f) - 0x1.8p23f;
}

static float largest_of(const float *x, int n)
{
    float lanes[LANES] = {0}, largest = 0;
    for (int i = 0; i < n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            float size = fabsf(x[i + k]);
            lanes[k] = size > lanes[k] ? size : lanes[k];
        }
    for (int k = 0; k < LANES; k++)
        largest = lanes[k] > largest ? lanes[k] : largest;
    return largest;
}

// x (n, whole COLS of them). False: not all are finite.
static bool round_all(const float *x, int n, int8_t *out, struct rounded *r)
{
    float left[MAX_COLS], up, squares = 0;
    float sum_lanes[LANES] = {0}, square_lanes[LANES] = {0}; // exact, below 2^24
    if (!floats_finite(x, n))
        return false;
    *r = (struct rounded){.scale = largest_of(x, n) / LARGEST};
    up = r->scale > 1e-30f ? 1 / r->scale : 0;
    for (int i = 0; i < n; i += LANES) {
        float whole[LANES];
        for (int k = 0; k < LANES; k++) {
            whole[k] = whole_of(x[i + k] * up);
            left[i + k] = x[i + k] - r->scale * whole[k];
            sum_lanes[k] += whole[k];
            square_lanes[k] += whole[k] * whole[k];
        }
        for (int k = 0; k < LANES; k++)
            out[i + k] = (int8_t)whole[k];
    }
    for (int k = 0; k < LANES; k++) {
        r->sum += (int)sum_lanes[k];
        squares += square_lanes[k];
    }
    r->length = (sqrtf(squares) * r->scale) * (1 + 1e-6f);
    // What is left was itself rounded.
    r->rest = (floats_length(left, n) + r->length * 1e-6f) * (1 + 1e-6f) + 1e-30f;
    return true;
}

static int8_t *block_at(const struct screen *screen, int row)
{
    return screen->w + (size_t)row * (size_t)screen->cols;
}

static bool round_row(struct screen *screen, int row, const float *w, float bias)
{
    struct rounded r;
    int8_t whole[MAX_COLS], *block = block_at(screen, row - row % BLOCK);
    if (!round_all(w, screen->cols, whole, &r))
        return false;
    for (int col = 0; col < screen->cols; col++)
        block[small_at(row % BLOCK, col)] = whole[col];
    screen->offset[row] = MIDDLE * r.sum;
    screen->scale[row] = r.scale;
    screen->length[row] = r.length;
    screen->rest[row] = r.rest;
    screen->bias[row] = bias;
    screen->slack[row] = screen->rounding * fabsf(bias) + 1e-30f;
    screen->longest = fmaxf(screen->longest, r.length + r.rest);
    screen->largest_bias = fmaxf(screen->largest_bias, fabsf(bias));
    return isfinite(screen->longest) && isfinite(screen->largest_bias);
}

static bool round_rows(struct screen *screen, const struct network *network)
{
    const struct tensor *output = readout_output(network);
    float w[MAX_COLS] = {0},
          *biases = arena_alloc(&screen->arena, (size_t)screen->rows, sizeof *biases);
    if (!biases)
        return false;
    if (network->out_bias.data)
        tensor_floats(biases, &network->out_bias);
    for (int row = 0; row < output->rows; row++) {
        tensor_row(w, output, row);
        if (!round_row(screen, row, w, biases[row]))
            return false;
    }
    for (int row = output->rows; row < screen->rows; row++)
        screen->bias[row] = -INFINITY;
    return true;
}

struct screen *screen_create(const struct network *network)
{
    const struct tensor *output = readout_output(network);
    struct screen *screen = NULL;
    if (kernels_best()->small_product && output->cols <= MAX_COLS &&
        !network->config.n_masked)
        screen = calloc(1, sizeof *screen);
    if (!screen)
        return NULL;
    screen->rows = up_to(output->rows, BLOCK);
    screen->cols = up_to(output->cols, COLS);
    // A sum of n products, in any order, is within n 2^-24 of |w| |r|: four times that
    // for the sums of the output layer and of the bounds themselves.
    screen->rounding = (float)(output->cols + 64) * 0x1p-22f;
    if (take_memory(screen) && round_rows(screen, network))
        return screen;
    screen_destroy(screen);
    return NULL;
}

void screen_destroy(struct screen *screen)
{
    if (!screen)
        return;
    arena_finish(&screen->arena);
    free(screen);
}

// False: a sum might not be finite, or is not.
static bool take_vector(const struct screen *screen, const float *x, int n,
                        struct vector *out)
{
    float padded[MAX_COLS] = {0};
    int8_t whole[MAX_COLS];
    struct rounded r;
    memcpy(padded, x, (size_t)n * sizeof *x);
    if (!round_all(padded, screen->cols, whole, &r))
        return false;
    float all = r.length + r.rest, sums = screen->rounding * all;
    for (int i = 0; i < n; i++)
        out->u[i] = (uint8_t)(whole[i] + MIDDLE);
    out->factors = (struct small_vector){
        r.scale, (r.rest + sums) * (1 + screen->rounding), all * (1 + screen->rounding)};
    return all * screen->longest + screen->largest_bias < 1e30f;
}

static void drop_below(struct vector *v)
{
    int n = 0;
    for (int i = 0; i < v->n_open; i++)
        if (v->upper[i] > v->low) {
            v->open[n] = v->open[i];
            v->upper[n++] = v->upper[i];
        }
    v->n_open = n;
}

// Of a block of rows those that may be the best. False: they are too many.
static bool look(struct vector *v, const float *upper, int row)
{
    for (int i = -1; (i = floats_above(upper, i + 1, BLOCK, v->low)) < BLOCK;) {
        if (v->n_open == MAX_OPEN)
            drop_below(v);
        if (v->n_open == MAX_OPEN)
            return false;
        v->open[v->n_open] = row + i;
        v->upper[v->n_open++] = upper[i];
    }
    return true;
}

// Of the rows that are left, as the output layer has them: the first of the greatest.
static int best_of(const struct kernels *kernels, const struct tensor *output,
                   const struct tensor *bias, const float *x, struct vector *v)
{
    struct best best = {0, -INFINITY};
    drop_below(v);
    if (v->n_open == 1)
        return v->open[0];
    for (int i = 0; i < v->n_open; i++) {
        int row = v->open[i];
        const struct tensor one = tensor_rows(output, row, 1);
        const struct tensor its = bias->data ? tensor_rows(bias, row, 1) : *bias;
        float value;
        kernels->product(&value, &one, x, 1, &its);
        if (value > best.value)
            best = (struct best){row, value};
    }
    return best.at;
}

// Once over all rows: the greatest lower bound, and what stays open above it as it grows.
static void pass(const struct screen *screen, const struct kernels *kernels,
                 struct vector *const *vectors, const uint8_t *u, int n)
{
    int32_t products[TOGETHER * BLOCK];
    float upper[BLOCK];
    for (int row = 0; row < screen->rows; row += BLOCK) {
        const struct small_rows of = {screen->offset + row, screen->scale + row,
                                      screen->length + row, screen->rest + row,
                                      screen->bias + row,   screen->slack + row};
        kernels->small_product(products, block_at(screen, row), screen->cols, u, n);
        for (int i = 0; i < n; i++) {
            struct vector *v = vectors[i];
            struct small_range range = kernels->small_bounds(upper, products + i * BLOCK,
                                                             of, BLOCK, &v->factors);
            if (range.low > v->low)
                v->low = nextafterf(range.low, -INFINITY);
            if (range.high > v->low && !v->full)
                v->full = !look(v, upper, row);
        }
    }
}

// Those that were full begin again where they know the bound already: what comes first in
// a vocabulary may be rare, bytes for instance, and then too much stands above it.
static void pass_again(const struct screen *screen, const struct kernels *kernels,
                       struct vector *const *vectors, uint8_t *u, int n)
{
    struct vector *again[TOGETHER];
    size_t cols = (size_t)screen->cols;
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (!vectors[i]->full)
            continue;
        vectors[i]->full = false;
        vectors[i]->n_open = 0;
        memmove(u + (size_t)m * cols, u + (size_t)i * cols, cols);
        again[m++] = vectors[i];
    }
    if (m)
        pass(screen, kernels, again, u, m);
}

static void screen_some(const struct screen *screen, const struct kernels *kernels,
                        const struct tensor *output, const struct tensor *bias,
                        const float *readout, int n, int *best)
{
    struct vector vectors[TOGETHER], *all[TOGETHER] = {0};
    uint8_t u[TOGETHER * MAX_COLS];
    int width = output->cols;
    memset(u, 0, (size_t)(n * screen->cols));
    for (int i = 0; i < n; i++) {
        vectors[i] = (struct vector){.u = u + i * screen->cols, .low = -INFINITY};
        best[i] = take_vector(screen, readout + i * width, width, &vectors[i]) ? 0 : -1;
        if (best[i] != 0)
            vectors[i].low = INFINITY; // nothing is looked for
        all[i] = &vectors[i];
    }
    pass(screen, kernels, all, u, n);
    pass_again(screen, kernels, all, u, n);
    for (int i = 0; i < n; i++)
        if (best[i] == 0)
            best[i] = vectors[i].full ? -1
                                      : best_of(kernels, output, bias,
                                                readout + i * width, &vectors[i]);
}

void screen_best(const struct screen *screen, const struct kernels *kernels,
                 const struct tensor *output, const struct tensor *bias,
                 const float *readout, int n, int *best)
{
    for (int i = 0; i < n; i += TOGETHER)
        screen_some(screen, kernels, output, bias, readout + i * output->cols,
                    n - i < TOGETHER ? n - i : TOGETHER, best + i);
}
