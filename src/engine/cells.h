// SPDX-License-Identifier: MIT
// The recurrent cells: gated recurrent units (Cho et al. 2014) and long short-term memory
// (Hochreiter and Schmidhuber 1997; forget gate: Gers et al. 2000) as the engines that
// people train with have them. They differ in the order of the gates, in where the reset
// gate acts, in what z weighs and in where the biases stand; the table in cells.c says it
// for each.
#pragma once

#include "engine/model.h"

enum bias_place {
    BIAS_INPUT,             // one, beside W x
    BIAS_BOTH,              // two: beside W x and beside U h
    BIAS_CANDIDATE_OUTSIDE, // the candidate has its own tensors and one bias, beside W x
    BIAS_CANDIDATE_INSIDE,  // ... beside U h, so that the reset gate acts on it
};

struct cell_facts {
    int gates;         // blocks of h rows: 3 GRU, 4 LSTM
    int order[4];      // the blocks of r, z, n, or of i, f, g, o
    bool reset_before; // U (r ⊙ h), else r ⊙ (U h)
    bool z_is_new;     // h' = (1 - z) h + z n, else (1 - z) n + z h
    enum bias_place bias;
    const char *equations; // "n = tanh(W x + b + r ⊙ (U h + d)), h' = (1 - z) n + z h"
    const char *source;    // "PyTorch, cuDNN"
};

const struct cell_facts *cell_facts(enum cell_kind kind); // not for CELL_NONE
bool cell_is_lstm(enum cell_kind kind);
bool cell_has_candidate(enum cell_kind kind); // tensors of its own

struct cell {
    const struct kernels *kernels;
    const struct cell_weights *weights;
    const struct cell_facts *facts;
    enum gate gate;
    float forget_bias;
    int h;
};

struct cell cell_make(const struct kernels *kernels, const struct network *network,
                      enum cell_kind kind, const struct cell_weights *weights);
// in (n * gates * h) = what the step needs of x (n, in); one product over all n.
void cell_project(const struct cell *cell, const float *x, int n, float *in);
// The weights without the bias beside what reads x.
struct cell_weights cell_unbiased(const struct cell_weights *weights,
                                  const struct cell_facts *facts);
// Vector i of `in`, which is of `total` of them, becomes (or, add: is increased by) what
// `in` is of one vector alone, row (gates * h).
void cell_put(const struct cell *cell, float *in, int total, int i, const float *row,
              bool add);
// Of the `total` vectors that `in` was made of, those from `first`, n of them: state
// (n, h) and, for an LSTM, memory (n, h; else NULL) become those of the next step.
// scratch: (cell_scratch). No vector's numbers depend on the others.
void cell_step(const struct cell *cell, const float *in, int total, int first, int n,
               float *state, float *memory, float *scratch);
int cell_scratch(int n, int h);
