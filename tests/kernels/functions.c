// SPDX-License-Identifier: MIT
// exp, tanh, sigmoid and what is made of them, against the C library in double. The
// bounds are those that kernels.h states, over floats of every magnitude.
#include "checks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024, STRIDE = 613 }; // a prime: every exponent with many mantissas

struct function {
    const char *name;
    double (*want)(double x);
    double bound;       // in units of the last place ...
    float from, to;     // ... between these
    double small_bound; // absolutely, below `from`
};

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static const struct function exponential = {"exp", exp, 2, -87, 88, 2e-38};
static const struct function tangent = {"tanh", tanh, 4, -FLT_MAX, FLT_MAX, 0};
static const struct function logistic = {"sigmoid", sigmoid, 4, -87, FLT_MAX, 2e-38};

static void apply(const struct kernels *kernels, const struct function *f, float *x,
                  int n)
{
    if (f->want == exp)
        kernels->exp(x, n);
    else if (f->want == tanh)
        kernels->tanh(x, n);
    else
        kernels->sigmoid(x, n);
}

static double check_one(const struct kernels *kernels, const struct function *f, float x,
                        float got)
{
    double want = f->want((double)x), off = ulps(got, want);
    bool good =
        x < f->from ? fabs((double)got - want) <= f->small_bound : off <= f->bound;
    if (!good)
        fail_msg("%s: %s(%.9g) is %.9g, expected %.9g", kernels->name, f->name, (double)x,
                 (double)got, want);
    return x < f->from ? 0 : off;
}

// Fills x with the next floats from the bit pattern *bits; returns how many.
static int take_floats(const struct function *f, uint64_t *bits, float *x)
{
    int n = 0;
    for (; n < BATCH && *bits <= UINT32_MAX; *bits += STRIDE) {
        uint32_t pattern = (uint32_t)*bits;
        memcpy(&x[n], &pattern, sizeof pattern);
        n += isfinite(x[n]) && x[n] <= f->to;
    }
    return n;
}

static void check_function(const struct function *f)
{
    float x[BATCH], got[BATCH];
    for (int k = 0; set_at(k); k++) {
        double worst = 0;
        uint64_t bits = 0;
        for (int n; (n = take_floats(f, &bits, x)) > 0;) {
            memcpy(got, x, sizeof got);
            apply(set_at(k), f, got, n);
            for (int i = 0; i < n; i++)
                worst = fmax(worst, check_one(set_at(k), f, x[i], got[i]));
        }
        print_message("# %s %s: within %.2f units in the last place\n", set_at(k)->name,
                      f->name, worst);
    }
}

void every_float_has_its_exponential(void **state)
{
    (void)state;
    check_function(&exponential);
}

void every_float_has_its_tangent(void **state)
{
    (void)state;
    check_function(&tangent);
}

void every_float_has_its_sigmoid(void **state)
{
    (void)state;
    check_function(&logistic);
}

void what_is_special_stays_so(void **state)
{
    (void)state;
    for (int k = 0; set_at(k); k++) {
        float e[] = {0, -0.0f, -INFINITY, -1e30f, NAN, 1e30f, INFINITY};
        float t[] = {0, INFINITY, -INFINITY, NAN, 20, -20, FLT_MIN};
        float s[] = {0, INFINITY, -INFINITY, NAN, 100, -1000, -FLT_MAX};
        set_at(k)->exp(e, 7);
        set_at(k)->tanh(t, 7);
        set_at(k)->sigmoid(s, 7);
        assert_true(e[0] == 1 && e[1] == 1 && e[2] == 0 && e[3] == 0 && isnan(e[4]));
        assert_true(isinf(e[5]) && isinf(e[6]));
        assert_true(t[0] == 0 && t[1] == 1 && t[2] == -1 && isnan(t[3]));
        assert_true(t[4] == 1 && t[5] == -1 && t[6] == FLT_MIN);
        assert_true(s[0] == 0.5f && s[1] == 1 && isnan(s[3]) && s[4] == 1);
        assert_true(s[2] <= 2e-38f && s[5] <= 2e-38f && s[6] <= 2e-38f);
    }
}

// A value is the same wherever it stands, and nothing beside the array changes.
void arrays_of_every_length_agree(void **state)
{
    static const struct function *const functions[] = {&exponential, &tangent, &logistic};
    (void)state;
    for (int k = 0; set_at(k); k++)
        for (int n = 1; n < 70; n++)
            for (int f = 0; f < 3; f++) {
                struct block block = block_make((size_t)n * sizeof(float), 4);
                float *x = (float *)(void *)block.data, before[70];
                fill_floats(x, n);
                memcpy(before, x, (size_t)n * sizeof *x);
                apply(set_at(k), functions[f], x, n);
                for (int i = 0; i < n; i++) {
                    apply(set_at(k), functions[f], &before[i], 1);
                    assert_memory_equal(&before[i], &x[i], sizeof *x);
                }
                free(block.raw);
            }
}

static void check_tanh_dots(const struct kernels *kernels, const float *v, const float *q,
                            const float *keys, int n, int width)
{
    float e[5], alone;
    kernels->tanh_dots(e, v, q, keys, n, width);
    for (int j = 0; j < n; j++) {
        double want = 0, magnitude = 0;
        for (int i = 0; i < width; i++) {
            want += (double)v[i] * tanh((double)(q[i] + keys[j * width + i]));
            magnitude += fabs((double)v[i]);
        }
        assert_true(fabs((double)e[j] - want) <=
                    (width / 4 + 10) * (double)FLT_EPSILON * magnitude);
        kernels->tanh_dots(&alone, v, q, keys + j * width, 1, width);
        assert_memory_equal(&alone, &e[j], sizeof alone);
    }
}

void tanh_dots_agree(void **state)
{
    (void)state;
    for (int width = 1; width <= 700; width += 1 + width / 9)
        for (int n = 1; n <= 5; n++) {
            struct block block = block_make((size_t)(width * (n + 2)) * sizeof(float), 0);
            float *v = (float *)(void *)block.data;
            fill_floats(v, width * (n + 2));
            for (int i = 0; i < width; i++)
                v[i + width] *= 4;
            for (int k = 0; set_at(k); k++)
                check_tanh_dots(set_at(k), v, v + width, v + 2 * width, n, width);
            free(block.raw);
        }
}

void sums_of_exponentials_agree(void **state)
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
        for (int k = 0; set_at(k); k++)
            assert_true(fabs((double)set_at(k)->sum_exp(x, 0.5f, n) / want - 1) < 2e-6);
        free(block.raw);
    }
}

void far_exponentials_vanish(void **state)
{
    float x[] = {0, -1e4f, -FLT_MAX, -100, 0, -88, -1e30f, -90, -200, -INFINITY};
    (void)state;
    for (int k = 0; set_at(k); k++)
        assert_true(fabs((double)set_at(k)->sum_exp(x, 0, 10) - 2) < 1e-6);
}
