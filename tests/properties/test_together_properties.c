// SPDX-License-Identifier: MIT
// What holds of sentences that are worked on together, with every model of tests/golden:
// encodings, steps of the decoder and whole translations are those of each alone, bit for
// bit, whoever comes and goes beside it. And the best word by small integers first is the
// best word.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/score.h"
#include "engine/screen.h"
#include "formats/model_dir.h"
#include "tiny_model.h"
#include "translate/crew.h"

enum { SENTENCES = 7, MAX_SRC = 9, STEPS = 6, HYPOTHESES = 3, ARENA = 64 << 20 };

static uint32_t seed = 20161115;

static uint32_t next_random(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

static void for_every_model(const char *folder, void (*check)(struct model_dir *dir))
{
    static struct model_listing listing[MODEL_LISTING_MAX];
    int count = model_dir_list(folder, listing, NULL);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        struct error err = {0};
        struct model_dir *dir = model_dir_open(listing[i].path, &err);
        if (!dir)
            fail_msg("%s", err.text);
        check(dir);
        model_dir_close(dir);
    }
}

struct lone { // a sentence, encoded alone and in company
    int ids[MAX_SRC], n_src;
    struct encoding alone, together;
    struct decoder decoder, twin; // of the one; of the other
};

static void same_floats(const float *a, const float *b, int rows, int cols)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a)
        assert_memory_equal(a, b, (size_t)(rows * cols) * sizeof *a);
}

static void same_encoding(const struct encoding *a, const struct encoding *b,
                          const struct model_config *c)
{
    int states = c->decoder_layers * c->decoder_hidden;
    assert_int_equal(a->n_src, b->n_src);
    same_floats(a->memory, b->memory, a->n_src, model_memory_width(c));
    if (c->family == FAMILY_TRANSFORMER)
        return;
    same_floats(a->keys, b->keys, a->n_src, scorer_key_width(c));
    same_floats(a->fertility, b->fertility, a->n_src, 1);
    same_floats(a->summary, b->summary, 1, model_summary_width(c));
    same_floats(a->state0, b->state0, 1, states);
    same_floats(a->memory0, b->memory0, 1, states);
}

static void encode(struct lone *lones, struct arena *arena, const struct network *network)
{
    struct encode_item items[SENTENCES];
    for (int i = 0; i < SENTENCES; i++) {
        struct lone *lone = &lones[i];
        lone->n_src = 1 + (int)next_random(MAX_SRC);
        for (int k = 0; k < lone->n_src; k++)
            lone->ids[k] = (int)next_random((uint32_t)network->config.source_vocab);
        assert_true(
            encoder_run(&lone->alone, arena, network, lone->ids, lone->n_src, NULL));
        items[i] = (struct encode_item){lone->ids, lone->n_src, arena, &lone->together};
    }
    assert_true(encoder_run_together(items, SENTENCES, arena, network, NULL));
    for (int i = 0; i < SENTENCES; i++)
        same_encoding(&lones[i].alone, &lones[i].together, &network->config);
}

static void same_step(const struct decoder *a, const struct decoder *b)
{
    const struct model_config *c = &a->network->config;
    int s = a->encoding->n_src;
    assert_int_equal(a->n, b->n);
    if (c->score != SCORE_NONE && c->family != FAMILY_TRANSFORMER)
        same_floats(a->e, b->e, a->n, s);
    if (c->score != SCORE_NONE)
        same_floats(a->alpha, b->alpha, a->n, s);
    same_floats(a->query_norm, b->query_norm, a->n, 1);
    same_floats(a->context_norm, b->context_norm, a->n, 1);
    same_floats(a->logits, b->logits, a->n, c->target_vocab);
    assert_memory_equal(a->best, b->best, (size_t)a->n * sizeof *a->best);
    for (int i = 0; i < a->n; i++)
        assert_int_equal(decoder_finite(a, i), decoder_finite(b, i));
    if (!a->options.words_only)
        same_floats(a->log_sum, b->log_sum, a->n, 1);
}

// Both go on alike, from hypotheses and with tokens of no plan.
static void go_on(struct decoder *a, struct decoder *b)
{
    int parents[HYPOTHESES], tokens[HYPOTHESES], n = 1 + (int)next_random(HYPOTHESES);
    for (int i = 0; i < n; i++) {
        parents[i] = (int)next_random((uint32_t)a->n);
        tokens[i] = (int)next_random((uint32_t)a->network->config.target_vocab);
    }
    decoder_continue(a, parents, tokens, n);
    decoder_continue(b, parents, tokens, n);
}

