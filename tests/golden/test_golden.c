// SPDX-License-Identifier: MIT
// The engine against PyTorch: scores e, weights alpha and the five best log-probabilities
// of every step, for the bundled models and the tiny ones, within 1e-4 of the largest
// magnitude of the row; for the family, which has every fact of config.json with every
// value, also the encoder's memory, the state of every layer and all logits, within
// agree_bound. With the plain kernels and with the best ones of this machine. golden.py
// wrote the dumps and says how they read. Under a sanitizer one sentence of each large
// model is a sample enough.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "base/file.h"
#include "engine/cells.h"

enum { SAMPLE = 8 }; // a short sentence at temperature 1
static struct agree_models models;

static bool is_family(const char *model)
{
    return strncmp(model, "family-", 7) == 0;
}

static bool is_bundled(const char *model)
{
    return !is_family(model) && strncmp(model, "tiny-", 5) != 0;
}

static void compare_attention(struct agreement *run)
{
    int n = run->encoding.n_src;
    if (run->dir->network.config.score == SCORE_NONE)
        return;
    agree_line(run, "e", run->decoder.e, n);
    agree_line(run, "alpha", run->decoder.alpha, n);
}

static void compare_layers(struct agreement *run, const char *what, float *const *rows)
{
    const struct model_config *c = &run->dir->network.config;
    char word[32];
    for (int l = 0; l < c->decoder_layers; l++) {
        snprintf(word, sizeof word, "%s %d", what, l);
        agree_line(run, word, rows[l], c->decoder_hidden);
    }
}

static void compare_step(struct agreement *run)
{
    const struct model_config *c = &run->dir->network.config;
    compare_attention(run);
    if (!is_family(run->dump.name))
        return;
    compare_layers(run, "state", run->decoder.now.state);
    assert_ptr_equal(decoder_state(&run->decoder, 0),
                     run->decoder.now.state[c->decoder_layers - 1]);
    if (cell_is_lstm(c->decoder_cell))
        compare_layers(run, "cell", run->decoder.now.memory);
    agree_line(run, "logits", run->decoder.logits, c->target_vocab);
    agree_line(run, "log-sum", run->decoder.log_sum, 1);
}

// Of a conditional decoder: the first cell's state is there when alpha is made, and gone
// after the step.
static void compare_between(void *context, int step, float *alpha, int n)
{
    struct agreement *run = context;
    const struct model_config *c = &run->dir->network.config;
    (void)step, (void)alpha, (void)n;
    agree_line(run, "between", run->decoder.now.state[0], c->decoder_hidden);
    if (cell_is_lstm(c->decoder_cell))
        agree_line(run, "between-cell", run->decoder.now.memory[0], c->decoder_hidden);
}

// What the family's dumps have before the first step.
static void begin_family(struct agreement *run)
{
    assert_int_equal(agree_memory(run), run->encoding.n_src);
    if (run->dir->network.config.query == QUERY_BETWEEN) {
        run->decoder.options.alter = compare_between;
        run->decoder.options.alter_context = run;
    }
}

// The temperature is the same code in every set: the slow one shows it once.
static bool is_left_out(const struct agreement *run)
{
    if (SANITIZED && is_bundled(run->dump.name))
        return run->sentence != SAMPLE;
    return run->tau != 1 && run->kernels != kernels_best() && !is_family(run->dump.name);
}

static void compare_sentence(struct agreement *run)
{
    agree_read(run);
    if (is_left_out(run)) {
        while (dump_next(&run->dump) && strcmp(run->dump.line, "end") != 0)
            continue;
        return;
    }
    agree_begin(run);
    if (is_family(run->dump.name))
        begin_family(run);
    agree_steps(run, compare_step);
}

static struct model_dir *open_model(const char *model)
{
    return agree_open(is_bundled(model) ? NULL : "models", model);
}

