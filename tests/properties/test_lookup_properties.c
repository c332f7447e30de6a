// SPDX-License-Identifier: MIT
// Rows of tokens that are kept change no bit: of any model of tests/golden, when there is
// no room for more, and while several threads make them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/decoder.h"
#include "engine/lookup.h"
#include "engine/score.h"
#include "every_network.h"

enum { SOURCE = 7, STEPS = 6, MAX_VALUES = 1 << 16 };

struct values { // all that a run gives, one behind the other
    float at[MAX_VALUES];
    int n;
};

static void add(struct values *out, const float *from, int n)
{
    assert_true(out->n + n <= MAX_VALUES);
    memcpy(out->at + out->n, from, (size_t)n * sizeof *from);
    out->n += n;
}

static void run(struct values *out, const struct network *network, const int *ids,
                const int *tokens)
{
    const struct model_config *c = &network->config;
    struct encoding encoding;
    struct decoder decoder;
    struct arena arena;
    out->n = 0;
    arena_init(&arena, 64 << 20);
    assert_true(encoder_run(&encoding, &arena, network, ids, SOURCE, NULL));
    add(out, encoding.memory, SOURCE * model_memory_width(c));
    assert_true(
        decoder_init(&decoder, &arena, network, &encoding, 1, STEPS, run_at(1), NULL));
    for (int t = 0; t < STEPS; t++) {
        decoder_step(&decoder);
        add(out, decoder_state(&decoder, 0), c->decoder_hidden);
        add(out, decoder.logits, c->target_vocab);
        decoder_feed(&decoder, tokens[t]);
    }
    arena_finish(&arena);
}

// Without rows, while they are made, and when they are there.
static void check_model(const struct network *network)
{
    static struct values without, with;
    struct network bare = *network;
    int ids[SOURCE], tokens[STEPS];
    bare.lookups = NULL;
    assert_non_null(network->lookups);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < SOURCE; k++)
            ids[k] = next_random(network->config.source_vocab);
        for (int k = 0; k < STEPS; k++)
            tokens[k] = next_random(network->config.target_vocab);
        run(&without, &bare, ids, tokens);
        for (int again = 0; again < 2; again++) {
            run(&with, network, ids, tokens);
            assert_int_equal(with.n, without.n);
            assert_memory_equal(with.at, without.at, (size_t)with.n * sizeof *with.at);
        }
    }
}

static void no_bit_depends_on_rows_that_are_kept(void **state)
{
    (void)state;
    for_every_network(check_model);
}

enum { WIDTH = 2, HIDDEN = 4096, ROW = 3 * HIDDEN, THREADS = 4 };
enum { ROOM = LOOKUP_MAX_BYTES / (ROW * 4), TOKENS = ROOM + 50 };

struct wide { // an encoder whose rows are so long that only some find room
    struct network network;
    float embeddings[TOKENS * WIDTH], w[ROW * WIDTH], bias[ROW];
};

static void wide_open(struct wide *wide)
{
    struct network *network = &wide->network;
    *network = (struct network){.config = {.family = FAMILY_RECURRENT,
                                           .encoder_cell = CELL_GRU_PYTORCH,
                                           .decoder_cell = CELL_GRU_PYTORCH,
                                           .source_embedding = WIDTH,
                                           .target_embedding = WIDTH,
                                           .encoder_hidden = HIDDEN,
                                           .decoder_input = {1, {PART_CONTEXT}},
                                           .readout_input = {1, {PART_STATE}}}};
    for (int i = 0; i < TOKENS * WIDTH; i++)
        wide->embeddings[i] = (float)next_random(2000) - 1000;
    for (int i = 0; i < ROW * WIDTH; i++)
        wide->w[i] = (float)next_random(2000) - 1000;
    for (int i = 0; i < ROW; i++)
        wide->bias[i] = (float)next_random(2000) - 1000;
    network->src_embed = (struct tensor){wide->embeddings, DTYPE_F32, TOKENS, WIDTH, 0};
    network->forward[0].w_ih = (struct tensor){wide->w, DTYPE_F32, ROW, WIDTH, 0};
    network->forward[0].b_ih = (struct tensor){wide->bias, DTYPE_F32, ROW, 1, 0};
    network->lookups = lookups_create(network);
    assert_non_null(network->lookups);
}

// Small whole numbers: exact in whatever order they are summed. Instrumented code looks
// at some of a row, others in each.
static bool is_right(const struct wide *wide, int token, const float *row)
{
    enum { STEP = SANITIZED ? 7 : 1 };
    const float *e = wide->embeddings + token * WIDTH;
    bool right = true;
    for (int i = token % STEP; i < ROW; i += STEP) {
        const float *w = wide->w + i * WIDTH;
        right = right && row[i] == w[0] * e[0] + w[1] * e[1] + wide->bias[i];
    }
    return right;
}

static const float *look_up(const struct wide *wide, int token, float *spare)
{
    return lookup_row(&wide->network, kernels_best(), LOOKUP_FORWARD, token, spare);
}

static void what_finds_no_room_is_made_each_time(void **state)
{
    static struct wide wide;
    static float spare[ROW];
    int kept = 0;
    (void)state;
    wide_open(&wide);
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < TOKENS; i++) {
            const float *row = look_up(&wide, i, spare);
            kept += row != spare;
            assert_true(is_right(&wide, i, row));
        }
    assert_int_equal(kept, 2 * ROOM);
    assert_ptr_equal(look_up(&wide, 0, spare), look_up(&wide, 0, spare));
    assert_true(look_up(&wide, TOKENS - 1, spare) == spare);
    lookups_destroy(wide.network.lookups);
}

static void *look_up_all(void *context)
{
    const struct wide *wide = context;
    float *spare = malloc(ROW * sizeof *spare);
    bool right = spare != NULL;
    for (int i = 0; right && i < TOKENS; i++)
        right = is_right(wide, i, look_up(wide, i, spare));
    free(spare);
    return right ? context : NULL;
}

static void threads_make_the_same_rows(void **state)
{
    static struct wide wide;
    pthread_t threads[THREADS];
    (void)state;
    wide_open(&wide);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, look_up_all, &wide), 0);
    for (int i = 0; i < THREADS; i++) {
        void *right;
        assert_int_equal(pthread_join(threads[i], &right), 0);
        assert_non_null(right);
    }
    lookups_destroy(wide.network.lookups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bit_depends_on_rows_that_are_kept),
        cmocka_unit_test(what_finds_no_room_is_made_each_time),
        cmocka_unit_test(threads_make_the_same_rows),
    };
    return cmocka_run_group_tests_name("lookup_properties", tests, NULL, NULL);
}
