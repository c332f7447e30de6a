// SPDX-License-Identifier: MIT
// Transformers against NumPy's float64: the raw scores e and the weights alpha of every
// head of every layer, the encoder's output, the state, the logits and the best tokens,
// within 1e-5 of the largest magnitude of the row, or of 1/4 where its sums nearly
// cancel; directories in the layout of Hugging Face's MarianMT among them. With the plain
// kernels and with the best ones of this machine. vaswani_dumps.py wrote the dumps and
// says how they read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "engine/transformer_run.h"
#include "formats/model_dir.h"

enum { MAX_STEPS = 8, ARENA = 16 << 20 };

struct run { // one model's dump with one set of kernels
    struct dump dump;
    bool bundled;
    const struct kernels *kernels;
    struct model_dir *dir;
    struct arena arena;
    struct encoding encoding;
    struct decoder decoder;
    int sentence, step, steps, heads;
    double tau, worst; // difference / largest magnitude
};

static const struct model_config *config_of(const struct run *run)
{
    return &run->dir->network.config;
}

static void compare(struct run *run, const char *what, const float *got,
                    const float *want, int n)
{
    double largest = 0.25, bound = 1e-5;
    for (int i = 0; i < n; i++)
        if (isfinite(want[i]))
            largest = fmax(largest, fabs((double)want[i]));
    for (int i = 0; i < n; i++) {
        if (isinf(want[i])) { // masked
            assert_true(got[i] <= -1e30F);
            continue;
        }
        double difference = fabs((double)got[i] - (double)want[i]) / largest;
        if (!(difference <= bound))
            fail_msg("%s (%s), sentence %d, tau %g, step %d: %s[%d] is %.7g, NumPy has "
                     "%.7g: %.2g of the largest magnitude",
                     run->dump.name, run->kernels->name, run->sentence, run->tau,
                     run->step, what, i, (double)got[i], (double)want[i], difference);
        run->worst = fmax(run->worst, difference);
    }
}

// The two lines that follow the name of a head.
static void compare_row(struct run *run, const char *what, struct head_row row)
{
    float want[DUMP_MAX_VALUES];
    char name[80];
    assert_true(row.n > 0);
    snprintf(name, sizeof name, "e of %s", what);
    assert_int_equal(dump_floats(dump_expect(&run->dump, "e"), want), row.n);
    compare(run, name, row.e, want, row.n);
    snprintf(name, sizeof name, "alpha of %s", what);
    assert_int_equal(dump_floats(dump_expect(&run->dump, "alpha"), want), row.n);
    compare(run, name, row.alpha, want, row.n);
    run->heads++;
}

static void compare_encoder(struct run *run)
{
    int layer, head, row;
    char *rest;
    while ((rest = dump_after(&run->dump, "encoder"))) {
        char what[64];
        snprintf(what, sizeof what, "encoder %.40s", rest);
        assert_int_equal(sscanf(rest, "%d %d %d", &layer, &head, &row), 3);
        compare_row(run, what,
                    encoding_self_row(&run->encoding, config_of(run), layer, head, row));
        assert_true(dump_next(&run->dump));
    }
}

static void compare_memory(struct run *run)
{
    float want[DUMP_MAX_VALUES];
    int d = config_of(run)->transformer.width, row, at;
    char *rest;
    while ((rest = dump_after(&run->dump, "memory"))) {
        assert_int_equal(sscanf(rest, "%d %n", &row, &at), 1);
        assert_int_equal(dump_floats(rest + at, want), d);
        compare(run, "memory", run->encoding.memory + (size_t)row * (size_t)d, want, d);
        assert_true(dump_next(&run->dump));
    }
}