static void decode(struct lone *lones, struct arena *arena, const struct network *network,
                   struct run_options options)
{
    struct workspace work;
    assert_true(workspace_init(&work, arena, network, SENTENCES * HYPOTHESES, NULL));
    for (int i = 0; i < SENTENCES; i++) {
        struct lone *of = &lones[i];
        assert_true(decoder_init(&of->decoder, arena, network, &of->alone, HYPOTHESES,
                                 STEPS, options, NULL));
        assert_true(decoder_init(&of->twin, arena, network, &of->together, HYPOTHESES,
                                 STEPS, options, NULL));
    }
    for (int t = 0; t < STEPS; t++) { // some come later, some leave before the others
        struct decoder *company[SENTENCES];
        int n = 0;
        for (int i = 0; i < SENTENCES; i++)
            if (t >= i % 3 && t < STEPS - i % 2)
                company[n++] = &lones[i].twin;
        decoders_step(company, n, &work);
        for (int i = 0; i < SENTENCES; i++) {
            if (t < i % 3 || t >= STEPS - i % 2)
                continue;
            decoder_step(&lones[i].decoder);
            same_step(&lones[i].decoder, &lones[i].twin);
            go_on(&lones[i].decoder, &lones[i].twin);
        }
    }
}

static void check_steps(struct model_dir *dir)
{
    static struct lone lones[SENTENCES];
    struct arena arena;
    arena_init(&arena, ARENA);
    encode(lones, &arena, &dir->network);
    decode(lones, &arena, &dir->network, run_at(0.7f));
    decode(lones, &arena, &dir->network,
           (struct run_options){.tau = 1, .words_only = true, .dropout = 0.2f});
    struct screen *screen = screen_create(&dir->network);
    dir->network.screen = screen;
    decode(lones, &arena, &dir->network,
           (struct run_options){.tau = 1, .words_only = true});
    screen_destroy(screen);
    arena_finish(&arena);
}

static void sentences_do_not_depend_on_their_company(void **state)
{
    (void)state;
    for_every_model(ALPHASCOPE_TESTS "/golden/models", check_steps);
    for_every_model(ALPHASCOPE_TESTS "/golden/transformers", check_steps);
}

// Rows that small integers cannot tell apart: what they round away decides (of the rows;
// of the vector).
static void make_close_rows(float *w, int rows, int cols, bool whole)
{
    for (int i = 0; i < cols; i++)
        w[i] = i ? (float)next_random(100) - 50 : 63;
    for (int r = rows - 1; r >= 0; r--) {
        memmove(w + r * cols, w, (size_t)cols * sizeof *w);
        for (int i = 1; i < cols && !whole; i++)
            w[r * cols + i] += (float)next_random(800) / 1000 - 0.4f;
        for (int k = 0; k < 12 && whole; k++)
            w[r * cols + (int)next_random((uint32_t)cols)] -= 1;
    }
}

// Rows that a screen has to tell apart: many alike, some the same, some large.
static void make_rows(float *w, int rows, int cols, int kind)
{
    for (int r = 0; r < rows; r++) {
        int like = r && next_random(3) == 0 ? (int)next_random((uint32_t)r) : -1;
        for (int i = 0; i < cols; i++) {
            float x = (float)next_random(2001) / 1000 - 1;
            w[r * cols + i] = like < 0 ? x : w[like * cols + i];
        }
        if (kind == 1 && like >= 0)
            w[r * cols] = nextafterf(w[r * cols], next_random(2) ? 2 : -2);
        for (int i = 0; kind == 2 && i < cols; i++)
            w[r * cols + i] *= ldexpf(1, (int)next_random(60) - 40);
    }
}

static void make_vectors(float *x, int n, int cols)
{
    for (int v = 0; v < n; v++, x += cols) {
        float size = v % 5 == 4 ? 1e30f : v % 5 == 3 ? 1e-38f : 1;
        for (int i = 0; i < cols; i++)
            x[i] = v % 7 == 6 ? 0 : size * ((float)next_random(2001) / 1000 - 1);
        for (int i = 0; v % 4 == 1 && i < cols; i++) // what is exact in small integers
            x[i] = i ? (float)next_random(127) - 63 : 63;
        for (int i = 0; v % 4 == 2 && i < cols; i++) // what rounding puts in disorder
            x[i] = i ? 30 + (float)next_random(300) / 100 : 63;
    }
    x[-1] = NAN; // of the last
}

static void check_screen(int rows, int cols, int n, int kind)
{
    const struct kernels *kernels = kernels_best();
    struct network network = {.config = {.tied = true, .target_vocab = rows}};
    float *w = calloc((size_t)(rows * cols), sizeof *w);
    float *x = calloc((size_t)(n * cols), sizeof *x);
    float *bias = calloc((size_t)rows, sizeof *bias);
    int *best = calloc((size_t)n, sizeof *best), found = 0;
    if (kind < 3)
        make_rows(w, rows, cols, kind);
    else
        make_close_rows(w, rows, cols, kind == 4);
    make_vectors(x, n, cols);
    for (int r = 0; r < rows && kind == 0; r++)
        bias[r] = (float)next_random(3);
    network.tgt_embed = (struct tensor){w, DTYPE_F32, rows, cols, 0};
    network.out_bias = (struct tensor){bias, DTYPE_F32, rows, 1, 0};
    struct screen *screen = screen_create(&network);
    assert_int_equal(screen != NULL, kernels->small_product != NULL);
    if (screen)
        screen_best(screen, kernels, &network.tgt_embed, &network.out_bias, x, n, best);
    for (int v = 0; screen && v < n; v++) {
        int want =
            kernels
                ->product_best(NULL, &network.tgt_embed, x + v * cols, &network.out_bias)
                .at;
        if (best[v] >= 0)
            assert_int_equal(best[v], want);
        found += best[v] >= 0;
    }
    assert_true(!screen || found > n / 2 || (kind >= 2 && rows > 64));
    assert_true(!screen || best[n - 1] == -1);
    screen_destroy(screen);
    free(w);
    free(x);
    free(bias);
    free(best);
}

