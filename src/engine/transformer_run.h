// SPDX-License-Identifier: MIT
// What every head of a Transformer did, for whoever wants to see it: read from an
// encoding and, after a step, from a decoder. It lies in the memory that the attention is
// computed in, so keeping it costs nothing.
#pragma once

#include "engine/decoder.h"

struct head_row { // of one head
    int n;        // columns; 0: not kept
    const float *e, *alpha;
};

// The encoder's self-attention, what position `row` read. It is not kept of a sentence so
// long that it would take more than ENCODING_MAX_BYTES.
enum { ENCODING_MAX_BYTES = 64 << 20 };
struct head_row encoding_self_row(const struct encoding *encoding,
                                  const struct model_config *config, int layer, int head,
                                  int row);
// The last step's cross-attention, and its self-attention over what the decoder was given
// in the steps 0 to that one.
struct head_row decoder_cross_row(const struct decoder *decoder, int hypothesis,
                                  int layer, int head);
struct head_row decoder_self_row(const struct decoder *decoder, int hypothesis, int layer,
                                 int head);

struct transformer_encoding {
    float *keys, *values; // (L, H, S, d_k) of the decoder's cross-attention
    float *e, *alpha;     // (L, H, S, S) of the encoder's self-attention; NULL: not kept
};
