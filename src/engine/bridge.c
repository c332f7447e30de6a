// SPDX-License-Identifier: MIT
// The bridge. m_l summarises layer l of the encoder, f is none, tanh or relu:
//
//   m      [→h_S ; ←h_1] | →h_S | ←h_1 | →h_S + ←h_1 | mean_i h_i
//   same   every layer begins with s_0 = f(W m + b), m of the top layer
//          (JoeyNMT; Nematus and Marian: mean, tanh; Bahdanau et al. 2015: ←h_1, tanh)
//   own    layer l begins with s_0 = f(W m_l + b)        (OpenNMT, fairseq, d2l)
//   joint  [s_0 of all layers] = f(W [m_0 ; m_1 ; ...] + b)     (OpenNMT's -bridge, whose
//          W is as wide as all layers of one direction: with two directions it acts on
//          halves, which is "own" for two layers and else a W of two blocks)
//   copy   W is the identity: s_0 = m
//   zero   s_0 = 0
//
// An LSTM's memory begins as s_0 does ("same": JoeyNMT, Marian), from the encoder's
// memory with a W of its own ("own": OpenNMT, fairseq), or with zero.
#include "engine/bridge.h"

#include <string.h>

static size_t floats(int n)
{
    return (size_t)n * sizeof(float);
}

static void mean_of_memory(const struct model_config *c, const struct encoding *encoding,
                           float *out)
{
    int m = model_memory_width(c);
    memset(out, 0, floats(m));
    for (int i = 0; i < encoding->n_src; i++)
        for (int k = 0; k < m; k++)
            out[k] += encoding->memory[i * m + k];
    for (int k = 0; k < m; k++)
        out[k] /= (float)encoding->n_src;
}

// m of one layer: ends (2, H) of it.
static void summarise(const struct model_config *c, const float *ends,
                      const struct encoding *encoding, float *out)
{
    int h = c->encoder_hidden;
    switch (c->summary) {
    case SUMMARY_BOTH:
        memcpy(out, ends, floats(2 * h));
        return;
    case SUMMARY_FORWARD:
        memcpy(out, ends, floats(h));
        return;
    case SUMMARY_BACKWARD:
        memcpy(out, ends + h, floats(h));
        return;
    case SUMMARY_SUM:
        for (int k = 0; k < h; k++)
            out[k] = ends[k] + ends[h + k];
        return;
    case SUMMARY_MEAN:
        mean_of_memory(c, encoding, out);
        return;
    }
}

// f(W from + b), (n, rows) from (n, cols)
static void lead(const struct kernels *kernels, enum bridge bridge,
                 const struct tensor *weight, const struct tensor *bias,
                 const float *from, int n, float *out)
{
    int count = n * weight->rows;
    kernels->product(out, weight, from, n, bias);
    if (bridge == BRIDGE_TANH)
        kernels->tanh(out, count);
    for (int k = 0; bridge == BRIDGE_RELU && k < count; k++)
        out[k] = out[k] < 0 ? 0 : out[k];
}

static void repeat(float *out, int n, int layers)
{
    for (int l = 1; l < layers; l++)
        memcpy(out + l * n, out, floats(n));
}

// All layers of one kind of state, (L, D), from ends (layers, 2, H).
static void cross(const struct kernels *kernels, const struct network *network,
                  const float *ends, const struct encoding *encoding,
                  const struct tensor *weight, const struct tensor *bias, float *out,
                  float *scratch)
{
    const struct model_config *c = &network->config;
    int width = model_summary_width(c), h = c->encoder_hidden;
    bool same = c->bridge_layers == BRIDGE_SAME;
    int first = same ? c->encoder_layers - 1 : 0, n = c->encoder_layers - first;
    if (c->bridge == BRIDGE_ZERO)
        return; // arenas give zeros
    for (int l = 0; l < n; l++)
        summarise(c, ends + (first + l) * 2 * h, encoding, scratch + l * width);
    if (c->bridge == BRIDGE_COPY)
        memcpy(out, scratch, floats(n * width));
    else
        lead(kernels, c->bridge, weight, bias, scratch,
             c->bridge_layers == BRIDGE_JOINT ? 1 : n, out);
    if (same)
        repeat(out, c->decoder_hidden, c->decoder_layers);
}

int model_bridge_scratch(const struct model_config *config)
{
    return config->encoder_layers * model_summary_width(config);
}

void bridge_cross(const struct kernels *kernels, const struct network *network,
                  const struct ends *ends, struct encoding *encoding, float *scratch)
{
    const struct model_config *c = &network->config;
    int h = c->encoder_hidden, states = c->decoder_layers * c->decoder_hidden;
    summarise(c, ends->h + (c->encoder_layers - 1) * 2 * h, encoding, encoding->summary);
    cross(kernels, network, ends->h, encoding, &network->bridge_w, &network->bridge_b,
          encoding->state0, scratch);
    if (c->bridge_cell == BRIDGE_CELL_SAME)
        memcpy(encoding->memory0, encoding->state0, floats(states));
    else if (c->bridge_cell == BRIDGE_CELL_OWN)
        cross(kernels, network, ends->c, encoding, &network->bridge_cell_w,
              &network->bridge_cell_b, encoding->memory0, scratch);
}
