// SPDX-License-Identifier: MIT
// The bidirectional encoder and the bridge:
//
//   h_i = [→GRU(E_src x)_i ; ←GRU(E_src x)_i],  m = [→h_S ; ←h_1]
//   s_0 = tanh(W_bridge m + b)
//
// and, because they do not change from step to step, the projected keys W_k h_i + b_k.
#include "engine/encoder.h"

#include "engine/cells.h"
#include "engine/score.h"

#include <string.h>

struct walk { // one direction over the sentence
    const struct gru_weights *weights;
    int from, step,
        column; // first position, +1 or -1, where it writes in a row of memory
};

static bool ids_valid(const struct network *network, const int *ids, int n_src,
                      struct error *err)
{
    int vocab = network->config.source_vocab;
    if (n_src < 1)
        return fail_with(err, ERR_FORMAT, "a sentence of %d tokens cannot be encoded",
                         n_src);
    for (int i = 0; i < n_src; i++)
        if (ids[i] < 0 || ids[i] >= vocab)
            return fail_with(err, ERR_FORMAT,
                             "token %d has the id %d, expected one from 0 to %d", i,
                             ids[i], vocab - 1);
    return true;
}

static float *floats(struct arena *arena, int rows, int cols)
{
    return arena_alloc(arena, (size_t)rows * (size_t)cols, sizeof(float));
}

static bool take_memory(struct encoding *out, struct arena *arena,
                        const struct network *network, int n_src)
{
    const struct model_config *c = &network->config;
    int m = 2 * c->encoder_hidden, width = scorer_of(c->score)->key_width(c);
    *out = (struct encoding){.n_src = n_src};
    out->memory = floats(arena, n_src, m);
    out->summary = floats(arena, 1, m);
    out->state0 = floats(arena, 1, c->decoder_hidden);
    if (!out->memory || !out->summary || !out->state0)
        return false;
    if (width && !(out->keys = floats(arena, n_src, width)))
        return false;
    if (!width && c->score != SCORE_NONE)
        out->keys = out->memory;
    if (network->v.data && !(out->v = floats(arena, 1, c->attention_hidden)))
        return false;
    return true;
}

// scratch: (E + 7H)
static void walk_run(const struct walk *walk, const struct kernels *kernels,
                     const struct network *network, const int *ids, struct encoding *out,
                     float *scratch)
{
    int e = network->config.embedding, h = network->config.encoder_hidden;
    float *x = scratch, *state = x + e, *gates = state + h;
    memset(state, 0, (size_t)h * sizeof *state);
    for (int i = walk->from; i >= 0 && i < out->n_src; i += walk->step) {
        tensor_row(x, &network->src_embed, ids[i]);
        gru_step(kernels, walk->weights, x, state, gates);
        memcpy(out->memory + (size_t)i * 2 * (size_t)h + walk->column, state,
               (size_t)h * sizeof *state);
    }
    memcpy(out->summary + walk->column, state, (size_t)h * sizeof *state);
}

static void project_keys(const struct kernels *kernels, const struct network *network,
                         struct encoding *out)
{
    const struct model_config *c = &network->config;
    int width = scorer_of(c->score)->key_width(c);
    if (width)
        kernels->product(out->keys, &network->key_w, out->memory, out->n_src,
                         &network->key_b);
}

bool encoder_run_with(const struct kernels *kernels, struct encoding *out,
                      struct arena *arena, const struct network *network, const int *ids,
                      int n_src, struct error *err)
{
    const struct model_config *c = &network->config;
    int h = c->encoder_hidden;
    if (!ids_valid(network, ids, n_src, err))
        return false;
    float *scratch = floats(arena, 1, c->embedding + 7 * h);
    if (!scratch || !take_memory(out, arena, network, n_src))
        return fail_nomem(err, "the encoder's memory");
    const struct walk forward = {&network->forward, 0, 1, 0};
    const struct walk backward = {&network->backward, n_src - 1, -1, h};
    walk_run(&forward, kernels, network, ids, out, scratch);
    walk_run(&backward, kernels, network, ids, out, scratch);
    project_keys(kernels, network, out);
    kernels->product(out->state0, &network->bridge_w, out->summary, 1,
                     &network->bridge_b);
    kernels->tanh(out->state0, c->decoder_hidden);
    if (out->v)
        tensor_floats(out->v, &network->v);
    return true;
}

bool encoder_run(struct encoding *out, struct arena *arena, const struct network *network,
                 const int *ids, int n_src, struct error *err)
{
    return encoder_run_with(kernels_best(), out, arena, network, ids, n_src, err);
}
