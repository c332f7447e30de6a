// SPDX-License-Identifier: MIT
// What holds of every alignment, by random rows and by decoding: bounds of the entropy,
// coverage, re-reading, repeating, and what a concurrent reader may see.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "align/telemetry.h"
#include "tiny_model.h"
#include "translate/translator.h"

enum { ROUNDS = 400, WIDEST = 513 };

static const enum score scores[] = {SCORE_ADDITIVE, SCORE_DOT, SCORE_GENERAL,
                                    SCORE_CONCAT};
enum { SCORES = sizeof scores / sizeof *scores };

static float random_float(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / (float)(1 << 24);
}

// A row of n weights that sum to 1, many of them zero, sharp or flat.
static void random_row(uint32_t *seed, float *alpha, int n)
{
    float sum = 0, sharp = 8 * random_float(seed), empty = random_float(seed);
    for (int s = 0; s < n; s++) {
        alpha[s] = random_float(seed) < empty ? 0 : powf(random_float(seed), sharp);
        sum += alpha[s];
    }
    if (sum == 0)
        sum = alpha[0] = 1;
    for (int s = 0; s < n; s++)
        alpha[s] /= sum;
}

static void entropy_stays_within_its_bounds(void **state)
{
    (void)state;
    uint32_t seed = 1;
    float alpha[WIDEST];
    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + (int)(random_float(&seed) * (WIDEST - 1));
        random_row(&seed, alpha, n);
        struct row_stats stats = telemetry_row(alpha, n);
        assert_true(stats.entropy_bits >= 0);
        assert_true(stats.entropy_bits <= log2f((float)n));
        assert_true(stats.effective >= 1 && stats.effective <= (float)n * 1.0001f);
        assert_float_equal(stats.sum, 1, 1e-4);
        assert_true(stats.max == alpha[stats.argmax]);
        for (int s = 0; s < n; s++)
            assert_true(s < stats.argmax ? alpha[s] < stats.max : alpha[s] <= stats.max);
    }
}

static void entropy_is_exact_at_both_ends(void **state)
{
    (void)state;
    float alpha[WIDEST];
    for (int n = 1; n <= WIDEST; n++) {
        for (int s = 0; s < n; s++)
            alpha[s] = 1.0f / (float)n;
        assert_float_equal(telemetry_row(alpha, n).entropy_bits, log2f((float)n), 1e-5);
        assert_float_equal(telemetry_row(alpha, n).effective, n, 0.02);
        memset(alpha, 0, sizeof alpha);
        assert_true(telemetry_row(alpha, n).entropy_bits == 0);
        alpha[n / 2] = 1;
        assert_true(telemetry_row(alpha, n).entropy_bits == 0);
        assert_true(telemetry_row(alpha, n).effective == 1);
        assert_int_equal(telemetry_row(alpha, n).argmax, n / 2);
    }
}

static void coverage_sums_to_the_number_of_rows(void **state)
{
    (void)state;
    uint32_t seed = 5;
    static float alpha[60 * WIDEST];
    float coverage[WIDEST];
    for (int round = 0; round < 60; round++) {
        int n = 1 + (int)(random_float(&seed) * (WIDEST - 1)), rows = round;
        double total = 0;
        for (int t = 0; t < rows; t++)
            random_row(&seed, alpha + (size_t)t * (size_t)n, n);
        telemetry_coverage(alpha, rows, n, coverage);
        for (int s = 0; s < n; s++) {
            assert_true(coverage[s] >= 0 && coverage[s] <= (float)rows * 1.0001f);
            total += (double)coverage[s];
        }
        assert_float_equal(total, rows, 1e-3);
    }
}

static const char *const sentences[] = {"a", "b aa b", "a a a a a a a a",
                                        "\xc3\xa9t\xc3\xa9 \xf0\x9f\x98\x80 b a"};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

