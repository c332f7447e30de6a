// SPDX-License-Identifier: MIT
// A network of the recurrent family: its facts, its weights, and which tensors it needs.
//
//   h_i  = [→GRU(E_src x)_i ; ←GRU(E_src x)_i]                                (S, M)
//   m    = [→h_S ; ←h_1],  s_0 = tanh(W_bridge m + b)                         (M,), (D,)
//   query "previous" (RNNsearch: Bahdanau, Cho, Bengio 2015; RNNencdec: score none, Cho
//   et al. 2014): e_t from s_{t-1}; s_t = GRU([E_tgt y_{t-1} ; c_t], s_{t-1});
//              r_t = tanh(W_r [s_t ; c_t ; E_tgt y_{t-1}] + b_r)
//   query "current" (Luong, Pham, Manning 2015, input feeding):
//              s_t = GRU([E_tgt y_{t-1} ; r_{t-1}], s_{t-1}), r_0 = 0; e_t from s_t;
//              r_t = tanh(W_r [s_t ; c_t] + b_r)
//   logits = E_tgt r_t + b_out                                                (V,)
#pragma once

#include "base/error.h"
#include "engine/kernels.h"

enum score { SCORE_ADDITIVE, SCORE_DOT, SCORE_GENERAL, SCORE_CONCAT, SCORE_NONE };
enum query { QUERY_PREVIOUS, QUERY_CURRENT };
enum { SCORE_COUNT = SCORE_NONE + 1, QUERY_COUNT = QUERY_CURRENT + 1 };
enum { MODEL_MAX_TENSORS = 32 };

// Limits on what a file may claim, so that every product below fits easily.
enum { MODEL_MAX_WIDTH = 8192, MODEL_MIN_VOCAB = 8, MODEL_MAX_VOCAB = 1 << 20 };

struct model_config {     // every fact of config.json, explicit
    char languages[32];   // "en-fr"
    int embedding;        // E
    int encoder_hidden;   // H, per direction; M = 2H
    int decoder_hidden;   // D
    int attention_hidden; // A, for additive and concat
    enum score score;
    enum query query;
    int source_vocab, target_vocab; // V
    int pad, bos, eos, unk;
};

struct gru_weights {                      // PyTorch's order: gates r, z, n
    struct tensor w_ih, w_hh, b_ih, b_hh; // (3h, in) (3h, h) (3h) (3h)
};

struct network { // weights point into the file as read; constant, shareable
    struct model_config config;
    struct tensor src_embed, tgt_embed; // (Vs, E), (Vt, E)
    struct gru_weights forward, backward, decoder;
    struct tensor bridge_w, bridge_b;   // (D, M), (D)
    struct tensor query_w;              // (A, D)        additive, concat
    struct tensor key_w, key_b;         // (A, M), (A)   additive, concat; (D, M) general
    struct tensor v;                    // (1, A)        additive, concat
    struct tensor readout_w, readout_b; // (E, D + M [+ E]), (E)
    struct tensor out_bias;             // (Vt)
};

// One row per tensor the network needs: its name in the file, its shape, where it goes.
struct tensor_slot {
    const char *name;
    int rank, rows, cols; // rank 1: cols = 1
    struct tensor *tensor;
};
// Fills slots (MODEL_MAX_TENSORS) for network->config; returns how many.
int network_slots(struct network *network, struct tensor_slot *slots);
// Cross-field rules (D = M for dot, query "previous" with additive or none, ids inside
// the vocabulary, ...): one sentence naming the field, what was found and what was
// expected.
MUST_CHECK bool model_config_check(const struct model_config *config, const char *path,
                                   struct error *err);
