// SPDX-License-Identifier: MIT
// One step of a recurrent cell. x is the input, h the state, σ the gate function
// (sigmoid, or one of Keras' two hard sigmoids).
//
//   GRU    r = σ(W_r x + U_r h + b_r),  z = σ(W_z x + U_z h + b_z)
//          n = tanh(W_n x + b_n + r ⊙ (U_n h + d_n))    reset after the product, or
//          n = tanh(W_n x + b_n + U_n (r ⊙ h))          before it (Cho et al. 2014)
//          h' = (1 - z) ⊙ n + z ⊙ h                     or with z and 1 - z exchanged
//   LSTM   i, f, o = σ(W x + U h + b),  g = tanh(W_g x + U_g h + b_g)
//          c' = f ⊙ c + i ⊙ g,  h' = o ⊙ tanh(c')
//
// Sources: PyTorch and cuDNN; Keras 2 (reset_after=True is what TensorFlow 2 takes unless
// told otherwise); TensorFlow 1's GRUCell and BasicLSTMCell; Nematus' gru_layer and
// gru_cond_layer; Marian's rnn/cells.h. Bahdanau, Cho, Bengio 2015, appendix A, has z
// weigh the new state where Cho et al. 2014 have it weigh the old one.
#include "engine/cells.h"

#include <assert.h>
#include <string.h>

#define KEEP "h' = (1 - z) n + z h"
#define TAKE "h' = (1 - z) h + z n"
#define LSTM "c' = f c + i g, h' = o tanh(c')"

static const struct cell_facts table[CELL_COUNT] = {
    [CELL_GRU_PYTORCH] = {3,
                          {0, 1, 2, 0},
                          false,
                          false,
                          BIAS_BOTH,
                          "n = tanh(W x + b + r ⊙ (U h + d)), " KEEP,
                          "PyTorch, cuDNN"},
    [CELL_GRU_KERAS] = {3,
                        {1, 0, 2, 0},
                        true,
                        false,
                        BIAS_INPUT,
                        "n = tanh(W x + U (r ⊙ h) + b), " KEEP,
                        "Keras, reset_after=False"},
    [CELL_GRU_KERAS_RESET_AFTER] = {3,
                                    {1, 0, 2, 0},
                                    false,
                                    false,
                                    BIAS_BOTH,
                                    "n = tanh(W x + b + r ⊙ (U h + d)), " KEEP,
                                    "Keras, reset_after=True"},
    [CELL_GRU_CHO] = {3,
                      {0, 1, 2, 0},
                      true,
                      false,
                      BIAS_INPUT,
                      "n = tanh(W x + U (r ⊙ h) + b), " KEEP,
                      "Cho et al. 2014; TensorFlow 1 GRUCell"},
    [CELL_GRU_BAHDANAU] = {3,
                           {0, 1, 2, 0},
                           true,
                           true,
                           BIAS_INPUT,
                           "n = tanh(W x + U (r ⊙ h) + b), " TAKE,
                           "Bahdanau, Cho, Bengio 2015, appendix A"},
    [CELL_GRU_NEMATUS] = {3,
                          {0, 1, 2, 0},
                          false,
                          false,
                          BIAS_CANDIDATE_OUTSIDE,
                          "n = tanh(W x + r ⊙ (U h) + b), " KEEP,
                          "Nematus, Marian: encoder and first cell"},
    [CELL_GRU_NEMATUS_FINAL] = {3,
                                {0, 1, 2, 0},
                                false,
                                false,
                                BIAS_CANDIDATE_INSIDE,
                                "n = tanh(W x + r ⊙ (U h + b)), " KEEP,
                                "Nematus, Marian: second cell"},
    [CELL_LSTM_PYTORCH] =
        {4, {0, 1, 2, 3}, false, false, BIAS_BOTH, LSTM, "PyTorch: i, f, g, o"},
    [CELL_LSTM_KERAS] =
        {4, {0, 1, 2, 3}, false, false, BIAS_INPUT, LSTM, "Keras: i, f, c, o"},
    [CELL_LSTM_TF1] = {4,
                       {0, 2, 1, 3},
                       false,
                       false,
                       BIAS_INPUT,
                       LSTM,
                       "TensorFlow 1 BasicLSTMCell: i, j, f, o"},
    [CELL_LSTM_MARIAN] =
        {4, {1, 0, 2, 3}, false, false, BIAS_INPUT, LSTM, "Marian: f, i, c, o"},
};

const struct cell_facts *cell_facts(enum cell_kind kind)
{
    assert(kind > CELL_NONE && kind < CELL_COUNT);
    return &table[kind];
}

bool cell_is_lstm(enum cell_kind kind)
{
    return table[kind].gates == 4;
}

bool cell_has_candidate(enum cell_kind kind)
{
    return table[kind].bias == BIAS_CANDIDATE_OUTSIDE ||
           table[kind].bias == BIAS_CANDIDATE_INSIDE;
}

struct cell cell_make(const struct kernels *kernels, const struct network *network,
                      enum cell_kind kind, const struct cell_weights *weights)
{
    return (struct cell){
        .kernels = kernels,
        .weights = weights,
        .facts = cell_facts(kind),
        .gate = network->config.gate,
        .forget_bias = kind == CELL_LSTM_TF1 ? network->config.forget_bias : 0,
        .h = weights->w_hh.cols,
    };
}

