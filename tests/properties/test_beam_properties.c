// SPDX-License-Identifier: MIT
// What holds of every beam search: width 1 is greedy decoding, a forced result gives its
// own numbers, and the results are those of a search that keeps nothing but prefixes and
// decodes each from the start. And of the other options of the loop: dropout on α, words
// without probabilities.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/dropout.h"
#include "formats/model_dir.h"
#include "tiny_model.h"
#include "translate/beam.h"

enum {
    TINY_ROUNDS = SANITIZED ? 150 : 1500,
    NAIVE_ROUNDS = SANITIZED ? 30 : 150,
    SMALL_ROUNDS = SANITIZED ? 2 : 12, // of each small model of tests/golden
    LARGE_ROUNDS = SANITIZED ? 1 : 4,  // of each bundled one
};

static uint32_t seed = 20140910;

static uint32_t next_random(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

static float random_float(void)
{
    return (float)next_random(1 << 24) / (float)(1 << 24);
}

static struct beam random_beam(void)
{
    static const float lengths[] = {0, BEAM_LENGTH, 1, 2.5f};
    return (struct beam){1 + (int)next_random(SEARCH_MAX_WIDTH), lengths[next_random(4)]};
}

static void random_text(char *text, int pieces)
{
    static const char *const parts[] = {"a",        "b",      " ", "aa",  " the", " dog",
                                        "\xc3\xa9", " house", ".", " is", "1",    "s"};
    text[0] = '\0';
    for (int i = 0; i < pieces; i++)
        strcat(text, parts[next_random(sizeof parts / sizeof *parts)]);
}

static struct nbest beam_of(struct session *session, const char *text,
                            struct run_options options, struct beam beam, int most)
{
    struct nbest nbest;
    struct error err = {0};
    if (!session_beam(session, text, strlen(text), options, &beam, most, &nbest, &err))
        fail_msg("%s", err.text);
    return nbest;
}

static struct alignment *greedy_of(struct session *session, const char *text,
                                   struct run_options options)
{
    struct alignment *a = session_run(session, text, strlen(text), options, NULL);
    assert_non_null(a);
    return a;
}

// a and b are the same bit for bit, but for the room they were given.
static void same(const struct alignment *a, const struct alignment *b)
{
    size_t rows = (size_t)alignment_rows(a), n = (size_t)a->n_src;
    assert_int_equal(rows, alignment_rows(b));
    assert_int_equal(n, b->n_src);
    assert_int_equal(alignment_ended(a), alignment_ended(b));
    assert_true(a->tau == b->tau && a->has_attention == b->has_attention);
    for (size_t t = 0; t < rows; t++)
        assert_int_equal(a->target[t].id, b->target[t].id);
    assert_memory_equal(a->p, b->p, rows * sizeof *a->p);
    assert_memory_equal(a->query_norm, b->query_norm, rows * sizeof *a->query_norm);
    assert_memory_equal(a->context_norm, b->context_norm, rows * sizeof *a->p);
    assert_memory_equal(a->memory_norm, b->memory_norm, n * sizeof *a->memory_norm);
    assert_memory_equal(a->score, b->score, rows * n * sizeof *a->score);
    assert_memory_equal(a->alpha, b->alpha, rows * n * sizeof *a->alpha);
    for (size_t i = 0; i < rows * ALIGNMENT_TOP; i++) {
        assert_int_equal(a->top[i].id, b->top[i].id);
        assert_true(a->top[i].log_p == b->top[i].log_p);
    }
}

static struct alignment *forced_of(struct session *session, const char *text,
                                   const struct alignment *a, struct run_options options)
{
    int ids[ALIGNMENT_MAX_TGT], rows = alignment_rows(a);
    for (int t = 0; t < rows; t++)
        ids[t] = a->target[t].id;
    struct alignment *forced =
        session_force_ids(session, text, strlen(text), ids, rows, options, NULL);
    assert_non_null(forced);
    return forced;
}

static void check_width_one(struct session *session, const char *text,
                            struct run_options options)
{
    struct nbest nbest = beam_of(session, text, options, (struct beam){1, 0.6f}, 1);
    struct alignment *greedy = greedy_of(session, text, options);
    assert_int_equal(nbest.n, 1);
    same(greedy, nbest.at[0].alignment);
    assert_string_equal(greedy->translation, nbest.at[0].alignment->translation);
    alignment_destroy(greedy);
    nbest_finish(&nbest);
}

static void check_order(const struct nbest *nbest, struct beam beam)
{
    for (int i = 0; i < nbest->n; i++) {
        const struct hypothesis *h = &nbest->at[i];
        int rows = alignment_rows(h->alignment);
        double sum = 0;
        for (int t = 0; t < rows; t++)
            sum += log((double)h->alignment->p[t]);
        assert_true(fabs(sum - h->log_p) <= 1e-5 * (1 + fabs(sum)) || isinf(sum));
        double lp = pow((5 + rows) / 6.0, (double)beam.length);
        assert_true(h->score == h->log_p / lp);
        if (!i)
            continue;
        enum ended before = alignment_ended(nbest->at[i - 1].alignment),
                   ended = alignment_ended(h->alignment);
        assert_true(before == ENDED_EOS || ended == ENDED_LIMIT);
        assert_true(before != ended || nbest->at[i - 1].score >= h->score);
    }
}

static bool same_words(const struct alignment *a, const struct alignment *b)
{
    int rows = alignment_rows(a);
    bool equal = rows == alignment_rows(b);
    for (int t = 0; equal && t < rows; t++)
        equal = a->target[t].id == b->target[t].id;
    return equal;
}

static void check_beam(struct session *session, const char *text,
                       struct run_options options, struct beam beam)
{
    struct nbest nbest = beam_of(session, text, options, beam, beam.width);
    assert_true(nbest.n >= 1 && nbest.n <= beam.width);
    if (alignment_ended(nbest.at[0].alignment) == ENDED_EMPTY) {
        nbest_finish(&nbest);
        return;
    }
    assert_int_equal(nbest.n, beam.width);
    check_order(&nbest, beam);
    for (int i = 0; i < nbest.n; i++) {
        struct alignment *a = nbest.at[i].alignment;
        struct alignment *forced = forced_of(session, text, a, options);
        same(a, forced);
        alignment_destroy(forced);
        for (int k = 0; k < i; k++)
            assert_false(same_words(a, nbest.at[k].alignment));
    }
    nbest_finish(&nbest);
}

// A model that now and then says </s>, and one of 7 scorers.
static struct session *tiny_session(struct tiny *tiny)
{
    assert_true(tiny_open(tiny, (enum score)next_random(SCORE_COUNT)));
    tiny->bias[tiny->network.config.eos] = 3 + 5 * random_float();
    struct session *session = session_create(&tiny->translator, NULL);
    assert_non_null(session);
    return session;
}

static struct run_options random_options(void)
{
    static const float taus[] = {0, 0.3f, 1, 1, 3, INFINITY};
    struct run_options options = run_at(taus[next_random(6)]);
    if (next_random(4) == 0) {
        options.dropout = 0.9f * random_float();
        options.seed = next_random(1000);
    }
    return options;
}

static void random_searches_hold(void **state)
{
    (void)state;
    static struct tiny tiny;
    struct session *session = NULL;
    char text[128];
    for (int round = 0; round < TINY_ROUNDS; round++) {
        if (round % 50 == 0) {
            session_destroy(session);
            tiny_close(&tiny);
            session = tiny_session(&tiny);
        }
        random_text(text, (int)next_random(8));
        struct run_options options = random_options();
        check_width_one(session, text, options);
        check_beam(session, text, options, random_beam());
    }
    session_destroy(session);
    tiny_close(&tiny);
}

struct prefix {
    int ids[64], n;
    double sum;
    bool ended;
};

// The step after a prefix, decoded from the start: candidates by log p, best first.
static void after(struct session *session, const char *text, const struct prefix *prefix,
                  struct run_options options, struct candidate *top)
{
    int ids[64];
    memcpy(ids, prefix->ids, sizeof ids);
    ids[prefix->n] = 0;
    struct alignment *a =
        session_force_ids(session, text, strlen(text), ids, prefix->n + 1, options, NULL);
    assert_non_null(a);
    assert_int_equal(alignment_rows(a), prefix->n + 1);
    memcpy(top, a->top + prefix->n * ALIGNMENT_TOP, ALIGNMENT_TOP * sizeof *top);
    alignment_destroy(a);
}

// Candidates of prefix by prefix, so that what came first wins a tie.
static int grow(struct session *session, const char *text, struct run_options options,
                const struct prefix *from, int n, int places, struct prefix *to)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        struct candidate top[ALIGNMENT_TOP];
        after(session, text, &from[i], options, top);
        for (int k = 0; k < ALIGNMENT_TOP; k++) {
            struct prefix next = from[i];
            next.ids[next.n++] = top[k].id;
            next.sum += (double)top[k].log_p;
            int at = count < places ? count++ : places;
            for (; at > 0 && to[at - 1].sum < next.sum; at--)
                if (at < places)
                    to[at] = to[at - 1];
            if (at < places)
                to[at] = next;
        }
    }
    return count;
}

