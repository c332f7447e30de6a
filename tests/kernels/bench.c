// SPDX-License-Identifier: MIT
// What each set of kernels takes for one thing, beside the plain one: all sets in one
// run, in turns, each the best of many times. `alphascope bench` holds the best set
// against the memory; this tells a kernel that is slow from one that is not.
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench_clock.h"

enum { ROWS = 1024, COLS = 256, SEVERAL = 8, SOURCE = 20, LONG = 4096 };
enum { TURNS = 60, REPEATS = 20 };

struct bench {
    const struct kernels *kernels;
    struct tensor w;
    int n;                 // vectors at once
    float *x, *keys, *out; // (SEVERAL * COLS), (SOURCE * COLS), (SEVERAL * ROWS)
};

static void product(void *context)
{
    const struct bench *b = context;
    b->kernels->product(b->out, &b->w, b->x, b->n, NULL);
}

static void product_best(void *context)
{
    const struct bench *b = context;
    struct best best = b->kernels->product_best(NULL, &b->w, b->x, NULL);
    b->out[0] = best.value;
}

static void tanh_dots(void *context)
{
    const struct bench *b = context;
    b->kernels->tanh_dots(b->out, b->x, b->x + COLS, b->keys, SOURCE, COLS);
}

static void blend(void *context)
{
    const struct bench *b = context;
    b->kernels->blend(b->out, b->x, b->keys, SOURCE, COLS);
}

static void sum_exp(void *context)
{
    const struct bench *b = context;
    b->out[0] = b->kernels->sum_exp(b->keys, 1, LONG);
}

// In place: what is left after many times is finite for each of the three.
static void exponential(void *context)
{
    const struct bench *b = context;
    for (int i = 0; i < LONG; i++)
        b->out[i] = b->keys[i];
    b->kernels->exp(b->out, LONG);
}

static void tangent(void *context)
{
    const struct bench *b = context;
    b->kernels->tanh(b->out, LONG);
}

static void sigmoid(void *context)
{
    const struct bench *b = context;
    b->kernels->sigmoid(b->out, LONG);
}

static void softmax(void *context)
{
    const struct bench *b = context;
    b->kernels->softmax(b->out, b->x, SOURCE, 1);
}

static struct gates gates_at(const float *x)
{
    return (struct gates){{x, x + COLS, x + 2 * COLS, x + 3 * COLS}};
}

static void gru(void *context)
{
    const struct bench *b = context;
    const struct gates in = gates_at(b->keys), rec = gates_at(b->keys + 4 * COLS);
    b->kernels->gru(b->out, &in, &rec, COLS, GATE_SIGMOID, false);
}

static void lstm(void *context)
{
    const struct bench *b = context;
    const struct gates in = gates_at(b->keys), rec = gates_at(b->keys + 4 * COLS);
    b->kernels->lstm(b->out, b->out + COLS, &in, &rec, COLS, GATE_SIGMOID, 0);
}

static void reading(void *context)
{
    const struct bench *b = context;
    b->out[0] = (float)b->kernels->read(b->w.data, ROWS * COLS * dtype_size(b->w.type));
}

static const struct bench_case {
    const char *name;
    void (*run)(void *context);
    enum dtype type;
    int n;
    double weights; // read in one run; 0: it is timed by the clock alone
} cases[] = {
    {"read F16", reading, DTYPE_F16, 1, ROWS *COLS},
    {"product F32", product, DTYPE_F32, 1, ROWS *COLS},
    {"product F16", product, DTYPE_F16, 1, ROWS *COLS},
    {"product BF16", product, DTYPE_BF16, 1, ROWS *COLS},
    {"product F16, 8 vectors", product, DTYPE_F16, SEVERAL, ROWS *COLS},
    {"product F16 and its maximum", product_best, DTYPE_F16, 1, ROWS *COLS},
    {"v tanh(q + k), 20 keys", tanh_dots, DTYPE_F32, 1, 0},
    {"blend of 20 rows", blend, DTYPE_F32, 1, 0},
    {"sum of exp, 4096", sum_exp, DTYPE_F32, 1, 0},
    {"exp, 4096", exponential, DTYPE_F32, 1, 0},
    {"tanh, 4096", tangent, DTYPE_F32, 1, 0},
    {"sigmoid, 4096", sigmoid, DTYPE_F32, 1, 0},
    {"softmax, 20 scores", softmax, DTYPE_F32, 1, 0},
    {"gates of a GRU, 256", gru, DTYPE_F32, 1, 0},
    {"gates of an LSTM, 256", lstm, DTYPE_F32, 1, 0},
};

// The sets in turns, so that a busy moment hits them all.
static void time_sets(struct bench *bench, const struct bench_case *one, double *us)
{
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; set_at(k); k++) {
            bench->kernels = set_at(k);
            double took = best_us(one->run, bench, 1, REPEATS);
            us[k] = turn == 0 || took < us[k] ? took : us[k];
        }
}

static void print_case(const struct bench_case *one, const double *us)
{
    int plain = 0;
    while (set_at(plain + 1))
        plain++;
    printf("%-28s", one->name);
    for (int k = 0; set_at(k); k++) {
        double bytes = one->weights * (double)dtype_size(one->type);
        if (bytes > 0)
            printf(" %8.1f GB/s", bytes / us[k] / 1e3);
        else
            printf(" %10.0f ns", us[k] * 1e3);
        printf(" %5.1fx", us[plain] / us[k]);
    }
    printf("\n");
}

void kernels_bench(void)
{
    struct block weights = block_make(ROWS * COLS * sizeof(float), 0);
    struct bench bench = {.x = calloc(SEVERAL * COLS, sizeof(float)),
                          .keys = calloc(SOURCE * COLS, sizeof(float)),
                          .out = calloc(SEVERAL * ROWS, sizeof(float))};
    assert_true(bench.x && bench.keys && bench.out);
    fill_floats(bench.x, SEVERAL * COLS);
    fill_floats(bench.keys, SOURCE * COLS);
    for (int i = 0; i < ROWS * COLS * 2; i++) // ordinary numbers in every format
        ((uint16_t *)(void *)weights.data)[i] =
            (uint16_t)(0x3000 + next_random() % 0x800);
    printf("%-28s", "x: times as fast as plain");
    for (int k = 0; set_at(k); k++)
        printf(" %20s", set_at(k)->name);
    printf("\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double us[KERNELS_SETS] = {0};
        bench.w = (struct tensor){weights.data, cases[i].type, ROWS, COLS, 0};
        bench.n = cases[i].n;
        time_sets(&bench, &cases[i], us);
        print_case(&cases[i], us);
    }
    free(weights.raw);
    free(bench.x);
    free(bench.keys);
    free(bench.out);
}
