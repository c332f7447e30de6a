// SPDX-License-Identifier: MIT
// The words of config.json for the facts of engine/facts.h, in the order of its enums.
#include "engine/facts.h"

#include <stddef.h>
#include <string.h>

enum { MOST_WORDS = CELL_COUNT };

static const char *const words[FACT_COUNT][MOST_WORDS] = {
    [FACT_CELL] = {"none", "gru-pytorch", "gru-keras", "gru-keras-reset-after", "gru-cho",
                   "gru-bahdanau", "gru-nematus", "gru-nematus-final", "lstm-pytorch",
                   "lstm-keras", "lstm-tf1", "lstm-marian"},
    [FACT_GATE] = {"sigmoid", "hard-sigmoid-fifth", "hard-sigmoid-sixth"},
    [FACT_STACK] = {"none", "concat", "sum", "separate"},
    [FACT_MERGE] = {"none", "concat", "sum"},
    [FACT_SUMMARY] = {"both", "forward", "backward", "sum", "mean"},
    [FACT_BRIDGE] = {"copy", "linear", "tanh", "relu", "zero"},
    [FACT_BRIDGE_LAYERS] = {"same", "own", "joint"},
    [FACT_BRIDGE_CELL] = {"none", "same", "own", "zero"},
    [FACT_FIRST_INPUT] = {"bos", "eos", "zero"},
    [FACT_PART] = {"embedding", "context", "feed", "previous-context", "state",
                   "previous-state"},
    [FACT_QUERY] = {"previous", "between", "current", "none"},
    [FACT_SCORE] = {"additive", "dot", "scaled-dot", "general", "concat", "cosine",
                    "none"},
    [FACT_COVERAGE] = {"none", "sum", "fertility"},
    [FACT_READOUT] = {"none", "linear", "tanh", "maxout"},
    [FACT_NORM] = {"post", "pre"},
    [FACT_ACTIVATION] = {"relu", "gelu", "gelu-tanh", "silu"},
    [FACT_POSITIONS] = {"sinusoidal-halves", "sinusoidal-marian",
                        "sinusoidal-interleaved", "learned"},
};

const char *fact_word(enum fact fact, int value)
{
    return value >= 0 && value < MOST_WORDS ? words[fact][value] : NULL;
}

int fact_find(enum fact fact, const char *word)
{
    for (int i = 0; i < MOST_WORDS && words[fact][i]; i++)
        if (strcmp(words[fact][i], word) == 0)
            return i;
    return -1;
}
