// SPDX-License-Identifier: MIT
// What is made of exp, tanh and sigmoid, softmax and the gates, of each set against
// double: every length, so with and without a part of a vector, at the end of memory.
#include "checks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 70, GATES = 4 };

static double gate_of(enum gate gate, double x)
{
    if (gate == GATE_SIGMOID)
        return 1 / (1 + exp(-x));
    return fmin(1, fmax(0, (gate == GATE_HARD_FIFTH ? x / 5 : x / 6) + 0.5));
}

// All of what one step of a cell reads, of h values each.
struct step {
    int h;
    enum gate gate;
    struct gates in, rec;
    const float *before;
};

static double before_gate(const struct step *s, int g, int i)
{
    return (double)s->in.at[g][i] + (double)s->rec.at[g][i];
}

static void check_gru(const struct kernels *kernels, const struct step *s, bool has_acted,
                      bool z_is_new)
{
    float state[LONGEST];
    struct gates in = s->in;
    in.at[0] = has_acted ? NULL : in.at[0];
    memcpy(state, s->before, (size_t)s->h * sizeof *state);
    kernels->gru(state, &in, &s->rec, s->h, s->gate, z_is_new);
    for (int i = 0; i < s->h; i++) {
        double r = has_acted ? 1 : gate_of(s->gate, before_gate(s, 0, i));
        double z = gate_of(s->gate, before_gate(s, 1, i));
        double n = tanh((double)s->in.at[2][i] + r * (double)s->rec.at[2][i]);
        double old = (double)s->before[i];
        double want = z_is_new ? (1 - z) * old + z * n : (1 - z) * n + z * old;
        assert_true(fabs((double)state[i] - want) < 1e-6);
    }
}

static void check_gru_reset(const struct kernels *kernels, const struct step *s)
{
    float kept[LONGEST];
    kernels->gru_reset(kept, s->in.at[0], s->rec.at[0], s->before, s->h, s->gate);
    for (int i = 0; i < s->h; i++) {
        double want = gate_of(s->gate, before_gate(s, 0, i)) * (double)s->before[i];
        assert_true(fabs((double)kept[i] - want) < 1e-6);
    }
}

static void check_lstm(const struct kernels *kernels, const struct step *s, float bias)
{
    float state[LONGEST], cell[LONGEST];
    memcpy(cell, s->before, (size_t)s->h * sizeof *cell);
    kernels->lstm(state, cell, &s->in, &s->rec, s->h, s->gate, bias);
    for (int i = 0; i < s->h; i++) {
        double forget = gate_of(s->gate, before_gate(s, 1, i) + (double)bias);
        double in = gate_of(s->gate, before_gate(s, 0, i));
        double c = forget * (double)s->before[i] + in * tanh(before_gate(s, 2, i));
        double want = gate_of(s->gate, before_gate(s, 3, i)) * tanh(c);
        assert_true(fabs((double)cell[i] - c) < 1e-6);
        assert_true(fabs((double)state[i] - want) < 1e-6);
    }
}

static void check_cells(const struct kernels *kernels, const struct step *s)
{
    for (int kind = 0; kind < 4; kind++)
        check_gru(kernels, s, kind & 1, kind & 2);
    check_gru_reset(kernels, s);
    check_lstm(kernels, s, 0);
    check_lstm(kernels, s, 1);
}

void gates_agree(void **state)
{
    (void)state;
    for (int h = 1; h < LONGEST; h++) {
        struct block block = block_make((size_t)(h * (2 * GATES + 1)) * sizeof(float), 4);
        float *x = (float *)(void *)block.data;
        struct step s = {.h = h, .before = x + 2 * GATES * h};
        fill_floats(x, (2 * GATES + 1) * h);
        for (int i = 0; i < 2 * GATES * h; i++)
            x[i] *= 3;
        for (int g = 0; g < GATES; g++) { // anywhere, in any order
            s.in.at[g] = x + (GATES - 1 - g) * h;
            s.rec.at[g] = x + (GATES + g) * h;
        }
        for (s.gate = GATE_SIGMOID; s.gate <= GATE_HARD_SIXTH; s.gate++)
            for (int k = 0; set_at(k); k++)
                check_cells(set_at(k), &s);
        free(block.raw);
    }
}

// Each weight to a relative bound: the exponent is rounded twice, to half a unit of its
// own size, exp to 2 units, the sum to a few.
static void check_softmax(const struct kernels *kernels, const float *e, float *alpha,
                          int n, float tau)
{
    double high = -INFINITY, sum = 0, got = 0;
    kernels->softmax(alpha, e, n, tau);
    for (int i = 0; i < n; i++)
        high = fmax(high, (double)e[i]);
    for (int i = 0; i < n; i++)
        sum += exp(((double)e[i] - high) / (double)tau);
    for (int i = 0; i < n; i++) {
        double y = ((double)e[i] - high) / (double)tau, want = exp(y) / sum;
        double bound = (fabs(y) + n / 4.0 + 10) * (double)FLT_EPSILON * want + 1e-37;
        if (isinf(e[i]) ? alpha[i] != 0 : !(fabs((double)alpha[i] - want) <= bound))
            fail_msg("%s: weight %d of %d is %.9g, expected %.9g", kernels->name, i, n,
                     (double)alpha[i], want);
        got += (double)alpha[i];
    }
    assert_true(fabs(got - 1) < (n / 4.0 + 10) * (double)FLT_EPSILON);
}

static void check_softmax_in_place(const struct kernels *kernels, float *e,
                                   const float *alpha, int n, float tau)
{
    kernels->softmax(e, e, n, tau);
    assert_memory_equal(e, alpha, (size_t)n * sizeof *e);
}

// Random rows of every length and of some long ones, a few scores without any weight.
void softmaxes_agree(void **state)
{
    static const float taus[] = {1e-3f, 0.3f, 1, 7, 1e6f};
    (void)state;
    for (int n = 1; n <= 3000; n += n < LONGEST ? 1 : n / 2)
        for (int round = 0; round < 40; round++) {
            struct block block = block_make((size_t)(2 * n) * sizeof(float), 4);
            float *e = (float *)(void *)block.data, *alpha = e + n;
            float tau = taus[round % 5];
            for (int k = 0; set_at(k); k++) {
                fill_floats(e, n);
                for (int i = 0; i < n; i++)
                    e[i] = i && next_random() % 9 == 0 ? -INFINITY : e[i] * 20;
                check_softmax(set_at(k), e, alpha, n, tau);
                check_softmax_in_place(set_at(k), e, alpha, n, tau);
            }
            free(block.raw);
        }
}

// Scores without weight, anywhere, change no bit of the others; nothing open is zeros.
void softmaxes_leave_out_what_has_no_weight(void **state)
{
    (void)state;
    for (int k = 0; set_at(k); k++)
        for (int n = 1; n < LONGEST; n++) {
            float e[LONGEST], spread[LONGEST], alone[LONGEST], among[LONGEST];
            int m = 0;
            fill_floats(spread, n);
            for (int i = 0; i < n; i++)
                if (next_random() % 3 == 0)
                    spread[i] = -INFINITY;
                else
                    e[m++] = spread[i];
            set_at(k)->softmax(among, spread, n, 0.5f);
            set_at(k)->softmax(alone, e, m, 0.5f);
            for (int i = 0, at = 0; i < n; i++)
                assert_true(among[i] == (isinf(spread[i]) ? 0 : alone[at++]));
        }
}
