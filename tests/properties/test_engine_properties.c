// SPDX-License-Identifier: MIT
// What must hold of decoding whatever the numbers: with every tiny model, on a random
// sentence.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/decoder.h"
#include "engine/posterior.h"
#include "engine/score.h"
#include "formats/model_dir.h"
#include "numbers.h"

enum { MAX_STEPS = 12, MAX_SRC = 23, PERMUTATIONS = 100 };

static char models[][32] = {
    "tiny-additive-f32",      "tiny-concat-f16",    "tiny-general-bf16",
    "tiny-dot-f32",           "tiny-none-bf16",     "family-conditional-coverage",
    "family-coverage-concat", "family-marian-lstm", "family-opennmt",
    "family-bahdanau-paper",  "family-keras-stack", "family-cosine",
    "family-sutskever"};
enum { MODELS = sizeof models / sizeof *models };

struct bench { // a model, a random sentence, its encoding and a decoder
    struct model_dir *dir;
    struct arena arena;
    struct encoding encoding;
    struct decoder decoder;
    int ids[MAX_SRC], n_src;
};

static void bench_open(struct bench *bench, const char *model)
{
    char path[4200];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/golden/models/%s", ALPHASCOPE_TESTS, model);
    *bench = (struct bench){.n_src = MAX_SRC};
    bench->dir = model_dir_open(path, &err);
    if (!bench->dir)
        fail_msg("%s", err.text);
    struct network *network = &bench->dir->network;
    for (int i = 0; i < MAX_SRC; i++)
        bench->ids[i] = (int)(next_random() % (uint32_t)network->config.source_vocab);
    arena_init(&bench->arena, 8 * 1024 * 1024);
    assert_true(encoder_run(&bench->encoding, &bench->arena, network, bench->ids,
                            bench->n_src, &err));
    assert_true(decoder_init(&bench->decoder, &bench->arena, network, &bench->encoding, 1,
                             200, run_at(1), &err));
}

static void bench_close(struct bench *bench)
{
    arena_finish(&bench->arena);
    model_dir_close(bench->dir);
}

// What a run of MAX_STEPS greedy steps gave; bytes, so that runs compare exactly.
struct record {
    int tokens[MAX_STEPS];
    float e[MAX_STEPS][MAX_SRC], alpha[MAX_STEPS][MAX_SRC], log_p[MAX_STEPS];
};

static void run_decoder(struct decoder *decoder, struct record *record)
{
    memset(record, 0, sizeof *record);
    for (int t = 0; t < MAX_STEPS; t++) {
        decoder_step(decoder);
        int best = decoder_best(decoder, 0);
        record->tokens[t] = best;
        record->log_p[t] = decoder->logits[best] - decoder->log_sum[0];
        memcpy(record->e[t], decoder->e, sizeof record->e[t]);
        memcpy(record->alpha[t], decoder->alpha, sizeof record->alpha[t]);
        decoder_feed(decoder, best);
    }
}

static void a_run_repeats_bit_for_bit(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        struct bench bench;
        struct record first, again, cold;
        bench_open(&bench, models[m]);
        run_decoder(&bench.decoder, &first);
        decoder_restart(&bench.decoder, run_at(0.2f));
        run_decoder(&bench.decoder, &cold);
        decoder_restart(&bench.decoder, run_at(1));
        run_decoder(&bench.decoder, &again);
        assert_memory_equal(&first, &again, sizeof first);
        if (bench.dir->network.config.score != SCORE_NONE)
            assert_memory_not_equal(first.alpha, cold.alpha, sizeof first.alpha);
        bench_close(&bench);
    }
}

static void decoding_is_finite_at_every_temperature(void **state)
{
    static const float taus[] = {0, 1e-6f, 1e-3f, 0.3f, 1, 30, 1e6f, INFINITY};
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        struct bench bench;
        struct record record;
        bench_open(&bench, models[m]);
        bool none = bench.dir->network.config.score == SCORE_NONE;
        for (size_t i = 0; i < sizeof taus / sizeof *taus; i++) {
            decoder_restart(&bench.decoder, run_at(taus[i]));
            run_decoder(&bench.decoder, &record);
            for (int t = 0; t < MAX_STEPS; t++) {
                assert_true(isfinite(record.log_p[t]) && record.log_p[t] < 1e-5f);
                double sum = sum_of(record.alpha[t], MAX_SRC);
                assert_true(fabs(sum - (none ? 0 : 1)) < 1e-5);
            }
        }
        bench_close(&bench);
    }
}

