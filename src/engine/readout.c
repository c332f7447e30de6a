// SPDX-License-Identifier: MIT
// The readout. x is what readout_input joins: the state, the context, the embedding of
// y_{t-1}, in the file's order.
//
//   none    r = x                              (PyTorch's tutorial, d2l)
//   linear  r = W x + b                        (TensorFlow 1; OpenNMT's mlp)
//   tanh    r = tanh(W x + b)                  (Luong, Pham, Manning 2015: [s ; c];
//           OpenNMT: [c ; s]; Nematus' deep output: [s ; c ; y])
//   maxout  r_k = max(x'_{2k}, x'_{2k+1}), x' = W x + b    (Bahdanau, Cho, Bengio 2015;
//           maxout: Goodfellow et al. 2013)
//   logits = W_out r + b_out, W_out the target embedding when tied (Press, Wolf 2017)
#include "engine/readout.h"

#include <string.h>

#include "engine/lookup.h"
#include "engine/screen.h"

// out (n, rows of W) = W x + b. row: (rows of W)
static void multiply(const struct kernels *kernels, const struct network *network,
                     const float *joined, const int *tokens, int n, float *out,
                     float *row)
{
    const struct lookup_columns of = lookup_columns(&network->config, LOOKUP_READOUT);
    const struct tensor *w = &network->readout_w;
    if (!of.cols) {
        kernels->product(out, w, joined, n, &network->readout_b);
        return;
    }
    const struct tensor rest = lookup_rest(network, LOOKUP_READOUT, false);
    kernels->product(out, &rest, joined, n, NULL);
    for (int i = 0; i < n; i++)
        floats_add(out + i * w->rows,
                   lookup_row(network, kernels, LOOKUP_READOUT, tokens[i], row), w->rows);
}

int readout_scratch(int n, const struct model_config *config)
{
    return (n + 1) * 2 * model_readout_width(config);
}

void readout_run(const struct kernels *kernels, const struct network *network,
                 const float *joined, const int *tokens, int n, float *readout,
                 float *scratch)
{
    const struct model_config *c = &network->config;
    int count = n * model_readout_width(c);
    if (c->readout == READOUT_NONE) {
        memcpy(readout, joined, (size_t)count * sizeof *readout);
        return;
    }
    if (c->readout == READOUT_MAXOUT) {
        multiply(kernels, network, joined, tokens, n, scratch, scratch + 2 * count);
        for (int k = 0; k < count; k++)
            readout[k] =
                scratch[2 * k] < scratch[2 * k + 1] ? scratch[2 * k + 1] : scratch[2 * k];
        return;
    }
    multiply(kernels, network, joined, tokens, n, readout, scratch);
    if (c->readout == READOUT_TANH)
        kernels->tanh(readout, count);
}

static int first_maximum(const float *values, int n)
{
    int best = 0;
    for (int i = 1; (i = floats_above(values, i, n, values[best])) < n; i++)
        best = i;
    return best;
}

const struct tensor *readout_output(const struct network *network)
{
    return network->config.tied ? &network->tgt_embed : &network->output_w;
}

void readout_logits(const struct kernels *kernels, const struct network *network,
                    const float *readout, int n, float *logits, int *best)
{
    const struct tensor *output = readout_output(network);
    if (n == 1) {
        best[0] = kernels->product_best(logits, output, readout, &network->out_bias).at;
        return;
    }
    kernels->product(logits, output, readout, n, &network->out_bias);
    for (int i = 0; i < n; i++)
        best[i] = first_maximum(logits + (size_t)i * (size_t)output->rows, output->rows);
}

static bool screened(const struct kernels *kernels, const struct network *network,
                     const float *readout, int n, int *best)
{
    if (!network->screen || !kernels->small_product)
        return false;
    screen_best(network->screen, kernels, readout_output(network), &network->out_bias,
                readout, n, best);
    return true;
}

void readout_best(const struct kernels *kernels, const struct network *network,
                  const float *readout, int n, float *logits, int *best, bool *finite)
{
    const struct model_config *c = &network->config;
    int vocab = c->target_vocab, width = model_readout_width(c);
    bool known = screened(kernels, network, readout, n, best);
    if (!known)
        readout_logits(kernels, network, readout, n, logits, best);
    for (int i = 0; i < n; i++) {
        finite[i] = known && best[i] >= 0;
        if (finite[i])
            continue;
        if (known)
            readout_logits(kernels, network, readout + i * width, 1, logits, &best[i]);
        finite[i] =
            floats_finite(logits + (known ? 0 : (size_t)i * (size_t)vocab), vocab);
    }
}