// Width at most ALIGNMENT_TOP: no more candidates are known of a prefix.
static int naive_search(struct session *session, const char *text,
                        struct run_options options, struct beam beam, int limit,
                        struct prefix *results)
{
    struct prefix now[ALIGNMENT_TOP] = {{.n = 0}}, next[ALIGNMENT_TOP];
    int n = 1, done = 0;
    for (int length = 1; n && length <= limit; length++) {
        int count = grow(session, text, options, now, n, beam.width - done, next);
        n = 0;
        for (int i = 0; i < count; i++) {
            next[i].ended = next[i].ids[next[i].n - 1] == 2;
            if (next[i].ended || length == limit)
                results[done++] = next[i];
            else
                now[n++] = next[i];
        }
    }
    return done;
}

static double score_of(const struct prefix *prefix, struct beam beam)
{
    return prefix->sum / pow((5 + prefix->n) / 6.0, (double)beam.length);
}

static const struct prefix *best_of(const struct prefix *results, int n, struct beam beam)
{
    const struct prefix *best = NULL;
    for (int i = 0; i < n; i++)
        if (results[i].n && (!best || results[i].ended > best->ended ||
                             (results[i].ended == best->ended &&
                              score_of(&results[i], beam) > score_of(best, beam))))
            best = &results[i];
    return best;
}