// Products (total, rows) as they lie in memory: all gates of a vector together or, where
// the candidate has its own tensors, first the gates of all vectors.
struct blocks {
    const float *first, *candidate; // of vector 0
    int stride, candidate_stride;
};

static struct blocks blocks_of(const struct cell *cell, const float *products, int total)
{
    int h = cell->h;
    if (cell->weights->candidate_ih.data)
        return (struct blocks){products, products + (size_t)total * 2 * (size_t)h, 2 * h,
                               h};
    return (struct blocks){products, products + (size_t)cell->facts->order[2] * (size_t)h,
                           cell->facts->gates * h, cell->facts->gates * h};
}

static const float *block(const struct cell *cell, const struct blocks *blocks, int i,
                          int gate)
{
    if (cell->facts->gates == 3 && gate == 2)
        return blocks->candidate + (size_t)i * (size_t)blocks->candidate_stride;
    return blocks->first + (size_t)i * (size_t)blocks->stride +
           cell->facts->order[gate] * cell->h;
}

void cell_project(const struct cell *cell, const float *x, int n, float *in)
{
    const struct cell_weights *w = cell->weights;
    const struct tensor *bias =
        cell->facts->bias == BIAS_CANDIDATE_OUTSIDE ? &w->candidate_b : NULL;
    cell->kernels->product(in, &w->w_ih, x, n, &w->b_ih);
    if (w->candidate_ih.data)
        cell->kernels->product(in + (size_t)n * (size_t)w->w_ih.rows, &w->candidate_ih, x,
                               n, bias);
}

struct cell_weights cell_unbiased(const struct cell_weights *weights,
                                  const struct cell_facts *facts)
{
    struct cell_weights of = *weights;
    of.b_ih.data = NULL;
    if (facts->bias == BIAS_CANDIDATE_OUTSIDE)
        of.candidate_b.data = NULL;
    return of;
}

static void put(float *to, const float *from, int n, bool add)
{
    if (add)
        floats_add(to, from, n);
    else
        memcpy(to, from, (size_t)n * sizeof *to);
}

void cell_put(const struct cell *cell, float *in, int total, int i, const float *row,
              bool add)
{
    const struct cell_weights *w = cell->weights;
    int rows = w->w_ih.rows;
    put(in + (size_t)i * (size_t)rows, row, rows, add);
    if (w->candidate_ih.data)
        put(in + (size_t)total * (size_t)rows + (size_t)i * (size_t)cell->h, row + rows,
            cell->h, add);
}

// The blocks of vector i as the kernels take them.
static struct gates gates_of(const struct cell *cell, const struct blocks *blocks, int i)
{
    struct gates gates = {{NULL}};
    for (int g = 0; g < cell->facts->gates; g++)
        gates.at[g] = block(cell, blocks, i, g);
    return gates;
}

// The reset gate acts on the state, so the candidate's product waits for it.
static void step_reset_before(const struct cell *cell, const struct blocks *from_x,
                              int first, int n, float *state, float *scratch)
{
    int h = cell->h;
    const struct tensor *w = &cell->weights->w_hh;
    const struct tensor two = tensor_rows(w, 0, 2 * h), one = tensor_rows(w, 2 * h, h);
    float *rec = scratch, *kept = rec + 2 * n * h, *new = kept + n *h;
    const int *order = cell->facts->order;
    cell->kernels->product(rec, &two, state, n, NULL);
    for (int i = 0; i < n; i++)
        cell->kernels->gru_reset(kept + i * h, block(cell, from_x, first + i, 0),
                                 rec + (2 * i + order[0]) * h, state + i * h, h,
                                 cell->gate);
    cell->kernels->product(new, &one, kept, n, NULL);
    for (int i = 0; i < n; i++) {
        struct gates in = gates_of(cell, from_x, first + i);
        in.at[0] = NULL; // it has acted
        const struct gates from_h = {{NULL, rec + (2 * i + order[1]) * h, new + i *h}};
        cell->kernels->gru(state + i * h, &in, &from_h, h, cell->gate,
                           cell->facts->z_is_new);
    }
}

void cell_step(const struct cell *cell, const float *in, int total, int first, int n,
               float *state, float *memory, float *scratch)
{
    const struct cell_weights *w = cell->weights;
    const struct blocks from_x = blocks_of(cell, in, total);
    int h = cell->h;
    if (cell->facts->reset_before) {
        step_reset_before(cell, &from_x, first, n, state, scratch);
        return;
    }
    cell->kernels->product(scratch, &w->w_hh, state, n, &w->b_hh);
    if (w->candidate_hh.data)
        cell->kernels->product(
            scratch + (size_t)n * (size_t)w->w_hh.rows, &w->candidate_hh, state, n,
            cell->facts->bias == BIAS_CANDIDATE_INSIDE ? &w->candidate_b : NULL);
    const struct blocks from_h = blocks_of(cell, scratch, n);
    for (int i = 0; i < n; i++) {
        const struct gates x = gates_of(cell, &from_x, first + i);
        const struct gates u = gates_of(cell, &from_h, i);
        if (cell->facts->gates == 4)
            cell->kernels->lstm(state + i * h, memory + i * h, &x, &u, h, cell->gate,
                                cell->forget_bias);
        else
            cell->kernels->gru(state + i * h, &x, &u, h, cell->gate,
                               cell->facts->z_is_new);
    }
}

int cell_scratch(int n, int h)
{
    return 4 * n * h;
}