static void compare_heads(struct run *run)
{
    const struct transformer_config *t = &config_of(run)->transformer;
    char self[64], cross[64];
    for (int layer = 0; layer < t->decoder.layers; layer++) {
        for (int head = 0; head < t->decoder.heads; head++) {
            snprintf(self, sizeof self, "self %d %d", layer, head);
            assert_true(dump_next(&run->dump));
            assert_string_equal(run->dump.line, self);
            compare_row(run, self, decoder_self_row(&run->decoder, 0, layer, head));
        }
        for (int head = 0; head < t->decoder.heads; head++) {
            snprintf(cross, sizeof cross, "cross %d %d", layer, head);
            assert_true(dump_next(&run->dump));
            assert_string_equal(run->dump.line, cross);
            compare_row(run, cross, decoder_cross_row(&run->decoder, 0, layer, head));
        }
    }
}

static void compare_state(struct run *run)
{
    float want[DUMP_MAX_VALUES], got[DUMP_MAX_VALUES];
    const struct model_config *c = config_of(run);
    int n = dump_floats(dump_expect(&run->dump, "state"), want);
    assert_int_equal(n, c->transformer.width);
    compare(run, "state", decoder_state(&run->decoder, 0), want, n);
    n = dump_floats(dump_expect(&run->dump, "logits"), want);
    got[0] = run->decoder.log_sum[0];
    for (int i = 1; i < n; i++)
        got[i] = run->decoder.logits[4 * (i - 1)];
    assert_true(n > c->target_vocab / 4 || run->bundled);
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
    assert_int_equal(ids[0], decoder_best(&run->decoder, 0));
}

static void compare_step(struct run *run)
{
    int want;
    assert_int_equal(sscanf(run->dump.line, "step %d", &want), 1);
    decoder_step(&run->decoder);
    compare_heads(run);
    compare_state(run);
    compare_top(run);
    assert_int_equal(decoder_best(&run->decoder, 0), want);
    decoder_feed(&run->decoder, want);
    run->step++;
    run->steps++;
}

static void compare_tokens(struct run *run, const char *text, const int *ids, int n)
{
    struct token tokens[DUMP_MAX_VALUES];
    struct error err = {0};
    int count;
    if (!tokenizer_encode(run->dir->source, text, strlen(text), tokens, DUMP_MAX_VALUES,
                          &count, &err))
        fail_msg("%s: %s", run->dump.name, err.text);
    assert_int_equal(count, config_of(run)->source_eos ? n - 1 : n);
    for (int i = 0; i < count; i++)
        assert_int_equal(tokens[i].id, ids[i]);
}

static void compare_sentence(struct run *run)
{
    char text[DUMP_MAX_LINE];
    int ids[DUMP_MAX_VALUES], at = 0;
    struct error err = {0};
    assert_int_equal(sscanf(run->dump.line, "sentence %lf %n", &run->tau, &at), 1);
    run->sentence++;
    snprintf(text, sizeof text, "%s", run->dump.line + at);
    int n = dump_ids(dump_expect(&run->dump, "source"), ids);
    compare_tokens(run, text, ids, n);
    arena_reset(&run->arena);
    if (!encoder_run_with(run->kernels, &run->encoding, &run->arena, &run->dir->network,
                          ids, n, &err) ||
        !decoder_init(&run->decoder, &run->arena, &run->dir->network, &run->encoding, 1,
                      MAX_STEPS, run_at((float)run->tau), &err))
        fail_msg("%s: %s", run->dump.name, err.text);
    run->decoder.kernels = run->kernels;
    run->step = 0;
    assert_true(dump_next(&run->dump));
    compare_encoder(run);
    compare_memory(run);
    for (; strcmp(run->dump.line, "end") != 0; assert_true(dump_next(&run->dump)))
        compare_step(run);
    assert_true(run->step > 0);
}

static struct model_dir *open_model(const char *model, bool bundled)
{
    char root[4096], path[4200];
    struct error err = {0};
    if (bundled)
        assert_true(data_path("models", root, sizeof root));
    else
        snprintf(root, sizeof root, "%s/golden/transformers", ALPHASCOPE_TESTS);
    snprintf(path, sizeof path, "%s/%s", root, model);
    struct model_dir *dir = model_dir_open(path, &err);
    if (!dir)
        fail_msg("%s", err.text);
    return dir;
}