static void results_are_those_of_a_naive_search(void **state)
{
    (void)state;
    static struct tiny tiny;
    for (int round = 0; round < NAIVE_ROUNDS; round++) {
        struct session *session = tiny_session(&tiny);
        struct beam beam = random_beam();
        struct run_options options = random_options();
        char text[128] = "a";
        struct prefix results[ALIGNMENT_TOP];
        beam.width = 1 + beam.width % ALIGNMENT_TOP;
        random_text(text + 1, (int)next_random(3));
        struct nbest nbest = beam_of(session, text, options, beam, beam.width);
        int limit = 3 * nbest.at[0].alignment->n_src + 10;
        int n = naive_search(session, text, options, beam, limit, results);
        assert_int_equal(n, nbest.n);
        for (int i = 0; i < n; i++) {
            struct prefix *best = results + (best_of(results, n, beam) - results);
            const struct alignment *a = nbest.at[i].alignment;
            assert_int_equal(best->n, alignment_rows(a));
            for (int t = 0; t < best->n; t++)
                assert_int_equal(best->ids[t], a->target[t].id);
            assert_true(best->sum == nbest.at[i].log_p);
            best->n = 0; // taken
        }
        nbest_finish(&nbest);
        session_destroy(session);
        tiny_close(&tiny);
    }
}

static void for_every_model(const char *root, int rounds,
                            void (*check)(struct session *, const char *))
{
    static struct model_listing listing[MODEL_LISTING_MAX];
    char text[256];
    int count = model_dir_list(root, listing, NULL);
    assert_true(count > 3);
    for (int i = 0; i < count; i++) {
        struct model_dir *dir = model_dir_open(listing[i].path, NULL);
        assert_non_null(dir);
        const struct translator translator = {dir->id, &dir->network, dir->source,
                                              dir->target};
        struct session *session = session_create(&translator, NULL);
        assert_non_null(session);
        for (int round = 0; round < rounds; round++) {
            random_text(text, 1 + (int)next_random(10));
            check(session, text);
        }
        session_destroy(session);
        model_dir_close(dir);
    }
}

static void check_model(struct session *session, const char *text)
{
    struct run_options options = random_options();
    check_width_one(session, text, options);
    check_beam(session, text, options, random_beam());
}

static void every_kind_of_network_can_be_searched(void **state)
{
    (void)state;
    for_every_model(ALPHASCOPE_TESTS "/golden/models", SMALL_ROUNDS, check_model);
}

static void every_bundled_model_can_be_searched(void **state)
{
    const char *data = getenv("ALPHASCOPE_DATA");
    char root[4096];
    (void)state;
    snprintf(root, sizeof root, "%s/models", data ? data : ".");
    for_every_model(root, LARGE_ROUNDS, check_model);
}