static struct alignment *decode(struct session *session, const char *text, float tau)
{
    struct alignment *a = session_run(session, text, strlen(text), run_at(tau), NULL);
    assert_non_null(a);
    return a;
}

static size_t cells(const struct alignment *a)
{
    return (size_t)alignment_rows(a) * (size_t)a->n_src;
}

static void check_rereading(const struct alignment *a)
{
    int n = a->n_src, rows = alignment_rows(a);
    float *again = calloc(cells(a) + 1, sizeof *again);
    assert_non_null(again);
    again[cells(a)] = 7;
    translate_reread(a, NULL, a->tau, 0, rows, again);
    assert_memory_equal(again, a->alpha, cells(a) * sizeof *again);
    translate_reread(a, NULL, 0, 0, rows, again);
    for (int t = 0; t < rows; t++) {
        const float *e = a->score + (size_t)t * (size_t)n;
        int best = 0;
        for (int s = 1; s < n; s++)
            best = e[s] > e[best] ? s : best;
        for (int s = 0; s < n; s++)
            assert_true(again[t * n + s] == (s == best ? 1.0f : 0.0f));
    }
    translate_reread(a, NULL, INFINITY, 1, rows, again); // row 0 stays
    assert_true(telemetry_row(again, n).entropy_bits == 0);
    for (size_t i = (size_t)n; i < cells(a); i++)
        assert_true(again[i] == 1.0f / (float)n);
    assert_true(again[cells(a)] == 7);
    free(again);
}

static void for_every_decoding(void (*check)(const struct alignment *))
{
    static const float taus[] = {0.0f, 0.3f, 1.0f, 3.0f, INFINITY};
    for (int i = 0; i < SCORES * SENTENCES * 5; i++) {
        static struct tiny tiny;
        assert_true(tiny_open(&tiny, scores[i % SCORES]));
        struct session *session = session_create(&tiny.translator, NULL);
        struct alignment *a =
            decode(session, sentences[i / SCORES % SENTENCES], taus[i % 5]);
        check(a);
        alignment_destroy(a);
        session_destroy(session);
        tiny_close(&tiny);
    }
}

static void rereading_agrees_with_decoding(void **state)
{
    (void)state;
    for_every_decoding(check_rereading);
}

static void check_rows(const struct alignment *a)
{
    for (int t = 0; t < alignment_rows(a); t++) {
        struct row_stats stats =
            telemetry_row(a->alpha + (size_t)t * (size_t)a->n_src, a->n_src);
        assert_float_equal(stats.sum, 1, 1e-5);
        assert_true(a->p[t] > 0 && a->p[t] <= 1);
        for (int s = 0; s < a->n_src; s++)
            assert_true(isfinite(a->score[t * a->n_src + s]));
    }
}

static void decoded_rows_sum_to_one(void **state)
{
    (void)state;
    for_every_decoding(check_rows);
}

static void cancelling_anywhere_changes_nothing_afterwards(void **state)
{
    (void)state;
    static struct tiny tiny;
    assert_true(tiny_open(&tiny, SCORE_ADDITIVE));
    tiny_says(&tiny, TINY_B);
    struct session *session = session_create(&tiny.translator, NULL);
    const char *text = sentences[1];
    struct alignment *whole = decode(session, text, 0.7f);
    for (int stop = 0; stop < alignment_rows(whole); stop++) {
        struct alignment *part =
            session_begin(session, text, strlen(text), run_at(0.7f), NULL);
        for (int t = 0; t < stop; t++)
            assert_true(session_step(session, part));
        session_cancel(session, part);
        assert_int_equal(alignment_ended(part), ENDED_CANCELLED);
        assert_int_equal(alignment_rows(part), stop);
        assert_memory_equal(part->alpha, whole->alpha, cells(part) * sizeof(float));
        struct alignment *again = decode(session, text, 0.7f);
        assert_int_equal(cells(again), cells(whole));
        assert_memory_equal(again->alpha, whole->alpha, cells(whole) * sizeof(float));
        assert_memory_equal(again->score, whole->score, cells(whole) * sizeof(float));
        alignment_destroy(part);
        alignment_destroy(again);
    }
    alignment_destroy(whole);
    session_destroy(session);
    tiny_close(&tiny);
}