// The distribution of a step sums to 1, and its best candidates come in order.
static void candidates_are_in_order(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        struct bench bench;
        int ids[7];
        float log_p[7];
        double sum = 0;
        bench_open(&bench, models[m]);
        decoder_step(&bench.decoder);
        decoder_top(&bench.decoder, 0, 7, ids, log_p);
        int vocab = bench.dir->network.config.target_vocab, better = 0;
        for (int v = 0; v < vocab; v++) {
            sum += exp((double)(bench.decoder.logits[v] - bench.decoder.log_sum[0]));
            better += bench.decoder.logits[v] > bench.decoder.logits[ids[6]];
        }
        assert_true(fabs(sum - 1) < 1e-4);
        assert_int_equal(better, 6);
        assert_int_equal(ids[0], decoder_best(&bench.decoder, 0));
        for (int i = 1; i < 7; i++)
            assert_true(log_p[i] <= log_p[i - 1]);
        bench_close(&bench);
    }
}

static void ties_go_to_the_lower_id(void **state)
{
    struct bench bench;
    int ids[4];
    float log_p[4];
    (void)state;
    bench_open(&bench, models[0]);
    decoder_step(&bench.decoder);
    bench.decoder.logits[90] = bench.decoder.logits[30] = 1000;
    bench.decoder.logits[60] = 1000;
    bench.decoder.logits[10] = 999;
    decoder_top(&bench.decoder, 0, 4, ids, log_p);
    assert_int_equal(ids[0], 30);
    assert_int_equal(ids[1], 60);
    assert_int_equal(ids[2], 90);
    assert_int_equal(ids[3], 10);
    bench_close(&bench);
}

// Position i of the memory moves to place[i]; the keys and the fertility with it.
static void permute(struct encoding *out, const struct bench *bench, struct arena *arena,
                    const int *place)
{
    const struct model_config *c = &bench->dir->network.config;
    size_t m = (size_t)model_memory_width(c);
    size_t width = (size_t)scorer_key_width(c);
    *out = bench->encoding;
    out->memory = arena_alloc(arena, (size_t)out->n_src * m, sizeof(float));
    assert_non_null(out->memory);
    out->keys = out->memory;
    if (width)
        out->keys = arena_alloc(arena, (size_t)out->n_src * width, sizeof(float));
    float *fertility = arena_alloc(arena, (size_t)out->n_src, sizeof(float));
    assert_true(out->keys && fertility);
    for (int i = 0; i < out->n_src; i++) {
        memcpy(out->memory + (size_t)place[i] * m, bench->encoding.memory + (size_t)i * m,
               m * sizeof(float));
        if (out->fertility)
            fertility[place[i]] = bench->encoding.fertility[i];
        if (width)
            memcpy(out->keys + (size_t)place[i] * width,
                   bench->encoding.keys + (size_t)i * width, width * sizeof(float));
    }
    if (out->fertility)
        out->fertility = fertility;
}

enum { MAX_PATH = 6 };

struct path { // the tokens a hypothesis has taken
    int tokens[MAX_PATH];
};

// The same numbers as of one hypothesis alone that takes the same path.
static void assert_as_alone(const struct decoder *many, int hypothesis,
                            struct decoder *one, const struct path *path, int steps)
{
    const struct model_config *c = &one->network->config;
    size_t s = MAX_SRC, v = (size_t)c->target_vocab, i = (size_t)hypothesis;
    decoder_restart(one, many->options);
    for (int t = 0; t < steps; t++) {
        decoder_step(one);
        decoder_feed(one, path->tokens[t]);
    }
    decoder_step(one);
    if (c->score != SCORE_NONE) {
        assert_memory_equal(one->e, many->e + i * s, s * sizeof(float));
        assert_memory_equal(one->alpha, many->alpha + i * s, s * sizeof(float));
    }
    assert_memory_equal(one->logits, many->logits + i * v, v * sizeof(float));
    assert_memory_equal(one->log_sum, many->log_sum + i, sizeof(float));
    assert_memory_equal(decoder_state(one, 0), decoder_state(many, hypothesis),
                        (size_t)c->decoder_hidden * sizeof(float));
    assert_int_equal(decoder_best(one, 0), decoder_best(many, hypothesis));
}