static void the_best_word_is_the_best_word(void **state)
{
    static const int shapes[][3] = {{8, 1, 3},    {63, 64, 9},   {64, 65, 31},
                                    {65, 17, 33}, {700, 96, 70}, {1500, 256, 20},
                                    {64, 256, 70}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int kind = 0; kind < 5; kind++)
            check_screen(shapes[i][0], shapes[i][1], shapes[i][2], kind);
}

struct list { // of texts, and what became of them
    const char *texts[40];
    int n, next, done;
    struct session *session;
    struct crew_orders orders;
};

static bool next_task(void *context, struct task *task, bool wait)
{
    struct list *list = context;
    if (list->next == list->n || (!wait && next_random(4) == 0))
        return false; // for now
    const char *text = list->texts[list->next++];
    *task = (struct task){.owner = list, .text = text, .length = strlen(text)};
    return true;
}

static void same_alignment(const struct alignment *a, const struct alignment *b)
{
    int rows = alignment_rows(a), s = a->n_src;
    assert_string_equal(a->text, b->text);
    assert_string_equal(a->translation, b->translation);
    assert_int_equal(alignment_ended(a), alignment_ended(b));
    assert_int_equal(rows, alignment_rows(b));
    if (!rows)
        return;
    same_floats(a->score, b->score, rows, s);
    same_floats(a->alpha, b->alpha, rows, s);
    same_floats(a->memory_norm, b->memory_norm, 1, s);
    for (int t = 0; t < rows; t++)
        assert_string_equal(a->target[t].text, b->target[t].text);
    if (!isnan(a->p[0]))
        same_floats(a->p, b->p, rows, 1);
}

static void finish_task(void *context, struct task *task)
{
    struct list *list = context;
    const struct crew_orders *o = &list->orders;
    struct error err = {0};
    struct nbest want = {.n = 1};
    bool ok = true;
    list->done++;
    if (o->beam.width)
        ok = session_beam(list->session, task->text, task->length, o->options, &o->beam,
                          o->most, &want, &err);
    else
        want.at[0].alignment =
            session_run(list->session, task->text, task->length, o->options, &err);
    assert_int_equal(task->failed, !ok || !want.at[0].alignment);
    if (task->failed) {
        assert_string_equal(task->why.text, err.text);
        return;
    }
    assert_int_equal(task->nbest.n, want.n);
    for (int i = 0; i < want.n; i++) {
        same_alignment(task->nbest.at[i].alignment, want.at[i].alignment);
        assert_true(!o->beam.width || task->nbest.at[i].score == want.at[i].score);
    }
    nbest_finish(&want);
    nbest_finish(&task->nbest);
}

static void check_crew(const struct translator *translator, struct crew_orders orders)
{
    static char texts[40][1400];
    struct list list = {.n = 40, .orders = orders};
    const struct crew_work work = {next_task, finish_task, &list};
    list.session = session_create(translator, NULL);
    struct crew *crew = crew_create(translator, &orders, NULL);
    assert_true(list.session && crew);
    for (int i = 0; i < list.n; i++) {
        int length = i == 17 ? 1300 : (int)next_random(30);
        for (int k = 0; k < length; k++)
            texts[i][k] = "ab "[next_random(3)];
        texts[i][length] = '\0';
        list.texts[i] = i == 5 ? "a\xff" : i == 6 ? "" : texts[i];
    }
    crew_run(crew, &work);
    assert_int_equal(list.done, list.n);
    crew_destroy(crew);
    session_destroy(list.session);
}

static void a_crew_gives_what_a_session_gives(void **state)
{
    static struct tiny tiny;
    const struct run_options words = {.tau = 0.5f, .words_only = true};
    (void)state;
    assert_true(tiny_open(&tiny, SCORE_ADDITIVE));
    check_crew(&tiny.translator, (struct crew_orders){.options = run_at(1)});
    check_crew(&tiny.translator, (struct crew_orders){.options = words});
    check_crew(
        &tiny.translator,
        (struct crew_orders){.options = run_at(1), .beam = {3, BEAM_LENGTH}, .most = 2});
    *tiny.bias = NAN; // of a word that is never said
    check_crew(&tiny.translator, (struct crew_orders){.options = words});
    tiny_close(&tiny);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_do_not_depend_on_their_company),
        cmocka_unit_test(the_best_word_is_the_best_word),
        cmocka_unit_test(a_crew_gives_what_a_session_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
