// SPDX-License-Identifier: MIT
// What an encoder keeps of the last sentence changes no bit of the next, whatever was
// edited: for every kind of network, and from the text on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/score.h"
#include "every_network.h"
#include "tiny_model.h"
#include "translate/translator.h"

enum { EDITS = SANITIZED ? 10 : 40, MOST = 150 };

struct sentence {
    int ids[MOST], n;
};

static void replace(struct sentence *s, int at, int gone, int come, int vocab)
{
    int rest = s->n - at - gone;
    memmove(s->ids + at + come, s->ids + at + gone, (size_t)rest * sizeof *s->ids);
    for (int i = 0; i < come; i++)
        s->ids[at + i] = next_random(vocab);
    s->n += come - gone;
}

// As people type: a little more, a little less, something else in the middle; rarely all.
static void edit(struct sentence *s, int vocab)
{
    int kind = next_random(8), at = next_random(s->n), come = next_random(3);
    int gone = next_random(s->n - at < 3 ? s->n - at : 3);
    if (kind == 0)
        replace(s, 0, s->n, 1 + next_random(MOST), vocab);
    else if (kind == 1)
        replace(s, s->n, 0, s->n < MOST ? 1 : 0, vocab);
    else if (kind == 2 && s->n > 1)
        replace(s, s->n - 1, 1, 0, vocab);
    else if (s->n + come - gone >= 1 && s->n + come - gone <= MOST)
        replace(s, at, gone, come, vocab);
}

static void same_floats(const float *a, const float *b, int n)
{
    assert_true(!a == !b);
    if (a)
        assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

static void same_encoding(const struct encoding *a, const struct encoding *b,
                          const struct model_config *c)
{
    int n = a->n_src, states = c->decoder_layers * c->decoder_hidden;
    assert_int_equal(n, b->n_src);
    same_floats(a->memory, b->memory, n * model_memory_width(c));
    if (a->keys != a->memory)
        same_floats(a->keys, b->keys, n * scorer_key_width(c));
    same_floats(a->fertility, b->fertility, n);
    same_floats(a->summary, b->summary, model_summary_width(c));
    same_floats(a->state0, b->state0, states);
    same_floats(a->memory0, b->memory0, states);
}

static void check_model(const struct network *network)
{
    int vocab = network->config.source_vocab;
    struct sentence sentence = {.n = 1};
    struct encoder_cache cache = {0};
    struct arena arena;
    arena_init(&arena, 64 << 20);
    for (int i = 0; i < EDITS; i++) {
        struct encoding fresh, again;
        struct sentence before = sentence;
        int ends[2] = {0};
        edit(&sentence, vocab);
        arena_reset(&arena);
        assert_true(encoder_run(&fresh, &arena, network, sentence.ids, sentence.n, NULL));
        assert_true(encoder_run_again(&cache, &again, &arena, network, sentence.ids,
                                      sentence.n, NULL));
        same_encoding(&fresh, &again, &network->config);
        int least = before.n < sentence.n ? before.n : sentence.n;
        while (ends[0] < least && before.ids[ends[0]] == sentence.ids[ends[0]])
            ends[0]++;
        while (ends[1] < least && before.ids[before.n - 1 - ends[1]] ==
                                      sentence.ids[sentence.n - 1 - ends[1]])
            ends[1]++;
        // Growing may have cost what was kept; else all that is shared is taken over.
        for (int d = 0; d < 2 && i && cache.reused[0] + cache.reused[1]; d++)
            assert_int_equal(cache.reused[d], ends[d]);
    }
    arena_finish(&arena);
    encoder_cache_finish(&cache);
}

static void no_bit_depends_on_the_sentence_before(void **state)
{
    (void)state;
    for_every_network(check_model);
}

static void typing_at_the_end_reuses_what_stands_before(void **state)
{
    static struct tiny tiny;
    (void)state;
    struct encoder_cache cache = {0};
    struct encoding out;
    struct arena arena;
    int ids[200];
    assert_true(tiny_open(&tiny, SCORE_DOT));
    arena_init(&arena, 64 << 20);
    for (int i = 0; i < 200; i++)
        ids[i] = 4 + i % 100;
    for (int n = 1; n <= 200; n++) {
        arena_reset(&arena);
        assert_true(encoder_run_again(&cache, &out, &arena, &tiny.network, ids, n, NULL));
        bool grown = n == 1 || n == 65 || n == 129;
        assert_int_equal(cache.reused[0], grown ? 0 : n - 1);
    }
    arena_finish(&arena);
    encoder_cache_finish(&cache);
    tiny_close(&tiny);
}

// A cache of another network is of no use, and is none.
static void networks_do_not_share(void **state)
{
    static struct tiny tiny[2];
    const int ids[] = {5, 6, 7, 2};
    struct encoder_cache cache = {0};
    struct arena arena;
    (void)state;
    assert_true(tiny_open(&tiny[0], SCORE_DOT) && tiny_open(&tiny[1], SCORE_DOT));
    for (int i = 0; i < TINY_WEIGHTS; i++)
        tiny[1].weights[i] *= 0.5f;
    arena_init(&arena, 1 << 20);
    for (int i = 0; i < 6; i++) {
        const struct network *network = &tiny[i % 2].network;
        struct encoding fresh, again;
        assert_true(encoder_run(&fresh, &arena, network, ids, 4, NULL));
        assert_true(encoder_run_again(&cache, &again, &arena, network, ids, 4, NULL));
        same_encoding(&fresh, &again, &network->config);
    }
    arena_finish(&arena);
    encoder_cache_finish(&cache);
    tiny_close(&tiny[0]);
    tiny_close(&tiny[1]);
}

static void random_text(char *text)
{
    static const char *const parts[] = {"a", "b", " ", "aa", " the", " dog", "\xc3\xa9"};
    text[0] = '\0';
    for (int i = next_random(9); i >= 0; i--)
        strcat(text, parts[next_random(7)]);
}

static void sessions_do_not_remember(void **state)
{
    static struct tiny tiny;
    char text[128];
    (void)state;
    assert_true(tiny_open(&tiny, SCORE_ADDITIVE));
    struct session *session = session_create(&tiny.translator, NULL);
    for (int i = 0; i < 500; i++) {
        struct session *other = session_create(&tiny.translator, NULL);
        random_text(text);
        struct alignment *a = session_run(session, text, strlen(text), run_at(1), NULL);
        struct alignment *b = session_run(other, text, strlen(text), run_at(1), NULL);
        assert_true(a && b);
        size_t count = (size_t)alignment_rows(a) * (size_t)a->n_src;
        assert_int_equal(alignment_rows(a), alignment_rows(b));
        assert_memory_equal(a->alpha, b->alpha, count * sizeof *a->alpha);
        assert_memory_equal(a->score, b->score, count * sizeof *a->score);
        alignment_destroy(a);
        alignment_destroy(b);
        session_destroy(other);
    }
    session_destroy(session);
    tiny_close(&tiny);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bit_depends_on_the_sentence_before),
        cmocka_unit_test(typing_at_the_end_reuses_what_stands_before),
        cmocka_unit_test(networks_do_not_share),
        cmocka_unit_test(sessions_do_not_remember),
    };
    return cmocka_run_group_tests_name("cache_properties", tests, NULL, NULL);
}