static void hypotheses_do_not_depend_on_each_other(void **state)
{
    static const int counts[MAX_PATH] = {1, 5, DECODER_MAX_HYPOTHESES, 3, 9, 1};
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        struct bench bench;
        struct decoder many;
        struct path paths[DECODER_MAX_HYPOTHESES] = {0}, before[DECODER_MAX_HYPOTHESES];
        bench_open(&bench, models[m]);
        int vocab = bench.dir->network.config.target_vocab;
        assert_true(decoder_init(&many, &bench.arena, &bench.dir->network,
                                 &bench.encoding, DECODER_MAX_HYPOTHESES, 200,
                                 run_at(0.7f), NULL));
        for (int t = 0; t < MAX_PATH; t++) {
            int parents[DECODER_MAX_HYPOTHESES], tokens[DECODER_MAX_HYPOTHESES];
            int n = t + 1 < MAX_PATH ? counts[t + 1] : 1;
            decoder_step(&many);
            for (int i = 0; i < many.n; i++)
                assert_as_alone(&many, i, &bench.decoder, &paths[i], t);
            memcpy(before, paths, sizeof before);
            for (int i = 0; i < n; i++) {
                parents[i] = (int)(next_random() % (uint32_t)many.n);
                tokens[i] = (int)(next_random() % (uint32_t)vocab);
                paths[i] = before[parents[i]];
                paths[i].tokens[t] = tokens[i];
            }
            decoder_continue(&many, parents, tokens, n);
            assert_int_equal(many.n, n);
        }
        bench_close(&bench);
    }
}

static void shuffle(int place[MAX_SRC])
{
    for (int i = 0; i < MAX_SRC; i++) {
        int at = (int)(next_random() % (uint32_t)(i + 1));
        place[i] = place[at];
        place[at] = i;
    }
}

static void check_permuted(struct bench *bench)
{
    struct encoding moved;
    struct decoder decoder;
    struct error err;
    int place[MAX_SRC];
    shuffle(place);
    permute(&moved, bench, &bench->arena, place);
    assert_true(decoder_init(&decoder, &bench->arena, &bench->dir->network, &moved, 1,
                             200, run_at(1), &err));
    for (int t = 0; t < MAX_STEPS; t++) {
        decoder_step(&bench->decoder);
        decoder_step(&decoder);
        // At first only the softmax's sum rounds otherwise; then the blend does.
        float slack = t == 0 ? 1e-6f : 1e-3f;
        for (int i = 0; i < MAX_SRC; i++)
            assert_true(fabsf(decoder.alpha[place[i]] - bench->decoder.alpha[i]) <=
                        slack);
        decoder_feed(&bench->decoder, decoder_best(&bench->decoder, 0));
        decoder_feed(&decoder, decoder_best(&bench->decoder, 0));
    }
}

// Every time another sentence and another order.
static void permuting_the_memory_permutes_the_weights(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int round = 0; round < PERMUTATIONS; round++) {
            struct bench bench;
            bench_open(&bench, models[m]);
            if (bench.dir->network.config.score != SCORE_NONE)
                check_permuted(&bench);
            bench_close(&bench);
        }
}

static void bad_input_is_one_sentence(void **state)
{
    struct bench bench;
    struct encoding encoding;
    struct decoder decoder;
    struct error err = {0};
    const int negative[] = {4, -1, 2}, large[] = {4, 2, 1 << 20};
    (void)state;
    bench_open(&bench, models[0]);
    const struct network *network = &bench.dir->network;
    assert_false(encoder_run(&encoding, &bench.arena, network, negative, 3, &err));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_string_equal(err.text, "token 1 has the id -1, expected one from 0 to 100");
    assert_false(encoder_run(&encoding, &bench.arena, network, large, 3, &err));
    assert_string_equal(err.text,
                        "token 2 has the id 1048576, expected one from 0 to 100");
    assert_false(encoder_run(&encoding, &bench.arena, network, large, 0, &err));
    for (int i = 0; i < 3; i++) {
        const float bad[] = {-0.5f, NAN, -INFINITY};
        err = (struct error){0};
        assert_false(decoder_init(&decoder, &bench.arena, network, &bench.encoding, 1,
                                  200, run_at(bad[i]), &err));
        assert_int_equal(err.code, ERR_USAGE);
        assert_non_null(strstr(err.text, "expected a number from 0 to infinity"));
    }
    bench_close(&bench);
}

static void memory_that_runs_short_is_an_error(void **state)
{
    struct bench bench;
    (void)state;
    bench_open(&bench, models[1]);
    int succeeded = 0;
    for (size_t bytes = 64; bytes < 65536 && !succeeded; bytes += 64) {
        struct arena small;
        struct encoding encoding;
        struct decoder decoder;
        struct error err = {0};
        arena_init(&small, bytes);
        bool ok = encoder_run(&encoding, &small, &bench.dir->network, bench.ids,
                              bench.n_src, &err) &&
                  decoder_init(&decoder, &small, &bench.dir->network, &encoding, 1, 200,
                               run_at(1), &err);
        if (!ok)
            assert_int_equal(err.code, ERR_NOMEM);
        succeeded += ok;
        arena_finish(&small);
    }
    assert_int_equal(succeeded, 1);
    bench_close(&bench);
}

