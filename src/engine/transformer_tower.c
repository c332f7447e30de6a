// SPDX-License-Identifier: MIT
// The layers' common parts. See transformer_tower.h.
//
// Positions, i from 0 to d/2 - 1:
//   halves       P_i = sin(p 10000^(-2i/d)), P_{d/2+i} = cos(the same)    Hugging Face
//   marian       P_i = sin(p 10000^(-i/(d/2-1))), P_{d/2+i} = cos(the same)
//                                            Marian, tensor2tensor, fairseq
//   interleaved  P_{2i} = sin(p 10000^(-2i/d)), P_{2i+1} = cos(the same)
//                                            Vaswani et al. 2017, JoeyNMT, OpenNMT-py
//   learned      row p of a table            Gehring et al. 2017
// Layer norm (Ba, Kiros, Hinton 2016): (x - mean) / √(variance + ε) w + b, the variance
// over d. GELU: x Φ(x) (Hendrycks, Gimpel 2016), by erf or by their tanh; both the latter
// and SiLU are x σ(·).
#include "engine/transformer_tower.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 };

static bool sinusoidal(const struct transformer_config *config)
{
    return config->positions != POSITIONS_LEARNED;
}

static double frequency_of(const struct transformer_config *config, int i)
{
    double d = config->width, half = d / 2;
    double exponent = config->positions == POSITIONS_MARIAN ? i / (half - 1) : 2 * i / d;
    return pow(10000, -exponent);
}

bool tower_take(struct tower *tower, struct taking *taking, const struct kernels *kernels,
                const struct transformer_config *config, const struct stack_config *side,
                int max)
{
    int d = config->width;
    bool gated = config->activation == ACTIVATION_GELU_TANH ||
                 config->activation == ACTIVATION_SILU;
    *tower =
        (struct tower){.kernels = kernels, .config = config, .side = side, .max = max};
    float **const rows[] = {&tower->x, &tower->normed, &tower->q, &tower->k,
                            &tower->v, &tower->joined, &tower->y};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        *rows[i] = take_floats(taking, max, d);
    tower->hidden = take_floats(taking, max, side->ffn);
    tower->gate = gated ? take_floats(taking, max, side->ffn) : NULL;
    tower->norm = take_floats(taking, 2, d);
    tower->frequency = take_doubles(taking, d / 2);
    for (int i = 0; taking->ok && sinusoidal(config) && i < d / 2; i++)
        tower->frequency[i] = frequency_of(config, i);
    return taking->ok;
}

// x (d) += the position p.
static void add_position(const struct tower *tower, float *x, int p)
{
    int half = tower->config->width / 2;
    bool interleaved = tower->config->positions == POSITIONS_INTERLEAVED;
    int step = interleaved ? 2 : 1, second = interleaved ? 1 : half;
    for (int i = 0; i < half; i++) {
        double angle = p * tower->frequency[i];
        x[step * i] += (float)sin(angle);
        x[step * i + second] += (float)cos(angle);
    }
}

static void add_row(const struct tower *tower, float *x, const struct tensor *table,
                    int p)
{
    tensor_row(tower->norm, table, p);
    for (int i = 0; i < tower->config->width; i++)
        x[i] += tower->norm[i];
}

void tower_position(struct tower *tower, const struct tensor *positions, float *x,
                    int position)
{
    int p = tower->config->position_offset + position;
    if (positions->data)
        add_row(tower, x, positions, p);
    else
        add_position(tower, x, p);
}

void tower_embed(struct tower *tower, const struct tensor *embedding,
                 const struct tensor *positions, const int *ids, int n, int position,
                 bool advance)
{
    int d = tower->config->width;
    float scale = tower->config->embedding_scaled ? sqrtf((float)d) : 1;
    for (int i = 0; i < n; i++) {
        float *x = tower->x + (size_t)i * (size_t)d;
        tensor_row(x, embedding, ids[i]);
        for (int k = 0; k < d; k++)
            x[k] *= scale;
        tower_position(tower, positions, x, position + (advance ? i : 0));
    }
}

