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
#include <math.h>
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

// The gate function in place.
static void gate_all(const struct cell *cell, float *x, int n)
{
    if (cell->gate == GATE_SIGMOID) {
        cell->kernels->sigmoid(x, n);
        return;
    }
    for (int k = 0; k < n; k++) {
        float y = (cell->gate == GATE_HARD_FIFTH ? x[k] * 0.2f : x[k] / 6.0f) + 0.5f;
        x[k] = y < 0 ? 0 : y > 1 ? 1 : y;
    }
}

// The blocks of vector i in the order r, z, n or i, f, g, o: as they lie, or in staging.
static const float *in_order(const struct cell *cell, const struct blocks *blocks, int i,
                             float *staging)
{
    int gates = cell->facts->gates, h = cell->h;
    bool in_place = !cell->weights->candidate_ih.data;
    for (int g = 0; g < gates; g++)
        in_place = in_place && cell->facts->order[g] == g;
    if (in_place)
        return block(cell, blocks, i, 0);
    for (int g = 0; g < gates; g++)
        memcpy(staging + g * h, block(cell, blocks, i, g), (size_t)h * sizeof *staging);
    return staging;
}

static float gru_new_state(const struct cell *cell, float z, float candidate, float h)
{
    return cell->facts->z_is_new ? (1.0f - z) * h + z * candidate
                                 : (1.0f - z) * candidate + z * h;
}

// The reset gate after the product. staging: (2h)
static void gru_hard(const struct cell *cell, const float *in, const float *rec,
                     float *state, float *staging)
{
    int h = cell->h;
    for (int k = 0; k < 2 * h; k++)
        staging[k] = in[k] + rec[k];
    gate_all(cell, staging, 2 * h);
    for (int k = 0; k < h; k++) {
        float new = tanhf(in[2 * h + k] + staging[k] * rec[2 * h + k]);
        state[k] = gru_new_state(cell, staging[h + k], new, state[k]);
    }
}

// Four gates before their functions, (4h) i, f, g, o.
static void lstm_hard(const struct cell *cell, float *gates, float *state, float *memory)
{
    int h = cell->h;
    gate_all(cell, gates, 2 * h);
    gate_all(cell, gates + 3 * h, h);
    for (int k = 0; k < h; k++) {
        memory[k] = gates[h + k] * memory[k] + gates[k] * tanhf(gates[2 * h + k]);
        state[k] = gates[3 * h + k] * tanhf(memory[k]);
    }
}

// staging: (8h)
static void lstm_mix(const struct cell *cell, const struct blocks *in,
                     const struct blocks *rec, int at, int i, float *state, float *memory,
                     float *staging)
{
    int h = cell->h;
    float *gates = staging + 4 * h;
    const float *x = in_order(cell, in, at, staging);
    for (int k = 0; k < 4 * h; k++)
        gates[k] = x[k];
    const float *u = in_order(cell, rec, i, staging);
    for (int k = 0; k < 4 * h; k++)
        gates[k] += u[k];
    for (int k = 0; k < h; k++)
        gates[h + k] += cell->forget_bias;
    if (cell->gate == GATE_SIGMOID)
        cell->kernels->lstm(state, memory, gates, h);
    else
        lstm_hard(cell, gates, state, memory);
}

// staging: (8h)
static void gru_mix(const struct cell *cell, const struct blocks *in,
                    const struct blocks *rec, int at, int i, float *state, float *staging)
{
    int h = cell->h;
    const float *x = in_order(cell, in, at, staging);
    const float *u = in_order(cell, rec, i, staging + 3 * h);
    if (cell->gate == GATE_SIGMOID && !cell->facts->z_is_new)
        cell->kernels->gru(state, x, u, h);
    else
        gru_hard(cell, x, u, state, staging + 6 * h);
}

// out (n, h) = the gate g of every vector; rec (n, 2h): U h of the gates r and z.
static void gates_of(const struct cell *cell, const struct blocks *in, int first, int n,
                     int g, const float *rec, float *out)
{
    int h = cell->h;
    for (int i = 0; i < n; i++) {
        const float *x = block(cell, in, first + i, g);
        const float *u = rec + i * 2 * h + cell->facts->order[g] * h;
        for (int k = 0; k < h; k++)
            out[i * h + k] = x[k] + u[k];
    }
    gate_all(cell, out, n * h);
}

// The reset gate acts on the state, so the candidate's product waits for it.
static void gru_reset_before(const struct cell *cell, const struct blocks *in, int first,
                             int n, float *state, float *scratch)
{
    int h = cell->h, count = n * h;
    const struct tensor gates = tensor_rows(&cell->weights->w_hh, 0, 2 * h);
    const struct tensor candidate = tensor_rows(&cell->weights->w_hh, 2 * h, h);
    float *rec = scratch, *kept = rec + 2 * count, *new = kept + count;
    cell->kernels->product(rec, &gates, state, n, NULL);
    gates_of(cell, in, first, n, 0, rec, kept);
    for (int k = 0; k < count; k++)
        kept[k] *= state[k];
    cell->kernels->product(new, &candidate, kept, n, NULL);
    for (int i = 0; i < n; i++) {
        const float *x = block(cell, in, first + i, 2);
        for (int k = 0; k < h; k++)
            new[i * h + k] += x[k];
    }
    cell->kernels->tanh(new, count);
    gates_of(cell, in, first, n, 1, rec, kept);
    for (int k = 0; k < count; k++)
        state[k] = gru_new_state(cell, kept[k], new[k], state[k]);
}

void cell_step(const struct cell *cell, const float *in, int total, int first, int n,
               float *state, float *memory, float *scratch)
{
    const struct cell_weights *w = cell->weights;
    const struct blocks from_x = blocks_of(cell, in, total);
    int h = cell->h;
    if (cell->facts->reset_before) {
        gru_reset_before(cell, &from_x, first, n, state, scratch);
        return;
    }
    cell->kernels->product(scratch, &w->w_hh, state, n, &w->b_hh);
    if (w->candidate_hh.data)
        cell->kernels->product(
            scratch + (size_t)n * (size_t)w->w_hh.rows, &w->candidate_hh, state, n,
            cell->facts->bias == BIAS_CANDIDATE_INSIDE ? &w->candidate_b : NULL);
    const struct blocks from_h = blocks_of(cell, scratch, n);
    float *staging = scratch + (size_t)n * 4 * (size_t)h;
    for (int i = 0; i < n; i++) {
        float *own = state + i * h;
        if (cell->facts->gates == 4)
            lstm_mix(cell, &from_x, &from_h, first + i, i, own, memory + i * h, staging);
        else
            gru_mix(cell, &from_x, &from_h, first + i, i, own, staging);
    }
}

int cell_scratch(int n, int h)
{
    return (4 * n + 8) * h;
}