// A step takes nothing from the arena.
static void the_loop_allocates_nothing(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        struct bench bench;
        struct record record;
        bench_open(&bench, models[m]);
        size_t used = bench.arena.used_bytes;
        run_decoder(&bench.decoder, &record);
        decoder_restart(&bench.decoder, run_at(2));
        run_decoder(&bench.decoder, &record);
        assert_int_equal(bench.arena.used_bytes, used);
        bench_close(&bench);
    }
}

static void the_scorers_know_themselves(void **state)
{
    (void)state;
    for (int score = 0; score < SCORE_COUNT; score++) {
        const struct scorer *scorer = scorer_of((enum score)score);
        assert_int_equal(scorer->fill == NULL, score == SCORE_NONE);
    }
}

// Looks at one position alone in one step, and nowhere else.
struct glance {
    int step, position;
};

static void glance(void *context, int step, float *alpha, int n)
{
    const struct glance *at = context;
    if (step != at->step)
        return;
    memset(alpha, 0, (size_t)n * sizeof *alpha);
    alpha[at->position] = 1;
}

// p of tokens[step] after a whole run that looks so.
static double glanced(struct bench *bench, const int *tokens, struct glance at)
{
    struct run_options options = run_at(1);
    options.alter = glance;
    options.alter_context = &at;
    decoder_restart(&bench->decoder, options);
    for (int t = 0; t < at.step; t++) {
        decoder_step(&bench->decoder);
        decoder_feed(&bench->decoder, tokens[t]);
    }
    decoder_step(&bench->decoder);
    return exp(
        (double)(bench->decoder.logits[tokens[at.step]] - bench->decoder.log_sum[0]));
}

// p(i | y) = α_i p(y | c = h_i) / Σ, with each p from a run of its own.
static void check_posterior(struct bench *bench, const int *tokens, int step,
                            const float *alpha, const float *posterior)
{
    double joint[MAX_SRC], sum = 0;
    for (int i = 0; i < MAX_SRC; i++)
        sum += joint[i] =
            (double)alpha[i] * glanced(bench, tokens, (struct glance){step, i});
    for (int i = 0; i < MAX_SRC; i++)
        assert_true(fabs(joint[i] / sum - (double)posterior[i]) < 1e-4);
    assert_true(fabs(sum_of(posterior, MAX_SRC) - 1) < 1e-5);
}

static void the_posterior_is_that_of_bayes(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        struct bench bench;
        struct posterior of;
        struct error err = {0};
        int tokens[MAX_STEPS];
        float alpha[MAX_STEPS][MAX_SRC], posterior[MAX_STEPS][MAX_SRC];
        bench_open(&bench, models[m]);
        const struct network *network = &bench.dir->network;
        if (posterior_known(&network->config)) {
            assert_true(posterior_init(&of, &bench.arena, network, &bench.encoding,
                                       MAX_STEPS, run_at(1), &err));
            for (int t = 0; t < MAX_STEPS; t++) {
                posterior_before(&of, &bench.decoder);
                decoder_step(&bench.decoder);
                tokens[t] = (int)(next_random() % (uint32_t)network->config.target_vocab);
                memcpy(alpha[t], bench.decoder.alpha, sizeof alpha[t]);
                assert_true(posterior_of(&of, alpha[t], tokens[t], posterior[t]));
                decoder_feed(&bench.decoder, tokens[t]);
            }
            for (int t = 0; t < MAX_STEPS; t += 5)
                check_posterior(&bench, tokens, t, alpha[t], posterior[t]);
        }
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_repeats_bit_for_bit),
        cmocka_unit_test(decoding_is_finite_at_every_temperature),
        cmocka_unit_test(candidates_are_in_order),
        cmocka_unit_test(the_posterior_is_that_of_bayes),
        cmocka_unit_test(ties_go_to_the_lower_id),
        cmocka_unit_test(hypotheses_do_not_depend_on_each_other),
        cmocka_unit_test(permuting_the_memory_permutes_the_weights),
        cmocka_unit_test(bad_input_is_one_sentence),
        cmocka_unit_test(memory_that_runs_short_is_an_error),
        cmocka_unit_test(the_loop_allocates_nothing),
        cmocka_unit_test(the_scorers_know_themselves),
    };
    return cmocka_run_group_tests_name("engine properties", tests, NULL, NULL);
}
