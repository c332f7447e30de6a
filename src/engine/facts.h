// SPDX-License-Identifier: MIT
// The facts that tell one network from another, and the words that config.json has for
// them. models/README.md says what each means; every one changes the numbers, and
// a wrong one still draws a plausible picture, so none is ever guessed.
#pragma once

enum family { FAMILY_RECURRENT, FAMILY_TRANSFORMER };

enum cell_kind { // engine/cells.c has the equations
    CELL_NONE,
    CELL_GRU_PYTORCH,
    CELL_GRU_KERAS,
    CELL_GRU_KERAS_RESET_AFTER,
    CELL_GRU_CHO,
    CELL_GRU_BAHDANAU,
    CELL_GRU_NEMATUS,
    CELL_GRU_NEMATUS_FINAL,
    CELL_LSTM_PYTORCH,
    CELL_LSTM_KERAS,
    CELL_LSTM_TF1,
    CELL_LSTM_MARIAN,
    CELL_COUNT,
};
// What a layer of a bidirectional encoder reads of the layer below.
enum stack { STACK_NONE, STACK_CONCAT, STACK_SUM, STACK_SEPARATE };
enum merge { MERGE_NONE, MERGE_CONCAT, MERGE_SUM };
enum summary {
    SUMMARY_BOTH,
    SUMMARY_FORWARD,
    SUMMARY_BACKWARD,
    SUMMARY_SUM,
    SUMMARY_MEAN
};
enum bridge { BRIDGE_COPY, BRIDGE_LINEAR, BRIDGE_TANH, BRIDGE_RELU, BRIDGE_ZERO };
enum bridge_layers { BRIDGE_SAME, BRIDGE_OWN, BRIDGE_JOINT };
enum bridge_cell {
    BRIDGE_CELL_NONE,
    BRIDGE_CELL_SAME,
    BRIDGE_CELL_OWN,
    BRIDGE_CELL_ZERO
};
enum first_input { FIRST_BOS, FIRST_EOS, FIRST_ZERO };
enum part { // of what the decoder's cell or the readout reads, in the order of the file
    PART_EMBEDDING,
    PART_CONTEXT,
    PART_FEED,
    PART_PREVIOUS_CONTEXT,
    PART_STATE,
    PART_PREVIOUS_STATE,
    PART_COUNT,
};
enum query { QUERY_PREVIOUS, QUERY_BETWEEN, QUERY_CURRENT, QUERY_NONE, QUERY_COUNT };
enum score { // lists of models follow this order, Transformers last
    SCORE_ADDITIVE,
    SCORE_DOT,
    SCORE_SCALED_DOT,
    SCORE_GENERAL,
    SCORE_CONCAT,
    SCORE_COSINE,
    SCORE_NONE,
    SCORE_COUNT,
};
enum coverage { COVERAGE_NONE, COVERAGE_SUM, COVERAGE_FERTILITY };
enum readout { READOUT_NONE, READOUT_LINEAR, READOUT_TANH, READOUT_MAXOUT };

// Of a Transformer; engine/transformer.h has the equations.
enum norm_place { NORM_POST, NORM_PRE };
enum activation {
    ACTIVATION_RELU,
    ACTIVATION_GELU,
    ACTIVATION_GELU_TANH,
    ACTIVATION_SILU
};
enum positions {
    POSITIONS_HALVES,
    POSITIONS_MARIAN,
    POSITIONS_INTERLEAVED,
    POSITIONS_LEARNED,
};

enum fact {
    FACT_CELL,
    FACT_GATE,
    FACT_STACK,
    FACT_MERGE,
    FACT_SUMMARY,
    FACT_BRIDGE,
    FACT_BRIDGE_LAYERS,
    FACT_BRIDGE_CELL,
    FACT_FIRST_INPUT,
    FACT_PART,
    FACT_QUERY,
    FACT_SCORE,
    FACT_COVERAGE,
    FACT_READOUT,
    FACT_NORM,
    FACT_ACTIVATION,
    FACT_POSITIONS,
    FACT_COUNT,
};

// The word for a value: fact_word(FACT_MERGE, MERGE_SUM) is "sum". NULL past the last.
const char *fact_word(enum fact fact, int value);
// And back; -1 for a word that is none of the fact's.
int fact_find(enum fact fact, const char *word);
