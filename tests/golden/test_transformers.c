// SPDX-License-Identifier: MIT
// Transformers against NumPy's float64: the raw scores e and the weights alpha of every
// head of every layer, the encoder's output, the state, the logits and the best tokens,
// within agree_bound of the largest magnitude of the row, or of 1/4 where its sums nearly
// cancel; directories in the layout of Hugging Face's MarianMT among them. With the plain
// kernels and with the best ones of this machine. vaswani_dumps.py wrote the dumps and
// says how they read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "agreement.h"
#include "engine/transformer_run.h"

static struct agree_models models;

static bool is_bundled(const char *model)
{
    return strncmp(model, "en-fr-", 6) == 0;
}

static const struct model_config *config_of(const struct agreement *run)
{
    return &run->dir->network.config;
}

// The two lines that follow the name of a head.
static void compare_row(struct agreement *run, const char *what, struct head_row row)
{
    float want[DUMP_MAX_VALUES];
    char name[80];
    assert_true(row.n > 0);
    snprintf(name, sizeof name, "e of %s", what);
    assert_int_equal(dump_floats(dump_expect(&run->dump, "e"), want), row.n);
    agree_values(run, name, row.e, want, row.n);
    snprintf(name, sizeof name, "alpha of %s", what);
    assert_int_equal(dump_floats(dump_expect(&run->dump, "alpha"), want), row.n);
    agree_values(run, name, row.alpha, want, row.n);
    run->rows++;
}

static void compare_encoder(struct agreement *run)
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

static void compare_heads(struct agreement *run)
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

static void compare_state(struct agreement *run)
{
    float want[DUMP_MAX_VALUES], got[DUMP_MAX_VALUES];
    const struct model_config *c = config_of(run);
    agree_line(run, "state", decoder_state(&run->decoder, 0), c->transformer.width);
    int n = dump_floats(dump_expect(&run->dump, "logits"), want);
    got[0] = run->decoder.log_sum[0];
    for (int i = 1; i < n; i++)
        got[i] = run->decoder.logits[4 * (i - 1)];
    assert_true(n > c->target_vocab / 4 || is_bundled(run->dump.name));
    agree_values(run, "logits", got, want, n);
}

static void compare_step(struct agreement *run)
{
    compare_heads(run);
    compare_state(run);
}

static void compare_sentence(struct agreement *run)
{
    agree_read(run);
    agree_begin(run);
    compare_encoder(run);
    assert_true(agree_memory(run) > 0);
    agree_steps(run, compare_step);
}

static void compare_model(const char *model, const struct kernels *kernels)
{
    struct agreement run = {.dump.name = model,
                            .kernels = kernels,
                            .reference = "NumPy",
                            .bound = agree_bound(kernels),
                            .least = 0.25,
                            .most_steps = 8};
    agree_model(&run, "transformers",
                agree_open(is_bundled(model) ? NULL : "transformers", model),
                compare_sentence);
    assert_in_range(run.sentence, 5, 6);
    assert_true(run.rows > 40);
    print_message("# %s (%s): %d steps, %d rows, at most %.1e of the largest magnitude\n",
                  model, kernels->name, run.steps, run.rows, run.worst);
}

static void every_value_of_every_fact_is_compared(void **state)
{
    unsigned norm = 0, activation = 0, positions = 0, flags[8] = {0};
    int offset = 0, masked = 0;
    (void)state;
    for (int i = 0; i < models.count; i++) {
        if (is_bundled(models.name[i]))
            continue;
        struct model_dir *dir = agree_open("transformers", models.name[i]);
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

int main(void)
{
    const struct CMUnitTest first[] = {
        cmocka_unit_test(every_value_of_every_fact_is_compared),
    };
    agree_find(&models, "transformers");
    return agree_run("transformers", &models, first, 1, compare_model);
}
