// SPDX-License-Identifier: MIT
// A network: its facts, its weights, and which tensors it needs. There are two families:
// the Transformer (engine/transformer.h), and recurrent ones:
//
//   h_i  = [→cell(E_src x)_i ; ←cell(E_src x)_i], or their sum, or →h_i     (S, M)
//   m    = a summary of the encoder's states; s_0 = f(W_bridge m + b)       (L, D)
//   e_ti = score(q_t, h_i, C_{t-1,i});  α = softmax(e / τ);  c_t = Σ α_ti h_i
//   C_ti = C_{t-1,i} + α_ti / Φ_i                              (Tu et al. 2016)
//   q_t: query "previous" s_{t-1} (Bahdanau, Cho, Bengio 2015), "between" s'_t, the state
//        between two cells (Sennrich et al. 2017), "current" s_t (Luong, Pham, Manning
//        2015), "none" c_t = m (Cho et al. 2014)
//   s_t  = cell([parts of decoder_input], s_{t-1}), then the layers above it
//   r_t  = g(W_r [parts of readout_input] + b_r)                            (R,)
//   logits = W_out r_t + b_out, W_out = E_tgt when tied                     (V,)
//
// Every matrix is stored (out, in), row-major; the gates of a cell are blocks of rows in
// the order of its kind.
#pragma once

#include "base/error.h"
#include "engine/facts.h"
#include "engine/kernels.h"
#include "engine/transformer.h"

enum { MODEL_MAX_LAYERS = 8, MODEL_MAX_PARTS = 4, MODEL_MAX_MASKED = 16 };
enum { MODEL_MAX_TENSORS = 1024 + 64 };

// Limits on what a file may claim, so that every product below fits easily.
enum { MODEL_MAX_WIDTH = 8192, MODEL_MIN_VOCAB = 8, MODEL_MAX_VOCAB = 1 << 20 };

struct parts { // what is joined into one vector, in this order
    int count;
    enum part at[MODEL_MAX_PARTS];
};

struct model_config {   // every fact of config.json, explicit
    enum family family; // which of the facts below there are
    int version;
    char languages[32];                        // "en-fr"
    enum cell_kind encoder_cell, decoder_cell; // of every layer
    enum cell_kind second_cell;                // after the attention of query "between"
    enum gate gate;
    float forget_bias;                      // added at run time; lstm-tf1
    int source_embedding, target_embedding; // E of each side
    int encoder_layers, encoder_hidden;     // H, per direction
    bool bidirectional;
    enum stack encoder_stack;
    enum merge merge;
    int decoder_layers, decoder_hidden; // L, D
    enum summary summary;
    enum bridge bridge;
    bool bridge_bias;
    enum bridge_layers bridge_layers;
    enum bridge_cell bridge_cell; // c_0 of an LSTM
    enum first_input first_input; // y_0
    struct parts decoder_input;   // of the first layer
    enum query query;
    enum score score;
    int attention_hidden; // A, for additive and concat, else 0
    bool query_bias, key_bias, energy_bias;
    enum coverage coverage;
    float fertility_max; // N, for coverage "fertility", else 0
    enum readout readout;
    struct parts readout_input;
    int readout_hidden; // R, 0 for readout "none"
    bool readout_bias;
    bool tied, output_bias;
    bool source_eos;                // </s> is the last source token
    int source_vocab, target_vocab; // V
    int pad, bos, eos, unk;
    int source_eos_id;                      // eos, but where the sides have other ids
    int masked[MODEL_MAX_MASKED], n_masked; // target ids that are never said
    bool marian; // Hugging Face's: ids of vocab.json, and no bos
    // A Transformer has this in the place of all that is said of cells, hidden layers,
    // bridge, coverage and readout; its score is SCORE_SCALED_DOT, its query the current
    // state.
    struct transformer_config transformer;
};

// M, of h_i; of m; of c_t; of the joined parts; R.
int model_memory_width(const struct model_config *config);
int model_summary_width(const struct model_config *config);
int model_context_width(const struct model_config *config);
int model_part_width(const struct model_config *config, enum part part);
int model_parts_width(const struct model_config *config, const struct parts *parts);
int model_readout_width(const struct model_config *config);
bool model_reads(const struct parts *parts, enum part part);
// The tokens that a side's positions reach for; 0: no limit.
int model_positions(const struct model_config *config);
// d_k, of one head.
int model_head_width(const struct model_config *config, const struct stack_config *stack);

struct cell_weights { // which there are is the kind's affair
    struct tensor w_ih, w_hh, b_ih, b_hh;
    struct tensor candidate_ih, candidate_hh, candidate_b;
};

struct network { // weights point into the file as read; constant, shareable
    struct model_config config;
    struct tensor src_embed, tgt_embed; // (Vs, E), (Vt, E)
    struct cell_weights forward[MODEL_MAX_LAYERS], backward[MODEL_MAX_LAYERS];
    struct cell_weights decoder[MODEL_MAX_LAYERS], second;
    struct tensor bridge_w, bridge_b, bridge_cell_w, bridge_cell_b;
    struct tensor query_w, query_b;        // (A, D), (A)
    struct tensor key_w, key_b;            // (A, M), (A); general: (D, M), (D)
    struct tensor v, v_b;                  // (1, A), (1)
    struct tensor coverage_w, fertility_w; // (A, 1), (1, M)
    struct tensor readout_w, readout_b;
    struct tensor output_w, out_bias; // (Vt, R), (Vt)
    struct transformer_weights transformer;
    const struct screen
        *screen;             // of the output layer, where somebody made one; else NULL
    struct lookups *lookups; // rows of tokens, the same; see engine/lookup.h
};

// One row per tensor the network needs: its name in the file, its shape, where it goes.
struct tensor_slot {
    char name[64];
    int rank, rows, cols; // rank 1: cols = 1
    struct tensor *tensor;
    bool flat; // one row in the file, a vector of `cols` in the network
};
// Fills slots (MODEL_MAX_TENSORS) for network->config; returns how many.
int network_slots(struct network *network, struct tensor_slot *slots);
// The rules between facts (D = M for dot, query "between" with a second cell, ids inside
// the vocabulary, ...): one sentence naming the fields, what was found and what was
// expected. Each fact is already in its own range.
MUST_CHECK bool model_config_check(const struct model_config *config, const char *path,
                                   struct error *err);