static bool is_bundled(const char *model)
{
    return strncmp(model, "en-fr-", 6) == 0;
}

static void compare_model(const char *model, const struct kernels *kernels)
{
    static struct run run;
    char path[4096];
    run = (struct run){
        .dump.name = model, .bundled = is_bundled(model), .kernels = kernels};
    snprintf(path, sizeof path, "%s/golden/transformers/%s.txt", ALPHASCOPE_TESTS, model);
    run.dump.file = fopen(path, "r");
    assert_non_null(run.dump.file);
    run.dir = open_model(model, run.bundled);
    arena_init(&run.arena, ARENA);
    while (dump_next(&run.dump))
        compare_sentence(&run);
    arena_finish(&run.arena);
    model_dir_close(run.dir);
    fclose(run.dump.file);
    assert_in_range(run.sentence, 5, 6);
    assert_true(run.heads > 40);
    print_message("# %s (%s): %d steps, %d rows, at most %.1e of the largest magnitude\n",
                  model, kernels->name, run.steps, run.heads, run.worst);
}

static void plain_kernels_agree(void **state)
{
    compare_model(*state, &kernels_plain);
}

static void best_kernels_agree(void **state)
{
    compare_model(*state, kernels_best());
}

enum { MAX_MODELS = 40 };
static char models[MAX_MODELS][64]; // one for each dump

static void every_value_of_every_fact_is_compared(void **state)
{
    unsigned norm = 0, activation = 0, positions = 0, flags[8] = {0};
    int offset = 0, masked = 0;
    (void)state;
    for (int i = 0; i < MAX_MODELS && models[i][0]; i++) {
        if (is_bundled(models[i]))
            continue;
        struct model_dir *dir = open_model(models[i], false);
        const struct model_config *c = &dir->network.config;
        const struct transformer_config *t = &c->transformer;
        const bool both[] = {t->top_norm,           t->embedding_scaled,
                             t->shared_embedding,   c->tied,
                             c->output_bias,        c->source_eos,
                             t->position_count > 0, t->start == c->pad};
        norm |= 1u << t->norm;
        activation |= 1u << t->activation;
        positions |= 1u << t->positions;
        offset |= t->position_offset;
        masked = c->n_masked > masked ? c->n_masked : masked;
        for (size_t k = 0; k < sizeof both; k++)
            flags[k] |= both[k] ? 2u : 1u;
        model_dir_close(dir);
    }
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        assert_int_equal(flags[k], 3); // both true and false
    assert_int_equal(norm, 3);
    assert_int_equal(activation, 15);
    assert_int_equal(positions, 15);
    assert_true(offset > 0 && masked > 1);
}

static int is_dump(const struct dirent *item)
{
    const char *dot = strrchr(item->d_name, '.');
    return dot && strcmp(dot, ".txt") == 0;
}

static size_t find_dumps(void)
{
    struct dirent **items = NULL;
    int count =
        scandir(ALPHASCOPE_TESTS "/golden/transformers", &items, is_dump, alphasort);
    for (int i = 0; i < count; i++) {
        if (i < MAX_MODELS)
            snprintf(models[i], sizeof models[i], "%.*s",
                     (int)strlen(items[i]->d_name) - 4, items[i]->d_name);
        free(items[i]);
    }
    free(items);
    return (size_t)(count < MAX_MODELS ? count : MAX_MODELS);
}

int main(void)
{
    static char names[2 * MAX_MODELS][96];
    static struct CMUnitTest tests[2 * MAX_MODELS + 1];
    size_t count = 0, dumps = find_dumps();
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
    return _cmocka_run_group_tests("transformers", tests, count, NULL, NULL);
}
