// SPDX-License-Identifier: MIT
// The engine against PyTorch: scores e, weights alpha and the five best log-probabilities
// of every step, for the bundled models and the tiny ones, within 1e-4 of the largest
// magnitude of the row; for the family, which has every fact of config.json with every
// value, the states and logits as well, within 1e-5. With the plain kernels and with the
// best ones of this machine. golden.py wrote the dumps and says how they read. Under a
// sanitizer one sentence of each large model is a sample enough.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "dump.h"
#include "engine/decoder.h"
#include "formats/model_dir.h"

enum { SAMPLE = 8 }; // a short sentence at temperature 1
enum { MAX_SOURCE = 60, ARENA = 16 * 1024 * 1024 };

struct run { // one model's dump with one set of kernels
    struct dump dump;
    bool family;
    const struct kernels *kernels;
    bool every_tau;
    struct model_dir *dir;
    struct arena arena;
    struct encoding encoding;
    struct decoder decoder;
    int sentence, step, steps;
    double tau, worst; // difference / largest magnitude
};

static void compare(struct run *run, const char *what, const float *got,
                    const float *want, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs((double)want[i]));
    assert_true(largest > 0);
    double bound = run->family ? 1e-5 : 1e-4;
    for (int i = 0; i < n; i++) {
        double difference = fabs((double)got[i] - (double)want[i]) / largest;
        if (!(difference <= bound))
            fail_msg("%s (%s), sentence %d, tau %g, step %d: %s[%d] is %.7g, PyTorch has "
                     "%.7g: %.2g of the largest magnitude",
                     run->dump.name, run->kernels->name, run->sentence, run->tau,
                     run->step, what, i, (double)got[i], (double)want[i], difference);
        run->worst = fmax(run->worst, difference);
    }
}

static void compare_attention(struct run *run)
{
    float want[DUMP_MAX_VALUES];
    int n = run->encoding.n_src;
    if (run->dir->network.config.score == SCORE_NONE)
        return;
    assert_int_equal(dump_floats(dump_expect(&run->dump, "e"), want), n);
    compare(run, "e", run->decoder.e, want, n);
    assert_int_equal(dump_floats(dump_expect(&run->dump, "alpha"), want), n);
    compare(run, "alpha", run->decoder.alpha, want, n);
}

static void compare_state(struct run *run)
{
    float want[DUMP_MAX_VALUES], got[DUMP_MAX_VALUES];
    const struct model_config *c = &run->dir->network.config;
    int d = c->decoder_hidden, n = 0;
    assert_int_equal(dump_floats(dump_expect(&run->dump, "state"), want), d);
    compare(run, "state", decoder_state(&run->decoder, 0), want, d);
    got[n++] = run->decoder.log_sum[0];
    for (int id = 0; id < c->target_vocab; id += 4)
        got[n++] = run->decoder.logits[id];
    assert_int_equal(dump_floats(dump_expect(&run->dump, "logits"), want), n);
    compare(run, "logits", got, want, n);
}

static void compare_top(struct run *run)
{
    int want_ids[5], ids[5];
    float want[5], log_p[5];
    char *text = dump_expect(&run->dump, "top");
    assert_int_equal(sscanf(text, "%d:%f %d:%f %d:%f %d:%f %d:%f", &want_ids[0], &want[0],
                            &want_ids[1], &want[1], &want_ids[2], &want[2], &want_ids[3],
                            &want[3], &want_ids[4], &want[4]),
                     10);
    decoder_top(&run->decoder, 0, 5, ids, log_p);
    compare(run, "top log p", log_p, want, 5);
    // By id as well: where two are nearly equal their order may differ.
    for (int i = 0; i < 5; i++)
        log_p[i] = run->decoder.logits[want_ids[i]] - run->decoder.log_sum[0];
    compare(run, "log p by id", log_p, want, 5);
    assert_int_equal(ids[0], decoder_best(&run->decoder, 0));
}

static void compare_step(struct run *run)
{
    int want;
    assert_int_equal(sscanf(run->dump.line, "step %d", &want), 1);
    decoder_step(&run->decoder);
    compare_attention(run);
    if (run->family)
        compare_state(run);
    compare_top(run);
    int best = decoder_best(&run->decoder, 0);
    if (best != want)
        fail_msg("%s (%s), sentence %d, tau %g, step %d: token %d, PyTorch has %d",
                 run->dump.name, run->kernels->name, run->sentence, run->tau, run->step,
                 best, want);
    decoder_feed(&run->decoder, best);
    run->step++;
    run->steps++;
}

static void compare_tokens(struct run *run, const char *text, const int *ids, int n)
{
    struct token tokens[MAX_SOURCE];
    struct error err = {0};
    int count;
    if (!tokenizer_encode(run->dir->source, text, strlen(text), tokens, MAX_SOURCE,
                          &count, &err))
        fail_msg("%s: %s", run->dump.name, err.text);
    bool end = run->dir->network.config.source_eos;
    assert_int_equal(count, end ? n - 1 : n);
    for (int i = 0; i < count; i++)
        assert_int_equal(tokens[i].id, ids[i]);
    if (end)
        assert_int_equal(ids[n - 1], run->dir->network.config.eos);
}

static bool is_family(const char *model)
{
    return strncmp(model, "family-", 7) == 0;
}

static bool is_bundled(const char *model)
{
    return !is_family(model) && strncmp(model, "tiny-", 5) != 0;
}

