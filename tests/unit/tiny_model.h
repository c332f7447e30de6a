// SPDX-License-Identifier: MIT
// A network of a few numbers with a vocabulary of a few pieces and all bytes: fast, and
// made to say whatever a test wants by raising one token's bias.
#pragma once

#include <unistd.h>

#include "engine/model.h"
#include "make_spm.h"
#include "text/tokenizer.h"
#include "translate/translator.h"

enum { TINY_SPACE = 4, TINY_A, TINY_B, TINY_AA, TINY_MARK, TINY_BYTES };
enum { TINY_VOCAB = TINY_BYTES + 256, TINY_WEIGHTS = 16384 };

struct tiny {
    struct network network;
    float weights[TINY_WEIGHTS];
    struct tokenizer *tokenizer;
    struct translator translator;
    float *bias; // (TINY_VOCAB) of the target words
};

static inline struct tokenizer *tiny_tokenizer(void)
{
    static struct made_spm spm;
    static const char *const pieces[] = {"\xe2\x96\x81",
                                         ("\xe2\x96\x81"
                                          "a"),
                                         "b", "aa", "\xcc\x81"};
    char path[] = "/tmp/alphascope-tiny-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0)
        abort();
    close(fd);
    spm.size = 0;
    made_specials(&spm);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        made_piece(&spm, pieces[i], strlen(pieces[i]), -1, SPM_NORMAL);
    made_byte_pieces(&spm);
    made_write(spm.bytes, spm.size, path);
    struct tokenizer *tokenizer = tokenizer_open(path, NULL);
    unlink(path);
    return tokenizer;
}

static inline void tiny_fill(struct tiny *tiny)
{
    struct tensor_slot slots[MODEL_MAX_TENSORS];
    int count = network_slots(&tiny->network, slots);
    float *at = tiny->weights;
    uint32_t seed = 88172645;
    for (int i = 0; i < TINY_WEIGHTS; i++) {
        seed = seed * 1664525u + 1013904223u;
        tiny->weights[i] = (float)(seed >> 8) / (float)(1 << 23) - 1.0f;
    }
    for (int i = 0; i < count; i++) {
        if (slots[i].tensor == &tiny->network.out_bias)
            tiny->bias = at;
        *slots[i].tensor =
            (struct tensor){at, DTYPE_F32, slots[i].rows, slots[i].cols, 0};
        at += slots[i].rows * slots[i].cols;
    }
    if (at > tiny->weights + TINY_WEIGHTS)
        abort();
}

static inline bool tiny_open(struct tiny *tiny, enum score score)
{
    memset(tiny, 0, sizeof *tiny);
    bool previous = score == SCORE_ADDITIVE || score == SCORE_NONE;
    bool hidden = score == SCORE_ADDITIVE || score == SCORE_CONCAT;
    tiny->network.config = (struct model_config){
        .languages = "en-fr",
        .encoder_cell = CELL_GRU_PYTORCH,
        .decoder_cell = CELL_GRU_PYTORCH,
        .source_embedding = 4,
        .target_embedding = 4,
        .encoder_layers = 1,
        .encoder_hidden = 3,
        .bidirectional = true,
        .merge = MERGE_CONCAT,
        .decoder_layers = 1,
        .decoder_hidden = 6,
        .bridge = BRIDGE_TANH,
        .bridge_bias = true,
        .decoder_input = {2, {PART_EMBEDDING, previous ? PART_CONTEXT : PART_FEED}},
        .query = score == SCORE_NONE ? QUERY_NONE
                 : previous          ? QUERY_PREVIOUS
                                     : QUERY_CURRENT,
        .score = score,
        .attention_hidden = hidden ? 5 : 0,
        .key_bias = hidden,
        .readout = READOUT_TANH,
        .readout_input = {previous ? 3 : 2, {PART_STATE, PART_CONTEXT, PART_EMBEDDING}},
        .readout_hidden = 4,
        .readout_bias = true,
        .tied = true,
        .output_bias = true,
        .source_eos = true,
        .source_vocab = TINY_VOCAB,
        .target_vocab = TINY_VOCAB,
        .pad = 0,
        .bos = 1,
        .eos = 2,
        .unk = 3,
    };
    tiny_fill(tiny);
    tiny->tokenizer = tiny_tokenizer();
    tiny->translator =
        (struct translator){"tiny", &tiny->network, tiny->tokenizer, tiny->tokenizer};
    return tiny->tokenizer != NULL;
}

static inline void tiny_close(struct tiny *tiny)
{
    tokenizer_close(tiny->tokenizer);
}

// From now on the model says `id` and nothing else.
static inline void tiny_says(struct tiny *tiny, int id)
{
    for (int i = 0; i < TINY_VOCAB; i++)
        tiny->bias[i] = i == id ? 100.0f : 0.0f;
}