static float sum_of(const float *x, int n, float mean, bool squares)
{
    float lane[LANES] = {0};
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            float from = x[i + l] - mean;
            lane[l] += squares ? from * from : from;
        }
    for (; i < n; i++) {
        float from = x[i] - mean;
        lane[0] += squares ? from * from : from;
    }
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// out (n, d) = the norm of x (n, d); they may be the same.
static void norm_rows(struct tower *tower, const struct linear *norm, const float *x,
                      int n, float *out)
{
    int d = tower->config->width;
    float *weight = tower->norm, *bias = tower->norm + d;
    tensor_floats(weight, &norm->w);
    tensor_floats(bias, &norm->b);
    for (int i = 0; i < n; i++, x += d, out += d) {
        float mean = sum_of(x, d, 0, false) / (float)d;
        float variance = sum_of(x, d, mean, true) / (float)d;
        float scale = 1 / sqrtf(variance + tower->config->norm_epsilon);
        for (int k = 0; k < d; k++)
            out[k] = (x[k] - mean) * scale * weight[k] + bias[k];
    }
}

const float *tower_before(struct tower *tower, const struct linear *norm, int n)
{
    if (tower->config->norm == NORM_POST)
        return tower->x;
    norm_rows(tower, norm, tower->x, n, tower->normed);
    return tower->normed;
}

void tower_after(struct tower *tower, const struct linear *norm, int n)
{
    int count = n * tower->config->width;
    for (int k = 0; k < count; k++)
        tower->x[k] += tower->y[k];
    if (tower->config->norm == NORM_POST)
        norm_rows(tower, norm, tower->x, n, tower->x);
}

void tower_project(struct tower *tower, const struct linear *map, const float *in, int n,
                   float *out)
{
    tower->kernels->product(out, &map->w, in, n, &map->b);
}

void tower_query(struct tower *tower, const struct linear *query, const float *in, int n)
{
    int d = tower->config->width;
    float scale = 1 / sqrtf((float)(d / tower->side->heads));
    tower_project(tower, query, in, n, tower->q);
    for (int k = 0; k < n * d; k++)
        tower->q[k] *= scale;
}

// x (count) = x σ(gate)
static void gate_by(struct tower *tower, float *x, int count)
{
    tower->kernels->sigmoid(tower->gate, count);
    for (int k = 0; k < count; k++)
        x[k] *= tower->gate[k];
}

static void activate(struct tower *tower, float *x, int count)
{
    switch (tower->config->activation) {
    case ACTIVATION_RELU:
        for (int k = 0; k < count; k++)
            x[k] = x[k] > 0 ? x[k] : 0;
        break;
    case ACTIVATION_GELU:
        for (int k = 0; k < count; k++)
            x[k] = 0.5f * x[k] * (1 + erff(x[k] * 0.70710678119f));
        break;
    case ACTIVATION_GELU_TANH: // (1 + tanh(u)) / 2 = σ(2u), u = √(2/π) (x + 0.044715 x³)
        for (int k = 0; k < count; k++)
            tower->gate[k] = 1.59576912161f * (x[k] + 0.044715f * x[k] * x[k] * x[k]);
        gate_by(tower, x, count);
        break;
    case ACTIVATION_SILU:
        memcpy(tower->gate, x, (size_t)count * sizeof *x);
        gate_by(tower, x, count);
        break;
    }
}

void tower_feed_forward(struct tower *tower, const struct transformer_layer *layer, int n)
{
    const float *in = tower_before(tower, &layer->final_norm, n);
    tower_project(tower, &layer->fc1, in, n, tower->hidden);
    activate(tower, tower->hidden, n * tower->side->ffn);
    tower_project(tower, &layer->fc2, tower->hidden, n, tower->y);
    tower_after(tower, &layer->final_norm, n);
}

void tower_finish(struct tower *tower, const struct linear *top, int n)
{
    if (tower->config->top_norm)
        norm_rows(tower, top, tower->x, n, tower->x);
}

void split_heads(float *out, const float *x, int n, int heads, int width)
{
    int of_head = width / heads;
    size_t size = (size_t)of_head * sizeof *out;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < n; i++, out += of_head)
            memcpy(out, x + (size_t)i * (size_t)width + (size_t)h * (size_t)of_head,
                   size);
}
