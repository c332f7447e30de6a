// SPDX-License-Identifier: MIT
// One layer of the encoder at one position against the encoder that runs whole: what is
// made again for the page is what the translation read, bit for bit, in every one of the
// golden Transformers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/block.h"
#include "engine/transformer_run.h"
#include "formats/model_dir.h"

enum { TOKENS = 7, ARENA_BYTES = 16 << 20 };

static const char *const names[] = {"pre",      "pre-open",    "post",    "post-top",
                                    "paper",    "fairseq",     "opennmt", "learned",
                                    "one-head", "narrow-heads"};
enum { NAMES = sizeof names / sizeof *names };

static struct model_dir *open_model(const char *name)
{
    char path[4096];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/golden/transformers/%s", getenv("ALPHASCOPE_TESTS"),
             name);
    struct model_dir *dir = model_dir_open(path, &err);
    if (!dir)
        fail_msg("%s", err.text);
    return dir;
}

static void fill_ids(const struct network *network, int *ids)
{
    for (int i = 0; i < TOKENS; i++)
        ids[i] = (5 + 3 * i) % network->config.source_vocab;
}

static struct block make(struct arena *arena, const struct network *network,
                         const int *ids, int layer, int position)
{
    struct block block;
    struct error err = {0};
    if (!block_make(&block, arena, network, ids, TOKENS, layer, position, &err))
        fail_msg("%s", err.text);
    return block;
}

static void assert_same(const float *a, const float *b, int n)
{
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

static void compare_heads(const struct block *block, const struct encoding *encoding,
                          const struct model_config *config)
{
    for (int h = 0; h < block->heads; h++) {
        struct head_row row =
            encoding_self_row(encoding, config, block->layer, h, block->position);
        assert_int_equal(row.n, TOKENS);
        assert_same(block->e + h * TOKENS, row.e, TOKENS);
        assert_same(block->alpha + h * TOKENS, row.alpha, TOKENS);
    }
}

// Up the layers, each begins with what the one below it gave.
static void compare(const struct network *network)
{
    const struct transformer_config *t = &network->config.transformer;
    struct arena arena;
    struct encoding encoding;
    struct error err = {0};
    int ids[TOKENS], d = t->width;
    fill_ids(network, ids);
    arena_init(&arena, ARENA_BYTES);
    assert_true(encoder_run(&encoding, &arena, network, ids, TOKENS, &err));
    for (int i = 0; i < TOKENS; i += 3) {
        struct block below = make(&arena, network, ids, 0, i);
        assert_same(below.bottom, below.x, d);
        compare_heads(&below, &encoding, &network->config);
        for (int l = 1; l < t->encoder.layers; l++) {
            struct block block = make(&arena, network, ids, l, i);
            assert_same(below.out, block.x, d);
            compare_heads(&block, &encoding, &network->config);
            below = block;
        }
        if (!t->top_norm)
            assert_same(below.out, encoding.memory + i * d, d);
    }
    arena_finish(&arena);
}

static void test_every_layer_is_that_of_the_encoder(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        struct model_dir *dir = open_model(names[i]);
        compare(&dir->network);
        model_dir_close(dir);
    }
}

static void assert_near(float found, double expected)
{
    assert_true(fabs((double)found - expected) <= 1e-4 * (1 + fabs(expected)));
}

// The numbers between the ends, from each other in double.
static void test_steps_follow_from_each_other(void **state)
{
    (void)state;
    struct model_dir *dir = open_model("paper");
    struct arena arena;
    int ids[TOKENS];
    fill_ids(&dir->network, ids);
    arena_init(&arena, ARENA_BYTES);
    struct block b = make(&arena, &dir->network, ids, 1, 4);
    double dot = 0, blend = 0, mean = 0, variance = 0;
    int h = b.heads - 1, at = h * b.d_k;
    for (int k = 0; k < b.d_k; k++)
        dot += (double)b.q[at + k] * (double)b.k[2 * b.d + at + k];
    for (int j = 0; j < b.n; j++)
        blend += (double)b.alpha[h * b.n + j] * (double)b.v[j * b.d + at];
    assert_near(b.dots[h * b.n + 2], dot);
    assert_near(b.e[h * b.n + 2], dot / sqrt(b.d_k));
    assert_near(b.joined[at], blend);
    for (int i = 0; i < b.d; i++) {
        assert_near(b.scaled[i], sqrt(b.d) * (double)b.embedding[i]);
        assert_near(b.sum[i], (double)b.x[i] + (double)b.attended[i]);
        assert_near(b.second[i], (double)b.middle[i] + (double)b.fed[i]);
        mean += (double)b.second[i] / b.d;
    }
    for (int i = 0; i < b.d; i++)
        variance += pow((double)b.second[i] - mean, 2) / b.d;
    assert_true(variance > 0);
    for (int i = 0; i < b.ffn; i++)
        assert_true(b.hidden[i] >= 0); // ReLU
    arena_finish(&arena);
    model_dir_close(dir);
}

static void test_bad_ids_are_refused(void **state)
{
    (void)state;
    struct model_dir *dir = open_model("paper");
    struct arena arena;
    struct block block;
    struct error err = {0};
    int ids[TOKENS];
    fill_ids(&dir->network, ids);
    ids[3] = dir->network.config.source_vocab;
    arena_init(&arena, ARENA_BYTES);
    assert_false(block_make(&block, &arena, &dir->network, ids, TOKENS, 0, 0, &err));
    assert_non_null(strstr(err.text, "token 3 has the id"));
    arena_finish(&arena);
    arena_init(&arena, 2000);
    ids[3] = 1;
    assert_false(block_make(&block, &arena, &dir->network, ids, TOKENS, 0, 0, &err));
    assert_int_equal(err.code, ERR_NOMEM);
    arena_finish(&arena);
    model_dir_close(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_layer_is_that_of_the_encoder),
        cmocka_unit_test(test_steps_follow_from_each_other),
        cmocka_unit_test(test_bad_ids_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