struct watched {
    struct alignment *alignment;
    int rows_seen;
    bool wrong;
};

// Reads every row as soon as it is published: it must be whole.
static void *watch(void *context)
{
    struct watched *w = context;
    const struct alignment *a = w->alignment;
    enum ended ended;
    do {
        ended = alignment_ended(a);
        int rows = alignment_rows(a);
        for (int t = w->rows_seen; t < rows; t++) {
            float sum = telemetry_row(a->alpha + t * a->n_src, a->n_src).sum;
            w->wrong |= !(fabsf(sum - 1) < 1e-4f) || a->p[t] <= 0 || !a->target[t].text ||
                        !a->target[t].text[0] || !a->top[t * ALIGNMENT_TOP].text;
        }
        w->wrong |= rows < w->rows_seen;
        w->rows_seen = rows;
        sched_yield();
    } while (ended == ENDED_NOT);
    w->wrong |= !a->translation[0] || a->decode_us <= 0;
    return NULL;
}

static void a_concurrent_reader_sees_only_whole_rows(void **state)
{
    (void)state;
    static struct tiny tiny;
    assert_true(tiny_open(&tiny, SCORE_GENERAL));
    tiny_says(&tiny, TINY_B);
    struct session *session = session_create(&tiny.translator, NULL);
    for (int round = 0; round < 20; round++) {
        const char *text = sentences[2];
        struct alignment *a = session_begin(session, text, strlen(text), run_at(1), NULL);
        assert_non_null(a);
        struct watched watched = {.alignment = a};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, watch, &watched), 0);
        while (session_step(session, a))
            sched_yield();
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_false(watched.wrong);
        assert_int_equal(watched.rows_seen, a->max_tgt);
        alignment_destroy(a);
    }
    session_destroy(session);
    tiny_close(&tiny);
}

// Two sessions of one model in two threads: what they share is constant.
struct job {
    struct session *session;
    struct alignment *result;
};

static void *translate(void *context)
{
    struct job *job = context;
    job->result =
        session_run(job->session, sentences[3], strlen(sentences[3]), run_at(1), NULL);
    return NULL;
}

