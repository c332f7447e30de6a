// SPDX-License-Identifier: MIT
// Which facts go together. Each rule that is broken is one sentence that names both
// fields, what was found and what was expected.
#include "engine/cells.h"
#include "engine/transformer_check.h"

#include <stdio.h>

struct check {
    const struct model_config *c;
    const char *path;
    struct error *err;
};

// "field 'merge' is "none", expected "concat" or "sum" with bidirectional true"
static bool clash(const struct check *check, const char *field, const char *found,
                  const char *expected, const char *with)
{
    return fail_with(check->err, ERR_FORMAT, "%s: field '%s' is %s, expected %s with %s",
                     check->path, field, found, expected, with);
}

// A fact whose value is a word.
static bool word_clash(const struct check *check, const char *field, enum fact fact,
                       int value, const char *expected, const char *with)
{
    char found[48];
    snprintf(found, sizeof found, "\"%s\"", fact_word(fact, value));
    return clash(check, field, found, expected, with);
}

static bool width_clash(const struct check *check, const char *field, int found,
                        const char *what, int expected, const char *with)
{
    return fail_with(check->err, ERR_FORMAT,
                     "%s: field '%s' is %d, expected %s, %d, with %s", check->path, field,
                     found, what, expected, with);
}

static const char *yes(bool value)
{
    return value ? "true" : "false";
}

// The words "FIELD "VALUE"" for what a rule leans on.
static const char *with_word(char *out, size_t size, const char *field, enum fact fact,
                             int value)
{
    snprintf(out, size, "%s \"%s\"", field, fact_word(fact, value));
    return out;
}

static bool check_ids(const struct check *check)
{
    const struct model_config *c = check->c;
    const char *const fields[] = {"pad", "bos", "eos", "unk"};
    const int ids[] = {c->pad, c->bos, c->eos, c->unk};
    int vocab = c->source_vocab < c->target_vocab ? c->source_vocab : c->target_vocab;
    for (int i = 0; i < 4; i++) {
        if (ids[i] < 0 || ids[i] >= vocab)
            return fail_with(check->err, ERR_FORMAT,
                             "%s: field '%s' is %d, expected an id below the smaller "
                             "vocabulary, %d",
                             check->path, fields[i], ids[i], vocab);
        for (int j = 0; j < i; j++)
            if (ids[i] == ids[j])
                return fail_with(check->err, ERR_FORMAT,
                                 "%s: fields '%s' and '%s' are both %d, expected "
                                 "different ids",
                                 check->path, fields[j], fields[i], ids[i]);
    }
    return true;
}

static bool check_cells(const struct check *check)
{
    const struct model_config *c = check->c;
    bool between = c->query == QUERY_BETWEEN, tf1 = c->encoder_cell == CELL_LSTM_TF1 ||
                                                    c->decoder_cell == CELL_LSTM_TF1 ||
                                                    c->second_cell == CELL_LSTM_TF1;
    char found[32], with[48];
    if (between && c->second_cell == CELL_NONE)
        return word_clash(check, "second_cell", FACT_CELL, c->second_cell, "a cell",
                          "query \"between\"");
    if (!between && c->second_cell != CELL_NONE)
        return word_clash(check, "second_cell", FACT_CELL, c->second_cell, "\"none\"",
                          with_word(with, sizeof with, "query", FACT_QUERY, c->query));
    if (between && cell_is_lstm(c->second_cell) != cell_is_lstm(c->decoder_cell))
        return word_clash(
            check, "second_cell", FACT_CELL, c->second_cell,
            cell_is_lstm(c->decoder_cell) ? "an LSTM" : "a GRU",
            with_word(with, sizeof with, "decoder_cell", FACT_CELL, c->decoder_cell));
    snprintf(found, sizeof found, "%g", (double)c->forget_bias);
    if (c->forget_bias != 0 && !tf1)
        return clash(
            check, "forget_bias", found, "0",
            with_word(with, sizeof with, "decoder_cell", FACT_CELL, c->decoder_cell));
    return true;
}

