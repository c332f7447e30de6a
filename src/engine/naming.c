// SPDX-License-Identifier: MIT
// Names by score, query and coverage. A formula's s is the query: s_{t-1}, or s_t, and
// s′ where it is the state between two cells; C is what engine/coverage.h sums.
#include "engine/naming.h"

#include "engine/cells.h"

static const char luong[] = "Luong, Pham, Manning 2015";
static const char bahdanau[] = "Bahdanau, Cho, Bengio 2015";

static const struct { // by score
    const char *label, *paper;
    const char *formula, *between; // s, s′
} scores[SCORE_COUNT] = {
    [SCORE_ADDITIVE] = {"Additive", bahdanau, "e = vᵀ tanh(W s + U h)",
                        "e = vᵀ tanh(W s′ + U h)"},
    [SCORE_DOT] = {"Dot", luong, "e = sᵀ h", "e = s′ᵀ h"},
    [SCORE_SCALED_DOT] = {"Scaled dot", "Vaswani et al. 2017", "e = sᵀ h / √d",
                          "e = s′ᵀ h / √d"},
    [SCORE_GENERAL] = {"General", luong, "e = sᵀ W h", "e = s′ᵀ W h"},
    [SCORE_CONCAT] = {"Concat", luong, "e = vᵀ tanh(W [s ; h])",
                      "e = vᵀ tanh(W [s′ ; h])"},
    [SCORE_COSINE] = {"Cosine", "Graves, Wayne, Danihelka 2014", "e = sᵀ h / (|s| |h|)",
                      "e = s′ᵀ h / (|s′| |h|)"},
    [SCORE_NONE] = {"None", "Cho et al. 2014", "c = m, no attention",
                    "c = m, no attention"},
};

static const char *const names[SCORE_COUNT][QUERY_COUNT] = {
    [SCORE_ADDITIVE] = {"RNNsearch", "RNNsearch, conditional GRU", "Additive, query s_t"},
    [SCORE_DOT] = {"Dot, query s_{t-1}", "Dot, conditional GRU", "Luong dot"},
    [SCORE_SCALED_DOT] = {"Scaled dot, query s_{t-1}", "Scaled dot, conditional GRU",
                          "Scaled dot"},
    [SCORE_GENERAL] = {"General, query s_{t-1}", "General, conditional GRU",
                       "Luong general"},
    [SCORE_CONCAT] = {"Concat, query s_{t-1}", "Concat, conditional GRU", "Luong concat"},
    [SCORE_COSINE] = {"Cosine, query s_{t-1}", "Cosine, conditional GRU", "Cosine"},
    [SCORE_NONE] = {[QUERY_NONE] = "RNNencdec"},
};

static const char *name_of(const struct model_config *c)
{
    bool lstm = c->second_cell != CELL_NONE && cell_is_lstm(c->second_cell);
    if (c->score == SCORE_ADDITIVE && lstm)
        return "RNNsearch, conditional LSTM";
    return names[c->score][c->query];
}

static struct naming with_coverage(const struct model_config *c)
{
    bool between = c->query == QUERY_BETWEEN, previous = c->query == QUERY_PREVIOUS;
    struct naming naming = {"Coverage", "Additive, coverage", "Tu et al. 2016",
                            "e = vᵀ tanh(W s + U h + w C)"};
    if (previous)
        naming.name = "RNNsearch, coverage";
    if (c->score == SCORE_CONCAT) {
        naming.name = "Concat, coverage";
        naming.formula = "e = vᵀ tanh(W [s ; h ; C])";
    }
    if (between) {
        naming.name = "RNNsearch, conditional GRU, coverage";
        naming.formula = c->score == SCORE_CONCAT ? "e = vᵀ tanh(W [s′ ; h ; C])"
                                                  : "e = vᵀ tanh(W s′ + U h + w C)";
    }
    return naming;
}

// Without attention the context is m at every step, or nothing at all.
static struct naming without_attention(const struct model_config *c)
{
    if (model_reads(&c->decoder_input, PART_CONTEXT) ||
        model_reads(&c->readout_input, PART_CONTEXT))
        return (struct naming){"None", "RNNencdec", "Cho et al. 2014",
                               "c = m, no attention"};
    return (struct naming){"None", "Encoder-decoder", "Sutskever, Vinyals, Le 2014",
                           "s_0 from m, no attention"};
}

struct naming model_naming(const struct model_config *config)
{
    const struct model_config *c = config;
    bool between = c->query == QUERY_BETWEEN;
    if (c->family == FAMILY_TRANSFORMER)
        return (struct naming){"Transformer", c->marian ? "MarianMT" : "Transformer",
                               "Vaswani et al. 2017", "e = qᵀ k / √d_k"};
    if (c->score == SCORE_NONE)
        return without_attention(c);
    if (c->coverage != COVERAGE_NONE)
        return with_coverage(c);
    struct naming naming = {scores[c->score].label, name_of(c), scores[c->score].paper,
                            between ? scores[c->score].between
                                    : scores[c->score].formula};
    if (between && c->score == SCORE_ADDITIVE) {
        naming.label = "Conditional";
        naming.paper = "Sennrich et al. 2017";
    }
    return naming;
}