static void compare_model(const char *model, const struct kernels *kernels)
{
    struct agreement run = {.dump.name = model,
                            .kernels = kernels,
                            .reference = "PyTorch",
                            .bound = is_family(model) ? agree_bound(kernels) : 1e-4,
                            .most_steps = 200};
    agree_model(&run, "dumps", open_model(model), compare_sentence);
    // 8 sentences, 3 temperatures; the family's 4 lengths, one of them twice
    assert_int_equal(run.sentence, is_family(model) ? 5 : 24);
    print_message("# %s (%s): %d steps, at most %.1e of the largest magnitude\n", model,
                  kernels->name, run.steps, run.worst);
}

static bool has_dump(const char *id)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/transformers/%s.txt", ALPHASCOPE_TESTS, id);
    bool found = file_exists(path); // test_transformers reads it
    for (int i = 0; i < models.count; i++)
        found = found || strcmp(models.name[i], id) == 0;
    return found;
}

static void every_bundled_model_is_compared(void **state)
{
    static struct model_listing listing[MODEL_LISTING_MAX];
    char root[4096];
    (void)state;
    assert_true(data_path("models", root, sizeof root));
    int count = model_dir_list(root, listing, NULL);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
        if (!has_dump(listing[i].id))
            fail_msg("models/%s has no dump: run tests/golden/golden.py, or "
                     "vaswani_dumps.py",
                     listing[i].id);
}

static void note_parts(unsigned *seen, const struct parts *parts)
{
    for (int i = 0; i < parts->count; i++)
        seen[FACT_PART] |= 1u << parts->at[i];
}

static void note_facts(unsigned *seen, unsigned *flags, const struct model_config *c)
{
    const bool both[] = {c->bidirectional, c->bridge_bias, c->query_bias,
                         c->key_bias,      c->energy_bias, c->readout_bias,
                         c->tied,          c->output_bias, c->source_eos};
    seen[FACT_CELL] |=
        1u << c->encoder_cell | 1u << c->decoder_cell | 1u << c->second_cell;
    seen[FACT_GATE] |= 1u << c->gate;
    seen[FACT_STACK] |= 1u << c->encoder_stack;
    seen[FACT_MERGE] |= 1u << c->merge;
    seen[FACT_SUMMARY] |= 1u << c->summary;
    seen[FACT_BRIDGE] |= 1u << c->bridge;
    seen[FACT_BRIDGE_LAYERS] |= 1u << c->bridge_layers;
    seen[FACT_BRIDGE_CELL] |= 1u << c->bridge_cell;
    seen[FACT_FIRST_INPUT] |= 1u << c->first_input;
    seen[FACT_QUERY] |= 1u << c->query;
    seen[FACT_SCORE] |= 1u << c->score;
    seen[FACT_COVERAGE] |= 1u << c->coverage;
    seen[FACT_READOUT] |= 1u << c->readout;
    note_parts(seen, &c->decoder_input);
    note_parts(seen, &c->readout_input);
    for (size_t i = 0; i < sizeof both; i++)
        flags[i] |= both[i] ? 2u : 1u;
}

static void every_value_of_every_fact_is_compared(void **state)
{
    unsigned seen[FACT_COUNT] = {0}, flags[9] = {0};
    (void)state;
    for (int i = 0; i < models.count; i++) {
        if (!is_family(models.name[i]))
            continue;
        struct model_dir *dir = open_model(models.name[i]);
        note_facts(seen, flags, &dir->network.config);
        model_dir_close(dir);
    }
    for (int fact = 0; fact < FACT_NORM; fact++) // the others are a Transformer's
        for (int value = 0; fact_word((enum fact)fact, value); value++)
            if (!(seen[fact] >> value & 1))
                fail_msg("no model has \"%s\" of fact %d",
                         fact_word((enum fact)fact, value), fact);
    for (int i = 0; i < 9; i++)
        assert_int_equal(flags[i], 3); // both true and false
}

int main(void)
{
    const struct CMUnitTest first[] = {
        cmocka_unit_test(every_bundled_model_is_compared),
        cmocka_unit_test(every_value_of_every_fact_is_compared),
    };
    agree_find(&models, "dumps");
    return agree_run("golden", &models, first, sizeof first / sizeof *first,
                     compare_model);
}