static bool check_encoder(const struct check *check)
{
    const struct model_config *c = check->c;
    bool stacked = c->bidirectional && c->encoder_layers > 1;
    char with[64];
    if (c->bidirectional != (c->merge != MERGE_NONE))
        return word_clash(check, "merge", FACT_MERGE, c->merge,
                          c->bidirectional ? "\"concat\" or \"sum\"" : "\"none\"",
                          c->bidirectional ? "bidirectional true"
                                           : "bidirectional false");
    if (stacked != (c->encoder_stack != STACK_NONE)) {
        snprintf(with, sizeof with, "bidirectional %s and encoder_layers %d",
                 yes(c->bidirectional), c->encoder_layers);
        return word_clash(check, "encoder_stack", FACT_STACK, c->encoder_stack,
                          stacked ? "\"concat\", \"sum\" or \"separate\"" : "\"none\"",
                          with);
    }
    if (!c->bidirectional &&
        (c->summary == SUMMARY_BOTH || c->summary == SUMMARY_BACKWARD ||
         c->summary == SUMMARY_SUM))
        return word_clash(check, "summary", FACT_SUMMARY, c->summary,
                          "\"forward\" or \"mean\"", "bidirectional false");
    return true;
}

static bool check_bridge_cell(const struct check *check)
{
    const struct model_config *c = check->c;
    bool lstm = cell_is_lstm(c->decoder_cell);
    char with[64];
    if (lstm != (c->bridge_cell != BRIDGE_CELL_NONE))
        return word_clash(
            check, "bridge_cell", FACT_BRIDGE_CELL, c->bridge_cell,
            lstm ? "\"same\", \"own\" or \"zero\"" : "\"none\"",
            with_word(with, sizeof with, "decoder_cell", FACT_CELL, c->decoder_cell));
    if (c->bridge_cell != BRIDGE_CELL_OWN)
        return true;
    if (c->bridge == BRIDGE_ZERO)
        return word_clash(check, "bridge_cell", FACT_BRIDGE_CELL, c->bridge_cell,
                          "\"same\" or \"zero\"", "bridge \"zero\"");
    if (!cell_is_lstm(c->encoder_cell))
        return word_clash(
            check, "bridge_cell", FACT_BRIDGE_CELL, c->bridge_cell,
            "\"same\" or \"zero\"",
            with_word(with, sizeof with, "encoder_cell", FACT_CELL, c->encoder_cell));
    if (c->summary == SUMMARY_MEAN)
        return word_clash(check, "bridge_cell", FACT_BRIDGE_CELL, c->bridge_cell,
                          "\"same\" or \"zero\"", "summary \"mean\"");
    return true;
}

static bool check_bridge(const struct check *check)
{
    const struct model_config *c = check->c;
    bool plain = c->bridge == BRIDGE_COPY || c->bridge == BRIDGE_ZERO;
    char with[64];
    with_word(with, sizeof with, "bridge", FACT_BRIDGE, c->bridge);
    if (c->bridge == BRIDGE_COPY && model_summary_width(c) != c->decoder_hidden)
        return width_clash(check, "decoder_hidden", c->decoder_hidden,
                           "the summary's width", model_summary_width(c), with);
    if (plain && c->bridge_bias)
        return clash(check, "bridge_bias", "true", "false", with);
    if (plain && c->bridge_layers == BRIDGE_JOINT)
        return word_clash(check, "bridge_layers", FACT_BRIDGE_LAYERS, c->bridge_layers,
                          "\"same\" or \"own\"", with);
    with_word(with, sizeof with, "bridge_layers", FACT_BRIDGE_LAYERS, c->bridge_layers);
    if (c->bridge_layers != BRIDGE_SAME && c->decoder_layers != c->encoder_layers)
        return width_clash(check, "decoder_layers", c->decoder_layers, "encoder_layers",
                           c->encoder_layers, with);
    if (c->bridge_layers != BRIDGE_SAME && c->summary == SUMMARY_MEAN)
        return word_clash(check, "summary", FACT_SUMMARY, c->summary,
                          "one of the last states", with);
    return check_bridge_cell(check);
}

