// SPDX-License-Identifier: MIT
// A Transformer: its facts and its weights (Vaswani et al. 2017). s is the embedding's
// scale, √d or 1; P the positions; LN a layer norm.
//
//   x_p  = s E[id_p] + P(p + offset)
//   post: x = LN1(x + self(x)); x = LN2(x + cross(x)); x = LN3(x + W2 f(W1 x + b1) + b2)
//   pre:  x = x + self(LN1(x)); x = x + cross(LN2(x)); x = x + W2 f(W1 LN3(x) + b1) + b2
//   head: e_ij = q_i · k_j / √d_k;  α = softmax(e), of cross-attention softmax(e / τ)
//   logits = W_out x + b_out, W_out = E_tgt when tied
//
// The temperature stands in every head of the cross-attention of every layer, and nowhere
// else.
#pragma once

#include "engine/facts.h"
#include "engine/kernels.h"

enum {
    TRANSFORMER_MAX_LAYERS = 24,
    TRANSFORMER_MAX_HEADS = 64,
    TRANSFORMER_MAX_FFN = 32768,
    TRANSFORMER_MAX_OFFSET = 16,
    TRANSFORMER_MAX_POSITIONS = 65536,
};

struct stack_config { // of one side
    int layers, heads, ffn;
};

struct transformer_config {
    int width; // d
    struct stack_config encoder, decoder;
    enum norm_place norm;
    bool top_norm; // one more over the last layer
    float norm_epsilon;
    enum activation activation;
    bool embedding_scaled;
    enum positions positions;
    int position_offset; // the position of the first token
    int position_count;  // learned: rows of the table; else the longest + 1, 0: no limit
    bool shared_embedding;
    int start; // what the decoder reads first
};

struct linear { // (out, in), (out)
    struct tensor w, b;
};

struct heads_weights { // of one attention; each (d, d)
    struct linear q, k, v, out;
};

struct transformer_layer {
    struct heads_weights self, cross; // cross: of a decoder
    struct linear fc1, fc2;           // (F, d), (d, F)
    struct linear self_norm, cross_norm, final_norm;
};

struct transformer_weights { // the embeddings and the output are those of the network
    struct transformer_layer encoder[TRANSFORMER_MAX_LAYERS];
    struct transformer_layer decoder[TRANSFORMER_MAX_LAYERS];
    struct linear encoder_top, decoder_top;
    struct tensor encoder_positions, decoder_positions; // learned: (positions, d)
};