static void check_words_only(struct session *session, const char *text)
{
    struct run_options options = random_options(), words = options;
    words.words_only = true;
    struct alignment *a = greedy_of(session, text, options);
    struct alignment *b = greedy_of(session, text, words);
    size_t rows = (size_t)alignment_rows(a), n = (size_t)a->n_src;
    assert_true(same_words(a, b));
    assert_int_equal(alignment_ended(a), alignment_ended(b));
    assert_string_equal(a->translation, b->translation);
    assert_memory_equal(a->score, b->score, rows * n * sizeof *a->score);
    assert_memory_equal(a->alpha, b->alpha, rows * n * sizeof *a->alpha);
    for (size_t t = 0; t < rows; t++) {
        assert_true(isnan(b->p[t]) && isnan(b->top[t * ALIGNMENT_TOP].log_p));
        assert_int_equal(b->top[t * ALIGNMENT_TOP].id, b->target[t].id);
    }
    alignment_destroy(a);
    alignment_destroy(b);
}

static void words_and_alpha_need_no_probabilities(void **state)
{
    (void)state;
    for_every_model(ALPHASCOPE_TESTS "/golden/models", SMALL_ROUNDS, check_words_only);
}

static void a_search_can_be_left_between_two_steps(void **state)
{
    (void)state;
    static struct tiny tiny;
    const struct beam beam = {5, BEAM_LENGTH};
    struct session *session = tiny_session(&tiny);
    struct nbest first = beam_of(session, "a b", run_at(1), beam, 5), again;
    for (int steps = 0; steps < 6; steps++) {
        assert_true(session_beam_begin(session, "a b", 3, run_at(0.5f), &beam, NULL));
        for (int i = 0; i < steps; i++)
            session_beam_step(session);
        assert_non_null(session_beam_tree(session));
        again = beam_of(session, "a b", run_at(1), beam, 5);
        for (int i = 0; i < 5; i++)
            same(first.at[i].alignment, again.at[i].alignment);
        nbest_finish(&again);
    }
    nbest_finish(&first);
    session_destroy(session);
    tiny_close(&tiny);
}

// Of one row of 200 that is uniform: how many fell, and what became of the others.
static void dropout_drops_its_share_and_scales_the_rest(void **state)
{
    (void)state;
    for (int i = 1; i < 10; i++) {
        float rate = (float)i / 10;
        int fell = 0;
        for (int t = 0; t < 100; t++) {
            float alpha[200], same_again[200];
            for (int s = 0; s < 200; s++)
                alpha[s] = same_again[s] = 0.005f;
            dropout_apply(alpha, 200, rate, 7, t);
            dropout_apply(same_again, 200, rate, 7, t);
            assert_memory_equal(alpha, same_again, sizeof alpha);
            for (int s = 0; s < 200; s++) {
                fell += alpha[s] == 0;
                assert_true(alpha[s] == 0 || alpha[s] == 0.005f * (1 / (1 - rate)));
            }
        }
        // 20000 independent draws: five standard deviations.
        assert_true(fabs(fell / 20000.0 - (double)rate) <= 5 * 0.5 / sqrt(20000));
    }
}

static void seeds_and_steps_drop_other_weights(void **state)
{
    (void)state;
    float a[64], b[64], c[64];
    for (int s = 0; s < 64; s++)
        a[s] = b[s] = c[s] = 1;
    dropout_apply(a, 64, 0.5f, 1, 0);
    dropout_apply(b, 64, 0.5f, 2, 0);
    dropout_apply(c, 64, 0.5f, 1, 1);
    assert_memory_not_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    assert_memory_not_equal(b, c, sizeof b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_searches_hold),
        cmocka_unit_test(results_are_those_of_a_naive_search),
        cmocka_unit_test(every_kind_of_network_can_be_searched),
        cmocka_unit_test(every_bundled_model_can_be_searched),
        cmocka_unit_test(words_and_alpha_need_no_probabilities),
        cmocka_unit_test(a_search_can_be_left_between_two_steps),
        cmocka_unit_test(dropout_drops_its_share_and_scales_the_rest),
        cmocka_unit_test(seeds_and_steps_drop_other_weights),
    };
    return cmocka_run_group_tests_name("beam_properties", tests, NULL, NULL);
}