static void two_sessions_share_one_model(void **state)
{
    (void)state;
    static struct tiny tiny;
    assert_true(tiny_open(&tiny, SCORE_CONCAT));
    struct job jobs[2] = {0};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        jobs[i].session = session_create(&tiny.translator, NULL);
        assert_non_null(jobs[i].session);
        assert_int_equal(pthread_create(&threads[i], NULL, translate, &jobs[i]), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(jobs[0].result && jobs[1].result);
    assert_int_equal(cells(jobs[0].result), cells(jobs[1].result));
    assert_memory_equal(jobs[0].result->alpha, jobs[1].result->alpha,
                        cells(jobs[0].result) * sizeof(float));
    for (int i = 0; i < 2; i++) {
        alignment_destroy(jobs[i].result);
        session_destroy(jobs[i].session);
    }
    tiny_close(&tiny);
}

static void same_rows(const struct alignment *a, const struct alignment *b)
{
    size_t rows = (size_t)alignment_rows(a);
    assert_int_equal(alignment_rows(b), rows);
    assert_int_equal(b->n_src, a->n_src);
    assert_int_equal(b->max_tgt, a->max_tgt);
    assert_int_equal(alignment_ended(b), alignment_ended(a));
    assert_memory_equal(b->score, a->score, cells(a) * sizeof *a->score);
    assert_memory_equal(b->alpha, a->alpha, cells(a) * sizeof *a->alpha);
    assert_memory_equal(b->p, a->p, rows * sizeof *a->p);
    assert_string_equal(b->translation, a->translation);
    for (size_t t = 0; t < rows; t++) {
        assert_int_equal(b->target[t].id, a->target[t].id);
        assert_string_equal(b->target[t].text, a->target[t].text);
        for (size_t k = t * ALIGNMENT_TOP; k < (t + 1) * ALIGNMENT_TOP; k++)
            assert_true(b->top[k].log_p == a->top[k].log_p);
    }
}

static void check_forcing(struct session *session, const char *text, float tau)
{
    static int ids[ALIGNMENT_MAX_TGT];
    struct alignment *greedy = decode(session, text, tau);
    int rows = alignment_rows(greedy);
    for (int t = 0; t < rows; t++)
        ids[t] = greedy->target[t].id;
    struct alignment *forced =
        session_force_ids(session, text, strlen(text), ids, rows, run_at(tau), NULL);
    assert_non_null(forced);
    same_rows(greedy, forced);
    struct alignment *again = decode(session, text, tau);
    same_rows(greedy, again);
    alignment_destroy(greedy);
    alignment_destroy(forced);
    alignment_destroy(again);
}

static void forcing_what_was_said_gives_its_alignment_bit_for_bit(void **state)
{
    (void)state;
    static const float taus[] = {0.0f, 0.5f, 1.0f, INFINITY};
    for (int i = 0; i <= SCORES; i++) {
        static struct tiny tiny;
        assert_true(tiny_open(&tiny, i < SCORES ? scores[i] : SCORE_NONE));
        struct session *session = session_create(&tiny.translator, NULL);
        assert_non_null(session);
        for (int j = 0; j < SENTENCES * 4; j++)
            check_forcing(session, sentences[j / 4], taus[j % 4]);
        session_destroy(session);
        tiny_close(&tiny);
    }
}

// Another word changes its own probability and what comes after it, nothing before.
static void a_forced_word_changes_only_later_rows(void **state)
{
    (void)state;
    static const int ids[2][4] = {{TINY_A, TINY_B, TINY_A, 2},
                                  {TINY_A, TINY_AA, TINY_A, 2}};
    for (int i = 0; i < SCORES; i++) {
        static struct tiny tiny;
        assert_true(tiny_open(&tiny, scores[i]));
        struct session *session = session_create(&tiny.translator, NULL);
        struct alignment *a =
            session_force_ids(session, "a b", 3, ids[0], 4, run_at(1), NULL);
        struct alignment *b =
            session_force_ids(session, "a b", 3, ids[1], 4, run_at(1), NULL);
        assert_true(a && b);
        size_t n = (size_t)a->n_src;
        assert_memory_equal(a->alpha, b->alpha, 2 * n * sizeof *a->alpha);
        assert_true(a->p[0] == b->p[0] && a->p[1] != b->p[1] && a->p[2] != b->p[2]);
        assert_true(memcmp(a->alpha + 3 * n, b->alpha + 3 * n, n * sizeof(float)) != 0);
        assert_int_equal(alignment_ended(a), ENDED_EOS);
        alignment_destroy(a);
        alignment_destroy(b);
        session_destroy(session);
        tiny_close(&tiny);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entropy_stays_within_its_bounds),
        cmocka_unit_test(entropy_is_exact_at_both_ends),
        cmocka_unit_test(coverage_sums_to_the_number_of_rows),
        cmocka_unit_test(rereading_agrees_with_decoding),
        cmocka_unit_test(decoded_rows_sum_to_one),
        cmocka_unit_test(cancelling_anywhere_changes_nothing_afterwards),
        cmocka_unit_test(a_concurrent_reader_sees_only_whole_rows),
        cmocka_unit_test(two_sessions_share_one_model),
        cmocka_unit_test(forcing_what_was_said_gives_its_alignment_bit_for_bit),
        cmocka_unit_test(a_forced_word_changes_only_later_rows),
    };
    return cmocka_run_group_tests_name("align_properties", tests, NULL, NULL);
}