// The temperature is the same code in every set: the slow one shows it once.
static bool is_left_out(const struct run *run)
{
    if (SANITIZED && is_bundled(run->dump.name))
        return run->sentence != SAMPLE;
    return run->tau != 1 && !run->every_tau && !run->family;
}

static void compare_sentence(struct run *run)
{
    char text[DUMP_MAX_LINE];
    int ids[DUMP_MAX_VALUES], at = 0;
    struct error err = {0};
    assert_int_equal(sscanf(run->dump.line, "sentence %lf %n", &run->tau, &at), 1);
    run->sentence++;
    if (is_left_out(run)) {
        while (dump_next(&run->dump) && strcmp(run->dump.line, "end") != 0)
            continue;
        return;
    }
    snprintf(text, sizeof text, "%s", run->dump.line + at);
    int n = dump_ids(dump_expect(&run->dump, "source"), ids);
    compare_tokens(run, text, ids, n);
    arena_reset(&run->arena);
    if (!encoder_run_with(run->kernels, &run->encoding, &run->arena, &run->dir->network,
                          ids, n, &err) ||
        !decoder_init(&run->decoder, &run->arena, &run->dir->network, &run->encoding, 1,
                      200, run_at((float)run->tau), &err))
        fail_msg("%s: %s", run->dump.name, err.text);
    run->decoder.kernels = run->kernels;
    run->step = 0;
    while (dump_next(&run->dump) && strcmp(run->dump.line, "end") != 0)
        compare_step(run);
    assert_true(run->step > 0);
}

static struct model_dir *open_model(const char *model)
{
    char root[4096], path[4200];
    struct error err = {0};
    if (is_bundled(model))
        assert_true(data_path("models", root, sizeof root));
    else
        snprintf(root, sizeof root, "%s/golden/models", ALPHASCOPE_TESTS);
    snprintf(path, sizeof path, "%s/%s", root, model);
    struct model_dir *dir = model_dir_open(path, &err);
    if (!dir)
        fail_msg("%s", err.text);
    return dir;
}

static void compare_model(const char *model, const struct kernels *kernels,
                          bool every_tau)
{
    char path[4096];
    struct run run = {.dump.name = model,
                      .family = is_family(model),
                      .kernels = kernels,
                      .every_tau = every_tau};
    snprintf(path, sizeof path, "%s/golden/dumps/%s.txt", ALPHASCOPE_TESTS, model);
    run.dump.file = fopen(path, "r");
    assert_non_null(run.dump.file);
    run.dir = open_model(model);
    arena_init(&run.arena, ARENA);
    while (dump_next(&run.dump))
        compare_sentence(&run);
    arena_finish(&run.arena);
    model_dir_close(run.dir);
    fclose(run.dump.file);
    // 8 sentences, 3 temperatures; the family's 4 lengths, one of them twice
    assert_int_equal(run.sentence, run.family ? 5 : 24);
    print_message("# %s (%s): %d steps, at most %.1e of the largest magnitude\n", model,
                  kernels->name, run.steps, run.worst);
}

static void plain_kernels_agree(void **state)
{
    compare_model(*state, &kernels_plain, false);
}

static void best_kernels_agree(void **state)
{
    compare_model(*state, kernels_best(), true);
}

enum { MAX_MODELS = 80 };
static char models[MAX_MODELS][64]; // one for each dump

static bool has_dump(const char *id)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/transformers/%s.txt", ALPHASCOPE_TESTS, id);
    bool found = file_exists(path); // test_transformers reads it
    for (int i = 0; i < MAX_MODELS; i++)
        found = found || strcmp(models[i], id) == 0;
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
    for (int i = 0; i < MAX_MODELS && models[i][0]; i++) {
        if (!is_family(models[i]))
            continue;
        struct model_dir *dir = open_model(models[i]);
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

static int is_dump(const struct dirent *item)
{
    const char *dot = strrchr(item->d_name, '.');
    return dot && strcmp(dot, ".txt") == 0;
}

static int find_dumps(void)
{
    struct dirent **items = NULL;
    int count = scandir(ALPHASCOPE_TESTS "/golden/dumps", &items, is_dump, alphasort);
    for (int i = 0; i < count; i++) {
        if (i < MAX_MODELS)
            snprintf(models[i], sizeof models[i], "%.*s",
                     (int)strlen(items[i]->d_name) - 4, items[i]->d_name);
        free(items[i]);
    }
    free(items);
    return count < MAX_MODELS ? count : MAX_MODELS;
}

int main(void)
{
    static char names[2 * MAX_MODELS][96];
    static struct CMUnitTest tests[2 * MAX_MODELS + 2];
    size_t count = 0, dumps = (size_t)find_dumps();
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(every_bundled_model_is_compared);
    tests[count++] =
        (struct CMUnitTest)cmocka_unit_test(every_value_of_every_fact_is_compared);
    for (size_t i = 0; i < 2 * dumps; i++, count++) {
        bool plain = i % 2 == 0;
        snprintf(names[i], sizeof names[i], "%s, %s kernels", models[i / 2],
                 plain ? "plain" : "best");
        tests[count].name = names[i];
        tests[count].test_func = plain ? plain_kernels_agree : best_kernels_agree;
        tests[count].initial_state = models[i / 2];
    }
    return _cmocka_run_group_tests("golden", tests, count, NULL, NULL);
}