static bool check_times(const struct check *check)
{
    const struct model_config *c = check->c;
    bool early = c->query == QUERY_PREVIOUS || c->query == QUERY_NONE;
    char with[48];
    if ((c->score == SCORE_NONE) != (c->query == QUERY_NONE))
        return word_clash(check, "query", FACT_QUERY, c->query,
                          c->score == SCORE_NONE
                              ? "\"none\""
                              : "\"previous\", \"between\" or \"current\"",
                          with_word(with, sizeof with, "score", FACT_SCORE, c->score));
    with_word(with, sizeof with, "query", FACT_QUERY, c->query);
    if (!early && model_reads(&c->decoder_input, PART_CONTEXT))
        return clash(check, "decoder_input", "an array with \"context\"",
                     "one without (\"previous-context\" there is)", with);
    if (early && model_reads(&c->decoder_input, PART_PREVIOUS_CONTEXT))
        return clash(check, "decoder_input", "an array with \"previous-context\"",
                     "one without (\"context\" there is)", with);
    return true;
}

static bool check_score(const struct check *check)
{
    const struct model_config *c = check->c;
    bool hidden = c->score == SCORE_ADDITIVE || c->score == SCORE_CONCAT;
    bool direct =
        c->score == SCORE_DOT || c->score == SCORE_SCALED_DOT || c->score == SCORE_COSINE;
    char with[48], found[32];
    with_word(with, sizeof with, "score", FACT_SCORE, c->score);
    snprintf(found, sizeof found, "%d", c->attention_hidden);
    if (hidden != (c->attention_hidden > 0))
        return clash(check, "attention_hidden", found, hidden ? "at least 1" : "0", with);
    if (!hidden && c->query_bias)
        return clash(check, "query_bias", "true", "false", with);
    if (!hidden && c->energy_bias)
        return clash(check, "energy_bias", "true", "false", with);
    if (!hidden && c->score != SCORE_GENERAL && c->key_bias)
        return clash(check, "key_bias", "true", "false", with);
    if (direct && c->decoder_hidden != model_memory_width(c))
        return width_clash(check, "decoder_hidden", c->decoder_hidden,
                           "the width of the encoder's memory", model_memory_width(c),
                           with);
    if (!hidden && c->coverage != COVERAGE_NONE)
        return word_clash(check, "coverage", FACT_COVERAGE, c->coverage, "\"none\"",
                          with);
    with_word(with, sizeof with, "coverage", FACT_COVERAGE, c->coverage);
    snprintf(found, sizeof found, "%g", (double)c->fertility_max);
    if ((c->coverage == COVERAGE_FERTILITY) != (c->fertility_max > 0))
        return clash(check, "fertility_max", found,
                     c->coverage == COVERAGE_FERTILITY ? "more than 0" : "0", with);
    return true;
}

static bool check_output(const struct check *check)
{
    const struct model_config *c = check->c;
    bool none = c->readout == READOUT_NONE;
    char with[48], found[32];
    with_word(with, sizeof with, "readout", FACT_READOUT, c->readout);
    snprintf(found, sizeof found, "%d", c->readout_hidden);
    if (none != (c->readout_hidden == 0))
        return clash(check, "readout_hidden", found, none ? "0" : "at least 1", with);
    if (none && c->readout_bias)
        return clash(check, "readout_bias", "true", "false", with);
    if (c->tied && model_readout_width(c) != c->target_embedding)
        return width_clash(
            check, none ? "target_embedding" : "readout_hidden",
            none ? c->target_embedding : c->readout_hidden,
            none ? "the width of what readout_input joins" : "target_embedding",
            none ? model_readout_width(c) : c->target_embedding, "tied true");
    return true;
}

bool model_config_check(const struct model_config *config, const char *path,
                        struct error *err)
{
    const struct check check = {config, path, err};
    if (config->family == FAMILY_TRANSFORMER)
        return transformer_check(config, path, err);
    return check_ids(&check) && check_cells(&check) && check_encoder(&check) &&
           check_bridge(&check) && check_times(&check) && check_score(&check) &&
           check_output(&check);
}
